"""Upstreams that do what no provider should: byte for byte, as slowly and as broken as asked."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import msgspec

OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


class Peer(msgspec.Struct):
    """One connection of the proxy, at the upstream's end."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def request(self) -> tuple[bytes, bytes]:
        """The head and the body of the next request; the body needs a length."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return head, await self.reader.readexactly(length)

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def event(self, data: bytes) -> None:
        """One server-sent event, as one chunk."""
        event = b"data: " + data + b"\n\n"
        await self.say(b"%x\r\n%b\r\n" % (len(event), event))

    async def end(self) -> None:
        await self.say(b"0\r\n\r\n")

    def reset(self) -> None:
        """End with RST, as a process that is killed does."""
        raw = self.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Behaviour = Callable[[Peer], Awaitable[Any]]


@asynccontextmanager
async def serving(behaviour: Behaviour) -> AsyncIterator[str]:
    """Serve each connection by ``behaviour``; gives the URL."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await behaviour(Peer(reader, writer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, backlog=1024)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@contextmanager
def upstream(behaviour: Behaviour) -> Iterator[str]:
    """The same in a thread."""
    ready = threading.Event()
    started: dict[str, Any] = {}

    async def serve() -> None:
        stop = started["stop"] = asyncio.Event()
        started["loop"] = asyncio.get_running_loop()
        async with serving(behaviour) as url:
            started["url"] = url
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield started["url"]
    finally:
        started["loop"].call_soon_threadsafe(started["stop"].set)
        thread.join(10)
