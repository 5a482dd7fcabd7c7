"""The pages of the integrations are true: their Python runs, with what they install and no more."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.integrations.clean import installs, run_clean
from tests.test_docs import INTEGRATIONS

BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
PAGES = [page for page in INTEGRATIONS if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_what_is_pasted_runs_after_what_the_page_installs(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    program = tmp_path / "pasted.py"
    program.write_text("\n".join(BLOCK.findall(text)), encoding="utf-8")
    done = run_clean(program, installs(text))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("package", ["agents", "google.adk", "langchain", "litellm", "pydantic_ai"])
def test_where_everything_is_tested_no_framework_is_missing(package: str) -> None:
    # The other tests pass over what is not installed, at a desk.
    if find_spec(package) is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI tests the integrations, and {package} is not installed")
        pytest.skip(f"{package} is not installed")
