"""The page over HTTP, for one person on this machine.

Bound to the loopback address. Every URL begins with a secret, which is compared in constant time;
a request that names another host (as a page of a stranger makes a browser do) is refused. There is
nothing to write to: only GET is answered.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from wiremend.errors import WiremendError
from wiremend.inspector.answering import Answer, Answers
from wiremend.inspector.sources import Source

HOST = "127.0.0.1"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@contextmanager
def serving(source: Source, *, port: int = 0) -> Iterator[str]:
    """Serve the page until the context ends; the URL, with its secret.

    Raises ``WiremendError`` where the port is taken.
    """
    token = secrets.token_urlsafe(24)
    try:
        server = _Server((HOST, port), _Handler)
    except OSError as error:
        raise WiremendError(f"cannot listen on port {port}: {error.strerror}") from None
    server.token = token
    server.answers = Answers(source)
    thread = threading.Thread(target=server.serve_forever, name="wiremend-inspect", daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}/{token}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    token: str
    answers: Answers

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "wiremend"
    sys_version = ""
    timeout = 60

    def do_GET(self) -> None:
        """Answer a request, if it is from the page."""
        if not self._is_meant():
            self._send(Answer.error(HTTPStatus.MISDIRECTED_REQUEST, "this is not that host"))
            return
        parts = urlsplit(self.path)
        _, token, *rest = [*parts.path.split("/"), ""]
        if not hmac.compare_digest(token.encode(), self.server.token.encode()) or not rest:
            self._send(Answer.error(HTTPStatus.NOT_FOUND, "open the URL that wiremend printed"))
            return
        name = "/".join(rest).rstrip("/")
        if not name and not parts.path.endswith("/"):
            self._send(Answer.error(HTTPStatus.NOT_FOUND, "the URL ends with a slash"))
            return
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        self._send(self.server.answers.answer(name, query))

    def _is_meant(self) -> bool:
        port = self.server.server_port
        host = self.headers.get("Host", "")
        fetched = self.headers.get("Sec-Fetch-Site", "none")
        return host in (f"{HOST}:{port}", f"localhost:{port}") and fetched in (
            "none",
            "same-origin",
        )

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in (*_HEADERS.items(), *answer.headers.items()):
            self.send_header(name, value)
        self.send_header("Content-Type", answer.type)
        self.send_header("Content-Length", str(len(answer.data)))
        self.end_headers()
        self.wfile.write(answer.data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the name it has there)
        """Say nothing: the URL holds the secret."""
