"""The documentation is true: its made pages are current, and its Python runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts.write_docs import DOCS, PAGES

from wiremend.rules import RULES

ROOT = Path(__file__).parents[1]
WRITTEN = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
INTEGRATIONS = sorted((DOCS / "integrations").glob("*.md"))


@pytest.mark.parametrize("name", PAGES)
def test_a_made_page_says_what_the_code_says(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()


@pytest.mark.parametrize("page", WRITTEN, ids=lambda path: path.name)
def test_every_python_block_runs(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_blocks(page, monkeypatch)


def run_blocks(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    # A page is read from its top: later blocks go on where the ones before them stopped.
    names = {"__name__": "docs"}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page", [*WRITTEN, *INTEGRATIONS], ids=lambda path: path.name)
def test_links_inside_the_repository_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_readme_counts_the_rules_right() -> None:
    assert f"{len(RULES)} [rules](docs/rules.md)" in WRITTEN[0].read_text(encoding="utf-8")
