"""What does comparable work: pydantic-ai's ``repair_messages``, on the same conversations.

It pairs calls with results, drops orphans, closes open calls and merges neighbours; it does not
look for blank or vacuous content, keep ids apart, order results or tell what it did.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

from benchmarks.bodies import text_of
from benchmarks.histories import History

PYDANTIC_AI = "pydantic-ai"
PEERS = (PYDANTIC_AI, "none")


def name_of_pydantic_ai() -> str:
    """What the peer's row is called, with the version that is installed."""
    return f"pydantic-ai {version('pydantic-ai-slim')}: repair_messages"


def pydantic_ai(history: History) -> Callable[[], object]:
    """The peer's work on this conversation, in its own types, made beforehand.

    Results and prompts in a row are one ``ModelRequest``, as its agents record them.
    """
    from pydantic_ai.messages import (
        ImageUrl,
        ModelMessage,
        ModelRequest,
        ModelRequestPart,
        ModelResponse,
        ModelResponsePart,
        TextPart,
        ThinkingPart,
        ToolCallPart,
        ToolReturnPart,
        UserContent,
        UserPromptPart,
        repair_messages,
    )

    from wiremend import model

    def response(message: model.ContextMessage) -> ModelResponse:
        parts: list[ModelResponsePart] = []
        for part in message.content:
            if type(part) is model.ThinkPart:
                parts.append(ThinkingPart(part.think, signature=part.encrypted))
            elif type(part) is model.TextPart:
                parts.append(TextPart(part.text))
        parts.extend(
            ToolCallPart(call.name, call.arguments, tool_call_id=call.id)
            for call in message.tool_calls
        )
        return ModelResponse(parts)

    def prompt(message: model.ContextMessage) -> UserPromptPart:
        said: list[UserContent] = []
        for part in message.content:
            if type(part) is model.ImagePart:
                said.append(ImageUrl(part.image_url.url))
            elif type(part) is model.TextPart:
                said.append(part.text)
        return UserPromptPart(said)

    messages: list[ModelMessage] = []
    waiting: list[ModelRequestPart] = []
    names = {call.id: call.name for message in history for call in message.tool_calls}
    for message in history:
        if message.role == "tool":
            call_id = message.tool_call_id or ""
            name = names.get(call_id, "Read")
            waiting.append(ToolReturnPart(name, text_of(message), tool_call_id=call_id))
        elif message.role == "user":
            waiting.append(prompt(message))
        else:
            if waiting:
                messages.append(ModelRequest(waiting))
                waiting = []
            messages.append(response(message))
    if waiting:
        messages.append(ModelRequest(waiting))
    return lambda: repair_messages(messages)
