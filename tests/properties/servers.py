"""Random conversations that the servers beside OpenAI take, each in its own manners."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.properties.conversations import PNG, Body, openai_bodies

PICTURE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}


def server_bodies(server: str) -> st.SearchStrategy[Body]:
    """Requests that a server takes."""
    return _served(server)


@st.composite
def _served(draw: st.DrawFn, server: str) -> Body:
    body = draw(openai_bodies())
    body.pop("temperature", None)
    if server != "openrouter":
        for message in body["messages"]:
            message["role"] = message["role"].replace("developer", "system")
    _SERVERS[server](draw, body)
    return body


def _calling(body: Body) -> list[Body]:
    return [message for message in body["messages"] if message.get("tool_calls")]


def _reasoning(draw: st.DrawFn, body: Body, thinking_models: list[str]) -> None:
    said = draw(st.sampled_from(["enabled", "disabled", None]))
    model = draw(st.sampled_from(thinking_models))
    body["model"] = model
    if said:
        body["thinking"] = {"type": said}
    thinks = draw(st.booleans()) or said == "enabled" or (said is None and model[-1].isdigit())
    for n, message in enumerate(body["messages"]):
        if message["role"] != "assistant":
            continue
        if message.get("tool_calls") and (thinks or draw(st.booleans())):
            message["reasoning_content"] = draw(st.sampled_from([f"thought {n}", " "]))
        elif draw(st.booleans()):
            message["reasoning_content"] = draw(st.sampled_from([f"thought {n}", ""]))


def _kimi(draw: st.DrawFn, body: Body) -> None:
    _reasoning(draw, body, ["kimi-k2.5", "kimi-k2.6", "kimi-latest"])
    for index, message in enumerate(body["messages"]):
        if message["role"] == "tool" and draw(st.booleans()):
            message["content"] = [{"type": "text", "text": f"result-{index}-words"}, PICTURE]
    if draw(st.booleans()):
        tool = {"type": "function", "function": {"name": "late", "parameters": {"type": "object"}}}
        body["messages"].insert(0, {"role": "system", "tools": [tool]})
    if draw(st.booleans()):
        builtin = {"type": "builtin_function", "function": {"name": "$web_search"}}
        body["tools"] = [*body["tools"], builtin]
    if body["messages"][-1]["role"] != "assistant" and draw(st.booleans()):
        text = draw(st.sampled_from(["", "answer-999-words"]))
        body["messages"].append({"role": "assistant", "content": text, "partial": True})


def _deepseek(draw: st.DrawFn, body: Body) -> None:
    _reasoning(draw, body, ["deepseek-chat", "deepseek-v4"])
    for message in body["messages"]:
        content = message["content"]
        if isinstance(content, list):
            texts = [part for part in content if part["type"] == "text"]
            message["content"] = texts[0]["text"] if message["role"] == "tool" else texts


def _mistral(draw: st.DrawFn, body: Body) -> None:
    body["model"] = "mistral-large-latest"
    out: list[Body] = []
    for message in body["messages"]:
        if out and out[-1]["role"] == "tool" and message["role"] == "user":
            out.append({"role": "assistant", "content": f"answer-{900 + len(out)}-words"})
        out.append({k: v for k, v in message.items() if k not in ("name", "refusal")})
        if "tool_call_id" in message:
            out[-1]["tool_call_id"] = _short(message["tool_call_id"])
        for call in out[-1].get("tool_calls", ()):
            call["id"] = _short(call["id"])
    if out[-1]["role"] == "assistant" and not out[-1].get("tool_calls"):
        if len(out) > 1 and draw(st.booleans()):
            out[-1]["prefix"] = True
        else:
            out.append({"role": "user", "content": "user-998-words"})
    for message in out:
        if message["role"] == "assistant" and message["content"] and draw(st.booleans()):
            thought = {"type": "thinking", "thinking": "thought"}
            message["content"] = [thought, {"type": "text", "text": message["content"]}]
    body["messages"] = out


def _short(call_id: str) -> str:
    return hashlib.md5(call_id.encode()).hexdigest()[:9]


def _qwen(draw: st.DrawFn, body: Body) -> None:
    body["model"] = "qwen-plus"
    if draw(st.booleans()):
        url = {"url": "https://example.test/a.mp4"}
        film = [{"type": "video_url", "video_url": url}, {"type": "video", "video": ["https://a"]}]
        body["messages"].append({"role": "user", "content": film})
        body["messages"].append({"role": "assistant", "content": "So", "partial": True})


def _openrouter(draw: st.DrawFn, body: Body) -> None:
    body["model"] = "anthropic/claude-sonnet-4.5"
    for message in _calling(body):
        if draw(st.booleans()):
            detail = {"type": "reasoning.encrypted", "data": "c2ln", "id": "r1", "index": 0}
            message["reasoning_details"] = [detail]
            message["reasoning"] = "thought"
    for message in body["messages"]:
        if isinstance(message["content"], list) and draw(st.booleans()):
            message["content"][0]["cache_control"] = {"type": "ephemeral"}


def _generic(draw: st.DrawFn, body: Body) -> None:
    body["model"] = "any"
    out: list[Body] = []
    for message in body["messages"]:
        if out and out[-1]["role"] == message["role"] == "user":
            out.append({"role": "assistant", "content": f"answer-{900 + len(out)}-words"})
        out.append(message)
    if draw(st.booleans()):
        audio = {"type": "audio_url", "audio_url": {"url": "https://example.test/a.ogg"}}
        if out[-1]["role"] != "user":
            out.append({"role": "user", "content": [audio]})
    body["messages"] = out


_SERVERS: dict[str, Callable[[st.DrawFn, Any], None]] = {
    "kimi": _kimi,
    "deepseek": _deepseek,
    "mistral": _mistral,
    "qwen": _qwen,
    "openrouter": _openrouter,
    "generic": _generic,
}
SERVERS = tuple(_SERVERS)
