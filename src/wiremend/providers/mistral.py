"""Mistral, simulated: ids, the order of roles, and no field that it does not know."""

from __future__ import annotations

from typing import Any

from wiremend.providers.manners import Manners
from wiremend.providers.openai_chat import OpenAIChat, Walk
from wiremend.providers.reply import RefusalError

_ROLES = ("system", "assistant", "user", "tool")
_REFERENCES = ("reference", "file", "resource")
_CHUNKS = ("text", "image_url", "document_url", "input_audio", "resource_link", *_REFERENCES)
_MISTRAL = Manners(
    roles=_ROLES,
    parts={
        "system": ("text",),
        "user": _CHUNKS,
        "assistant": ("text", "thinking", *_REFERENCES),
        "tool": ("text", *_REFERENCES),
    },
    bad_part="Unexpected content chunk types in {role} message: {kind}",
    bare_addresses=True,
    shapeless=tuple(kind for kind in (*_CHUNKS, "thinking") if kind not in ("text", "image_url")),
    arguments="json or object",
)
_FIELDS = {
    "system": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "tool_calls", "prefix"},
    "tool": {"role", "content", "tool_call_id", "name"},
}
_FOLLOWERS = {
    "system": {"system", "user", "assistant", "tool"},
    "user": {"system", "user", "assistant", "tool"},
    "assistant": {"assistant", "user", "tool"},
    "tool": {"assistant", "tool"},
}


class Mistral(OpenAIChat):
    """The strict end of Mistral's API."""

    name = "mistral"

    def walk(self) -> Walk:
        """The walk that judges one request."""
        return _MistralWalk(_MISTRAL)


class _MistralWalk(Walk):
    """Remembers who spoke last."""

    spoke = ""
    last = 0

    def before(self, body: dict[str, Any], messages: list[Any]) -> None:  # noqa: ARG002
        self.last = len(messages) - 1

    def message(self, message: dict[str, Any], role: str, index: int) -> None:
        if index == 0 and role == "assistant" and (message.get("tool_calls") or not self.last):
            raise RefusalError("Conversation must start with a user message or system message")
        if self.spoke and role not in _FOLLOWERS[self.spoke]:
            raise RefusalError(f"Unexpected role '{role}' after role '{self.spoke}'")
        self.spoke = role
        _only(message, _FIELDS[role], f"messages, {index}, {role}")
        content = message.get("content")
        for part in content if isinstance(content, list) else ():
            _check_chunk(part, index)
        if role == "assistant":
            self._assistant(message, index)

    def _assistant(self, message: dict[str, Any], index: int) -> None:
        prefix = message.get("prefix") is True
        calls = message.get("tool_calls")
        content = message.get("content")
        texts = [part.get("text", "x") for part in content] if isinstance(content, list) else []
        empty = not content.strip() if isinstance(content, str) else not any(map(_words, texts))
        if empty and not calls and not prefix:
            raise RefusalError("Assistant message must have either content or tool_calls")
        if prefix and index != self.last:
            raise RefusalError("Assistant message with prefix True must be last message")
        if index == self.last and not prefix and not calls:
            raise RefusalError(
                "Expected last role User or Tool (or Assistant with prefix True) for serving but "
                "got assistant"
            )
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                _check_call(call, index)


def _words(text: Any) -> bool:
    return not isinstance(text, str) or bool(text.strip())


def _check_call(call: dict[str, Any], index: int) -> None:
    identifier = call.get("id")
    # An id that is missing or empty is refused where all servers do it.
    identifier = identifier if isinstance(identifier, str) and identifier else "000000000"
    if len(identifier) != 9 or not (identifier.isascii() and identifier.isalnum()):
        raise RefusalError(
            f"Tool call id was {identifier} but must be a-z, A-Z, 0-9, with a length of 9."
        )
    place = f"messages, {index}, assistant, tool_calls"
    _only(call, {"id", "type", "function", "index"}, place)
    if isinstance(call.get("function"), dict):
        _only(call["function"], {"name", "arguments"}, f"{place}, function")


def _check_chunk(part: dict[str, Any], index: int) -> None:
    kind = part["type"]
    if kind in ("text", "image_url"):
        _only(part, {"type", kind}, f"messages, {index}, content")
        if isinstance(part[kind], dict):
            _only(part[kind], {"url", "detail"}, f"messages, {index}, content, image_url")
    elif kind == "file" and "file_id" not in part:
        raise RefusalError("Unexpected content chunk types in user message: file")
    elif kind == "document_url" and not isinstance(part.get(kind), str):
        raise RefusalError(f"Field required (body, messages, {index}, content, document_url)")


def _only(holder: dict[str, Any], known: set[str], place: str) -> None:
    for field in holder:
        if field not in known:
            raise RefusalError(
                f"extra_forbidden: Extra inputs are not permitted (body, {place}, {field})",
                status=422,
            )
