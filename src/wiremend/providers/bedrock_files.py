"""Amazon Bedrock Converse, simulated: pictures, documents, films and recordings."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any

from wiremend.providers.bedrock_blocks import constraint
from wiremend.providers.pictures import looks_like
from wiremend.providers.reply import RefusalError

_KNOWN = {
    "image": {"png", "jpeg", "gif", "webp"},
    "document": {"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"},
    "video": {"mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", "three_gp"},
    "audio": {
        *("mp3", "opus", "wav", "aac", "flac", "mp4", "ogg", "mkv", "mka", "x-aac", "m4a", "mpeg"),
        *("mpga", "pcm", "webm"),
    },
}
_NAMED = re.compile(r"[a-zA-Z0-9_()\[\]-]*(?: [a-zA-Z0-9_()\[\]-]*)*")
_LONGEST_NAME = 200


class Files:
    """Goes through the messages and remembers the documents that there were."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def step(self, index: int, message: dict[str, Any]) -> None:
        """Look at the files of one message, those in results too."""
        own = [kind for block in message["content"] for kind in _KNOWN if kind in block]
        if message["role"] == "assistant" and {"image", "document"} & set(own):
            raise RefusalError(
                f"This model doesn't support the {own[0]} field for assistant messages. Remove "
                f"{own[0]} and try again."
            )
        for spot, kind, value in _files(message["content"], f"messages.{index}.content"):
            self._file(spot, kind, value)
        worded = any("text" in block for block in message["content"])
        if message["role"] == "user" and "document" in own and not worded:
            raise RefusalError("A text block must be included when using documents.")

    def _file(self, spot: str, kind: str, value: dict[str, Any]) -> None:
        source = value.get("source")
        if not isinstance(source, dict):
            constraint(f"{spot}.source", "not be null")
        given = [
            name
            for name in ("bytes", "s3Location", "text", "content")
            if source.get(name) is not None
        ]
        if len(given) != 1 or (kind != "document" and given[0] in ("text", "content")):
            constraint(f"{spot}.source", "have exactly one member")
        label = value.get("format")
        if not (label is None and kind == "document") and (
            not isinstance(label, str) or label not in _KNOWN[kind]
        ):
            wanted = ", ".join(sorted(_KNOWN[kind]))
            constraint(f"{spot}.format", f"satisfy enum value set: [{wanted}]")
        data = source.get("bytes")
        if given == ["bytes"] and not (isinstance(data, str) and data):
            constraint(f"{spot}.source.bytes", "have length greater than or equal to 1")
        if isinstance(data, str) and not _decodes(data):
            raise RefusalError(f"SerializationException: '{spot}.source.bytes' is no valid base64")
        if kind == "image" and isinstance(data, str):
            found = looks_like(data)
            if found is not None and found != f"image/{label}":
                raise RefusalError("Could not process image")
        if kind == "document":
            self._document(spot, value.get("name"))

    def _document(self, spot: str, name: Any) -> None:
        if not isinstance(name, str):
            constraint(f"{spot}.name", "not be null")
        if not 1 <= len(name) <= _LONGEST_NAME or not _NAMED.fullmatch(name) or "  " in name:
            raise RefusalError(
                "The document file name can only contain alphanumeric characters, whitespace "
                "characters, hyphens, parentheses, and square brackets. The name can't contain "
                "more than one consecutive whitespace character. Check that the file name conforms "
                "to these restrictions and retry your request."
            )
        if name in self._names:
            raise RefusalError(
                "Messages can't contain duplicate document names. Rename the document and retry "
                "your request."
            )
        self._names.add(name)


def _files(content: list[Any], place: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for position, block in enumerate(content):
        spot = f"{place}.{position}"
        for kind in _KNOWN:
            if isinstance(block, dict) and isinstance(block.get(kind), dict):
                yield f"{spot}.{kind}", kind, block[kind]
        result = block.get("toolResult") if isinstance(block, dict) else None
        if isinstance(result, dict) and isinstance(result.get("content"), list):
            yield from _files(result["content"], f"{spot}.toolResult.content")


def _decodes(data: str) -> bool:
    plain = data.translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        base64.b64decode((plain + "=" * (-len(plain) % 4)).encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
