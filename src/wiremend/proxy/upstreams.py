"""Where requests go: which upstream takes a request, at which URL, and how it speaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from urllib.parse import SplitResult, urlsplit

import msgspec

from wiremend.dialects import DIALECTS
from wiremend.errors import WiremendError
from wiremend.transit.hosts import chat_dialect_of

_GRAMMAR = "[/PATH=|MODEL=][DIALECT+]URL, such as kimi-*=kimi+https://gateway.example/v1"
_SPEC = re.compile(
    r"(?:(?P<match>[^=]*)=)?(?:(?P<dialect>[a-z][a-z-]*)\+)?(?P<url>https?://.+)", re.IGNORECASE
)
_PORTS = {"http": 80, "https": 443}


class Upstream(msgspec.Struct, frozen=True, kw_only=True):
    """A provider, or a gateway to several.

    ``url`` has no slash at its end. ``path`` is the beginning of the paths that go there, cut off
    on the way; ``model`` a pattern of model names (``kimi-*``); a request goes to the first
    upstream that matches it. ``dialect`` says by whose rules Chat Completions are judged; requests
    in another wire format are judged by that format's.
    """

    url: str
    path: str = ""
    model: str | None = None
    dialect: str = "openai-chat"

    @property
    def name(self) -> str:
        """Host and port, for logs and figures."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    @property
    def address(self) -> tuple[str, int]:
        """Host and port to connect to."""
        parts = urlsplit(self.url)
        return parts.hostname or "", parts.port or _PORTS[parts.scheme]

    def target(self, raw_path: str) -> str:
        """The URL for a request's path and query, which stay percent-encoded as they came.

        What the path repeats of the end of the upstream's own path is not said twice:
        ``/v1/messages`` at ``https://host/v1`` is ``https://host/v1/messages``.
        """
        rest = raw_path[len(self.path) :] if self.path else raw_path
        if not rest.startswith("/"):
            rest = f"/{rest}"
        base = urlsplit(self.url).path
        cuts = (at for at, char in enumerate(base) if char == "/")
        shared = next((base[at:] for at in cuts if f"{rest}/".startswith(f"{base[at:]}/")), "")
        return self.url[: len(self.url) - len(shared)] + rest

    def speaks(self, family: str) -> str:
        """The dialect by whose rules a request of a wire format is judged here."""
        return self.dialect if family == "openai-chat" else family


def parse_upstream(text: str) -> Upstream:
    """Read an upstream as the command line gives it. Raises ``WiremendError`` that says why not."""
    found = _SPEC.fullmatch(text.strip())
    if found is None:
        raise WiremendError(f"not an upstream: {_safe(text)!r} (expected {_GRAMMAR})")
    match, dialect, url = found["match"] or "", found["dialect"], found["url"].rstrip("/")
    parts = _split(url)
    if dialect is not None and dialect not in DIALECTS:
        raise WiremendError(f"no dialect {dialect!r}; there are: {', '.join(DIALECTS)}")
    by_path = match.startswith("/")
    return Upstream(
        url=url,
        path=match.rstrip("/") if by_path else "",
        model=match if match and not by_path else None,
        dialect=dialect or chat_dialect_of(parts.hostname or ""),
    )


def choose(upstreams: Sequence[Upstream], path: str, model: str | None) -> Upstream | None:
    """The first upstream that takes this path and this model; None where none does.

    Requests without a model, such as a list of models, go to the first whose path matches.
    """
    for upstream in upstreams:
        by_path = not upstream.path or f"{path}/".startswith(f"{upstream.path}/")
        by_model = upstream.model is None or model is None or fnmatchcase(model, upstream.model)
        if by_path and by_model:
            return upstream
    return None


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise WiremendError(f"not a URL: {_safe(url)!r} ({error})") from None
    if not parts.hostname or port == 0:
        raise WiremendError(f"not a URL: {_safe(url)!r} (no host, or no port that exists)")
    if parts.query or parts.fragment:
        raise WiremendError(f"an upstream's URL ends before the query: {_safe(url)!r}")
    return parts


def _safe(url: str) -> str:
    """A URL without what may be a password in it."""
    return re.sub(r"//[^/@]*@", "//***@", url)
