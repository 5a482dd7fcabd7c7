"""The page's server: for who has its address, on this machine, and for reading alone."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import wiremend
from tests.cli.running import EXAMPLES, OPEN_CALL, write
from tests.inspector.serving import PNG, ask, asked, served
from wiremend.inspector.assets import SCRIPTS
from wiremend.model import assistant, user


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with served(write(tmp_path / "a.json", OPEN_CALL)) as address:
        yield address


def test_it_listens_on_the_loopback_address_alone(url: str) -> None:
    assert urlsplit(url).hostname == "127.0.0.1"
    assert len(urlsplit(url).path) > 30


@pytest.mark.parametrize("path", ["/", "/api/source", "/x/", "/index.html", "/favicon.ico"])
def test_without_the_secret_there_is_nothing(url: str, path: str) -> None:
    parts = urlsplit(url)
    answer, data = ask(f"http://{parts.netloc}", path)
    assert answer.status == 404
    assert b"look" not in data


def test_another_host_name_is_refused_however_it_leads_here(url: str) -> None:
    port = urlsplit(url).port
    assert ask(url, "", headers={"Host": f"localhost:{port}"})[0].status == 200
    for host in (f"attacker.test:{port}", "127.0.0.1", f"127.0.0.1.attacker.test:{port}", ""):
        assert ask(url, "api/source", headers={"Host": host})[0].status == 421


def test_what_another_site_asks_for_is_refused(url: str) -> None:
    for site in ("cross-site", "same-site"):
        assert ask(url, "api/source", headers={"Sec-Fetch-Site": site})[0].status == 421


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_there_is_nothing_to_write_to(url: str, method: str) -> None:
    assert ask(url, "api/save", method=method)[0].status == 501


def test_every_answer_forbids_what_the_page_does_not_need(url: str) -> None:
    for path in ("", "inspector.css", "api/source", "api/nothing", *SCRIPTS):
        answer, _ = ask(url, path)
        policy = answer.getheader("Content-Security-Policy") or ""
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer.getheader("X-Content-Type-Options") == "nosniff"
        assert answer.getheader("Referrer-Policy") == "no-referrer"
        assert answer.getheader("Access-Control-Allow-Origin") is None
        assert answer.getheader("Cache-Control") == "no-store"


def test_a_view_comes_as_a_summary_and_pages_of_rows(url: str) -> None:
    summary = asked(url, "api/view")
    assert (summary["verdict"], summary["rows"], summary["repairCount"]) == ("repaired", 4, 1)
    rows = asked(url, "api/rows", start=1, end=3)
    assert [row["index"] for row in rows] == [1, 2]
    assert rows[0]["problems"][0]["code"] == "WM101"
    assert asked(url, "api/search", q="WELL?") == [3]


def test_the_switches_project_anew(url: str) -> None:
    assert asked(url, "api/view?for=anthropic")["dialect"] == "anthropic"
    assert asked(url, "api/view", strict="1")["strict"] is True
    answer, data = ask(url, "api/view?for=nobody")
    assert answer.status == 422
    assert "no dialect 'nobody'" in json.loads(data)["error"]


def test_the_mended_request_is_saved_by_the_browser_and_the_file_stays(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    before = path.read_bytes()
    with served(path) as url:
        answer, data = ask(url, "api/save")
    assert answer.getheader("Content-Disposition") == 'attachment; filename="mended.json"'
    assert json.loads(data) == wiremend.fix(OPEN_CALL, "openai-chat").body
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


def test_long_texts_are_cut_and_come_whole_when_asked_for(tmp_path: Path) -> None:
    text = "word " * 5000
    path = write(tmp_path / "a.json", {"messages": [{"role": "user", "content": text}]})
    with served(path) as url:
        block = asked(url, "api/rows", start=0, end=1)[0]["left"][0]["blocks"][0]
        assert len(block["text"]) + block["more"] == len(text)
        assert asked(url, "api/text", side="left", entry=0, path="0") == text
        assert ask(url, "api/text", side="left", entry=7, path="0")[0].status == 422
        assert ask(url, "api/text", side="left", entry="x", path="0")[0].status == 400


def test_only_raster_pictures_are_shown_and_as_what_they_are(tmp_path: Path) -> None:
    svg = "data:image/png;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+"
    urls = [f"data:image/svg+xml;base64,{PNG}", svg, "https://attacker.test/x.png"]
    content = [{"type": "image_url", "image_url": {"url": one}} for one in urls]
    path = write(tmp_path / "a.json", {"messages": [{"role": "user", "content": content}]})
    with served(path) as url:
        blocks = asked(url, "api/rows", start=0, end=1)[0]["left"][0]["blocks"]
        assert [block.get("picture") for block in blocks] == ["png", None, None]
        answer, _ = ask(url, "api/picture", side="left", entry=0, path="0")
        assert answer.getheader("Content-Type") == "image/png"
        for number in ("1", "2"):
            assert ask(url, "api/picture", side="left", entry=0, path=number)[0].status == 422


def test_the_lines_of_the_request_mark_what_is_not_as_it_was(url: str) -> None:
    chunks = asked(url, "api/json", start=0, end=100)
    text = "\n".join(line for chunk in chunks for line, _ in chunk["lines"])
    assert json.loads(text) == wiremend.fix(OPEN_CALL, "openai-chat").body
    changed = {chunk["index"] for chunk in chunks if any(mark for _, mark in chunk["lines"])}
    assert changed == {3}
    assert asked(url, "api/view")["bodyChanged"] == [3]


def test_a_session_can_be_seen_as_it_was_at_any_record() -> None:
    with served(EXAMPLES / "wire.jsonl") as url:
        timeline = asked(url, "api/view")["timeline"]
        counts = [
            asked(url, "api/view", at=at)["left"]["entries"] for at in range(timeline["count"] + 1)
        ]
    assert counts[0] == 0
    assert counts[-1] == 7
    assert counts == sorted(counts)


def test_forks_undos_and_compactions_are_marked(tmp_path: Path) -> None:
    store = str(tmp_path / "agent.db")
    with wiremend.Session.open(store, id="a") as session:
        session.append(user("one"))
        session.append(assistant("two"))
        session.append(user("three"))
        session.undo()
        session.fork("b").close()
        session.compact(lambda _: "all is well")
    with served(store) as url:
        assert [item["title"] for item in asked(url, "api/source")["items"]] == ["a", "b"]
        kinds = [one["kind"] for one in asked(url, "api/view")["timeline"]["moments"]]
        assert kinds == ["prompt", "prompt", "undo", "fork", "compaction"]
        forked = asked(url, "api/view", item=1)["timeline"]["moments"]
        assert "forked from a" in [one["label"] for one in forked]


def test_a_journal_shows_requests_as_they_come_in(tmp_path: Path) -> None:
    sent = wiremend.fix(OPEN_CALL, "openai-chat")
    entry = {
        "number": 1,
        "time": 1.5,
        "method": "POST",
        "path": "/v1/chat/completions",
        "dialect": "openai-chat",
        "status": 200,
        "attempts": [{"policy": "plain", "sent_bytes": 9, "seconds": 0.1, "status": 200}],
        "anomalies": [
            {"kind": "tool_result_synthesized", "toolCallId": "call_1", "trailing": False},
            {"kind": "of_a_later_version", "x": 1},
        ],
    }
    path = write(tmp_path / "journal.jsonl", entry)
    with served(path) as url:
        items = asked(url, "api/items", after=0)["items"]
        assert [(item["mark"], item["hasContent"]) for item in items] == [("repaired", False)]
        assert ask(url, "api/view")[0].status == 422
        with path.open("a", encoding="utf-8") as file:
            full = {**entry, "number": 2, "request": OPEN_CALL, "sent": sent.body}
            file.write(json.dumps(full) + "\n" + '{"number": 3, "torn')
        news = asked(url, "api/items", after=1)
        assert news["count"] == 2
        view = asked(url, "api/view", item=1)
        assert [one["kind"] for one in view["repairs"]] == ["tool_result_synthesized"]


def test_a_port_that_is_taken_is_said_in_one_line(url: str, tmp_path: Path) -> None:
    from tests.cli.running import run

    path = write(tmp_path / "b.json", OPEN_CALL)
    done = run("inspect", "--no-open", "--port", str(urlsplit(url).port), path)
    assert done.exit_code == 2
    assert "cannot listen on port" in done.stderr


def test_the_command_prints_its_address_serves_and_stops_when_it_is_told_to(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    arguments = [sys.executable, "-m", "wiremend", "inspect", "--no-open", str(path)]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        assert started.stdout is not None
        url = started.stdout.readline().strip()
        assert asked(url, "api/view")["verdict"] == "repaired"
        started.send_signal(signal.SIGINT)
        _, said = started.communicate(timeout=20)
    assert started.returncode == 0
    assert "Traceback" not in said
