"""The chat messages of ``damage`` as pydantic-ai holds them, damage included."""

from __future__ import annotations

from typing import Any

from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from tests.integrations.damage import Message


def model_messages(messages: list[Message]) -> list[Any]:
    return [_model_message(message) for message in messages]


def _model_message(message: Message) -> Any:
    text = message["content"]
    match message["role"]:
        case "assistant":
            calls = [
                ToolCallPart(call["function"]["name"], call["function"]["arguments"], call["id"])
                for call in message.get("tool_calls", [])
            ]
            return ModelResponse([*([TextPart(text)] if text or not calls else []), *calls])
        case "tool":
            return ModelRequest([ToolReturnPart("weather", text, message["tool_call_id"])])
        case "system":
            return ModelRequest([SystemPromptPart(text)])
        case _:
            return ModelRequest([UserPromptPart(text)])
