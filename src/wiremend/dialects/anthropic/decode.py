"""Anthropic Messages: request body to history.

A user message that holds tool results becomes one tool message a result and a user message for
each run of other blocks; ``$from`` remembers that they were one. Assistant messages in a row that
make calls become one, as the API reads them. Source: ``anthropic`` SDK, ``MessageParam``.
"""

from __future__ import annotations

from typing import Any

from wiremend.dialects.anthropic.blocks import read_block
from wiremend.dialects.anthropic.fields import BLANK, NAME, PLACE
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
    extras_of,
    rest,
    with_extras,
)
from wiremend.dialects.foreign import read_foreign
from wiremend.dialects.openai_chat.decode import decode_message as decode_chat_message
from wiremend.errors import Path, WiremendError
from wiremend.model import ContextMessage, Part, TextPart, ToolCall, is_blank, joined
from wiremend.projection.anomalies import (
    ArgumentsMended,
    ForeignPartConverted,
    ForeignPartDropped,
    MisplacedBlockMoved,
    OnAnomaly,
    VacuousMessageDropped,
)

RUN = "$run"
"""In an assistant message's extras: the messages that it was made of, by number of blocks."""


def decode_body(body: Json, report: OnAnomaly) -> Conversation:
    """A request body as history."""
    messages = expect_list(body.get("messages"), ("messages",), "messages")
    history = _system(body.get("system"))
    envelope = {**body, "messages": None}
    if history:
        envelope["system"] = None
    turns: list[ContextMessage] = []
    for index, message in enumerate(messages):
        turns.extend(_message(message, index, ("messages", index), report))
    return Conversation((*history, *_joined_runs(turns, report)), envelope)


def _system(value: Any) -> list[ContextMessage]:
    """The top-level system prompt; nothing where it is empty, which the API takes as it is."""
    if isinstance(value, str) and not is_blank(value):
        kept = {PLACE: "system", CONTENT: "text"}
        return [ContextMessage("system", (TextPart(value),), extras={NAME: kept})]
    if not isinstance(value, list) or not value:
        return []
    parts = [
        read_block(expect_object(block, ("system", index), "a text block"))
        for index, block in enumerate(value)
    ]
    return [ContextMessage("system", tuple(parts), extras={NAME: {PLACE: "system"}})]


def _message(value: Any, index: int, path: Path, report: OnAnomaly) -> list[ContextMessage]:
    message = expect_object(value, path, "a message")
    role = message.get("role")
    if role in ("tool", "developer") or isinstance(message.get("tool_calls"), list):
        report(ForeignPartConverted(f"{role} message"))
        return [_at_home(decoded) for decoded in decode_chat_message(message, path, report)]
    if role not in ("user", "assistant", "system"):
        raise WiremendError("expected a role, one of: user, assistant", (*path, "role"))
    fields = rest(message, "role", "content")
    content = message.get("content")
    if isinstance(content, str) or content is None:
        return [_of_text(role, content, fields)]
    if not isinstance(content, list):
        raise WiremendError("expected content that is text or a list", (*path, "content"))
    reader = _Reader(role, index, fields, report)
    for n, item in enumerate(content):
        at = (*path, "content", n)
        reader.read(expect_object(item, at, "a content block"), at)
    return reader.messages()


def _of_text(role: Any, content: str | None, fields: Json) -> ContextMessage:
    if content is None or is_blank(content):
        return ContextMessage(role, extras={NAME: {**fields, BLANK: content}})
    kept = {**fields, CONTENT: "text"}
    return ContextMessage(role, (TextPart(content),), extras={NAME: kept})


def _at_home(message: ContextMessage) -> ContextMessage:
    """A message in another API's shape: what only that API knows does not come along."""
    parts = tuple(
        part for part in message.content if getattr(part, "provider", "") != "openai-chat"
    )
    return ContextMessage(
        message.role,
        parts,
        message.tool_calls,
        tool_call_id=message.tool_call_id,
        is_error=message.is_error,
    )


_ASSISTANTS = ("tool_use", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use")
"""Types of blocks that only an assistant message may hold."""


def _home(kind: str, role: str) -> str:
    """The role of the messages in which a block of this type may stand."""
    if kind == "tool_result":
        return "user"
    served = kind.endswith("_tool_result")
    return "assistant" if served or kind in _ASSISTANTS else role


class _Reader:
    """Collects the blocks of one wire message into history messages."""

    def __init__(self, role: str, index: int, fields: Json, report: OnAnomaly) -> None:
        self._said_by = role
        self._role = role
        self._index = index
        self._fields = fields
        self._report = report
        self._done: list[ContextMessage] = []
        self._parts: list[Part] = []
        self._calls: list[ToolCall] = []
        self._positions: list[int] = []

    def read(self, block: Json, path: Path) -> None:
        kind = str(block.get("type"))
        home = _home(kind, self._said_by)
        if home != self._said_by:
            self._report(MisplacedBlockMoved(kind, self._said_by))
        if home != self._role:
            self._flush()
            self._role = home
        if kind == "tool_use":
            self._positions.append(len(self._parts))
            self._calls.append(_call(block, self._report))
        elif kind == "tool_result":
            self._flush()
            self._done.append(_result(block, path, self._report))
        else:
            part = _part(block, self._report)
            if part is not None:
                self._parts.append(part)

    def messages(self) -> list[ContextMessage]:
        if not self._done and self._role == self._said_by:
            return [self._decoded(self._fields)]
        self._flush()
        return [self._marked(message) for message in self._done]

    def _flush(self) -> None:
        if self._parts or self._calls:
            self._done.append(self._decoded({}))
            self._parts, self._calls, self._positions = [], [], []

    def _decoded(self, fields: Json) -> ContextMessage:
        interleaved = any(position < len(self._parts) for position in self._positions)
        return ContextMessage(
            self._role,  # type: ignore[arg-type]
            tuple(self._parts),
            tuple(self._calls),
            call_positions=tuple(self._positions) if interleaved else None,
            extras=extras(NAME, fields),
        )

    def _marked(self, message: ContextMessage) -> ContextMessage:
        kept = {**extras_of(message, NAME), SPLIT: self._index}
        if self._fields:
            # On each, since any of them may be dropped later.
            kept[FIELDS] = self._fields
        marked: ContextMessage = with_extras(message, NAME, kept)
        return marked


def _part(block: Json, report: OnAnomaly) -> Part | None:
    kind = str(block.get("type"))
    if kind not in FOREIGN:
        return read_block(block)
    part = read_foreign(block)
    report(ForeignPartDropped(kind) if part is None else ForeignPartConverted(kind))
    return part


FOREIGN = (
    "image_url",
    "input_text",
    "output_text",
    "input_image",
    "input_file",
    "input_audio",
    "file",
    "function",
    "function_call",
    "refusal",
)
"""Types of parts that other APIs have and this one refuses."""


def _call(block: Json, report: OnAnomaly) -> ToolCall:
    call_id, name = block.get("id"), block.get("name")
    call_id = call_id if isinstance(call_id, str) else ""
    value = block.get("input", {})
    text = value if isinstance(value, str) else dump_arguments(value)
    if isinstance(value, str) and is_object(value):
        # What is no object is reported where it is wrapped.
        report(ArgumentsMended(call_id, "parsed"))
    kept = extras(NAME, rest(block, "type", "id", "name", "input"))
    return ToolCall(call_id, name if isinstance(name, str) else "", text, extras=kept)


def _result(block: Json, path: Path, report: OnAnomaly) -> ContextMessage:
    kept = rest(block, "type", "tool_use_id", "content", "is_error")
    content = block.get("content")
    parts: list[Part] = []
    if isinstance(content, str):
        if is_blank(content):
            kept[BLANK] = content
        else:
            kept[CONTENT] = "text"
            parts = [TextPart(content)]
    elif isinstance(content, list):
        kept[CONTENT] = "list"
        for n, item in enumerate(content):
            part = _part(expect_object(item, (*path, "content", n), "a content block"), report)
            if part is not None:
                parts.append(part)
    elif "content" in block:
        kept[BLANK] = content
    failed = block.get("is_error")
    if "is_error" in block and failed is not True:
        kept["is_error"] = failed
    call_id = block.get("tool_use_id")
    return ContextMessage(
        "tool",
        tuple(parts),
        tool_call_id=call_id if isinstance(call_id, str) else None,
        is_error=True if failed is True else None,
        extras=extras(NAME, kept),
    )


def _joined_runs(turns: list[ContextMessage], report: OnAnomaly) -> list[ContextMessage]:
    """Assistant messages in a row as one, where an earlier one of them makes calls.

    The API merges them before it looks for results, so a result may follow the last of them.
    """
    out: list[ContextMessage] = []
    index = 0
    while index < len(turns):
        end = index + 1
        while (
            turns[index].role == "assistant" and end < len(turns) and turns[end].role == "assistant"
        ):
            end += 1
        run = turns[index:end]
        if any(message.tool_calls for message in run[:-1]):
            run = _speaking(run, report)
            sizes = [len(m.content) + len(m.tool_calls) for m in run]
            shapes = [extras_of(m, NAME) for m in run]
            kept = {**shapes[0], RUN: [[n, s] for n, s in zip(sizes, shapes, strict=True)]}
            whole: ContextMessage = with_extras(joined(list(run), in_place=True), NAME, kept)
            run = [whole]
        out.extend(run)
        index = end
    return out


def _speaking(run: list[ContextMessage], report: OnAnomaly) -> list[ContextMessage]:
    """The messages of a run that have content: results follow it, so no empty one may end it."""
    spoken = [message for message in run if message.content or message.tool_calls]
    for message in run[len(spoken) :]:
        report(VacuousMessageDropped(message.role))
    return spoken
