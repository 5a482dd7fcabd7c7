"""Whoever speaks first, in every dialect: what strict mode sends, it leaves alone the next time.

Every short conversation that the blocks below can make, so that each who may come first is met by
each who may come after, and by each whom a dialect adds.
"""

from __future__ import annotations

from itertools import product

import pytest

import wiremend
from tests.projection.notation import A, N, R, S, U, image
from tests.properties.bodies import MODELS
from wiremend import ContextMessage

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
PICTURE = image(f"data:image/png;base64,{PNG}")
BLOCKS: dict[str, tuple[ContextMessage, ...]] = {
    "system": (S("rules"),),
    "user": (U("question"),),
    "reminder": (N("remember"),),
    "assistant": (A("answer"),),
    "picture of the assistant's": (A("drawn", PICTURE),),
    "exchange": (A(calls="callAbc01"), R("callAbc01")),
    "exchange with a picture": (A(calls="callAbc02"), R("callAbc02", "seen", PICTURE)),
    "open call": (A(calls="callAbc03"),),
}
CONVERSATIONS = [
    [message for name in names for message in BLOCKS[name]]
    for length in (1, 2, 3)
    for names in product(BLOCKS, repeat=length)
]
every_dialect = pytest.mark.parametrize("dialect", list(MODELS))


@every_dialect
def test_what_was_sent_strictly_is_sent_so_again(dialect: str) -> None:
    model = {"modelId" if dialect == "bedrock" else "model": MODELS[dialect]}
    for history in CONVERSATIONS:
        sent = wiremend.request(history, dialect, model, strict=True).body
        again = wiremend.fix(sent, dialect, strict=True)
        assert again == wiremend.Fixed(sent, ()), history


@every_dialect
def test_strict_mode_begins_with_the_user_or_a_system_message(dialect: str) -> None:
    holds = wiremend.DIALECTS[dialect].holds
    for history in CONVERSATIONS:
        sent = wiremend.request(history, dialect, strict=True).body.get(holds, [])
        first = next((item for item in sent if item.get("role") != "system"), None)
        assert first is None or first.get("role") == "user", history


def test_what_has_no_user_is_kept_behind_a_line_that_stands_for_one() -> None:
    said = [{"role": "system", "content": "rules"}, {"role": "assistant", "content": "answer"}]
    fixed = wiremend.fix({"model": "m", "messages": said}, "mistral", strict=True)
    roles = [message["role"] for message in fixed.body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert [one.kind for one in fixed.anomalies] == ["leading_user_inserted", "final_user_inserted"]


@pytest.mark.parametrize("field", ["previous_response_id", "conversation"])
def test_nobody_speaks_first_where_the_provider_has_what_was_said_before(field: str) -> None:
    said = [{"role": "assistant", "content": "answer"}, {"role": "user", "content": "more"}]
    for messages in (said, said[:1]):
        body = {"model": "m", field: "id_1", "input": messages}
        assert wiremend.fix(body, "openai-responses", strict=True) == wiremend.Fixed(body, ())
