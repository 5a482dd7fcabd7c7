"""The documentation site as a reader has it, opened from a disk: pasted errors find their rules."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scripts.rule_pages import error_texts

import wiremend
from tests.test_site import site

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["site"]

CHROMIUM = shutil.which("chromium")

pytestmark = pytest.mark.skipif(
    "CI" not in os.environ and not (CHROMIUM and find_spec("playwright") and find_spec("material")),
    reason="needs Chromium, playwright and mkdocs-material",
)

REFUSED = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: x. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)


@pytest.fixture(scope="module")
def reader(site: Path) -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        elsewhere: list[str] = []
        page.on("request", lambda asked: elsewhere.append(asked.url))
        page.goto((site / "errors.html").as_uri())
        yield page
        browser.close()
        assert [url for url in elsewhere if not url.startswith(("file:", "data:"))] == []


def test_the_box_says_of_every_known_error_what_the_command_says(reader: Page) -> None:
    texts = [one.text for one in error_texts()]
    said = reader.evaluate(
        "async texts => { const answer = await answering(); return texts.map(answer); }", texts
    )
    for text, answer in zip(texts, said, strict=True):
        found = wiremend.classify(None, text)
        assert [rule[0] for rule in answer["rules"]] == list(found.rules), text
        # It goes by words alone; the command knows statuses and places as well.
        assert answer["class"] in (found.error_class, "other"), text


def test_a_pasted_error_is_explained(reader: Page) -> None:
    reader.fill("#error-text", REFUSED)
    reader.get_by_role("link", name="WM201 missing-tool-result").first.wait_for()
    output = reader.locator("#explain output")
    assert "wiremend fix request.json" in output.inner_text()
    reader.fill("#error-text", "")
    assert output.inner_text() == ""


def test_a_pasted_error_is_no_markup(reader: Page) -> None:
    reader.fill("#error-text", "<img src=x onerror=alert(1)> " + REFUSED)
    assert reader.locator("#explain output img").count() == 0


def test_a_search_for_a_pasted_error_leads_to_its_rule(reader: Page) -> None:
    reader.click(".md-search__input")
    reader.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const paste = new ClipboardEvent("paste", { clipboardData });
            document.querySelector(".md-search__input").dispatchEvent(paste);
        }""",
        REFUSED,
    )
    first = reader.locator(".md-search-result__link").first
    first.wait_for()
    assert "/rules/WM201.html" in (first.get_attribute("href") or "")
