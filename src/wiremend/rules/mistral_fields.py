"""What Mistral refuses in the fields of a message and in its chunks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wiremend.rules.base import MISTRAL, Body, Finding, Rule, messages, rule, shown
from wiremend.rules.openai_chat import called, calls_of, parts_of, request, user

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_COMMON = frozenset({"role", "content"})
_FIELDS = {
    "system": _COMMON,
    "user": _COMMON,
    "assistant": _COMMON | {"tool_calls", "prefix"},
    "tool": _COMMON | {"tool_call_id", "name"},
}
_CALL = frozenset({"id", "type", "function", "index"})
_FUNCTION = frozenset({"name", "arguments"})
_CHUNKS = {
    "text": frozenset({"type", "text"}),
    "image_url": frozenset({"type", "image_url"}),
}
_IMAGE = frozenset({"url", "detail"})
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
# Types that need a field which other servers' parts of the same type have not.
_OWN = {"file": "file_id", "reference": "reference_ids", "resource": "resource"}
_USER = frozenset({"text", "image_url", "document_url", "input_audio", "resource_link", *_OWN})
_TYPES = {
    "system": frozenset({"text"}),
    "user": _USER,
    "assistant": frozenset({"text", "thinking", *_OWN}),
    "tool": frozenset({"text", *_OWN}),
}
_WITH_REASONING = {"role": "assistant", "content": "Rain.", "reasoning_content": "Hm."}


@rule(
    code="WM646",
    name="unknown-field",
    dialects=MISTRAL,
    summary="A message, a call or a chunk has a field that is not known.",
    doc="""
    Fields that the API does not know are refused and not passed over: reasoning of another
    provider, a user's name, a cache mark. wiremend leaves them out and says so. Beside the
    messages it touches nothing.
    """,
    before=request(user(), _WITH_REASONING, user("Close it.")),
    after=request(user(), {"role": "assistant", "content": "Rain."}, user("Close it.")),
    provider_error="extra_forbidden: Extra inputs are not permitted ({place})",
    source="BerriAI/litellm#30835; mistralai types: the messages (case 042)",
)
def unknown_field(body: Body) -> Iterator[Finding]:
    """Fields of messages, calls, and chunks that others have, too."""
    for index, message in messages(body):
        role = message.get("role")
        if isinstance(role, str) and role in _FIELDS:
            yield from _beyond(message, _FIELDS[role], ("messages", index), (role,))
        name = message.get("name")
        if role == "tool" and isinstance(name, str) and not _NAME.fullmatch(name):
            yield _extra(("messages", index), ("tool",), "name")
    for path, made in calls_of(body):
        yield from _beyond(made, _CALL, path)
        if made.get("type") != "custom" and (inner := called(made)) is not None:
            yield from _beyond(inner, _FUNCTION, (*path, "function"))
    for path, _, part in parts_of(body):
        kind = part.get("type")
        if isinstance(kind, str) and kind in _CHUNKS:
            yield from _beyond(part, _CHUNKS[kind], path)
        image = part.get("image_url")
        if kind == "image_url" and isinstance(image, dict):
            yield from _beyond(image, _IMAGE, (*path, "image_url"))


def _beyond(
    owner: Body, known: frozenset[str], path: Path, tag: tuple[str, ...] = ()
) -> Iterator[Finding]:
    for field in owner:
        if field not in known:
            yield _extra(path, tag, field)


def _extra(path: Path, tag: tuple[str, ...], field: str) -> Finding:
    place = ", ".join(str(step) for step in ("body", *path, *tag, shown(field)))
    return Finding((*path, field), f"The field {shown(field)} is not known.", {"place": place})


@rule(
    code="WM647",
    name="chunk-type",
    dialects=MISTRAL,
    summary="A message holds a chunk of a type that its role does not take.",
    doc="""
    User messages take text, images, documents, sound and references; assistant messages text,
    thinking and references; tool messages text and references; system messages text. Parts in
    another API's shape come from histories that were converted halfway. wiremend rewrites what it
    knows, moves images into a user message, and puts a line of text in the place of the rest.
    """,
    before=request(user([{"type": "input_text", "text": "Hello"}])),
    after=request(user([{"type": "text", "text": "Hello"}])),
    provider_error="Unexpected content chunk types in {role} message: {type}",
    source="mistralai types: ContentChunk; mistral_common's validators",
)
def chunk_type(body: Body) -> Iterator[Finding]:
    """Chunks that do not belong into their message."""
    for path, role, part in parts_of(body):
        known = _TYPES.get(role) if isinstance(role, str) else None
        kind = part.get("type")
        if known is None or not isinstance(kind, str):
            continue
        if kind not in known or not _is_whole(kind, part):
            yield Finding(
                path,
                f"Messages of role {role} take no chunk of type {shown(kind)} like this.",
                {"role": str(role), "type": shown(kind)},
            )


def _is_whole(kind: str, part: Body) -> bool:
    """Whether a chunk has the field that makes it one of this API."""
    value: Any = part.get(kind)
    if kind in _OWN:
        return _OWN[kind] in part
    if kind == "document_url":
        return isinstance(value, str)
    if kind == "thinking":
        return isinstance(value, (str, list))
    if kind == "input_audio":
        return isinstance(value, str) or (
            isinstance(value, dict) and isinstance(value.get("data"), str)
        )
    return kind != "resource_link" or "uri" in part


RULES: tuple[Rule, ...] = (unknown_field, chunk_type)
