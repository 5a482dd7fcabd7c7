"""What the tests of the request service share: histories, clients, and what was sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import anthropic
import openai

from wiremend.model import ContextMessage, ToolCall, assistant, tool_result, user
from wiremend.service import AnthropicMessages, OpenAIChat, RequestService
from wiremend.simulator import Answer, Failure, Running, Script, running_provider

HELLO = [user("hello")]
REFUSED = Failure(400, message="messages.1: `tool_use` ids must be unique")
TOO_LARGE = Failure(413)
BAD_IMAGE = Failure(400, message="Could not process image")
OVERFLOW = Failure(400, message="prompt is too long: 210000 tokens > 200000 maximum")
BOUND = Failure(
    400,
    message="messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to "
    'a different conversation. Remove the block, or set `thinking.block_binding."'
    'prefix_mismatch_behavior` to "drop_block".',
)

STRANGE: tuple[Any, ...] = (None, 5, "x", [], {}, [5], True, 1.5)
"""What an answer may hold where an API has something else."""


def picture(name: str) -> ContextMessage:
    """A prompt with a picture."""
    return user(f"look at {name}", f"https://pictures.example/{name}.png")


def broken() -> list[ContextMessage]:
    """A history that needs a repair: nothing answered the call."""
    return [
        user("open it"),
        assistant("", ToolCall("call_a", "look", "{}")),
        user("stop"),
    ]


def answered(call_id: str) -> list[ContextMessage]:
    """A history with a call that is answered."""
    return [
        user("open it"),
        assistant("", ToolCall(call_id, "look", "{}")),
        tool_result(call_id, "fine"),
        user("again"),
    ]


def chat_client(running: Running) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{running.url}/v1", api_key="sk-secret", max_retries=0)


def anthropic_client(running: Running) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=running.url, api_key="sk-secret", max_retries=0)


@contextmanager
def chatting(*steps: Answer | Failure, **options: Any) -> Iterator[tuple[RequestService, Running]]:
    """A service over OpenAI's SDK, and the provider behind it."""
    with running_provider("openai-chat", Script(steps)) as running, chat_client(running) as client:
        options = {"settings": {"model": "gpt-5"}, **options}
        yield RequestService(OpenAIChat(client), **options), running


@contextmanager
def messaging(
    *steps: Answer | Failure, model: str = "claude-sonnet-4-5", **options: Any
) -> Iterator[tuple[RequestService, Running]]:
    """A service over Anthropic's SDK, and the provider behind it."""
    with (
        running_provider("anthropic", Script(steps)) as running,
        anthropic_client(running) as client,
    ):
        options = {"settings": {"model": model, "max_tokens": 100}, **options}
        yield RequestService(AnthropicMessages(client), **options), running


def bodies(running: Running) -> list[Any]:
    """The bodies that the provider got."""
    return [received.json for received in running.requests]


def pictures(body: Any) -> list[str]:
    """The names of the pictures in a body, in order."""
    text = json.dumps(body)
    return [piece.split(".png")[0] for piece in text.split("pictures.example/")[1:]]


def policies(trace: Any) -> list[str]:
    """How each attempt was sent."""
    return [attempt.policy for attempt in trace.attempts]


def texts(deltas: Sequence[Any]) -> str:
    """The text of all pieces."""
    return "".join(getattr(delta, "text", "") for delta in deltas)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each container in a value, with each of its keys."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in [*keys]:
        yield value, key
        yield from places(value[key])
