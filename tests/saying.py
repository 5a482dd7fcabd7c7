"""The smallest request of each dialect: somebody says something."""

from __future__ import annotations

from typing import Any


def saying(dialect: str, text: str) -> dict[str, Any]:
    if dialect == "gemini":
        return {"contents": [{"role": "user", "parts": [{"text": text}]}]}
    if dialect == "openai-responses":
        return {"input": [{"role": "user", "content": text}]}
    content = [{"text": text}] if dialect == "bedrock" else text
    return {"messages": [{"role": "user", "content": content}]}
