"""Kimi and DeepSeek, simulated: what they look at beside Chat Completions."""

from __future__ import annotations

from typing import Any

from wiremend.providers.manners import Manners
from wiremend.providers.openai_chat import OpenAIChat, Walk
from wiremend.providers.reply import RefusalError

_ROLES = ("system", "assistant", "user", "tool")
_TEXT = ("text",)
_SEEN = ("text", "image_url", "video_url")

_KIMI = Manners(
    roles=_ROLES,
    parts={"system": _TEXT, "assistant": _TEXT, "user": _SEEN, "tool": _SEEN},
    name=r"\$?[A-Za-z_][A-Za-z0-9_-]*",
    bad_name=(
        "Invalid request: function name is invalid, must start with a letter and can contain "
        "letters, numbers, underscores, and dashes"
    ),
    bad_part="the message with role '{role}' contains an invalid part type: {kind}",
    tools_in_messages=True,
    builtin_functions=True,
)
_DEEPSEEK = Manners(
    roles=_ROLES,
    parts=dict.fromkeys(_ROLES, _TEXT),
    twin_calls="Duplicate value for 'tool_call_id' of {id} in message[{index}]",
    bad_part=(
        "Failed to deserialize the JSON body into the target type: {place}: unknown variant "
        "`{kind}`, expected `text`"
    ),
)


class Kimi(OpenAIChat):
    """The strict end of Moonshot's API."""

    name = "kimi"

    def walk(self) -> Walk:
        """The walk that judges one request."""
        return _KimiWalk(_KIMI)


class DeepSeek(OpenAIChat):
    """The strict end of DeepSeek's API."""

    name = "deepseek"

    def walk(self) -> Walk:
        """The walk that judges one request."""
        return _DeepSeekWalk(_DEEPSEEK)


def _switch(body: dict[str, Any]) -> str:
    thinking = body.get("thinking")
    said = thinking.get("type") if isinstance(thinking, dict) else None
    return said if said in ("enabled", "disabled") else ""


def _lacks_reasoning(message: dict[str, Any], role: str) -> bool:
    if role != "assistant" or not message.get("tool_calls"):
        return False
    reasoning = message.get("reasoning_content")
    return not (isinstance(reasoning, str) and len(reasoning) > 0)


class _KimiWalk(Walk):
    """Wants words, reasoning while thinking is on, and no film for a model without eyes."""

    thinking = False
    blind_to: tuple[str, ...] = ()

    def before(self, body: dict[str, Any], messages: list[Any]) -> None:  # noqa: ARG002
        model = body.get("model")
        model = model if isinstance(model, str) else ""
        generation, _, minor = _kimi_version(model)
        always = generation >= 3 or (generation == 2 and minor >= 7) or "thinking" in model
        self.thinking = always or _switch(body) == "enabled"
        if generation == 2 and minor >= 5 and not _switch(body):
            self.thinking = True
        if model.startswith("moonshot-v1") or (generation == 2 and minor == 0):
            self.blind_to = ("image_url", "video_url")
            if "vision" in model:
                self.blind_to = ("video_url",)

    def message(self, message: dict[str, Any], role: str, index: int) -> None:
        content = message.get("content")
        for part in content if isinstance(content, list) else ():
            if part["type"] in self.blind_to:
                raise RefusalError(
                    f"the message at position {index} with role '{role}' contains an invalid part "
                    f"type: {part['type']}"
                )
        self.definitions(message.get("tools"), f"messages[{index}].tools")
        if role == "assistant" and message.get("partial") is not True and _says_nothing(message):
            raise RefusalError(
                f"The message at position {index} with role 'assistant' must not be empty"
            )
        if self.thinking and _lacks_reasoning(message, role):
            raise RefusalError(
                "thinking is enabled but reasoning_content is missing in assistant tool call "
                f"message at index {index}"
            )


class _DeepSeekWalk(Walk):
    """Wants text alone, results as one text, and reasoning in thinking mode."""

    thinking = False
    old = False

    def before(self, body: dict[str, Any], messages: list[Any]) -> None:  # noqa: ARG002
        model = body.get("model")
        model = model.lower() if isinstance(model, str) else ""
        self.old = "deepseek-r1" in model
        _, version, rest = model.partition("deepseek-v")
        by_default = "deepseek-reasoner" in model or (
            bool(version) and rest[:1].isdecimal() and "4" <= rest[:1] <= "9"
        )
        self.thinking = _switch(body) == "enabled" or (by_default and not _switch(body))

    def message(self, message: dict[str, Any], role: str, index: int) -> None:
        if role == "tool" and isinstance(message.get("content"), list):
            raise RefusalError(
                "Failed to deserialize the JSON body into the target type: "
                f"messages[{index}]: invalid type: sequence, expected a string",
                status=422,
            )
        if self.old and role == "assistant" and isinstance(message.get("reasoning_content"), str):
            raise RefusalError("reasoning_content is not allowed in the input messages")
        if self.thinking and not self.old and _lacks_reasoning(message, role):
            raise RefusalError(
                "The `reasoning_content` in the thinking mode must be passed back to the API."
            )


def _kimi_version(model: str) -> tuple[int, str, int]:
    """Generation and minor version of ``kimi-k2.5``, ``k2p5``; zeros where there are none."""
    _, found, rest = model.partition("k")
    while found:
        if rest[:1].isdecimal():
            minor = rest[2:3] if rest[1:2] in (".", "p") else ""
            return int(rest[0]), found, int(minor) if minor.isdecimal() else 0
        _, found, rest = rest.partition("k")
    return 0, found, 0


def _says_nothing(message: dict[str, Any]) -> bool:
    if any(message.get(field) for field in ("tool_calls", "refusal", "audio", "function_call")):
        return False
    content = message.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content]
        return all(isinstance(text, str) and not text.strip() for text in texts)
    return isinstance(content, str) and not content.strip()
