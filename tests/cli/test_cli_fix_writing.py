"""Where ``fix`` writes: the old file stays until the new one is safely there."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest

from tests.cli.running import ANTHROPIC_BLANK, HELLO, OPEN_CALL, run, write
from wiremend.cli import fix, replacing

if TYPE_CHECKING:
    from pathlib import Path


def _is_alone(path: Path) -> bool:
    """Whether no temporary file was left beside."""
    return [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_in_place_replaces_the_file_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    path.chmod(0o640)
    result = run("fix", path, "--in-place")
    assert (result.exit_code, result.stdout) == (0, "")
    assert run("check", path).exit_code == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert _is_alone(path)


def test_in_place_writes_nothing_where_nothing_changes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", HELLO)
    before = path.stat()
    assert run("fix", path, "--in-place").exit_code == 0
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert _is_alone(path)


def test_in_place_leaves_an_unchanged_file_in_its_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(json.dumps(HELLO).encode("utf-16"))
    before = path.read_bytes()
    assert run("fix", path, "--in-place").exit_code == 0
    assert path.read_bytes() == before


def test_in_place_of_jsonl_keeps_the_lines_that_cannot_be_used(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", OPEN_CALL, 5, ANTHROPIC_BLANK)
    assert run("fix", path, "--in-place").exit_code == 2
    lines = path.read_text().splitlines()
    assert (len(lines), lines[1]) == (3, "5")
    assert run("check", path).stdout == ""


def test_the_target_of_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    path = write(tmp_path / "real" / "a.json", OPEN_CALL)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    assert run("fix", link, "--in-place").exit_code == 0
    assert link.is_symlink()
    assert len(json.loads(path.read_text())["messages"]) == 4
    assert _is_alone(path)


@pytest.mark.parametrize("step", ["fsync", "replace", "write"])
def test_the_original_is_untouched_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = write(tmp_path / "a.jsonl", OPEN_CALL, OPEN_CALL)
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    owner = {"fsync": os, "replace": type(path), "write": fix._Fixes}[step]
    monkeypatch.setattr(owner, step, fail)
    result = run("fix", path, "--in-place")
    assert result.exit_code == 2
    assert "cannot be written: No space left on device" in result.stderr
    assert path.read_bytes() == before
    assert _is_alone(path)


def test_the_original_is_untouched_when_it_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    before = path.read_bytes()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(replacing, "_settle", interrupt)
    run("fix", path, "--in-place")
    assert path.read_bytes() == before
    assert _is_alone(path)


def test_an_unusable_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{")
    assert run("fix", path, "--in-place").exit_code == 2
    assert path.read_text() == "{"
    assert _is_alone(path)


def test_in_place_needs_a_file(tmp_path: Path) -> None:
    assert run("fix", "-", "--in-place", stdin="[]").exit_code == 2
    result = run("fix", tmp_path, "--in-place")
    assert (result.exit_code, "only a file can be replaced" in result.stderr) == (2, True)
    result = run("fix", tmp_path / "gone.json", "--in-place")
    assert (result.exit_code, "no such file" in result.stderr) == (2, True)


def test_an_output_file_is_as_open_as_the_mask_says(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    mask = os.umask(0o027)
    try:
        assert run("fix", path, "-o", tmp_path / "b.json").exit_code == 0
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "b.json").stat().st_mode) == 0o640


def test_an_output_file_is_written_where_nothing_changes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", HELLO)
    run("fix", path, "-o", tmp_path / "b.json")
    assert (tmp_path / "b.json").read_bytes() == path.read_bytes()


def test_an_output_file_stays_when_the_input_is_unusable(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{")
    (tmp_path / "b.json").write_text("precious")
    assert run("fix", path, "-o", tmp_path / "b.json").exit_code == 2
    assert (tmp_path / "b.json").read_text() == "precious"


@pytest.mark.parametrize("name", ["a.json", "link.json", "./a.json"])
def test_the_input_is_no_output_file(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    (tmp_path / "link.json").symlink_to(path)
    before = path.read_bytes()
    result = run("fix", path, "-o", f"{tmp_path}/{name}")
    assert result.exit_code == 2
    assert "use --in-place" in result.stderr
    assert path.read_bytes() == before


def test_an_output_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    result = run("fix", path, "-o", tmp_path / "gone" / "b.json")
    assert result.exit_code == 2
    assert "cannot be written: No such file or directory" in result.stderr
    assert run("fix", path, "-o", tmp_path).exit_code == 2


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", OPEN_CALL)
    assert run("fix", path, "-o", os.devnull).exit_code == 0
    assert not os.path.isfile(os.devnull)  # noqa: PTH113


def test_a_dash_is_standard_output(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", HELLO)
    assert run("fix", path, "-o", "-").stdout_bytes == path.read_bytes()
