"""Gemini generateContent: request body to history.

A user content that holds function responses becomes one tool message a response and a user message
for all else in it; ``$from`` remembers that they were one. Model contents in a row that make calls
become one, since a call may only follow a user's turn (case 056). Source: ``google.genai.types``.
"""

from __future__ import annotations

from typing import Any

import msgspec

from wiremend.dialects.base import (
    SPLIT,
    Conversation,
    Json,
    expect_object,
    extras_of,
    rest,
    with_extras,
)
from wiremend.dialects.gemini.fields import NAME, PLACE, ROLE, SHAPE, kinds_of, read_names
from wiremend.dialects.gemini.linking import Answer, Links
from wiremend.dialects.gemini.reader import Reader
from wiremend.dialects.openai_chat.decode import decode_message as decode_chat_message
from wiremend.errors import Path, WiremendError
from wiremend.model import ContextMessage, TextPart, joined
from wiremend.projection.anomalies import (
    ConsecutiveAssistantsMerged,
    ForeignPartConverted,
    OnAnomaly,
)

_ROLES = {
    "user": "user",
    "function": "user",
    "": "user",
    "model": "assistant",
    "assistant": "assistant",
    "tool": "user",
    "system": "system",
    "developer": "system",
}
_USUAL = ("user", "model", "assistant", "tool", "system", "developer")
_OF_MODELS = {"functionCall", "executableCode", "codeExecutionResult"}
_NATIVE = ("user", "model", "function", "")
SYSTEM_FIELDS = ("systemInstruction", "system_instruction")


def decode_body(body: Json, report: OnAnomaly) -> Conversation:
    """A request body as history. A single content without a list around it is taken too."""
    contents = body.get("contents")
    single = isinstance(contents, dict)
    if not single and not isinstance(contents, list):
        raise WiremendError("expected an array of contents", ("contents",))
    envelope = {**body, "contents": {} if single else None}
    history: list[ContextMessage] = []
    links = Links()
    for field in SYSTEM_FIELDS:
        message = _system(body.get(field), field, report)
        if message is not None:
            history.append(message)
            envelope[field] = None
            break
    turns: list[ContextMessage] = []
    for index, value in enumerate([contents] if single else contents or ()):
        path: Path = ("contents",) if single else ("contents", index)
        turns.extend(_content(value, index, path, links, report))
    return Conversation((*history, *_joined_runs(turns, report)), envelope)


def _system(value: Any, field: str, report: OnAnomaly) -> ContextMessage | None:
    """The system instruction; None where there is none, or nothing that can be read."""
    if isinstance(value, str) and value:
        report(ForeignPartConverted(field))
        return ContextMessage("system", (TextPart(value),), extras={NAME: {PLACE: field}})
    parts = value.get("parts") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not parts or not isinstance(parts, (list, dict)):
        return None
    reader = Reader("system", 0, Links(), report)
    reader.read(parts if isinstance(parts, list) else [parts], (field, "parts"))
    kept = {PLACE: field, **_shape(value), **rest(value, "parts")}
    return reader.system(kept)


def _shape(content: Json) -> Json:
    """A note of how the parts were written where it was not as a list."""
    if "parts" not in content:
        return {SHAPE: "absent"}
    parts = content["parts"]
    if parts is None:
        return {SHAPE: "null"}
    return {SHAPE: "object"} if isinstance(parts, dict) else {}


def _content(
    value: Any, index: int, path: Path, links: Links, report: OnAnomaly
) -> list[ContextMessage]:
    content = expect_object(value, path, "a content")
    if "parts" not in content and ("content" in content or "tool_calls" in content):
        return _chat_message(content, index, path, links, report)
    parts = content.get("parts")
    home = _home(content.get("role"), parts, path, report)
    kept = _other_fields(content)
    if isinstance(parts, str):
        report(ForeignPartConverted("text"))
        parts = [{"text": parts}]
    if parts is not None and not isinstance(parts, (list, dict)):
        raise WiremendError("expected a list of parts", (*path, "parts"))
    links.content(home)
    reader = Reader(home, index, links, report)
    reader.read([parts] if isinstance(parts, dict) else parts or [], (*path, "parts"))
    if home == "system":
        return [reader.system({ROLE: content["role"]})]
    return reader.messages(kept)


def _home(role: Any, parts: Any, path: Path, report: OnAnomaly) -> str:
    """The role in the model of a content with this role; a call or response tells better."""
    if role is not None and (not isinstance(role, str) or role not in _ROLES):
        raise WiremendError("expected a role, one of: user, model", (*path, "role"))
    if role not in (None, *_NATIVE):
        report(ForeignPartConverted(f"{role} content"))
    home = _ROLES[role or ""]
    if home != "system" or not isinstance(parts, list):
        return home
    fields = [read_names(part)[0] for part in parts if isinstance(part, dict)]
    held = {kind for part in fields for kind in kinds_of(part)}
    if "functionResponse" in held:
        return "user"
    return "assistant" if held & _OF_MODELS else home


def _other_fields(content: Json) -> Json:
    """What a content holds beside its parts, and how role and parts were written."""
    kept = {**_shape(content), **rest(content, "role", "parts")}
    role = content.get("role")
    if role not in _USUAL:
        kept[ROLE] = role if "role" in content else False
    return kept


def _chat_message(
    content: Json, index: int, path: Path, links: Links, report: OnAnomaly
) -> list[ContextMessage]:
    """A message in another API's shape: what only that API knows does not come along."""
    report(ForeignPartConverted(f"{content.get('role')} message"))
    message = {**content, "role": "assistant"} if content.get("role") == "model" else content
    out = []
    for decoded in decode_chat_message(message, path, report):
        parts = tuple(p for p in decoded.content if getattr(p, "provider", "") != "openai-chat")
        plain = ContextMessage(
            decoded.role,
            parts,
            decoded.tool_calls,
            tool_call_id=decoded.tool_call_id,
            is_error=decoded.is_error,
        )
        out.append(_linked(plain, decoded.name or "", index, links))
    return out


def _linked(message: ContextMessage, name: str, index: int, links: Links) -> ContextMessage:
    """A message of another API with the ids that its calls have in this conversation."""
    if message.role == "tool":
        (call_id,) = links.answers([Answer(message.tool_call_id or None, name)], index)
        return msgspec.structs.replace(message, tool_call_id=call_id)
    links.content(message.role)
    calls = tuple(
        msgspec.structs.replace(call, id=links.call(call.id or None, call.name, (index, n)))
        for n, call in enumerate(message.tool_calls)
    )
    return msgspec.structs.replace(message, tool_calls=calls) if calls else message


def _joined_runs(turns: list[ContextMessage], report: OnAnomaly) -> list[ContextMessage]:
    """Model contents in a row as one where any of them makes calls."""
    out: list[ContextMessage] = []
    index = 0
    while index < len(turns):
        end = index + 1
        if turns[index].role == "assistant":
            while end < len(turns) and turns[end].role == "assistant":
                end += 1
        run = turns[index:end]
        if len(run) > 1 and any(message.tool_calls for message in run):
            for _ in run[1:]:
                report(ConsecutiveAssistantsMerged())
            whole = joined(list(run), in_place=True)
            kept = {n: v for n, v in extras_of(whole, NAME).items() if n not in (SHAPE, SPLIT)}
            run = [with_extras(whole, NAME, kept)]
        out.extend(run)
        index = end
    return out
