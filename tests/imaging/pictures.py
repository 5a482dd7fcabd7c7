"""Real images, made here, in every state that a conversation can hold them in."""

from __future__ import annotations

import base64
import io
import random
from typing import Any

from PIL import Image

Block = dict[str, Any]
_BYTES = {"L": 1, "RGB": 3, "RGBA": 4, "CMYK": 4}


def noise(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """What no format can make small."""
    data = random.Random(width).randbytes(width * height * _BYTES[mode])
    return Image.frombytes(mode, (width, height), data)


def written(image: Image.Image, form: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def animated(frames: int = 3) -> bytes:
    first, *rest = (Image.new("RGB", (60, 40), (80 * n, 20, 20)) for n in range(frames))
    return written(first, "GIF", save_all=True, append_images=rest, duration=80)


def url(raw: bytes, label: str) -> str:
    return f"data:{label};base64,{base64.b64encode(raw).decode()}"


def opened(address: str) -> Image.Image:
    """The image of a ``data:`` URL, all of it read; its label has to be true."""
    label, _, data = address.removeprefix("data:").partition(";base64,")
    image = Image.open(io.BytesIO(base64.b64decode(data, validate=True)))
    image.load()
    assert label == Image.MIME[image.format or ""]
    return image


def anthropic_image(raw: bytes, label: str) -> Block:
    data = base64.b64encode(raw).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": label, "data": data}}


def chat_image(raw: bytes, label: str) -> Block:
    return {"type": "image_url", "image_url": {"url": url(raw, label)}}


def anthropic_request(*blocks: Block, model: str = "claude-opus-4-6") -> Block:
    said = [{"role": "user", "content": [*blocks, {"type": "text", "text": "What is it?"}]}]
    return {"model": model, "max_tokens": 64, "messages": said}


def chat_request(*parts: Block) -> Block:
    said = [{"role": "user", "content": [*parts, {"type": "text", "text": "What is it?"}]}]
    return {"model": "gpt-4o", "messages": said}


def shown(body: Block) -> list[Image.Image | str]:
    """The images of a body, opened, and its texts, in order."""
    found: list[Image.Image | str] = []
    for message in body["messages"]:
        for block in message["content"]:
            found.extend(_shown(block))
    return found


def _shown(block: Block) -> list[Image.Image | str]:
    if block["type"] == "text":
        return [str(block["text"])]
    if block["type"] == "tool_result":
        return [one for inner in block["content"] for one in _shown(inner)]
    if block["type"] == "image_url":
        return [opened(block["image_url"]["url"])]
    if block["type"] == "tool_use":
        return []
    source = block["source"]
    return [opened(f"data:{source['media_type']};base64,{source['data']}")]
