"""What Kimi (Moonshot) refuses beyond the rules of Chat Completions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wiremend.rules.base import KIMI, Body, Finding, Rule, messages, objects, rule, shown
from wiremend.rules.openai_chat import (
    call,
    called,
    calls,
    calls_of,
    holds_its_kind,
    parts_of,
    request,
    result,
    says_nothing,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_NAME = re.compile(r"\$?[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
_LONGEST_NAME = 64
_THINKERS = ("kimi-k2.5", "kimi-k2.6", "k2p5", "k2p6")
_ONLY_THINKERS = ("k2-thinking", "kimi-thinking-preview")
_NEXT_GENERATION = re.compile(r"kimi-k[3-9]|k2[.p][789]")
_PARTS = {
    "user": frozenset({"text", "image_url", "video_url"}),
    "tool": frozenset({"text", "image_url", "video_url"}),
    "assistant": frozenset({"text"}),
    "system": frozenset({"text"}),
}
_INVALID_PART = "the message at position {position} with role '{role}' contains an invalid part "
_PICTURE = {"type": "image_url", "image_url": {"url": "https://example.test/a.png"}}


def _model(body: Body) -> str:
    model = body.get("model")
    return model if isinstance(model, str) else ""


@rule(
    code="WM601",
    name="empty-assistant-message",
    dialects=KIMI,
    summary="An assistant message has neither text nor calls.",
    doc="""
    A step that was interrupted leaves an assistant message with empty content in the history.
    OpenAI takes it, Kimi refuses it. Reasoning alone does not fill a message; one that is marked
    `partial` may be empty. wiremend drops the message.
    """,
    before=request(user(), {"role": "assistant", "content": ""}, user("Go on.")),
    after=request(user(), user("Go on.")),
    provider_error="The message at position {position} with role 'assistant' must not be empty",
    source="MoonshotAI/kimi-code#1985 (case 052)",
)
def empty_assistant_message(body: Body) -> Iterator[Finding]:
    """Assistant messages of nothing but white space."""
    for index, message in messages(body):
        if message.get("role") != "assistant" or message.get("partial") is True:
            continue
        if says_nothing(message):
            yield Finding(
                ("messages", index, "content"),
                "This assistant message is empty.",
                {"position": index},
            )


def _thinks(body: Body) -> bool:
    model = _model(body)
    if _NEXT_GENERATION.search(model) or any(name in model for name in _ONLY_THINKERS):
        return True
    thinking = body.get("thinking")
    if isinstance(thinking, dict) and thinking.get("type") in ("enabled", "disabled"):
        return bool(thinking["type"] == "enabled")
    return any(name in model for name in _THINKERS)


@rule(
    code="WM602",
    name="reasoning-missing",
    dialects=KIMI,
    summary="Thinking is on, and a message with calls has no reasoning_content.",
    doc="""
    While thinking is on (`thinking` says so, or the model does it by default) each assistant
    message that makes calls carries the `reasoning_content` with which it came. SDKs that do not
    know the field drop it, and empty text counts as missing. Nothing can stand in for lost
    reasoning: wiremend writes a line that says that it is not there.
    """,
    before=request(user(), calls(call()), result(), thinking={"type": "enabled"}),
    after=request(
        user(),
        {**calls(call()), "reasoning_content": "I need the weather."},
        result(),
        thinking={"type": "enabled"},
    ),
    provider_error=(
        "thinking is enabled but reasoning_content is missing in assistant tool call message at "
        "index {position}"
    ),
    source="cloudwego/eino-ext#700, MoonshotAI/kimi-agent-sdk#169 (cases 045 and 079)",
)
def reasoning_missing(body: Body) -> Iterator[Finding]:
    """Messages with calls and without reasoning."""
    if not _thinks(body):
        return
    for index, message in messages(body):
        reasoning = message.get("reasoning_content")
        reasoned = isinstance(reasoning, str) and reasoning != ""
        if message.get("role") == "assistant" and message.get("tool_calls") and not reasoned:
            yield Finding(
                ("messages", index),
                "This message makes calls and has no reasoning.",
                {"position": index},
            )


@rule(
    code="WM603",
    name="part-type",
    dialects=KIMI,
    summary="A message holds a part of a type that its role does not take.",
    doc="""
    User and tool messages take text, image_url and video_url parts, all others only text. Files
    and sound are uploaded first and given as text. wiremend rewrites parts in another API's
    shape, moves pictures of the assistant into a user message, and puts a line of text in the
    place of what cannot be sent.
    """,
    before=request(user([{"type": "input_text", "text": "Hello"}])),
    after=request(user([{"type": "text", "text": "Hello"}])),
    provider_error=_INVALID_PART + "type: {type}",
    source="MoonshotAI/kimi-cli#788; platform.kimi.ai, Use Kimi Vision Model",
)
def part_type(body: Body) -> Iterator[Finding]:
    """Parts that do not belong into their message."""
    for path, role, part in parts_of(body):
        known = _PARTS.get(role) if isinstance(role, str) else None
        kind = part.get("type")
        if known is None or not isinstance(kind, str):
            continue
        if kind not in known or not holds_its_kind(part, kind):
            yield _unfit(path, role, kind, f"Messages of role {role} take no {shown(kind)} part.")


@rule(
    code="WM604",
    name="tool-name",
    dialects=KIMI,
    summary="A tool's name does not start with a letter, has other characters, or is too long.",
    doc="""
    Names of tools start with a letter and go on with letters, digits, underscores and hyphens,
    64 at most; those of Kimi's builtin functions start with `$`. wiremend writes a legal name in
    its place, the same one in the definition and in every call.
    """,
    before=request(user(), calls(call(name="2nd.weather")), result()),
    after=request(user(), calls(call(name="tool_2nd_weather")), result()),
    provider_error=(
        "Invalid request: function name is invalid, must start with a letter and can contain "
        "letters, numbers, underscores, and dashes"
    ),
    source="MoonshotAI/kimi-cli#1773; platform.kimi.ai, Tool Use and $web_search",
)
def tool_name(body: Body) -> Iterator[Finding]:
    """Names in calls and in definitions, in the request or in a message."""
    for path, owner in _named(body):
        inner = called(owner)
        if inner is None:
            continue
        name = inner.get("name")
        if not (isinstance(name, str) and len(name) <= _LONGEST_NAME and _NAME.fullmatch(name)):
            kind = "custom" if owner.get("type") == "custom" else "function"
            yield Finding((*path, kind, "name"), f"The tool name {shown(name)} is not taken.")


def _named(body: Body) -> Iterator[tuple[Path, Body]]:
    yield from ((("tools", place), tool) for place, tool in objects(body.get("tools")))
    for index, message in messages(body):
        for place, tool in objects(message.get("tools")):
            yield ("messages", index, "tools", place), tool
    yield from calls_of(body)


def _refused_media(model: str) -> tuple[str, ...]:
    """The types of parts that a model of this name does not take."""
    if "moonshot-v1-" in model:
        return ("video_url",) if "vision" in model else ("image_url", "video_url")
    # The second generation saw nothing before its minor version 5.
    return ("image_url", "video_url") if re.search(r"kimi-k2(-|$)", model) else ()


@rule(
    code="WM605",
    name="media-model",
    dialects=KIMI,
    summary="A picture or a film goes to a model that takes none.",
    doc="""
    Models with vision take pictures, from Kimi K2.5 on films too; the older ones take text only.
    A history that was begun with another model brings its pictures along. wiremend puts a line
    of text in the place of each.
    """,
    before={**request(user([_PICTURE])), "model": "moonshot-v1-8k"},
    after={**request(user([_PICTURE])), "model": "moonshot-v1-8k-vision-preview"},
    provider_error=_INVALID_PART + "type: {type}",
    source="MoonshotAI/kimi-cli#788; platform.kimi.ai, Use Kimi Vision Model",
)
def media_model(body: Body) -> Iterator[Finding]:
    """Pictures and films for models without eyes."""
    refused = _refused_media(_model(body))
    for path, role, part in parts_of(body):
        kind = part.get("type")
        if role in ("user", "tool") and isinstance(kind, str) and kind in refused:
            yield _unfit(path, role, kind, f"This model takes no {kind} part.")


def _unfit(path: Path, role: Any, kind: str, message: str) -> Finding:
    words: dict[str, str | int] = {"position": path[1], "role": str(role), "type": shown(kind)}
    return Finding(path, message, words)


RULES: tuple[Rule, ...] = (
    empty_assistant_message,
    reasoning_missing,
    part_type,
    tool_name,
    media_model,
)
