"""Short names for the contents and parts of generateContent requests."""

from __future__ import annotations

from typing import Any

from tests.dialects.blocks import PNG, Body

SKIP = "skip_thought_signature_validator"


def said(*parts: Any, **more: Any) -> Body:
    return {"role": "user", "parts": [_part(part) for part in parts], **more}


def model(*parts: Any, **more: Any) -> Body:
    return {"role": "model", "parts": [_part(part) for part in parts], **more}


def _part(part: Any) -> Body:
    return {"text": part} if isinstance(part, str) else part


def made(name: Any = "run", signature: str | None = None, **more: Any) -> Body:
    signed = {} if signature is None else {"thoughtSignature": signature}
    return {"functionCall": {"name": name, "args": {}, **more}, **signed}


def gave(text: Any = "out", name: Any = "run", **more: Any) -> Body:
    response = {"result": text} if isinstance(text, str) else text
    return {"functionResponse": {"name": name, "response": response, **more}}


def blob(label: str = "image/png", data: str = PNG, **more: Any) -> Body:
    return {"inlineData": {"mimeType": label, "data": data, **more}}


def asked(*contents: Body, **more: Any) -> Body:
    return {"contents": list(contents), **more}
