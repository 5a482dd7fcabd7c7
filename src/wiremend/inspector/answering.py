"""What the page asks for, and what it gets: files of the page, and parts of views as JSON."""

from __future__ import annotations

import base64
import binascii
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

import msgspec

from wiremend.dialects import DIALECTS
from wiremend.dialects.data_urls import parse_data_url, sniff
from wiremend.errors import WiremendError
from wiremend.inspector.assets import TYPES, read_asset
from wiremend.inspector.presenting import PICTURES, Presented
from wiremend.inspector.sharing import static_page
from wiremend.inspector.sources import Item, Source, dialect_of
from wiremend.inspector.view import Media, Options, look

_KEPT = 6
"""So many views are kept: to go back and forth between switches costs nothing."""
_MOST_ROWS = 500

Query = Mapping[str, str]


class Answer(NamedTuple):
    """What goes back over HTTP."""

    data: bytes
    type: str = "application/json"
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = {}

    @classmethod
    def of(cls, value: Any) -> Answer:
        """A value as JSON; halves of characters as escapes, which JavaScript reads."""
        return cls(json.dumps(value).encode())

    @classmethod
    def error(cls, status: HTTPStatus, said: str) -> Answer:
        """A refusal with a reason."""
        return cls.of({"error": said})._replace(status=status)


class Answers:
    """Answers the page about one source. Safe for threads."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._views: OrderedDict[Any, Presented] = OrderedDict()
        self._asked: dict[str, Callable[[Query], Answer]] = {
            "api/source": self._about,
            "api/items": self._items,
            "api/view": self._summary,
            "api/rows": self._rows,
            "api/search": self._search,
            "api/text": self._text,
            "api/picture": self._picture,
            "api/json": self._lines,
            "api/save": self._save,
            "api/export": self._export,
        }

    def answer(self, name: str, query: Query) -> Answer:
        """The answer to a path behind the secret, with its query."""
        if name in self._asked:
            try:
                return self._asked[name](query)
            except WiremendError as error:
                return Answer.error(HTTPStatus.UNPROCESSABLE_ENTITY, str(error.reason))
            except (ValueError, IndexError):
                return Answer.error(HTTPStatus.BAD_REQUEST, "the page asked for what is not there")
        name = name or "index.html"
        if name in TYPES:
            return Answer(read_asset(name).encode(), TYPES[name])
        return Answer.error(HTTPStatus.NOT_FOUND, "there is no such page")

    def _about(self, query: Query) -> Answer:  # noqa: ARG002
        items = self._source.items()
        return Answer.of(
            {
                "kind": self._source.kind,
                "title": self._source.title,
                "mends": getattr(self._source, "mends", ""),
                "dialects": list(DIALECTS),
                "items": msgspec.to_builtins(items),
            }
        )

    def _items(self, query: Query) -> Answer:
        items = self._source.items()
        after = int(query.get("after", "0"))
        new = items[after:] if after <= len(items) else items
        return Answer.of({"count": len(items), "items": msgspec.to_builtins(new)})

    def _summary(self, query: Query) -> Answer:
        shown = self._shown(query)
        timeline = self._source.timeline(*_place(query))
        summary = shown.summary()
        if timeline is not None:
            summary["timeline"] = msgspec.to_builtins(timeline)
        return Answer.of(summary)

    def _rows(self, query: Query) -> Answer:
        start = int(query["start"])
        return Answer.of(self._shown(query).rows(start, min(int(query["end"]), start + _MOST_ROWS)))

    def _search(self, query: Query) -> Answer:
        return Answer.of(self._shown(query).search(query.get("q", "")))

    def _text(self, query: Query) -> Answer:
        block = self._shown(query).block(query["side"], int(query["entry"]), _path(query))
        if block is None:
            raise WiremendError("there is no such text")
        return Answer.of(block.text)

    def _picture(self, query: Query) -> Answer:
        """The bytes of a picture, under the type that they have: nothing else is shown."""
        block = self._shown(query).block(query["side"], int(query["entry"]), _path(query))
        parsed = parse_data_url(block.source) if block is not None else None
        found = sniff(parsed.data) if parsed is not None else None
        if parsed is None or found not in PICTURES:
            raise WiremendError("there is no such picture")
        try:
            data = base64.b64decode(parsed.data + "==")
        except binascii.Error:
            raise WiremendError("this picture is damaged") from None
        return Answer(data, found)

    def _lines(self, query: Query) -> Answer:
        start = int(query["start"])
        lines = self._shown(query).lines
        return Answer.of(lines.chunks(start, min(int(query["end"]), start + _MOST_ROWS)))

    def _save(self, query: Query) -> Answer:
        data = json.dumps(self._shown(query).view.body, indent=2).encode()
        return _download(data, "mended.json", "application/json")

    def _export(self, query: Query) -> Answer:
        page = static_page(
            self._shown(query).view,
            self._source.title,
            placeholders=query.get("placeholders") == "1",
        )
        return _download(page.encode(), "conversation.html", "text/html; charset=utf-8")

    def _shown(self, query: Query) -> Presented:
        """The view that a query is about: made once, and kept while it is looked at."""
        number, moment = _place(query)
        with self._lock:
            items = self._source.items()
            if not 0 <= number < len(items):
                raise WiremendError("there is no such conversation")
            key = (number, moment, query.get("for"), query.get("strict"), query.get("media"))
            if key not in self._views:
                self._views[key] = self._made(items[number], number, moment, query)
                while len(self._views) > _KEPT:
                    self._views.popitem(last=False)
            self._views.move_to_end(key)
            return self._views[key]

    def _made(self, item: Item, number: int, moment: int | None, query: Query) -> Presented:
        conversation = self._source.open(number, moment)
        media: Media = {"degraded": "degraded", "strip": "strip"}.get(query.get("media", ""))  # type: ignore[assignment]
        options = Options(
            dialect=query.get("for") or dialect_of(item, conversation),
            strict=query.get("strict") == "1",
            media=media,
        )
        return Presented(look(conversation, options))


def _place(query: Query) -> tuple[int, int | None]:
    moment = query.get("at")
    return int(query.get("item", "0")), int(moment) if moment else None


def _path(query: Query) -> list[int]:
    return [int(step) for step in query["path"].split(".")]


def _download(data: bytes, name: str, kind: str) -> Answer:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Answer(data, kind, headers=headers)
