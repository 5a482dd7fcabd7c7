"""The examples run as their first lines say, and show what they promise."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "integrations"
NEEDS: dict[str, str] = {}
"""Packages that the extra ``test`` cannot install beside the others."""


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_refused_without_and_answered_with_it(path: Path) -> None:
    needed = NEEDS.get(path.stem)
    if needed and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    without, with_it = done.stdout.count("without: "), done.stdout.count("with: ")
    assert without == with_it > 0
    assert "repaired: " in done.stdout
