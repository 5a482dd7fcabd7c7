"""What does comparable work: pydantic-ai's ``repair_messages``, on the same conversations.

It pairs calls with results, drops orphans, closes open calls and merges neighbours; it does not
look for blank or vacuous content, keep ids apart, order results or tell what it did.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING

from benchmarks.bodies import text_of
from benchmarks.histories import History
from wiremend import model

if TYPE_CHECKING:
    from pydantic_ai.messages import (
        ModelMessage,
        ModelRequestPart,
        ModelResponse,
        UserContent,
    )

PYDANTIC_AI = "pydantic-ai"
PEERS = (PYDANTIC_AI, "none")


def name_of_pydantic_ai() -> str:
    """What the peer's row is called, with the version that is installed."""
    return f"pydantic-ai {version('pydantic-ai-slim')}: repair_messages"


def pydantic_ai(history: History) -> Callable[[], object]:
    """The peer's work on this conversation, in its own types, made beforehand."""
    from pydantic_ai.messages import repair_messages

    messages = messages_of_pydantic_ai(history)
    return lambda: repair_messages(messages)


def messages_of_pydantic_ai(history: History) -> list[ModelMessage]:
    """The conversation in the peer's own types.

    Results and prompts in a row are one ``ModelRequest``, as its agents record them.
    """
    from pydantic_ai.messages import ModelRequest

    messages: list[ModelMessage] = []
    waiting: list[ModelRequestPart] = []
    names = {call.id: call.name for message in history for call in message.tool_calls}
    for message in history:
        if message.role == "assistant":
            if waiting:
                messages.append(ModelRequest(waiting))
                waiting = []
            messages.append(_response(message))
        else:
            waiting.append(_request_part(message, names))
    if waiting:
        messages.append(ModelRequest(waiting))
    return messages


def _response(message: model.ContextMessage) -> ModelResponse:
    from pydantic_ai.messages import (
        ModelResponse,
        ModelResponsePart,
        TextPart,
        ThinkingPart,
        ToolCallPart,
    )

    parts: list[ModelResponsePart] = []
    for part in message.content:
        if type(part) is model.ThinkPart:
            thought = ThinkingPart(part.think, signature=part.encrypted, provider_name="anthropic")
            parts.append(thought)
        elif type(part) is model.TextPart:
            parts.append(TextPart(part.text))
    parts.extend(
        ToolCallPart(call.name, call.arguments, tool_call_id=call.id) for call in message.tool_calls
    )
    return ModelResponse(parts)


def _request_part(message: model.ContextMessage, names: dict[str, str]) -> ModelRequestPart:
    from pydantic_ai.messages import SystemPromptPart, ToolReturnPart, UserPromptPart

    if message.role == "system":
        return SystemPromptPart(text_of(message))
    if message.role != "tool":
        return UserPromptPart(_said(message))
    call_id = message.tool_call_id or ""
    shown = any(type(part) is model.ImagePart for part in message.content)
    content = _said(message) if shown else text_of(message)
    return ToolReturnPart(names.get(call_id, "Read"), content, tool_call_id=call_id)


def _said(message: model.ContextMessage) -> list[UserContent]:
    from pydantic_ai.messages import BinaryContent, ImageUrl

    said: list[UserContent] = []
    for part in message.content:
        if type(part) is model.ImagePart:
            url = part.image_url.url
            inline = url.startswith("data:")
            said.append(BinaryContent.from_data_uri(url) if inline else ImageUrl(url))
        elif type(part) is model.TextPart:
            said.append(part.text)
    return said
