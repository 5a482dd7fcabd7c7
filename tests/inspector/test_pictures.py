"""The pictures of the documentation: made by this, and written where ``WRITE_PICTURES`` is set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.cli.running import EXAMPLES, ROOT
from tests.inspector.browsing import Watched, launched
from tests.inspector.serving import served

IMAGES = ROOT / "docs" / "images"
PICTURES = {
    "inspect-request": ("openai-chat-broken.json", "", "middle", "light"),
    "inspect-history": ("history.json", "#for=anthropic", "middle", "dark"),
    "inspect-phone": ("anthropic-broken.json", "#entry=h8", "phone", "light"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_the_documentation_can_be_made_and_is_small(
    browser: Browser, name: str, tmp_path: Path
) -> None:
    file, address, size, scheme = PICTURES[name]
    target = tmp_path / f"{name}.png"
    with served(EXAMPLES / file) as url:
        watched = Watched(browser, size, scheme)
        page = watched.open(url + address)
        page.evaluate("name => document.getElementById('title').textContent = name", file)
        page.wait_for_timeout(200)
        page.screenshot(path=target)
        watched.close()
    assert target.stat().st_size < 200_000
    if os.environ.get("WRITE_PICTURES"):
        IMAGES.mkdir(exist_ok=True)
        (IMAGES / target.name).write_bytes(target.read_bytes())
    assert (IMAGES / target.name).stat().st_size < 200_000
