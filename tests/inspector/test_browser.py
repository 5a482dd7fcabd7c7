"""The page in a real browser: what somebody does who has a 400 to explain."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import wiremend
from tests.cli.running import EXAMPLES, OPEN_CALL, run, write
from tests.inspector.browsing import SIZES, Watched, launched
from tests.inspector.hostile import hostile_body
from tests.inspector.serving import served
from wiremend.model import assistant, user

Open = Callable[..., Page]
BROKEN = EXAMPLES / "openai-chat-broken.json"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture
def watched(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Watched]:
    watched = Watched(browser, *getattr(request, "param", ()))
    yield watched
    watched.close()


@pytest.fixture(scope="module")
def broken() -> Iterator[str]:
    with served(BROKEN) as url:
        yield url


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    messages: list[dict[str, Any]] = []
    for n in range(12_500):
        call = {"name": "look", "arguments": json.dumps({"n": n})}
        calls = [{"id": f"call_{n}", "type": "function", "function": call}]
        messages.append({"role": "user", "content": f"question {n} " + "and more " * (n % 60)})
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        if n % 2500 != 1200:
            result = f"line {n}\n" * (n % 25 + 1)
            messages.append({"role": "tool", "tool_call_id": f"call_{n}", "content": result})
        messages.append({"role": "assistant", "content": f"answer {n}"})
    path = tmp_path_factory.mktemp("big") / "big.json"
    with served(write(path, {"model": "gpt-4.1", "messages": messages})) as url:
        yield url


def test_it_says_what_the_provider_would_answer_and_marks_each_place(
    watched: Watched, broken: str
) -> None:
    page = watched.open(broken)
    expect(page.locator("#verdict h2")).to_have_text(
        "OpenAI (Chat Completions) would refuse this: 6 problems."
    )
    expect(page.locator("#verdict blockquote")).to_contain_text("messages with role 'tool' must")
    orphan = page.locator(".row").nth(1)
    expect(orphan.locator(".card.dropped")).to_contain_text("call_OLD")
    expect(orphan.locator(".absent")).to_have_text("Left out")
    note = orphan.locator(".note.repair")
    expect(note).to_contain_text("Dropped a result for call_OLD")
    note.locator("summary").click()
    expect(note).to_contain_text("WM102 orphan-tool-result:")


def test_the_list_of_all_problems_and_repairs_leads_to_each(watched: Watched, broken: str) -> None:
    page = watched.open(broken)
    page.get_by_text("See all: 6 problems, 5 repairs").click()
    places = page.locator(".overview li")
    expect(places).to_have_count(11)
    places.last.get_by_role("button").click()
    expect(page.locator(".row.current .note.repair")).not_to_have_count(0)


def test_a_line_leads_from_a_moved_result_to_where_it_went(watched: Watched, broken: str) -> None:
    page = watched.open(broken + "#entry=h7")
    expect(page.locator("#links path.moved")).to_have_count(1)
    page.get_by_role("link", name=re.compile(r"^#5 ↑")).click()
    expect(page.locator(".row.current .right .card")).to_contain_text("78 %")


def test_the_keys_go_from_repair_to_repair_and_from_message_to_message(
    watched: Watched, broken: str
) -> None:
    page = watched.open(broken)
    for expected in ("1 of", "2 of", "3 of"):
        page.keyboard.press("n")
        expect(page.locator("#mark-count")).to_contain_text(expected)
    page.keyboard.press("N")
    expect(page.locator("#mark-count")).to_contain_text("2 of")
    before = page.locator(".row.current").get_attribute("data-row")
    page.keyboard.press("j")
    expect(page.locator(".row.current")).to_have_attribute("data-row", str(int(before or 0) + 1))
    assert page.evaluate("document.activeElement.classList.contains('current')")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_contain_text("the next, the previous repair")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.keyboard.press("n")
    expect(page.locator("#body .line.changed").first).to_be_visible()


def test_the_switches_project_anew_and_the_address_remembers_them(
    watched: Watched, broken: str
) -> None:
    page = watched.open(broken)
    page.select_option("#for", "anthropic")
    # The words are still those of the provider that the file was written for.
    expect(page.locator("#verdict h2")).to_contain_text("OpenAI (Chat Completions) would refuse")
    expect(page.locator("#verdict")).to_contain_text("Anthropic takes it")
    assert "for=anthropic" in page.url
    page.check("#strict")
    page.wait_for_url("**strict=1**")
    page.go_back()
    expect(page.locator("#strict")).not_to_be_checked()
    page.go_back()
    expect(page.locator("#verdict")).not_to_contain_text("Anthropic")
    page.goto(broken + "#for=gemini&tab=body")
    page.reload()
    expect(page.locator("#for")).to_have_value("gemini")
    expect(page.locator("#body")).to_contain_text('"contents"')


def test_the_command_that_mends_it_follows_the_switches(watched: Watched, broken: str) -> None:
    page = watched.open(broken)
    told = page.locator(".mends code")
    expect(told).to_have_text(f"wiremend fix {BROKEN} -o mended.json")
    page.select_option("#for", "anthropic")
    page.check("#strict")
    expect(told).to_have_text(f"wiremend fix {BROKEN} -o mended.json --for anthropic --strict")


def test_the_request_as_json_marks_the_lines_that_changed(watched: Watched, broken: str) -> None:
    page = watched.open(broken + "#tab=body")
    page.get_by_role("button", name="Next repair or problem").click()
    changed = page.locator("#body .line.changed")
    expect(changed.first).to_be_visible()
    page.locator("#body").evaluate("node => node.scrollTo(0, node.scrollHeight)")
    expect(page.locator("#body")).to_contain_text("Never mind, I did it")
    told = page.locator("#body .line.changed").all_inner_texts()
    assert any("Tool result is not available" in line for line in told)
    assert not any("Never mind" in line for line in told)


def test_a_search_marks_what_it_finds_and_goes_there(watched: Watched, broken: str) -> None:
    page = watched.open(broken)
    page.keyboard.press("/")
    page.keyboard.type("HUM-3")
    expect(page.locator("#found")).to_have_text("1 of 1 row")
    expect(page.locator(".row.current mark").first).to_have_text("hum-3")
    page.fill("#search", "")
    expect(page.locator("mark")).to_have_count(0)


def test_a_list_says_which_of_its_conversations_would_be_refused(watched: Watched) -> None:
    with served(EXAMPLES / "conversations.jsonl") as url:
        page = watched.open(url)
        dots = page.locator("#items .dot").evaluate_all("all => all.map(one => one.title)")
        bad = "would be refused"
        assert dots == ["taken", bad, bad, "taken", bad]


def test_what_is_sent_can_be_saved(watched: Watched, broken: str) -> None:
    page = watched.open(broken + "#for=anthropic")
    page.get_by_text("Save", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="The mended request").click()
    saved = json.loads(download.value.path().read_bytes())
    assert wiremend.check(saved, "anthropic") == []
    # The choice closes the menu, and so does Esc.
    expect(page.get_by_role("link", name="This page without texts")).to_be_hidden()
    page.get_by_text("Save", exact=True).click()
    expect(page.get_by_role("link", name="This page without texts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="This page without texts")).to_be_hidden()


@pytest.mark.parametrize("watched", [("phone",)], indirect=True)
def test_a_phone_has_two_thirds_for_the_messages_and_every_switch(
    watched: Watched, broken: str
) -> None:
    page = watched.open(broken)
    top = page.locator("#rows").evaluate("node => node.getBoundingClientRect().top")
    assert top < SIZES["phone"][1] / 3
    expect(page.locator("#switches select").first).to_be_hidden()
    page.get_by_role("button", name="Settings").click()
    page.select_option("#for", "anthropic")
    expect(page.locator("#verdict")).to_contain_text("Anthropic takes it")
    for control in ("#media", "#strict", "#theme", "#help-open", "#saves summary"):
        expect(page.locator(control)).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Settings").click()
    page.fill("#search", "HUM-3")
    expect(page.locator("#found-next")).to_be_in_viewport(ratio=1)


def test_a_link_to_a_message_opens_the_page_there(watched: Watched, broken: str) -> None:
    page = watched.open(broken + "#entry=h9")
    expect(page.locator(".row.current .left .card")).to_contain_text("Then open the vent")
    page.goto(broken + "#entry=w4")
    expect(page.locator(".row.current .right .card")).to_have_attribute("data-number", "3")


def test_a_session_can_be_gone_through_record_by_record(watched: Watched, tmp_path: Path) -> None:
    store = str(tmp_path / "agent.db")
    with wiremend.Session.open(store, id="greenhouse") as session:
        for n in range(3):
            session.append(user(f"question {n}"))
            session.append(assistant(f"answer {n}"))
        session.undo()
        session.fork("branch").close()
        session.compact(lambda _: "All beds are dry.")
    with served(store) as url:
        page = watched.open(url)
        expect(page.locator("#items button")).to_have_count(2)
        page.locator("#items button").nth(1).click()
        expect(page.locator(".tag.origin-compaction_summary")).to_have_text("summary")
        page.keyboard.press("[")
        expect(page.locator("#timeline")).to_contain_text("Record 7 of 8: undo of 1 prompt")
        expect(page.locator(".row")).to_have_count(4)
        page.keyboard.press("[")
        expect(page.locator(".row")).to_have_count(6)
        page.get_by_role("button", name=re.compile("^compaction: from about")).click()
        expect(page.locator("#timeline")).to_contain_text("Record 8 of 8")
        page.locator("#items button").nth(0).click()
        expect(page.locator("#items [aria-current] .item-title")).to_have_text("branch")
        name = re.compile("forked from greenhouse")
        expect(page.get_by_role("button", name=name)).to_have_count(1)


def test_the_requests_of_a_proxy_appear_while_one_looks(watched: Watched, tmp_path: Path) -> None:
    entry = {
        "number": 1,
        "time": 1.5,
        "method": "POST",
        "path": "/v1/chat/completions",
        "dialect": "openai-chat",
        "model": "gpt-4o",
        "status": 200,
    }
    path = write(tmp_path / "journal.jsonl", entry)
    with served(path) as url:
        page = watched.open(url)
        expect(page.locator("#verdict")).to_contain_text("--journal-content")
        with path.open("a", encoding="utf-8") as file:
            sent = wiremend.fix(OPEN_CALL, "openai-chat")
            anomaly = {"kind": "tool_result_synthesized", "toolCallId": "call_1", "trailing": False}
            more = {"request": OPEN_CALL, "sent": sent.body, "anomalies": [anomaly]}
            file.write(json.dumps({**entry, "number": 2, **more}) + "\n")
        expect(page.locator("#items button")).to_have_count(2)
        page.locator("#items button").first.click()
        expect(page.locator(".note.repair")).to_contain_text("Added a result for call_1")


def test_nothing_in_a_transcript_runs_or_calls_home(watched: Watched, tmp_path: Path) -> None:
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(hostile_body()), encoding="utf-8")
    with served(path) as url:
        page = watched.open(url)
        for key in ("g", "o", "G", "o", "2", "1", "n", "n"):
            page.keyboard.press(key)
            page.wait_for_timeout(50)
        page.get_by_text("See all").click()
        page.keyboard.press("/")
        page.keyboard.type("<img")
        expect(page.locator("mark").first).to_have_text("<img")
        page.wait_for_timeout(100)
        assert page.evaluate("window.hacked") is None
        assert page.locator(".canvas script, .canvas iframe, .canvas object").count() == 0
        host = urlsplit(url).netloc
        assert {urlsplit(one).netloc for one in watched.asked} == {host}


def test_fifty_thousand_messages_are_scrolled_through_with_few_in_the_page(
    watched: Watched, big: str
) -> None:
    page = watched.page
    page.set_default_timeout(60_000)
    watched.open(big)
    count = page.locator(".row").first.get_attribute("aria-setsize")
    assert int(count or 0) == 50_000
    scroller = page.locator("#rows")
    for part in (0.5, 0.9, 0.2):
        scroller.evaluate("(node, part) => node.scrollTo(0, node.scrollHeight * part)", part)
        page.wait_for_function(
            "() => { const box = document.getElementById('rows').getBoundingClientRect();"
            " return document.elementFromPoint(box.left + 60, box.top + box.height / 2)"
            "?.closest('.row') }"
        )
        assert page.locator(".row").count() < 120
    page.keyboard.press("G")
    expect(page.locator(".row.current")).to_contain_text("answer 12499")
    page.keyboard.press("n")
    expect(page.locator(".row.current")).to_contain_text("call_1200")
    page.goto(big + "#entry=w30001")
    expect(page.locator(".row.current .right .card")).to_have_attribute("data-number", "30000")


def test_what_is_read_stays_where_it_is_while_the_rows_around_it_are_measured(
    watched: Watched, big: str
) -> None:
    page = watched.open(big + "#entry=h20001")
    expect(page.locator(".row.current")).to_be_visible()
    top = "node => node.getBoundingClientRect().top"
    places = [page.locator(".row.current").evaluate(top)]
    for _ in range(5):
        page.wait_for_timeout(60)
        places.append(page.locator(".row.current").evaluate(top))
    assert max(places) - min(places) <= 1
    # Scrolled up row by row, each step is as large as it was asked for.
    for _ in range(8):
        before = page.locator(".row.current").evaluate(top)
        page.locator("#rows").evaluate("node => node.scrollBy(0, -60)")
        page.wait_for_timeout(40)
        assert abs(page.locator(".row.current").evaluate(top) - before - 60) <= 2


@pytest.mark.parametrize(
    "watched",
    [(size, scheme) for size in SIZES for scheme in ("light", "dark")],
    indirect=True,
    ids="-".join,
)
def test_it_is_accessible_and_fits_in_every_size_and_in_dark_and_light(
    watched: Watched, broken: str, tmp_path: Path
) -> None:
    for address in (broken, broken + "#tab=body"):
        page = watched.open(address)
        page.reload()
        page.wait_for_selector(".row, .chunk")
        page.get_by_text("See all").click()
        found = Axe().run(page).response["violations"]
        grave = [one for one in found if one["impact"] in ("serious", "critical")]
        assert [(one["id"], one["nodes"][0]["html"]) for one in grave] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        pane = page.locator(".pane:not([hidden]) .scroll")
        assert pane.evaluate("node => node.clientHeight < innerHeight")


def test_the_saved_page_shows_the_same_from_a_file(watched: Watched, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert run("export-html", BROKEN, "-o", target).exit_code == 0
    page = watched.open(target.as_uri())
    expect(page.locator("#verdict h2")).to_contain_text("would refuse this: 6 problems.")
    expect(page.locator("#switches")).to_be_hidden()
    page.keyboard.press("n")
    expect(page.locator(".row.current .card.dropped")).to_contain_text("call_OLD")
    page.keyboard.press("2")
    page.keyboard.press("n")
    expect(page.locator("#body .line.changed").first).to_be_visible()
    assert {urlsplit(one).scheme for one in watched.asked} <= {"file", "data"}


def test_a_saved_page_says_at_its_top_what_is_not_in_it(
    watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wiremend.inspector.sharing.MOST_ROWS", 3)
    target = tmp_path / "page.html"
    assert run("export-html", BROKEN, "-o", target).exit_code == 0
    page = watched.open(target.as_uri())
    expect(page.locator("#about")).to_contain_text("This file holds the first 3 of 13 rows")
    expect(page.locator("#about")).to_contain_text("wiremend inspect")
    page.keyboard.press("G")
    expect(page.locator(".row.current")).to_have_attribute("data-row", "2")
    page.get_by_text("See all").click()
    expect(page.locator(".overview")).to_contain_text("not all in this file")


def test_a_saved_page_of_a_hostile_transcript_runs_nothing(
    watched: Watched, tmp_path: Path
) -> None:
    path, target = tmp_path / "hostile.json", tmp_path / "page.html"
    path.write_text(json.dumps(hostile_body()), encoding="utf-8")
    assert run("export-html", path, "-o", target).exit_code == 0
    page = watched.open(target.as_uri())
    for key in ("o", "G", "o", "2", "1"):
        page.keyboard.press(key)
        page.wait_for_timeout(50)
    assert page.evaluate("window.hacked") is None
    assert {urlsplit(one).scheme for one in watched.asked} <= {"file", "data"}
