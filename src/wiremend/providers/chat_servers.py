"""Qwen, OpenRouter and strict chat templates, simulated."""

from __future__ import annotations

from typing import Any

from wiremend.providers.manners import OPENAI, Manners
from wiremend.providers.openai_chat import OpenAIChat, Walk
from wiremend.providers.reply import RefusalError

_TEXT = ("text",)
_SHAPELESS = ("video",)
_QWEN = Manners(
    roles=("system", "assistant", "user", "tool", "function"),
    parts={
        **OPENAI.parts,
        "user": ("text", "image_url", "input_audio", "video_url", "video"),
    },
    looks_at_pictures=False,
    shapeless=_SHAPELESS,
)
_OPENROUTER = Manners(
    roles=OPENAI.roles,
    parts={**OPENAI.parts, "user": ("text", "image_url", "input_audio", "video_url", "file")},
)
_GENERIC = Manners(
    roles=("system", "assistant", "user", "tool"),
    parts={
        "system": _TEXT,
        "assistant": ("text", "refusal"),
        "user": ("text", "image_url", "input_audio", "audio_url", "video_url"),
        "tool": _TEXT,
    },
    name="(?s:.+)",
    longest_name=10_000,
    bad_name="Field required: {place}",
    looks_at_pictures=False,
)


class Qwen(OpenAIChat):
    """The strict end of DashScope's compatible mode."""

    name = "qwen"

    def walk(self) -> Walk:
        """The walk that judges one request."""
        return _QwenWalk(_QWEN)


class OpenRouter(OpenAIChat):
    """The strict end of OpenRouter."""

    name = "openrouter"

    def walk(self) -> Walk:
        """The walk that judges one request."""
        return Walk(_OPENROUTER)


class ChatTemplate(OpenAIChat):
    """A server with a strict chat template."""

    name = "generic"

    def walk(self) -> Walk:
        """The walk that judges one request."""
        return _TemplateWalk(_GENERIC)


class _QwenWalk(Walk):
    """Looks for a user."""

    def after(self, body: dict[str, Any], messages: list[Any]) -> None:  # noqa: ARG002
        if all(message.get("role") not in ("user", "function") for message in messages):
            raise RefusalError("The input messages do not contain elements with the role of user")


class _TemplateWalk(_QwenWalk):
    """Walks as the template does: a system message, then turns."""

    turn = ""

    def message(self, message: dict[str, Any], role: str, index: int) -> None:
        if role == "system" and index > 0:
            raise RefusalError("system message must be at the beginning")
        if role != "system":
            early = not self.turn and role != "user"
            if early or (role == self.turn and role != "tool"):
                raise RefusalError(
                    "After the optional system message, conversation roles must alternate "
                    "user/assistant/user/assistant/..."
                )
            self.turn = role
        if role != "tool" and not _speaks(message):
            raise RefusalError("message content must not be empty")


def _speaks(message: dict[str, Any]) -> bool:
    if any(message.get(field) for field in ("tool_calls", "refusal", "audio", "function_call")):
        return True
    content = message.get("content")
    if isinstance(content, str):
        return bool(content.strip())
    return any(part["type"] != "text" or part["text"].strip() for part in content or ())
