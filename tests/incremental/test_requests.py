"""A request that is built step by step is the one that the plain function gives, in bytes too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from tests.incremental.histories import added
from tests.incremental.test_projection import LONG_REACH
from tests.properties.bodies import BODIES, DAMAGED, MODELS
from wiremend import (
    DIALECTS,
    ContextMessage,
    Message,
    Strip,
    ToolCall,
    WiremendError,
    mark_cache,
    request,
)
from wiremend.dialects import sanitise
from wiremend.incremental import RequestBuilder
from wiremend.mend import written
from wiremend.model import ThinkPart, assistant, tool_result, user
from wiremend.projection.anomalies import ignore
from wiremend.projection.media import take_snapshot

encode = msgspec.json.encode
GROWING = [name for name, dialect in DIALECTS.items() if dialect.growth is not None]
FUNCTION = {"name": "run", "description": "Runs.", "parameters": {"type": "object"}}
TABLES: dict[str, dict[str, Any]] = {
    "anthropic": {"tools": [{"name": "run", "input_schema": {"type": "object"}}]},
    "openai-responses": {"tools": [{"type": "function", **FUNCTION}]},
    "gemini": {"tools": [{"functionDeclarations": [FUNCTION]}]},
    "bedrock": {
        "toolConfig": {
            "tools": [{"toolSpec": {"name": "run", "inputSchema": {"json": {"type": "object"}}}}]
        }
    },
}
ODD: dict[str, dict[str, Any]] = {
    "anthropic": {"system": "Be brief.", "thinking": {"type": "enabled", "budget_tokens": 2048}},
    "bedrock": {
        "modelId": "us.anthropic.claude-sonnet-4-20250514-v1:0",
        "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 2048}},
    },
    "kimi": {"thinking": {"type": "enabled"}},
    "deepseek": {"thinking": {"type": "enabled"}},
    "gemini": {"model": "gemini-3-pro-preview", "systemInstruction": {"parts": [{"text": "Hm."}]}},
    "openai-responses": {
        "store": False,
        "previous_response_id": "resp_1",
        "instructions": "Be brief.",
    },
}


SIGNED = {"gemini": {"$part": {"thoughtSignature": "c2ln"}}}
"""Without which the calls of a turn get a stand-in until it ends."""


def settings_of(dialect: str) -> list[dict[str, Any]]:
    """Fields beside the messages: a few, with a tool table, and with whatever changes more."""
    plain = {"modelId" if dialect == "bedrock" else "model": MODELS[dialect]}
    table = TABLES.get(dialect, {"tools": [{"type": "function", "function": FUNCTION}]})
    named = {"tools": [{"type": "function", "function": {**FUNCTION, "name": "a.b"}}]}
    return [
        plain,
        {**plain, **table},
        {**plain, **ODD.get(dialect, {}), **table},
        {**plain, **ODD.get(dialect, {}), "temperature": float("nan")},
        {**plain, **(named if dialect not in TABLES else table), "user": "half \ud83d"},
    ]


def agree(
    builder: RequestBuilder, history: Sequence[Message], fields: Mapping[str, Any], **wishes: Any
) -> None:
    cached = wishes.pop("cache", False)
    plain = request(history, builder.dialect, fields, **wishes)
    body = mark_cache(plain.body, builder.dialect) if cached else plain.body
    built = builder.request()
    assert built.body == body
    assert list(built.body) == list(body)
    assert Counter(built.anomalies) == Counter(plain.anomalies)
    assert builder.encode() == encode(body)


class GrowingRequest(RuleBasedStateMachine):
    """Everything that can happen to a history and to what stands beside it, in every dialect."""

    def __init__(self) -> None:
        super().__init__()
        self.history: list[Message] = []

    @initialize(
        dialect=st.sampled_from(GROWING),
        fields=st.integers(0, 4),
        strict=st.booleans(),
        media=st.sampled_from([None, None, None, "strip", "degraded"]),
        duplicates=st.sampled_from([None, None, "rename", "drop"]),
        frontier=st.sampled_from(["close", "close", "keep"]),
        cache=st.booleans(),
        several=st.lists(added, max_size=9),
    )
    def begin(
        self, dialect: str, fields: int, several: list[list[ContextMessage]], **wishes: Any
    ) -> None:
        self.fields = settings_of(dialect)[fields]
        self.wishes = wishes
        self.builder = RequestBuilder(dialect, self.fields, **wishes)
        self.append_much(several)

    @rule(messages=added)
    def append(self, messages: list[ContextMessage]) -> None:
        self.history += messages
        self.builder.extend(messages)

    @rule(several=st.lists(added, max_size=9))
    def append_much(self, several: list[list[ContextMessage]]) -> None:
        for messages in several:
            self.append(messages)

    @rule(data=st.data(), damaged=st.booleans(), anothers=st.booleans())
    def read_a_request(self, data: st.DataObject, damaged: bool, anothers: bool) -> None:
        dialect = data.draw(st.sampled_from(list(DIALECTS))) if anothers else self.builder.dialect
        body = data.draw((DAMAGED if damaged else BODIES)[dialect])
        try:
            read = DIALECTS[dialect].decode(sanitise(body, ignore), ignore).history
        except WiremendError:
            return
        self.history += read
        self.builder.extend(read)

    @precondition(lambda self: self.history)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        end = data.draw(st.integers(0, len(self.history)))
        del self.history[end:]
        self.builder.truncate(end)

    @precondition(lambda self: self.history)
    @rule(data=st.data(), messages=added)
    def edit(self, data: st.DataObject, messages: list[ContextMessage]) -> None:
        at = data.draw(st.integers(0, len(self.history) - 1))
        self.history[at : at + 1] = messages
        self.builder.follow(self.history)

    @rule(fields=st.integers(0, 4), temperature=st.sampled_from([None, 0, 1.0]))
    def change_settings(self, fields: int, temperature: float | None) -> None:
        self.fields = settings_of(self.builder.dialect)[fields]
        if temperature is not None:
            self.fields = {**self.fields, "temperature": temperature}
        self.builder.settings = self.fields

    @rule()
    def change_nothing_but_the_head(self) -> None:
        self.fields = {**self.fields, "metadata": {"n": len(self.history)}}
        self.builder.settings = self.fields

    @invariant()
    def the_result_is_that_of_the_plain_function(self) -> None:
        if hasattr(self, "builder"):
            agree(self.builder, self.history, self.fields, **self.wishes)


TestGrowingRequest = GrowingRequest.TestCase
TestGrowingRequest.settings = settings(stateful_step_count=20)


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("fields", range(5))
@pytest.mark.parametrize("dialect", GROWING)
def test_what_reaches_far_back_changes_what_was_written_before(
    dialect: str, fields: int, strict: bool
) -> None:
    envelope = settings_of(dialect)[fields]
    for history in LONG_REACH.values():
        builder = RequestBuilder(dialect, envelope, strict=strict)
        for end, message in enumerate(history, 1):
            builder.append(message)
            agree(builder, history[:end], envelope, strict=strict)
        for end in range(len(history) - 1, 0, -1):
            builder.truncate(end)
            agree(builder, history[:end], envelope, strict=strict)


@contextmanager
def counted() -> Iterator[list[int]]:
    """How many messages are written at a time."""
    looked_at: list[int] = []

    def counting(target: Any, messages: Sequence[Message], *rest: Any) -> Any:
        looked_at.append(len(messages))
        return written(target, messages, *rest)

    with patch("wiremend.incremental.requests.written", counting):
        yield looked_at


@pytest.mark.parametrize("thinks", [False, True], ids=["plain", "thinking"])
@pytest.mark.parametrize("fields", range(4))
@pytest.mark.parametrize("dialect", GROWING)
def test_a_step_writes_what_was_added_however_long_the_turn_is(
    dialect: str, fields: int, thinks: bool
) -> None:
    envelope = settings_of(dialect)[fields]
    builder = RequestBuilder(dialect, envelope, cache=True)
    history: list[ContextMessage] = [ContextMessage("system", user("Be brief.").content)]
    history += [user("Find it."), assistant("Where?"), user("Here.")]
    builder.extend(history)
    for number in range(60):
        call = ToolCall(f"call_{number}", "run", "{}", extras=SIGNED)
        thinking = (ThinkPart("hm", "c2ln"),) if thinks else ()
        step = [
            ContextMessage("assistant", thinking, (call,)),
            tool_result(call.id, "not there"),
        ]
        history += step
        builder.extend(step)
        with counted() as looked_at:
            builder.encode()
        assert number < 2 or sum(looked_at) < 20
    agree(builder, history, envelope, cache=True)


@pytest.mark.parametrize("dialect", GROWING)
def test_other_settings_write_only_the_head(dialect: str) -> None:
    envelope = settings_of(dialect)[1]
    builder = RequestBuilder(dialect, envelope)
    history = [user("Go."), assistant("Yes?")]
    for number in range(100):
        history += [user(f"Question {number}"), assistant("Answer")]
        builder.follow(history)
        builder.encode()
    with counted() as looked_at:
        builder.settings = {**envelope, "temperature": 0.5}
        builder.encode()
    assert sum(looked_at) < 20
    agree(builder, history, {**envelope, "temperature": 0.5})


def test_bytes_are_put_together_from_what_was_handed_out_before() -> None:
    builder = RequestBuilder("anthropic", settings_of("anthropic")[1], cache=True)
    history = [user("Go.")]
    for number in range(40):
        history += [assistant("x" * 7000), user(f"Question {number}")]
    builder.follow(history)
    agree(builder, history, builder.settings, cache=True)
    first = builder.chunks()
    builder.extend([assistant("Done."), user("And?")])
    again = builder.chunks()
    shared = [one for one, other in zip(first, again, strict=False) if one is other]
    assert sum(map(len, shared)) > 200_000
    for end in (60, 31, 80, 7, 0):
        history = history[:end] + [user("Again."), assistant("Yes."), user("Well?")] * 9
        builder.follow(history)
        agree(builder, history, builder.settings, cache=True)


def test_media_that_was_refused_stays_out_step_by_step() -> None:
    picture = user("Look.", "https://e.test/i.png")
    snapshot = Strip(take_snapshot([picture]))
    builder = RequestBuilder("anthropic", {"model": "claude-sonnet-4-5"}, media=snapshot)
    history = []
    for number in range(20):
        history += [picture, assistant(f"Seen {number} times.")]
        builder.follow(history)
        agree(builder, history, builder.settings, media=snapshot)
