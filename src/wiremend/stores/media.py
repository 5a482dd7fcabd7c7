"""Large media in records: kept once as a blob, by content, and put back when it is read.

A record holds ``blobref:<media type>;<blob's name>`` where it held a ``data:`` URL of at least
``SMALLEST`` characters of base64. It is the form of Kimi Code's logs, so that either reads the
other's. Media that is no canonical base64 stays where it is, as do URLs that lead elsewhere.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from wiremend.model import ContextMessage, DocumentPart, Part, TextPart, media_source
from wiremend.stores.base import Damage, Store
from wiremend.stores.errors import MissingError, StoreError

SCHEME = "blobref:"
SMALLEST = 4096

_DATA = re.compile(r"data:([^;,]+);base64,")
_REFERENCE = re.compile(r"blobref:([^;]*);([0-9a-f]{64})")
_encoder = msgspec.json.Encoder()


def offload(record: bytes, put: Callable[[bytes], str]) -> bytes:
    """The record with its large media given to ``put``, which gives the blob's name back."""
    if len(record) < SMALLEST or b";base64," not in record:
        return record
    value = msgspec.json.decode(record)
    changed = _with_urls(value, lambda url: _reference(url, put))
    return record if changed is value else _encoder.encode(changed)


def restore(record: bytes, get: Callable[[str], bytes]) -> Any:
    """The record, decoded, with its media where it was; what ``get`` misses stays a reference."""
    value = msgspec.json.decode(record)
    return restore_value(value, get) if SCHEME.encode() in record else value


def restore_value(value: Any, get: Callable[[str], bytes]) -> Any:
    """The same for a record that is decoded already."""
    return _with_urls(value, lambda url: _data_url(url, get))


def restored(record: bytes, get: Callable[[str], bytes]) -> bytes:
    """The record as it was before its media was kept elsewhere, byte for byte as JSON."""
    if SCHEME.encode() not in record:
        return record
    return _encoder.encode(restore(record, get))


def references(record: bytes) -> Iterator[str]:
    """The names of the blobs that a record refers to."""
    if SCHEME.encode() not in record:
        return
    found: list[str] = []
    _with_urls(msgspec.json.decode(record), lambda url: _note(url, found))
    yield from found


def without_references(history: Sequence[ContextMessage]) -> list[ContextMessage]:
    """The history with a line of text for media that its store no longer has."""
    return [_told(message) for message in history]


def missing_media(store: Store, session_id: str) -> Iterator[Damage]:
    """The records of a session whose media is not in the store."""
    present: dict[str, bool] = {}
    for number, record in store.read(session_id, skip_corrupt=True):
        for name in references(record):
            if name not in present:
                present[name] = _is_there(store, name)
            if not present[name]:
                wrong = f"its media is not in the store: there is no blob {name}"
                yield Damage(number, wrong, "this image, sound or document")


def _told(message: ContextMessage) -> ContextMessage:
    if not any(_is_reference(part) for part in message.content):
        return message
    parts = tuple(
        TextPart("[media omitted: it is no longer in the session's store]")
        if _is_reference(part)
        else part
        for part in message.content
    )
    return msgspec.structs.replace(message, content=parts)


def _is_reference(part: Part) -> bool:
    if type(part) is DocumentPart:
        return part.url is not None and part.url.startswith(SCHEME)
    found = media_source(part)
    return found is not None and found[1].url.startswith(SCHEME)


def _is_there(store: Store, name: str) -> bool:
    try:
        store.get_blob(name)
    except MissingError:
        return False
    except StoreError:
        # It is damaged, and reported as that.
        return True
    return True


def _with_urls(value: Any, change: Callable[[str], str]) -> Any:
    """The value with the ``url`` of every object in it changed; itself where none did."""
    if isinstance(value, dict):
        out: dict[str, Any] | None = None
        for key, inner in value.items():
            if key == "url" and isinstance(inner, str):
                new: Any = change(inner)
            elif isinstance(inner, (dict, list)):
                new = _with_urls(inner, change)
            else:
                continue
            if new is not inner:
                out = out if out is not None else dict(value)
                out[key] = new
        return value if out is None else out
    if isinstance(value, list):
        items = [_with_urls(item, change) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else items
    return value


def _reference(url: str, put: Callable[[bytes], str]) -> str:
    head = _DATA.match(url)
    if head is None or len(url) - head.end() < SMALLEST:
        return url
    payload = url[head.end() :]
    try:
        data = base64.b64decode(payload, validate=True)
    except (binascii.Error, ValueError):
        return url
    if base64.b64encode(data).decode() != payload:
        return url
    return f"{SCHEME}{head[1]};{put(data)}"


def _data_url(url: str, get: Callable[[str], bytes]) -> str:
    found = _REFERENCE.fullmatch(url)
    if found is None:
        return url
    try:
        data = get(found[2])
    except StoreError:
        return url
    return f"data:{found[1]};base64,{base64.b64encode(data).decode()}"


def _note(url: str, found: list[str]) -> str:
    if match := _REFERENCE.fullmatch(url):
        found.append(match[2])
    return url
