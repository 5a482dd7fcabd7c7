"""What a tool is to the comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from benchmarks.bodies import Body
from benchmarks.repairs.damage import Specimen
from benchmarks.repairs.listening import Listener

MODELS = {
    "openai-chat": "gpt-4o",
    "openai-responses": "gpt-4o",
    "anthropic": "claude-sonnet-4-5",
    "gemini": "gemini-2.5-pro",
    "bedrock": "anthropic.claude-sonnet-4-5-20250929-v1:0",
}
"""A model of each provider that takes pictures, tools and an answer begun for it."""


AWS = {
    "aws_access_key_id": "none",
    "aws_secret_access_key": "none",
    "region_name": "us-east-1",
}


class Tool(Protocol):
    """Something that makes requests out of conversations."""

    name: str
    version: str
    called: str
    """The function that is called, for the documentation."""
    claims: frozenset[str]
    """The kinds of damage that it says it mends; a sound conversation is everybody's business."""

    def takes(self, specimen: Specimen, target: str) -> bool:
        """Whether the conversation can be given to it, for this provider."""

    def send(self, specimen: Specimen, target: str) -> Body:
        """The body that it would send. Whatever it raises counts as refused."""


def sent(listener: Listener, ask: Callable[[], object]) -> Body:
    """What was posted while ``ask`` ran; what it raised where nothing was."""
    listener.take()
    try:
        ask()
    except Exception as error:
        body = listener.take()
        if body is None:
            raise
        # The listener refused it, as it refuses everything: the body is what counts.
        del error
        return body
    body = listener.take()
    if body is None:
        raise RuntimeError("nothing was sent")
    return body
