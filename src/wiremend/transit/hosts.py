"""Servers of Chat Completions that say in their name whose rules they keep."""

from __future__ import annotations

import re

_HOSTS = (
    (re.compile(r"(^|\.)moonshot\.(ai|cn)$|(^|\.)kimi\.com$"), "kimi"),
    (re.compile(r"(^|\.)deepseek\.com$"), "deepseek"),
    (re.compile(r"(^|\.)mistral\.ai$"), "mistral"),
    (re.compile(r"(^|\.)dashscope(-[a-z]+)?\.aliyuncs\.com$"), "qwen"),
    (re.compile(r"(^|\.)openrouter\.ai$"), "openrouter"),
)


def chat_dialect_of(host: str) -> str:
    """The dialect of the Chat Completions at a host; OpenAI's where the host is not known."""
    return next((name for pattern, name in _HOSTS if pattern.search(host)), "openai-chat")
