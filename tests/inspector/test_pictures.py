"""The pictures of the documentation: made by this, and written where ``WRITE_PICTURES`` is set.

Pixels differ with the fonts of a machine. What a picture shows does not: its text and the style
that it was drawn with are kept in the file as a digest, and a page that looks otherwise by now
fails the test.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Browser, Page

import wiremend
from tests.cli.running import EXAMPLES, ROOT
from tests.inspector.browsing import SIZES, Watched, launched
from tests.inspector.serving import served
from wiremend.inspector.assets import read_asset

IMAGES = ROOT / "docs" / "images"
AGAIN = "run `WRITE_PICTURES=1 pytest tests/inspector/test_pictures.py`"
DIGEST = "wiremend-shown"


class Picture(NamedTuple):
    """What is opened, where in it, in which size and scheme."""

    source: Callable[[Path], Path]
    address: str = ""
    size: str = "middle"
    scheme: str = "light"


def example(name: str) -> Callable[[Path], Path]:
    return lambda _: EXAMPLES / name


def journal(folder: Path) -> Path:
    """A proxy's journal: one request passed, one was mended, one was refused and sent again."""
    kept = {"time": 1772445600.0, "method": "POST", "path": "/v1/messages", "dialect": "anthropic"}
    lines = []
    for number, name in enumerate(("anthropic-whole", "anthropic-broken", "anthropic-whole"), 1):
        body = json.loads((EXAMPLES / f"{name}.json").read_bytes())
        fixed = wiremend.fix(body, "anthropic")
        tries = [{"policy": "plain", "status": 400, "error_class": "structure"}] * (number == 3)
        lines.append({
            **kept, "number": number, "time": 1772445600.0 + 7 * number, "model": body["model"],
            "status": 200, "seconds": 1.3 * number,
            "attempts": [*tries, {"policy": "strict" if tries else "plain", "status": 200}],
            "anomalies": [msgspec.to_builtins(one) for one in fixed.anomalies],
            "request": body, "sent": fixed.body,
        })  # fmt: skip
    path = folder / "proxy.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


PICTURES = {
    "inspect-request": Picture(example("openai-chat-broken.json")),
    "inspect-history": Picture(example("history.json"), "#for=anthropic", scheme="dark"),
    "inspect-log": Picture(example("claude-code.jsonl")),
    "inspect-journal": Picture(journal, "#item=1", scheme="dark"),
    "inspect-phone": Picture(example("anthropic-broken.json"), "#entry=h8", "phone"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


def shown(page: Page) -> str:
    """A digest of what a picture of this page shows, on any machine."""
    # How many rows a screen has room for is the fonts' doing: the first ones are always there.
    texts = page.locator("#verdict, #heads, #items, #mark-count").all_inner_texts()
    texts += page.locator(".row").all_inner_texts()[:2]
    drawn = [" ".join(text.split()) for text in texts] + [read_asset("inspector.css")]
    return hashlib.sha256("\n".join(drawn).encode()).hexdigest()


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_the_documentation_shows_the_page_as_it_is(
    browser: Browser, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    picture = PICTURES[name]
    target = IMAGES / f"{name}.png"
    # As somebody names it who is in its folder: no picture shows where that is.
    source = picture.source(tmp_path)
    monkeypatch.chdir(source.parent)
    with served(source.name) as url:
        watched = Watched(browser, picture.size, picture.scheme)
        page = watched.open(url + picture.address)
        page.wait_for_timeout(200)
        digest = shown(page)
        if os.environ.get("WRITE_PICTURES"):
            page.screenshot(path=target)
            kept = PngInfo()
            kept.add_text(DIGEST, digest)
            with Image.open(target) as drawn:
                drawn.convert("P", palette=Image.Palette.ADAPTIVE).save(
                    target, pnginfo=kept, optimize=True
                )
        watched.close()
    with Image.open(target) as found:
        assert found.info.get(DIGEST) == digest, AGAIN
        assert found.size == SIZES[picture.size]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_and_not_blank(name: str) -> None:
    path = IMAGES / f"{name}.png"
    assert path.stat().st_size < 200_000
    with Image.open(path) as picture:
        colours = picture.convert("RGB").getcolors(1 << 24) or []
    most = max(count for count, _ in colours)
    assert len(colours) > 50
    assert most < 0.9 * sum(count for count, _ in colours)


def test_the_pages_show_exactly_the_pictures_that_are_made_here() -> None:
    pages = (ROOT / "docs").rglob("*.md")
    named = {
        name
        for page in pages
        for name in re.findall(r"\(images/([\w-]+)\.png\)", page.read_text(encoding="utf-8"))
    }
    assert named == PICTURES.keys() == {path.stem for path in IMAGES.iterdir()}
