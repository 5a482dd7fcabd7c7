"""What the proxy tells in its journal, figures and health, and what it never does."""

from __future__ import annotations

import asyncio
import json
import stat
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.proxy.standing import before, standing
from tests.proxy.test_proxy_routing import BROKEN
from tests.proxy.upstreams import OK, Peer, upstream

from wiremend.errors import WiremendError
from wiremend.proxy import Settings, parse_upstream, running
from wiremend.simulator import Failure

CHAT = "/v1/chat/completions"


def lines(path: Path, number: int) -> list[dict[str, Any]]:
    """The journal once it has so many lines."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        read = path.read_bytes().splitlines(keepends=True)
        if len(read) >= number and read[-1].endswith(b"\n"):
            break
        time.sleep(0.01)
    return [json.loads(line) for line in read]


def test_the_journal_has_a_line_for_each_request_and_no_content(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    refusal = Failure(400, message="tool_call_ids did not have response messages: secret-text")
    with before("openai-chat", refusal, journal=path) as proxy:
        proxy.post(CHAT, json=BROKEN)
        proxy.post(CHAT, json={"model": "gpt-5", "messages": [{"role": "user", "content": "x"}]})
        first, second = lines(path, 2)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert first["anomalies"][0] == {
        "kind": "tool_result_synthesized",
        "toolCallId": "a",
        "trailing": False,
    }
    assert [tried["status"] for tried in first["attempts"]] == [400]
    assert first["attempts"][0]["error_class"] == "structure"
    assert (second["number"], second["status"], second["ended"]) == (2, 200, "complete")
    assert (second["model"], second["dialect"]) == ("gpt-5", "openai-chat")
    text = path.read_text()
    for secret in ("go on", "sk-any", "secret-text", "Understood"):
        assert secret not in text
    with before("openai-chat", journal=path) as proxy:
        proxy.post(CHAT, json=BROKEN)
        assert len(lines(path, 3)) == 3


def test_the_journal_has_contents_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    spaced = json.dumps(BROKEN, indent=2)
    with before("openai-chat", journal=path, journal_contents=True) as proxy:
        proxy.post(CHAT, content=spaced, headers={"content-type": "application/json"})
        proxy.post(CHAT, json={"model": "gpt-5", "messages": [{"role": "user", "content": "x"}]})
        first, second = lines(path, 2)
        assert first["request"] == BROKEN
        assert [first["sent"], second["request"]] == proxy.got
        assert "sent" not in second
        assert "sk-any" not in path.read_text()


def test_a_journal_that_cannot_be_opened_stops_the_start(tmp_path: Path) -> None:
    async def start() -> None:
        upstreams = (parse_upstream("http://127.0.0.1:9"),)
        async with running(Settings(upstreams=upstreams, port=0, journal=tmp_path)):
            raise AssertionError

    with pytest.raises(WiremendError, match="cannot write the journal"):
        asyncio.run(start())


def test_a_journal_on_a_full_disk_is_complained_of_once_and_stops_nothing() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with before("openai-chat", journal=Path("/dev/full")) as proxy:
        for _ in range(3):
            assert proxy.post(CHAT, json=BROKEN).status_code == 200
        deadline = time.monotonic() + 10
        while not proxy.said and time.monotonic() < deadline:
            time.sleep(0.01)
        assert proxy.said == ["the journal cannot be written any more: No space left on device"]


def figures(proxy: Any) -> dict[str, float]:
    text = httpx2.get(f"{proxy.url}/metrics").text
    rows = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in rows}


def test_figures_count_requests_repairs_refusals_and_retries() -> None:
    structure = Failure(400, message="messages: roles must alternate")
    with before("generic", structure) as proxy:
        answer = httpx2.get(f"{proxy.url}/healthz")
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
        twice = [{"role": "assistant", "content": text} for text in "ab"]
        messages = [{"role": "user", "content": "x"}, *twice, {"role": "user", "content": "y"}]
        proxy.post(CHAT, json=BROKEN)
        proxy.post(CHAT, json={"model": "m", "messages": messages})
        proxy.entries(2)
        counted = figures(proxy)
        where = f'upstream="{proxy.provider.url[7:]}"'
        assert counted["wiremend_open_requests"] == 0
        assert counted[f'wiremend_refusals_total{{error_class="structure",{where}}}'] == 1
        repairs = 'wiremend_repairs_total{dialect="generic",kind="tool_result_synthesized"}'
        assert counted[repairs] == 1
        assert counted['wiremend_judging_seconds_count{dialect="generic"}'] == 2
        assert not any("roles" in name for name in counted)


def test_models_and_paths_of_a_request_make_no_label() -> None:
    async def fine(peer: Peer) -> None:
        while True:
            await peer.request()
            await peer.say(OK)

    with upstream(fine) as url, standing(url) as proxy:
        for number in range(20):
            asked = {"model": f"m{number}", "messages": [{"role": "user", "content": "x"}]}
            proxy.post(f"/x{number}{CHAT}", json=asked)
        proxy.entries(20)
        requests = [name for name in figures(proxy) if "requests_total" in name]
        assert len(requests) == 1


def test_a_proxy_before_itself_is_refused() -> None:
    async def start(own: str, host: str) -> None:
        settings = Settings(upstreams=(parse_upstream(own),), port=18431, host=host)
        async with running(settings):
            raise AssertionError

    for own in ("http://127.0.0.1:18431", "http://localhost:18431/v1"):
        with pytest.raises(WiremendError, match="this proxy itself"):
            asyncio.run(start(own, "127.0.0.1"))
