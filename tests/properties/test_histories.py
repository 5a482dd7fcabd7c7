"""The promises for what an engine sends: any history at all, in every dialect."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiremend
from tests.judges import sdk_objections
from tests.properties.bodies import MODELS
from tests.properties.histories import histories
from tests.ways import projecting_both_ways  # noqa: F401 (a fixture for all)
from wiremend import ContextMessage, Message, ProjectionPolicy
from wiremend.projection.anomalies import ignore
from wiremend.providers import simulated

SETTINGS: dict[str, dict[str, Any]] = {
    name: {"modelId": model} if name == "bedrock" else {"model": model}
    for name, model in MODELS.items()
}
SETTINGS["anthropic"]["max_tokens"] = 1024
options: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "strict": st.booleans(),
        "media": st.sampled_from([None, "degraded", "strip"]),
        "duplicates": st.sampled_from([None, "rename", "drop"]),
    }
)
every_dialect = pytest.mark.parametrize("dialect", list(SETTINGS))


@every_dialect
@given(history=histories, wishes=options)
def test_what_is_sent_breaks_no_rule_and_no_judge_objects(
    dialect: str, history: list[ContextMessage], wishes: dict[str, Any]
) -> None:
    sent = wiremend.request(history, dialect, SETTINGS[dialect], **wishes)
    if not sent.body[wiremend.DIALECTS[dialect].holds]:
        return  # nothing was left that could be sent
    assert wiremend.check(sent.body, dialect) == []
    assert simulated(dialect).post(sent.body).error == ""
    assert sdk_objections(sent.body, dialect) == []


@every_dialect
@given(history=histories)
def test_what_was_sent_needs_no_mending(dialect: str, history: list[ContextMessage]) -> None:
    sent = wiremend.request(history, dialect, SETTINGS[dialect])
    assert wiremend.fix(sent.body, dialect) == wiremend.Fixed(sent.body, ())


@every_dialect
@given(history=histories)
def test_a_history_is_never_changed_and_gives_the_same_bytes(
    dialect: str, history: list[ContextMessage]
) -> None:
    before = repr(history)
    first = wiremend.request(history, dialect, SETTINGS[dialect])
    second = wiremend.request(history, dialect, SETTINGS[dialect])
    assert repr(history) == before
    assert json.dumps(first.body) == json.dumps(second.body)


@every_dialect
@given(history=histories)
def test_what_only_the_engine_may_see_never_reaches_the_wire(
    dialect: str, history: list[ContextMessage]
) -> None:
    text = json.dumps(wiremend.request(history, dialect, SETTINGS[dialect]).body)
    assert "origin" not in text
    assert "secret" not in text


@given(history=histories)
def test_strict_projection_is_a_projection_of_the_plain_one(history: list[ContextMessage]) -> None:
    plain, strict = wiremend.project(history), wiremend.project_strict(history)
    assert len(strict) <= len(plain)
    again = wiremend.project_strict(strict)
    assert [_shape(message) for message in again] == [_shape(message) for message in strict]
    if strict:
        assert strict[0].role == "user"


@given(history=histories)
def test_plain_projection_pairs_every_call(history: list[ContextMessage]) -> None:
    messages = wiremend.project(history)
    index = 0
    while index < len(messages):
        calls = messages[index].tool_calls
        results = messages[index + 1 : index + 1 + len(calls)]
        assert [result.tool_call_id for result in results] == [call.id for call in calls]
        index += 1 + len(calls)


@given(history=histories)
def test_projecting_for_sending_what_was_projected_for_sending_changes_nothing(
    history: list[ContextMessage],
) -> None:
    sending = ProjectionPolicy(sending=True)
    once = wiremend.project(history, None, sending)
    seen: list[wiremend.Anomaly] = []
    assert wiremend.project(once, seen.append, sending) == once
    assert seen == []


def _shape(message: Message) -> Message:
    """A message as it is, but a result without its text: rendering is for what tools gave."""
    return msgspec.structs.replace(message, content=()) if message.role == "tool" else message


@every_dialect
@given(history=histories, strict=st.booleans(), is_prepared=st.booleans())
def test_a_history_that_was_not_projected_is_written_or_said_to_be_unprepared(
    dialect: str, history: list[ContextMessage], strict: bool, is_prepared: bool
) -> None:
    writer = wiremend.DIALECTS[dialect]
    given_messages = writer.prepare(history, ignore) if is_prepared else history
    body, said = None, ""
    try:
        body = writer.encode(given_messages, SETTINGS[dialect], ignore, strict=strict)
    except wiremend.WiremendError as error:
        said = error.reason
    if body is None:
        assert not is_prepared
        assert "`prepare` the history first" in said
    else:
        assert writer.holds in body
