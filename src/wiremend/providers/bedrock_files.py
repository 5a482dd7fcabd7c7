"""Amazon Bedrock Converse, simulated: pictures, documents, films and recordings."""

from __future__ import annotations

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

    def step(self, message: dict[str, Any]) -> None:
        """Look at the files of one message, those in results too."""
        own = [kind for block in message["content"] for kind in _KNOWN if kind in block]
        if message["role"] == "assistant" and {"image", "document"} & set(own):
            raise RefusalError(
                f"This model doesn't support the {own[0]} field for assistant messages. Remove "
                f"{own[0]} and try again."
            )
        for kind, value in _files(message["content"]):
            self._file(kind, value)
        worded = any("text" in block for block in message["content"])
        if message["role"] == "user" and "document" in own and not worded:
            raise RefusalError("A text block must be included when using documents.")

    def _file(self, kind: str, value: dict[str, Any]) -> None:
        source = value.get("source")
        if not isinstance(source, dict):
            constraint(f"{kind}.source", "not be null")
        given = [
            name
            for name in ("bytes", "s3Location", "text", "content")
            if source.get(name) is not None
        ]
        if len(given) != 1 or (kind != "document" and given[0] in ("text", "content")):
            constraint(f"{kind}.source", "have exactly one member")
        label = value.get("format")
        optional = kind == "document" or given == ["s3Location"]
        if not (label is None and optional) and (
            not isinstance(label, str) or label not in _KNOWN[kind]
        ):
            wanted = ", ".join(sorted(_KNOWN[kind]))
            constraint(f"{kind}.format", f"satisfy enum value set: [{wanted}]")
        data = source.get("bytes")
        if given == ["bytes"] and not (isinstance(data, str) and data):
            constraint(f"{kind}.source.bytes", "have length greater than or equal to 1")
        if kind == "image" and isinstance(data, str):
            found = looks_like(data)
            if found is not None and found != f"image/{label}":
                raise RefusalError("Could not process image")
        if kind == "document":
            self._document(value.get("name"))

    def _document(self, name: Any) -> None:
        if not isinstance(name, str):
            constraint("document.name", "not be null")
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


def _files(content: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for block in content:
        for kind in _KNOWN:
            if isinstance(block.get(kind), dict):
                yield kind, block[kind]
        result = block.get("toolResult")
        if isinstance(result, dict) and isinstance(result.get("content"), list):
            yield from _files([inner for inner in result["content"] if isinstance(inner, dict)])
