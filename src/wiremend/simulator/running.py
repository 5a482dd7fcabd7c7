"""A simulated provider on a socket: in the foreground, or in a thread beside a test."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from wiremend.errors import WiremendError
from wiremend.providers.answers.script import Script
from wiremend.simulator.app import RESET, App
from wiremend.simulator.engine import Engine
from wiremend.simulator.exchange import Received

if TYPE_CHECKING:
    import uvicorn

_FLUSH = 0.02


class Running(msgspec.Struct, frozen=True):
    """A provider that runs: where, and what it got so far, oldest first."""

    url: str
    requests: list[Received]


@contextlib.contextmanager
def running_provider(
    dialect: str, script: Script | None = None, *, host: str = "127.0.0.1", port: int = 0
) -> Iterator[Running]:
    """Run a simulated provider in a thread, for as long as the block lasts.

    It serves every API at its real path; ``dialect`` says whose Chat Completions these are. The
    URL has no path: an SDK of OpenAI wants ``url + "/v1"``. Needs the extra ``wiremend[proxy]``;
    raises ``WiremendError`` without it, for an unknown dialect and for a port that is taken.
    """
    requests: list[Received] = []
    started = threading.Event()
    server = _server(App(Engine(dialect, script), requests.append), started.set)
    with _listening(host, port) as sock:
        thread = threading.Thread(target=server.run, args=([sock],), daemon=True)
        thread.start()
        try:
            started.wait()
            yield Running(_address(sock), requests)
        finally:
            server.should_exit = True
            thread.join()


def serve(
    dialect: str,
    script: Script | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    on_start: Callable[[str], None],
    on_request: Callable[[Received], None] | None = None,
) -> None:
    """Run a simulated provider until the process is interrupted or terminated.

    ``on_start`` is told the URL once requests are taken. Raises as ``running_provider``.
    """
    with contextlib.ExitStack() as stack:
        app = App(Engine(dialect, script), on_request)
        server = _server(app, lambda: on_start(_address(sock)))
        sock = stack.enter_context(_listening(host, port))
        server.run([sock])


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens; port 0 is a free one."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        sock = socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError) as error:
        raise WiremendError(f"cannot listen on {host} port {port}: {_reason(error)}") from None
    with sock:
        # Inherited by its connections: asyncio does not see that a socket made so is TCP.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield sock


def _reason(error: Exception) -> str:
    """What the system says, without what Python adds to it."""
    if isinstance(error, socket.gaierror) or not isinstance(error, OSError) or not error.errno:
        return getattr(error, "strerror", None) or str(error)
    return os.strerror(error.errno)


def _address(sock: socket.socket) -> str:
    """The base URL of a listening socket."""
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _server(app: App, on_start: Callable[[], None]) -> uvicorn.Server:
    """Make a server that writes nothing of its own, and can reset connections.

    Raises ``WiremendError``, which names the extra, where uvicorn is missing.
    """
    try:
        import uvicorn
        from uvicorn.protocols.http.h11_impl import H11Protocol
    except ModuleNotFoundError:
        raise WiremendError(
            "a running provider needs an extra: pip install 'wiremend[proxy]'"
        ) from None

    class Protocol(H11Protocol):
        """Hands the application a way to reset its connection."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.app_state = {**self.app_state, RESET: lambda: _reset(transport)}

    class Server(uvicorn.Server):
        """Says when it takes requests."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_start()

        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Stop at a signal, and have that for the end of it: it is not raised again."""
            if threading.current_thread() is not threading.main_thread():
                yield
                return
            signals = (signal.SIGINT, signal.SIGTERM)
            before = {one: signal.signal(one, self.handle_exit) for one in signals}
            try:
                yield
            finally:
                for one, handler in before.items():
                    signal.signal(one, handler)

    config = uvicorn.Config(
        app,
        http=Protocol,
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    return Server(config)


async def _reset(transport: asyncio.Transport) -> None:
    """Reset a connection, so that its client sees an error and no end."""
    # What was written before is on its way: a reset would take it back.
    await asyncio.sleep(_FLUSH)
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
