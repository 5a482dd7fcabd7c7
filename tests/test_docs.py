"""The documentation is true: its made pages are current, and its Python runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts.write_docs import DOCS, PAGES

from tests.console_blocks import agrees, furnish, read_page, run
from wiremend.rules import RULES

ROOT = Path(__file__).parents[1]
WRITTEN = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
INTEGRATIONS = sorted((DOCS / "integrations").glob("*.md"))
ALL_PAGES = [*WRITTEN, *INTEGRATIONS]
CONSOLE = [page for page in ALL_PAGES if "```console" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", PAGES)
def test_a_made_page_says_what_the_code_says(name: str) -> None:
    is_current = (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()
    assert is_current, "run `python -m scripts.write_docs`"


@pytest.mark.parametrize("page", WRITTEN, ids=lambda path: path.name)
def test_every_python_block_runs(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_blocks(page, monkeypatch)


def run_blocks(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    # A page is read from its top: later blocks go on where the ones before them stopped.
    names = {"__name__": "docs"}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page", CONSOLE, ids=lambda path: path.name)
def test_every_console_block_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    read = read_page(page.read_text(encoding="utf-8"))
    folder = furnish(read, tmp_path / "examples")
    for typed in read.typed:
        printed = run(typed.command, folder, tmp_path / "bin")
        assert agrees(printed, typed.printed), f"{typed.command}\nprinted:\n{printed}"


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda path: path.name)
def test_links_inside_the_repository_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_readme_counts_the_rules_right() -> None:
    assert f"{len(RULES)} [rules](docs/rules.md)" in WRITTEN[0].read_text(encoding="utf-8")


def test_every_page_can_be_found_from_the_site_s_navigation() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    named = re.findall(r"[\w./-]+\.md", nav)
    pages = [page.relative_to(DOCS).as_posix() for page in sorted(DOCS.rglob("*.md"))]
    assert [page for page in pages if page not in named] == [], "add it to `nav` in mkdocs.yml"
