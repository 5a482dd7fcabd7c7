"""A server on this machine that writes down what it is sent, and refuses it.

Each peer sends its request to it as to the provider, so that what is judged is what it would
really have sent, whichever functions it calls on the way.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from benchmarks.bodies import Body


class Listener(ThreadingHTTPServer):
    """Keeps the last body; ``url`` is where clients reach it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.heard: Body | None = None

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.server_port}"

    def take(self) -> Body | None:
        """The last body, once."""
        heard, self.heard = self.heard, None
        return heard


class _Handler(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        """Write down, and refuse in words that every client reads as an error of the request."""
        length = int(self.headers.get("Content-Length", 0))
        self.server.heard = json.loads(self.rfile.read(length))
        error = {"type": "invalid_request_error", "message": "heard", "code": 400}
        answer = json.dumps({"type": "error", "error": error, "message": "heard"}).encode()
        self.send_response(400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing: what clients send is nobody's business."""


@contextmanager
def listening() -> Iterator[Listener]:
    """A listener in a thread of its own."""
    with Listener() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
