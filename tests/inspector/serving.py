"""A page that is served for a test, and requests to it as a browser makes them, or a stranger."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from wiremend.cli.opening import open_any
from wiremend.inputs import Wanted
from wiremend.inspector.serving import serving

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="


@contextmanager
def served(path: Path | str, provider: str | None = None) -> Iterator[str]:
    """The address of the page that shows what is at a path."""
    with serving(open_any(str(path), Wanted(provider=provider))) as url:
        yield url


def ask(
    url: str, to: str, *, method: str = "GET", headers: dict[str, str] | None = None, **query: Any
) -> tuple[HTTPResponse, bytes]:
    """The answer to one request; ``to`` is behind the secret."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    try:
        target = parts.path + to + (f"?{urlencode(query)}" if query else "")
        connection.putrequest(method, target, skip_host=headers is not None and "Host" in headers)
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def asked(url: str, to: str, **query: Any) -> Any:
    """The JSON of an answer that is fine."""
    answer, data = ask(url, to, **query)
    assert answer.status == 200, data
    return json.loads(data)
