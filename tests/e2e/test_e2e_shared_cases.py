"""The command against the broken conversations of public reports, where these are at hand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cases.evaluate import failures
from tests.cli.running import run, write
from wiremend import DIALECTS

CASES = Path(__file__).parents[1] / "data" / "cases"
# Neighbours of one role are one turn in today's documentation; the report is of an older API.
TAKEN_TODAY = ("044-two-assistants-in-a-row",)


def _flags(policy: str) -> list[str]:
    """The options of ``fix`` that a report's policy stands for."""
    flags: list[str] = []
    for wish in policy.split(","):
        name, _, value = wish.partition("=")
        if name != "default":
            flags += [f"--{name}", *([value] if value else [])]
    return flags


def _cases() -> list[dict[str, Any]]:
    found = []
    for path in sorted(CASES.rglob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        case["for"] = case.get("provider", case.get("dialect"))
        case["from"] = case.get("wire_format", case["for"])
        case["options"] = ["--format", case["from"], "--for", case["for"]]
        case["flags"] = _flags(case.get("policy", "default"))
        case["whole"] = bool(case.get("unchanged")) or "-keep-" in case["id"]
        if case["id"] not in TAKEN_TODAY and not case.get("error_driven"):
            found.append(case)
    return found


def _params(*, whole: bool) -> list[Any]:
    chosen = [pytest.param(case, id=case["id"]) for case in _cases() if case["whole"] is whole]
    absent = pytest.mark.skip(reason=f"no shared cases at {CASES}")
    return chosen or [pytest.param({}, id="absent", marks=absent)]


@pytest.mark.parametrize("case", _params(whole=False))
def test_a_broken_case_is_found_mended_and_then_fine(case: dict[str, Any], tmp_path: Path) -> None:
    path, mended = write(tmp_path / "case.json", case["request"]), tmp_path / "mended.json"
    assert run("check", *case["options"], path).exit_code == 1
    assert run("fix", *case["options"], *case["flags"], path, "-o", mended).exit_code == 0
    assert run("check", "--for", case["for"], mended).exit_code == 0
    assert run("fix", "--for", case["for"], *case["flags"], mended).stdout_bytes == (
        mended.read_bytes()
    )
    checks = [check for check in case.get("checks", ()) if not check.startswith("valid for")]
    assert failures(checks, json.loads(mended.read_bytes()), case["request"]) == []


@pytest.mark.parametrize("case", _params(whole=True))
def test_a_whole_case_is_fine_and_comes_out_as_it_was(case: dict[str, Any], tmp_path: Path) -> None:
    path = write(tmp_path / "case.json", case["request"])
    assert run("check", *case["options"], path).exit_code == 0
    result = run("fix", *case["options"], path)
    assert (result.exit_code, result.stdout_bytes) == (0, path.read_bytes())


def _in_its_own_format() -> dict[str, list[Any]]:
    """The broken requests of each dialect that are written in its format."""
    found: dict[str, list[Any]] = {}
    for case in _cases():
        if not case["whole"] and DIALECTS[case["from"]].family == DIALECTS[case["for"]].family:
            found.setdefault(case["for"], []).append(case["request"])
    return found


@pytest.mark.parametrize("dialect", _in_its_own_format() or ["absent"])
def test_the_real_command_mends_all_broken_cases_of_a_dialect(dialect: str, tmp_path: Path) -> None:
    broken = _in_its_own_format().get(dialect)
    if not broken:
        pytest.skip(f"no shared cases at {CASES}")
    path = write(tmp_path / "cases.jsonl", *broken)
    command = [sys.executable, "-m", "wiremend"]
    checked = subprocess.run(
        [*command, "check", "--for", dialect, "--output", "json", path],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert checked.returncode == 1
    assert all(entry["violations"] for entry in json.loads(checked.stdout)["files"])
    strict = ["--strict"] if dialect == "anthropic" else []
    subprocess.run(
        [*command, "fix", "--for", dialect, *strict, "--in-place", path],
        capture_output=True,
        check=True,
        timeout=60,
    )
    again = subprocess.run(
        [*command, "check", "--for", dialect, path], capture_output=True, check=False, timeout=60
    )
    assert (again.returncode, again.stdout) == (0, b"")
