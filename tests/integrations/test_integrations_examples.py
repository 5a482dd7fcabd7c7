"""The examples run as their first lines say, and show what they promise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integrations.clean import installs, run_clean

EXAMPLES = Path(__file__).parents[2] / "examples" / "integrations"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_refused_without_and_answered_with_what_it_installs(path: Path) -> None:
    done = run_clean(path, installs(path.read_text(encoding="utf-8")))
    assert done.returncode == 0, done.stderr
    without, with_it = done.stdout.count("without: "), done.stdout.count("with: ")
    assert without == with_it > 0
    assert "repaired: " in done.stdout
