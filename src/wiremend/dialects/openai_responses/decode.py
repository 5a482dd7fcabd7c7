"""OpenAI Responses: request body to history.

What the model made in a row is one step: its reasoning, its message and its calls become one
assistant message, so that a result belongs to the message that called for it. Outputs become tool
messages, in the order in which they came. Source: ``openai`` SDK, ``ResponseInputItemParam``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wiremend.dialects.base import (
    CONTENT,
    Conversation,
    Json,
    expect_list,
    expect_object,
    extras,
    rest,
)
from wiremend.dialects.openai_chat.decode import decode_message as decode_chat_message
from wiremend.dialects.openai_responses.calls import read_call, read_output, read_stray_output
from wiremend.dialects.openai_responses.fields import ITEM, NAME, PLACE, ROLE
from wiremend.dialects.openai_responses.items import (
    CALLS,
    OUTPUTS,
    ROLES,
    call_key,
    is_legal_call_id,
    is_model_item,
    is_served,
    kind_of,
)
from wiremend.dialects.openai_responses.parts import read_content, shape_of
from wiremend.dialects.openai_responses.step import Step
from wiremend.errors import Path, WiremendError
from wiremend.model import ContextMessage, OpaquePart, TextPart, is_blank, is_vacuous
from wiremend.projection.anomalies import (
    DuplicateToolResultDropped,
    ForeignPartConverted,
    OnAnomaly,
    VacuousMessageDropped,
)

INPUT = "input"
"""The shape of content that was the whole input, as a string."""
_ELSEWHERE = ("previous_response_id", "conversation", "prompt")
"""Fields that name a conversation on the server, which the input goes on with."""
_ON_THE_SERVER = ("compaction", "item_reference")
"""Items that stand for what was said before, which only the server can read."""
_STRAY_BLOCKS = (
    *("tool_use", "tool_result", "text", "image_url", "image"),
    *("input_text", "output_text", "input_image", "input_file"),
)
"""Content parts of this and other APIs, which belong into a message."""


def continues(fields: Mapping[str, Any]) -> bool:
    """Whether a request goes on with a conversation on the server."""
    return any(fields.get(name) for name in _ELSEWHERE)


def decode_body(body: Json, report: OnAnomaly) -> Conversation:
    """A request body as history."""
    envelope = dict(body)
    history: list[ContextMessage] = []
    instructions = body.get("instructions")
    if isinstance(instructions, str) and not is_blank(instructions):
        kept = {PLACE: "instructions"}
        history.append(ContextMessage("system", (TextPart(instructions),), extras={NAME: kept}))
        envelope["instructions"] = None
    if INPUT not in body:
        if not continues(body):
            raise WiremendError("expected an input: text or a list of items", (INPUT,))
        return Conversation(tuple(history), envelope)
    envelope[INPUT] = None
    value = body[INPUT]
    if isinstance(value, str):
        kept = {CONTENT: INPUT}
        history.append(ContextMessage("user", (TextPart(value),), extras={NAME: kept}))
        return Conversation(tuple(history), envelope)
    items = expect_list(value, (INPUT,), "items")
    reader = _Reader(report, items, continues=continues(body))
    for index, item in enumerate(items):
        reader.read(item, (INPUT, index))
    return Conversation((*history, *reader.messages()), envelope)


class _Reader:
    """Collects items into messages; ``continues``: calls before the first item are elsewhere."""

    def __init__(self, report: OnAnomaly, items: Sequence[Any], *, continues: bool) -> None:
        self._report = report
        self._continues = continues
        self._called = set(_call_ids(items))
        self._done: list[ContextMessage] = []
        self._step = Step()
        self._answered: set[str] = set()

    def messages(self) -> list[ContextMessage]:
        self._end_step()
        return self._done

    def read(self, value: Any, path: Path) -> None:
        item = expect_object(value, path, "an item")
        kind = kind_of(item, path)
        if kind == "message":
            self._message(item, path)
        elif kind in CALLS and not is_served(item, kind):
            call = read_call(item, kind, self._report)
            self._step.add_call(call)
        elif kind in OUTPUTS and not is_served(item, kind):
            self._output(item, kind, path)
        elif kind == "reasoning":
            self._step.add_reasoning(item)
        elif kind in _STRAY_BLOCKS:
            self._stray_block(item, kind, path)
        elif kind == "additional_tools":
            self._append(_additional_tools(item))
        elif kind in _ON_THE_SERVER:
            # Said by whomever: strict sending must not take it for an answer without a question.
            self._may_be_a_call(item, kind)
            self._append(_opaque("user", item))
        elif is_model_item(item):
            self._step.add_opaque(item)
        else:
            self._append(_opaque("user", item))

    def _append(self, *messages: ContextMessage) -> None:
        self._end_step()
        self._done.extend(messages)

    def _end_step(self) -> None:
        if self._step.is_begun:
            self._done.append(self._step.message())
            self._step = Step()

    def _may_be_a_call(self, item: Json, kind: str) -> None:
        if kind == "item_reference" and not str(item.get("id")).startswith(("msg", "rs")):
            # What it refers to is on the server, where its call is known.
            self._continues = True

    def _message(self, item: Json, path: Path) -> None:
        role = item.get("role")
        if _is_chat_shaped(item):
            self._report(ForeignPartConverted(f"{role} message"))
            decoded = decode_chat_message(item, path, self._report)
            for message in decoded:
                self._called.update(call.id for call in message.tool_calls)
            self._append(*(_at_home(message) for message in decoded))
            return
        if not isinstance(role, str) or role not in ROLES:
            raise WiremendError(f"expected a role, one of: {', '.join(ROLES)}", (*path, "role"))
        if item.get("content") == []:
            # The API takes it, and nothing can be said about it to anybody else.
            if role == "assistant":
                self._step.add_opaque(item)
            else:
                self._append(_opaque(ROLES[role], item))
            return
        content = item.get("content")
        parts = tuple(read_content(content, role, (*path, "content"), self._report))
        fields = {**rest(item, "role", "content"), **shape_of(content)}
        if role == "assistant":
            self._said(parts, fields)
            return
        if role != ROLES[role]:
            fields[ROLE] = role
        self._append(ContextMessage(ROLES[role], parts, extras=extras(NAME, fields)))  # type: ignore[arg-type]

    def _said(self, parts: tuple[Any, ...], fields: Json) -> None:
        if not parts:
            self._report(VacuousMessageDropped("assistant"))
            return
        self._step.add_message(parts, fields)

    def _output(self, item: Json, kind: str, path: Path) -> None:
        call_id = call_key(item, kind)
        if call_id is None:
            # A result that names its tool instead of its call answers none that is here.
            elsewhere = isinstance(item.get("name"), str)
        else:
            elsewhere = self._continues and is_legal_call_id(call_id)
            elsewhere = elsewhere and call_id not in self._called
        if not elsewhere:
            self._append(read_output(item, kind, path, self._report))
        elif call_id is not None and call_id in self._answered:
            self._report(DuplicateToolResultDropped(call_id))
        else:
            self._answered.add(call_id or "")
            self._append(read_stray_output(item, kind, path, self._report))

    def _stray_block(self, item: Json, kind: str, path: Path) -> None:
        """A content part among the items, as the message that it must be meant for."""
        self._report(ForeignPartConverted(f"{kind} item"))
        role = "assistant" if kind in ("output_text", "tool_use") else "user"
        if kind.startswith(("input_", "output_")):
            self._message({"role": role, "content": [item]}, path)
            return
        decoded = decode_chat_message({"role": role, "content": [item]}, path, self._report)
        for message in decoded:
            self._called.update(call.id for call in message.tool_calls)
        self._append(*map(_at_home, decoded))


def _call_ids(items: Sequence[Any]) -> Iterator[str]:
    """The ids of all calls, since an output before its call answers none on the server."""
    for item in items:
        kind = item.get("type") if isinstance(item, dict) else None
        if isinstance(kind, str) and kind in CALLS and isinstance(item.get("call_id"), str):
            yield item["call_id"]


def _is_chat_shaped(item: Json) -> bool:
    if item.get("role") in ("tool", "function") or "tool_calls" in item:
        return True
    content = item.get("content")
    blocks = content if isinstance(content, list) else []
    kinds = [block.get("type") for block in blocks if isinstance(block, dict)]
    return "tool_use" in kinds or "tool_result" in kinds


def _at_home(message: ContextMessage) -> ContextMessage:
    """A message in another API's shape: what only that API knows does not come along.

    Beside calls, that API asks for a content that may be empty; here it would be a message.
    """
    parts = tuple(
        part
        for part in message.content
        if getattr(part, "provider", "") != "openai-chat"
        and not (message.tool_calls and is_vacuous(part))
    )
    return ContextMessage(
        message.role,
        parts,
        message.tool_calls,
        tool_call_id=message.tool_call_id,
        is_error=message.is_error,
    )


def _opaque(role: Any, item: Json) -> ContextMessage:
    return ContextMessage(role, (OpaquePart(NAME, {ITEM: item}),))


def _additional_tools(item: Json) -> ContextMessage:
    tools = item.get("tools")
    if not isinstance(tools, list) or not tools:
        return _opaque("system", item)
    return ContextMessage("system", tools=tuple(tools), extras={NAME: {ITEM: rest(item, "tools")}})
