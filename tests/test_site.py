"""The documentation site: it builds without a warning, and reads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest

from wiremend.rules import RULES

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(
    find_spec("material") is None and "CI" not in os.environ,
    reason="the site needs mkdocs-material: pip install 'wiremend[docs]'",
)

# What a browser loads by itself, as far as a page can make it.
_LOADED = re.compile(
    r"<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=[\"']?([^\"'\s>]+)"
    r"|<link\b(?=[^>]*rel=[\"']?(?:stylesheet|icon|preload|preconnect|manifest))"
    r"[^>]*\bhref=[\"']?([^\"'\s>]+)"
)
_HREF = re.compile(r"\bhref=[\"']?([^\"'\s>]+)")
_ID = re.compile(r"\bid=[\"']?([^\"'\s>]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_there_is_a_page_for_each_rule(site: Path) -> None:
    assert {page.stem for page in (site / "rules").glob("*.html")} == {rule.code for rule in RULES}


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = [a or b for a, b in _LOADED.findall(page.read_text(encoding="utf-8"))]
        assert loaded, page
        assert [url for url in loaded if re.match(r"(?:https?:)?//", url)] == [], page
    for sheet in site.rglob("*.css"):
        styles = sheet.read_text(encoding="utf-8")
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", styles), sheet


def test_no_link_inside_the_site_is_broken(site: Path) -> None:
    pages = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    names = {page: set(_ID.findall(text)) for page, text in pages.items()}
    for page, text in pages.items():
        if page.name == "404.html":  # its links are those of a site at the root of a host
            continue
        for link in set(_HREF.findall(text)):
            target, _, name = unquote(link).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            there = (page.parent / target).resolve() if target else page
            assert there.exists(), f"{page.relative_to(site)}: {link}"
            if name and there.suffix == ".html":
                assert name in names[there], f"{page.relative_to(site)}: {link}"
