"""Short names for messages, so that a test reads like the history that it is about."""

from __future__ import annotations

from collections.abc import Sequence

from wiremend import ContextMessage, ProjectionPolicy, ToolCall
from wiremend.model import (
    ImagePart,
    InjectionOrigin,
    MediaSource,
    Message,
    Part,
    TextPart,
    ThinkPart,
    UserOrigin,
    VideoPart,
)
from wiremend.projection import project
from wiremend.projection.wire import INTERRUPTED

REMINDER = InjectionOrigin(variant="reminder")
SENDING = ProjectionPolicy(sending=True)


def parts(*items: str | Part) -> tuple[Part, ...]:
    return tuple(TextPart(item) if isinstance(item, str) else item for item in items)


def U(*items: str | Part) -> ContextMessage:  # noqa: N802
    """A prompt of the user's."""
    return ContextMessage("user", parts(*items), origin=UserOrigin())


def N(*items: str | Part) -> ContextMessage:  # noqa: N802
    """A reminder."""
    return ContextMessage("user", parts(*items), origin=REMINDER)


def S(*items: str | Part, tools: tuple[object, ...] | None = None) -> ContextMessage:  # noqa: N802
    return ContextMessage("system", parts(*items), tools=tools)


def A(*items: str | Part, calls: str = "", partial: bool | None = None) -> ContextMessage:  # noqa: N802
    """An assistant message with calls by the ids in ``calls``."""
    made = tuple(ToolCall(call_id, "tool", "{}") for call_id in calls.split())
    return ContextMessage("assistant", parts(*items), made, partial=partial)


def R(  # noqa: N802
    call_id: str | None, *items: str | Part, failed: bool | None = None, note: str | None = None
) -> ContextMessage:
    """A tool's result."""
    content = parts(*(items or (f"result of {call_id}",)))
    return ContextMessage("tool", content, tool_call_id=call_id, is_error=failed, note=note)


def think(text: str, signature: str | None = None) -> ThinkPart:
    return ThinkPart(text, signature)


def image(url: str, media_id: str | None = None) -> ImagePart:
    return ImagePart(MediaSource(url, media_id))


def video(url: str) -> VideoPart:
    return VideoPart(MediaSource(url))


def shape(messages: Sequence[Message]) -> list[str]:
    """Each message in short: role, texts, calls, or the call that a result answers."""
    return [_short(message) for message in messages]


def projected(*history: ContextMessage, policy: ProjectionPolicy | None = None) -> list[str]:
    return shape(project(history, None, policy) if policy else project(history))


def _short(message: Message) -> str:
    texts = [part.text for part in message.content if isinstance(part, TextPart)]
    if message.role == "tool":
        return (
            f"SYN {message.tool_call_id}" if texts == [INTERRUPTED] else f"R {message.tool_call_id}"
        )
    calls = " ".join(call.id for call in message.tool_calls)
    return f"{message.role[0].upper()} {'|'.join(texts)}{'; ' + calls if calls else ''}".rstrip(" ")
