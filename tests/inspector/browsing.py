"""A headless Chromium for the tests of the page; without one they are skipped, and fail in CI."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

SIZES = {"wide": (1440, 900), "middle": (900, 900), "phone": (390, 844)}


@contextmanager
def launched() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI has to have Chromium: see .ci/run")
        pytest.skip("there is no Chromium here: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Watched:
    """A page, what it asked for, and what went wrong in it."""

    def __init__(self, browser: Browser, size: str = "wide", scheme: Any = "light") -> None:
        width, height = SIZES[size]
        self.page: Page = browser.new_page(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        self.page.set_default_timeout(15_000)
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on(
            "console",
            lambda message: self.errors.append(message.text) if message.type == "error" else None,
        )
        self.page.on("dialog", self._dismiss)

    def _dismiss(self, dialog: Dialog) -> None:
        # The page itself never asks: it would be hostile text that does.
        self.errors.append("a dialog")
        dialog.dismiss()

    def open(self, url: str) -> Page:
        self.page.goto(url)
        self.page.wait_for_selector(".row, .chunk, .verdict.plain")
        return self.page

    def close(self) -> None:
        self.page.close()
        assert self.errors == []
