"""What can go wrong between an agent and its provider, over raw sockets on both sides."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from typing import Any

import httpx2
import pytest
from tests.proxy.standing import Standing, standing
from tests.proxy.upstreams import OK, STREAM, Peer, serving, upstream

from wiremend.proxy import Settings, parse_upstream, running

CHAT = "/v1/chat/completions"
ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
SMALL = json.dumps(ASKED).encode()


def raw_request(proxy: Standing, data: bytes) -> bytes:
    """What the proxy answers to these very bytes, until it closes."""
    host, port = proxy.url[7:].split(":")
    with socket.create_connection((host, int(port)), 10) as sock:
        sock.sendall(data)
        pieces = []
        while piece := sock.recv(65536):
            pieces.append(piece)
    return b"".join(pieces)


async def fine(peer: Peer) -> None:
    while True:
        await peer.request()
        await peer.say(OK)


@pytest.mark.parametrize(
    "data",
    [
        b"garbage\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n"
        b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"a" * 200_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_and_others_go_on(data: bytes) -> None:
    with upstream(fine) as url, standing(url) as proxy:
        assert raw_request(proxy, data).startswith((b"HTTP/1.0 400", b"HTTP/1.1 400"))
        assert proxy.post(CHAT, json=ASKED).content == b"{}"
        assert proxy.said == []


def test_a_request_that_breaks_off_is_nobodys_fault() -> None:
    with upstream(fine) as url, standing(url) as proxy:
        host, port = proxy.url[7:].split(":")
        with socket.create_connection((host, int(port)), 10) as sock:
            head = f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n"
            sock.sendall(head.encode() + SMALL[:5])
        assert proxy.post(CHAT, json=ASKED).content == b"{}"
        assert {entry.ended for entry in proxy.entries(2)} == {"client-gone", "complete"}


def test_a_forward_proxy_and_an_upgrade_are_refused_with_the_reason() -> None:
    with upstream(fine) as url, standing(url) as proxy:
        forward = raw_request(
            proxy, b"GET http://h/v1/models HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n"
        )
        assert b"set it as the base URL" in forward
        upgrade = {"connection": "upgrade", "upgrade": "websocket"}
        answer = httpx2.get(proxy.url + "/v1/realtime", headers=upgrade)
        assert answer.status_code == 501


def test_a_conversation_over_the_limit_is_refused_in_the_shape_of_its_format() -> None:
    large = {**ASKED, "pad": "x" * 3000}
    with upstream(fine) as url, standing(url, max_body=2000) as proxy:
        answer = proxy.post(CHAT, json=large)
        assert answer.status_code == 413
        assert answer.headers["x-wiremend-error"] == "body_too_large"
        assert "larger than --max-body, 2,000 bytes" in answer.json()["error"]["message"]

        def pieces() -> Any:
            yield from (json.dumps(large).encode()[at : at + 500] for at in range(0, 3100, 500))

        chunked = proxy.post("/v1/messages", content=pieces())
        assert chunked.status_code == 413
        assert chunked.json()["error"]["type"] == "request_too_large"
        # Files and batches are not conversations: they are not read here.
        assert proxy.post("/v1/files", content=b"x" * 50_000).content == b"{}"
        assert proxy.post(CHAT, json=ASKED).content == b"{}"


def test_an_upstream_that_is_not_there_or_dies_is_told_apart() -> None:
    async def dies(peer: Peer) -> None:
        await peer.request()

    async def resets(peer: Peer) -> None:
        await peer.request()
        peer.reset()

    async def babbles(peer: Peer) -> None:
        await peer.request()
        await peer.say(b"SSH-2.0-OpenSSH\r\n\r\n")

    for behave in (dies, resets, babbles):
        with upstream(behave) as url, standing(url) as proxy:
            answer = proxy.post(CHAT, json=ASKED)
            assert answer.status_code == 502
            assert answer.json()["error"]["code"] == "upstream_unreachable"
            assert proxy.entry.attempts[0].fault == "upstream_unreachable"
    with standing("http://nowhere.invalid") as proxy:
        answer = proxy.post("/v1/messages", json=ASKED)
        assert answer.status_code == 502
        assert answer.json()["error"]["message"].startswith("wiremend: no answer from nowhere.inv")


def test_an_upstream_that_says_nothing_is_given_up_after_the_read_timeout() -> None:
    async def hangs(peer: Peer) -> None:
        await peer.request()
        await asyncio.sleep(30)

    with upstream(hangs) as url, standing(url, read_timeout=0.2) as proxy:
        answer = proxy.post(CHAT, json=ASKED)
        assert answer.status_code == 504
        assert answer.json()["error"]["code"] == "upstream_timeout"


@pytest.mark.parametrize("how", ["reset", "closed", "stalled"])
def test_a_stream_that_dies_above_dies_below(how: str) -> None:
    async def behave(peer: Peer) -> None:
        await peer.request()
        await peer.say(STREAM)
        for number in range(3):
            await peer.event(b'{"n":%d}' % number)
        await asyncio.sleep(0.05)
        if how == "reset":
            peer.reset()
        elif how == "stalled":
            await asyncio.sleep(30)

    with upstream(behave) as url, standing(url, read_timeout=0.4) as proxy:
        got: list[bytes] = []
        with httpx2.stream("POST", proxy.url + CHAT, json=ASKED) as answer:
            pieces = answer.iter_raw()
            with pytest.raises(httpx2.RemoteProtocolError):
                got.extend(pieces)
        assert b"".join(got).count(b"data:") == 3
        assert proxy.entry.ended == "upstream-died"


def test_an_answer_that_is_shorter_than_it_said_does_not_pass_for_whole() -> None:
    async def behave(peer: Peer) -> None:
        await peer.request()
        await peer.say(OK.replace(b"content-length: 2", b"content-length: 99"))

    with upstream(behave) as url, standing(url) as proxy:
        with pytest.raises(httpx2.RemoteProtocolError):
            proxy.post(CHAT, json=ASKED)
        assert proxy.entry.ended == "upstream-died"


def test_a_connection_that_died_while_idle_costs_the_agent_nothing() -> None:
    async def once(peer: Peer) -> None:
        await peer.request()
        await peer.say(OK)

    with upstream(once) as url, standing(url) as proxy:
        for _ in range(5):
            assert proxy.post(CHAT, json=ASKED).status_code == 200
            time.sleep(0.01)


def test_who_goes_away_ends_the_answer_above_too() -> None:
    gone = []

    async def behave(peer: Peer) -> None:
        await peer.request()
        await peer.say(STREAM)
        try:
            while True:
                await peer.event(b'{"n":0}')
                await asyncio.sleep(0.01)
        except ConnectionError:
            gone.append(True)

    with upstream(behave) as url, standing(url) as proxy:
        with httpx2.stream("POST", proxy.url + CHAT, json=ASKED) as answer:
            next(answer.iter_raw())
        assert proxy.entries(1)[0].ended == "client-gone"
        deadline = time.monotonic() + 10
        while not gone and time.monotonic() < deadline:
            time.sleep(0.01)
        assert gone


def test_who_goes_away_before_the_answer_begins_ends_it_too() -> None:
    closed = []

    async def behave(peer: Peer) -> None:
        await peer.request()
        closed.append(await peer.reader.read())

    with upstream(behave) as url, standing(url) as proxy:
        with pytest.raises(httpx2.ReadTimeout):
            httpx2.post(proxy.url + CHAT, json=ASKED, timeout=0.3)
        assert proxy.entries(1)[0].ended == "client-gone"
        deadline = time.monotonic() + 10
        while not closed and time.monotonic() < deadline:
            time.sleep(0.01)
        assert closed == [b""]


def test_a_client_that_reads_slowly_slows_the_upstream_down() -> None:
    piece = b"x" * 65536
    sent = 0

    async def behave(peer: Peer) -> None:
        nonlocal sent
        await peer.request()
        await peer.say(STREAM)
        while sent < 200 << 20:
            await peer.event(piece)
            sent += len(piece)

    with (
        upstream(behave) as url,
        standing(url) as proxy,
        httpx2.stream("POST", proxy.url + CHAT, json=ASKED) as answer,
    ):
        next(answer.iter_raw(1024))
        before, stuck = -1, 0
        while stuck < 20:
            stuck = stuck + 1 if sent == before else 0
            before = sent
            time.sleep(0.02)
        # Sockets and buffers hold some; the proxy none of the rest.
        assert sent < 40 << 20


def test_a_body_that_is_no_conversation_streams_up_as_it_comes() -> None:
    arrived = asyncio.Event()
    seen: list[bytes] = []

    async def behave(peer: Peer) -> None:
        head = await peer.reader.readuntil(b"\r\n\r\n")
        seen.append(head)
        seen.append(await peer.reader.readuntil(b"first"))
        arrived.set()
        await peer.reader.readuntil(b"0\r\n\r\n")
        await peer.say(OK)

    async def pieces() -> Any:
        yield b"first"
        await asyncio.wait_for(arrived.wait(), 10)
        yield b"second"

    async def main() -> int:
        async with serving(behave) as url:
            settings = Settings(upstreams=(parse_upstream(url),), port=0)
            async with running(settings) as own, httpx2.AsyncClient() as client:
                return (await client.post(f"{own}/v1/files", content=pieces())).status_code

    assert asyncio.run(main()) == 200
    assert b"chunked" in seen[0].lower()


def test_the_end_lets_answers_in_flight_finish_and_takes_nothing_new() -> None:
    go_on: list[asyncio.Event] = []

    async def behave(peer: Peer) -> None:
        await peer.request()
        await peer.say(STREAM)
        await peer.event(b"1")
        await go_on[0].wait()
        await peer.event(b"2")
        await peer.end()

    async def main() -> None:
        go_on.append(asyncio.Event())
        async with serving(behave) as url, httpx2.AsyncClient() as client:
            context = running(Settings(upstreams=(parse_upstream(url),), port=0, grace=10))
            own = await context.__aenter__()
            async with client.stream("POST", own + CHAT, json=ASKED) as answer:
                pieces = answer.aiter_raw()
                assert b"1" in await anext(pieces)
                ending = asyncio.create_task(context.__aexit__(None, None, None))
                await asyncio.sleep(0.1)
                assert not ending.done()
                with pytest.raises(httpx2.ConnectError):
                    await client.post(own + CHAT, json=ASKED)
                go_on[0].set()
                assert b"2" in b"".join([piece async for piece in pieces])
            await asyncio.wait_for(ending, 10)

    asyncio.run(main())


def test_a_bug_of_the_proxys_own_is_one_requests_fault_and_tells_no_content(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("what the user said")

    with upstream(fine) as url, standing(url) as proxy:
        with monkeypatch.context() as patched:
            patched.setattr("wiremend.transit.course.judge", broken)
            answer = proxy.post(CHAT, json=ASKED)
        assert answer.status_code == 500
        said = answer.json()["error"]["message"]
        assert said.startswith("wiremend: a bug of its own: KeyError at ")
        assert "what the user said" not in answer.text + str(proxy.entry.fault)
        assert proxy.post(CHAT, json=ASKED).status_code == 200
