"""Which API a path belongs to, and what it asks for: the providers' real paths."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias
from urllib.parse import unquote

import msgspec

from wiremend.simulator.exchange import Target

Api: TypeAlias = Literal["chat", "responses", "anthropic", "gemini", "bedrock", "shared"]
"""``shared``: a path that several APIs have."""

_VERTEX = r"(?:projects/[^/]+/locations/[^/]+/publishers/google/)?"
_GEMINI = rf"/v1(?:beta|alpha|beta1)?/{_VERTEX}models/(?P<model>[^/:]+)"
# OpenRouter, Qwen and Azure have something before the path; DeepSeek does without a version.
_CHAT = r"(?:/api|/compatible-mode|/openai)?(?:/v1)?/chat/completions"


class Route(msgspec.Struct, frozen=True):
    """A path. Its pattern may have a group ``model``."""

    api: Api
    method: str
    path: re.Pattern[str]
    action: Literal["answer", "count", "models", "model"] = "answer"
    stream: bool | None = None

    def target(self, found: re.Match[str]) -> Target:
        """What a path that matches asks for."""
        model = unquote(found.groupdict().get("model") or "")
        return Target(action=self.action, model=model, stream=self.stream)


_ROUTES = (
    Route("chat", "POST", re.compile(_CHAT)),
    Route("chat", "POST", re.compile(r"/openai/deployments/(?P<model>[^/]+)/chat/completions")),
    Route("responses", "POST", re.compile(r"(?:/openai)?/v1/responses")),
    Route("responses", "POST", re.compile(r"/v1/responses/input_tokens"), "count"),
    Route("anthropic", "POST", re.compile(r"/v1/messages")),
    Route("anthropic", "POST", re.compile(r"/v1/messages/count_tokens"), "count"),
    Route("gemini", "POST", re.compile(_GEMINI + ":generateContent"), stream=False),
    Route("gemini", "POST", re.compile(_GEMINI + ":streamGenerateContent"), stream=True),
    Route("gemini", "POST", re.compile(_GEMINI + ":countTokens"), "count"),
    Route("gemini", "GET", re.compile(r"/v1beta/models"), "models"),
    Route("gemini", "GET", re.compile(r"/v1beta/models/(?P<model>[^/:]+)"), "model"),
    Route("bedrock", "POST", re.compile(r"/model/(?P<model>[^/]+)/converse"), stream=False),
    Route("bedrock", "POST", re.compile(r"/model/(?P<model>[^/]+)/converse-stream"), stream=True),
    Route("shared", "GET", re.compile(r"(?:/api)?/v1/models"), "models"),
    Route("shared", "GET", re.compile(r"(?:/api)?/v1/models/(?P<model>.+)"), "model"),
)


class Found(msgspec.Struct, frozen=True):
    """Where a path leads. ``allowed`` is empty where its method is right."""

    api: Api
    target: Target
    allowed: str = ""


def find(method: str, path: str) -> Found | None:
    """Return where a path leads; None: nowhere."""
    found = None
    for route in _ROUTES:
        match = route.path.fullmatch(path)
        if match is not None:
            found = Found(route.api, route.target(match))
            if method == route.method:
                return found
            found = Found(route.api, found.target, allowed=route.method)
    return found
