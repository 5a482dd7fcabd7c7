"""Which headers go up and which come down."""

from __future__ import annotations

from collections.abc import Callable, Iterable

ERROR = "x-wiremend-error"

Headers = list[tuple[str, str]]

# RFC 9110, 7.6.1: for the next hop alone. ``host`` and the length are made anew.
_HOP = frozenset(
    {
        *("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"),
        *("proxy-authenticate", "proxy-authorization", "upgrade"),
    }
)
_READABLE = ("gzip", "deflate", "identity")


def upwards(headers: Iterable[tuple[str, str]], *, readable: bool) -> Headers:
    """The headers of a request as the upstream gets them.

    ``readable``: the answer may have to be read here, so encodings that cannot be are not offered.
    """
    kept = _end_to_end(headers, also=("host", "content-length", "expect"))
    if not readable:
        return kept
    return [
        (name, _offered(value)) if name.lower() == "accept-encoding" else (name, value)
        for name, value in kept
    ]


def downwards(headers: Iterable[tuple[str, str]]) -> Headers:
    """The headers of an answer as the agent gets them; its length stays."""
    return _end_to_end(headers, also=())


def without_encoding(headers: Headers) -> Headers:
    """For a body that is sent as it is, whatever the one that it stands for was."""
    return [(name, value) for name, value in headers if name.lower() != "content-encoding"]


def changed(headers: Headers, name: str, change: Callable[[str | None], str]) -> Headers:
    """The headers with one that is made from what it was; it comes last."""
    was = [value for own, value in headers if own.lower() == name]
    rest = [(own, value) for own, value in headers if own.lower() != name]
    return [*rest, (name, change(",".join(was) if was else None))]


def _end_to_end(headers: Iterable[tuple[str, str]], also: tuple[str, ...]) -> Headers:
    listed = list(headers)
    named = {
        token.strip().lower()
        for name, value in listed
        if name.lower() == "connection"
        for token in value.split(",")
    }
    dropped = _HOP.union(named, also)
    return [(name, value) for name, value in listed if name.lower() not in dropped]


def _offered(value: str) -> str:
    tokens = [token.strip() for token in value.split(",")]
    kept = [token for token in tokens if token.partition(";")[0].strip().lower() in _READABLE]
    return ", ".join(kept) or "identity"
