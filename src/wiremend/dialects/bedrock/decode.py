"""Amazon Bedrock Converse: request body to history.

A user message that holds tool results becomes one tool message a result and a user message for
each run of other blocks; ``$from`` and ``$order`` remember that they were one, and how they stood.
Source: botocore's service model of ``bedrock-runtime``, ``ConverseRequest``.
"""

from __future__ import annotations

from typing import Any

from wiremend.dialects.arguments import dump_arguments, is_object
from wiremend.dialects.base import (
    CONTENT,
    FIELDS,
    SPLIT,
    Conversation,
    Json,
    expect_list,
    expect_object,
    extras,
    rest,
)
from wiremend.dialects.bedrock.blocks import member_of, one_of_each, read_block, write_block
from wiremend.dialects.bedrock.fields import BESIDE, BLANK, NAME, ORDER, PLACE
from wiremend.dialects.bedrock.foreign import (
    at_home,
    foreign_call,
    foreign_result,
    is_foreign,
    read_type,
)
from wiremend.dialects.openai_chat.decode import decode_message as decode_chat_message
from wiremend.errors import Path, WiremendError
from wiremend.model import ContextMessage, OpaquePart, Part, TextPart, ThinkPart, ToolCall, is_blank
from wiremend.projection.anomalies import (
    ArgumentsMended,
    EmptyContentReshaped,
    ForeignPartConverted,
    MisplacedBlockMoved,
    OnAnomaly,
    ThinkingDropped,
)

SERVER = "server_tool_use"
"""The type of a call that the provider runs itself."""


def decode_body(body: Json, report: OnAnomaly) -> Conversation:
    """A request body as history."""
    messages = expect_list(body.get("messages"), ("messages",), "messages")
    history = _system(body.get("system"), report)
    envelope = {**body, "messages": None}
    if history:
        envelope["system"] = None
    served: set[str] = set()
    for index, message in enumerate(messages):
        history.extend(_message(message, index, served, report))
    return Conversation(tuple(history), envelope)


def _system(value: Any, report: OnAnomaly) -> list[ContextMessage]:
    """The system prompt; nothing where there are no blocks, which the API takes as it is."""
    if value is None or value == []:
        return []
    if isinstance(value, str):
        report(ForeignPartConverted("text instead of blocks"))
        value = [{"text": value}]
    blocks = expect_list(value, ("system",), "system blocks")
    parts = [
        _part(expect_object(block, ("system", n), "a system block"), report)
        for n, block in enumerate(blocks)
    ]
    content = tuple(part for part in parts if part is not None)
    return [ContextMessage("system", content, extras={NAME: {PLACE: "system"}})]


def _message(value: Any, index: int, served: set[str], report: OnAnomaly) -> list[ContextMessage]:
    path: Path = ("messages", index)
    message = expect_object(value, path, "a message")
    role = message.get("role")
    if role in ("tool", "developer") or isinstance(message.get("tool_calls"), list):
        report(ForeignPartConverted(f"{role} message"))
        return [at_home(decoded) for decoded in decode_chat_message(message, path, report)]
    if role not in ("user", "assistant", "system"):
        raise WiremendError("expected a role, one of: user, assistant", (*path, "role"))
    fields = rest(message, "role", "content")
    content = message.get("content")
    if content is None:
        return [ContextMessage(role, extras=extras(NAME, fields))]
    if isinstance(content, str):
        report(ForeignPartConverted("text instead of blocks"))
        content = [{"text": content}]
    if not isinstance(content, list):
        raise WiremendError("expected content that is a list of blocks", (*path, "content"))
    reader = _Reader(role, index, served, report)
    for n, item in enumerate(content):
        given = expect_object(item, (*path, "content", n), "a content block")
        for block in one_of_each(given, report):
            reader.read(block)
    return reader.messages(fields)


class _Reader:
    """Collects the blocks of one wire message into history messages.

    ``served`` are the ids of the calls that the provider answers itself.
    """

    def __init__(self, role: str, index: int, served: set[str], report: OnAnomaly) -> None:
        self._said_by = role
        self._role = role
        self._index = index
        self._served = served
        self._report = report
        self._results: list[ContextMessage] = []
        self._done: list[ContextMessage] = []
        self._parts: list[Part] = []
        self._calls: list[ToolCall] = []
        self._positions: list[int] = []

    def read(self, block: Json) -> None:
        kind = self._kind(block)
        home = {"call": "assistant", "thinking": "assistant", "result": "user"}.get(
            kind, self._said_by
        )
        if home != self._said_by:
            self._report(
                MisplacedBlockMoved(member_of(block) or str(block.get("type")), self._said_by)
            )
        if home != self._role:
            self._flush()
            self._role = home
        if kind == "call":
            self._positions.append(len(self._parts))
            self._calls.append(_call(block, self._report))
        elif kind == "result":
            self._flush()
            # In the model's own message a result answers a call in it, and stands behind that.
            where = self._done if self._said_by == "assistant" else self._results
            where.append(self._noted(_result(block, self._report)))
        elif (part := _part(block, self._report)) is not None:
            self._parts.append(part)

    def messages(self, fields: Json) -> list[ContextMessage]:
        """The wire message as history, its results first: they belong to the turn before."""
        if not self._results and not self._done:
            return [self._decoded(fields)]
        self._flush()
        out = [*self._results, *self._done]
        if not fields:
            return out
        # On each, since any of them may be dropped later.
        return [_with(m, {**(m.extras or {}).get(NAME, {}), FIELDS: fields}) for m in out]

    def _kind(self, block: Json) -> str:
        """Whether a block is a call, a result, or thinking; these belong to one role each."""
        if is_foreign(block):
            return {"tool_use": "call", "tool_result": "result"}.get(block["type"], "")
        member = member_of(block)
        value = block.get(member) if member else None
        if not isinstance(value, dict):
            return ""
        if member == "toolUse":
            if value.get("type") != SERVER:
                return "call"
            self._served.add(str(value.get("toolUseId")))
        elif member == "toolResult":
            return "" if str(value.get("toolUseId")) in self._served else "result"
        return "thinking" if member == "reasoningContent" else ""

    def _flush(self) -> None:
        if self._parts or self._calls:
            self._done.append(self._noted(self._decoded({})))
            self._parts, self._calls, self._positions = [], [], []

    def _decoded(self, fields: Json) -> ContextMessage:
        interleaved = any(position < len(self._parts) for position in self._positions)
        kept = {**fields, PLACE: "messages"} if self._role == "system" else fields
        return ContextMessage(
            self._role,  # type: ignore[arg-type]
            tuple(self._parts),
            tuple(self._calls),
            call_positions=tuple(self._positions) if interleaved else None,
            extras=extras(NAME, kept),
        )

    def _noted(self, message: ContextMessage) -> ContextMessage:
        place = {SPLIT: self._index, ORDER: len(self._results) + len(self._done)}
        return _with(message, {**(message.extras or {}).get(NAME, {}), **place})


def _with(message: ContextMessage, kept: Json) -> ContextMessage:
    return ContextMessage(
        message.role,
        message.content,
        message.tool_calls,
        tool_call_id=message.tool_call_id,
        call_positions=message.call_positions,
        is_error=message.is_error,
        extras={NAME: kept},
    )


def _part(block: Json, report: OnAnomaly) -> Part | None:
    if is_foreign(block):
        return read_type(block, report)
    thought = block.get("reasoningContent")
    inner = thought.get("reasoningText") if isinstance(thought, dict) else None
    if isinstance(inner, dict) and inner.get("text") is None:
        return _wordless(inner, report)
    return read_block(block)


def _wordless(inner: Json, report: OnAnomaly) -> Part | None:
    """Reasoning whose text a store lost; the signature alone goes back with empty text."""
    signature = inner.get("signature")
    if isinstance(signature, str) and signature:
        report(EmptyContentReshaped("assistant"))
        return ThinkPart("", signature)
    report(ThinkingDropped("without text"))
    return None


def _call(block: Json, report: OnAnomaly) -> ToolCall:
    if "toolUse" not in block:
        return foreign_call(block, report)
    value = block["toolUse"]
    call_id, name = value.get("toolUseId"), value.get("name")
    call_id = call_id if isinstance(call_id, str) else ""
    given = value.get("input", {})
    text = given if isinstance(given, str) else dump_arguments(given)
    if isinstance(given, str) and is_object(given):
        # What is no object is reported where it is wrapped.
        report(ArgumentsMended(call_id, "parsed"))
    elif "input" not in value:
        report(ArgumentsMended(call_id, "emptied"))
    beside = rest(block, "toolUse")
    kept = {**rest(value, "toolUseId", "name", "input"), **({BESIDE: beside} if beside else {})}
    return ToolCall(call_id, name if isinstance(name, str) else "", text, extras=extras(NAME, kept))


def _result(block: Json, report: OnAnomaly) -> ContextMessage:
    if "toolResult" not in block:
        return foreign_result(block, report)
    value, beside = block["toolResult"], rest(block, "toolResult")
    kept: Json = {**rest(value, "toolUseId", "content"), **({BESIDE: beside} if beside else {})}
    failed = value.get("status") == "error"
    if failed:
        del kept["status"]
    content = value.get("content")
    if isinstance(content, str):
        report(ForeignPartConverted("text instead of blocks"))
        content = [{"text": content}]
    parts: list[Part] = []
    if isinstance(content, list):
        kept[CONTENT] = "list"
        parts = [part for item in content for part in _inner(item, report)]
        if not failed and all(type(p) is TextPart and is_blank(p.text) for p in parts):
            kept[BLANK] = [write_block(part) for part in parts]
            parts = []
        elif not all(type(p) is TextPart and is_blank(p.text) for p in parts):
            parts = [_kept_blank(part) for part in parts]
    call_id = value.get("toolUseId")
    return ContextMessage(
        "tool",
        tuple(parts),
        tool_call_id=call_id if isinstance(call_id, str) else None,
        is_error=True if failed else None,
        extras=extras(NAME, kept),
    )


def _inner(item: Any, report: OnAnomaly) -> list[Part]:
    if not isinstance(item, dict):
        return [OpaquePart(NAME, item)]
    read = [_part(block, report) for block in one_of_each(item, report)]
    return [part for part in read if part is not None]


def _kept_blank(part: Part) -> Part:
    """A blank text beside others in a result, which the provider takes, out of the way."""
    if type(part) is TextPart and is_blank(part.text):
        return OpaquePart(NAME, {"text": part.text})
    return part
