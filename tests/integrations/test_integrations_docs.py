"""The pages of the integrations are true: their Python runs, with the real packages."""

from __future__ import annotations

import gc
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.test_docs import INTEGRATIONS, run_blocks

NEEDS: dict[str, str] = {}
"""Packages that the extra ``test`` cannot install beside the others."""


# What packages of others warn of is theirs.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", INTEGRATIONS, ids=lambda path: path.name)
def test_every_python_block_runs(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = NEEDS.get(page.stem)
    if needed and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    run_blocks(page, monkeypatch)
    # Clients that a page leaves open are closed here, where nobody minds.
    gc.collect()


@pytest.mark.parametrize("package", ["agents", "google.adk", "langchain", "litellm", "pydantic_ai"])
def test_where_everything_is_tested_no_framework_is_missing(package: str) -> None:
    # The other tests pass over what is not installed, at a desk.
    if find_spec(package) is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI tests the integrations, and {package} is not installed")
        pytest.skip(f"{package} is not installed")
