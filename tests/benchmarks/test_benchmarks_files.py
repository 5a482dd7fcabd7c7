"""The benchmark of files, on tiny ones."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from benchmarks.histories import damaged, healthy

from benchmarks import files
from wiremend import check


def test_the_script_prints_what_each_process_took(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {name: files._PACKAGES[name] for name in ("msgspec decode", "json.loads and json.dumps")}
    monkeypatch.setattr(files, "_PACKAGES", own)
    page = tmp_path / "page.md"
    files.main(["--conversations", "20", "--rounds", "1", "--markdown", str(page)])
    out = capsys.readouterr().out
    for words in (
        "20 conversations",
        "msgspec decode",
        "wiremend check, one process",
        "MB at most",
    ):
        assert words in out
    assert page.read_text().startswith("<!-- files -->\nMeasured on ")


def test_conversations_are_cut_where_a_user_speaks_and_are_broken_only_where_they_should_be(
    tmp_path: Path,
) -> None:
    broken = []
    for make in (healthy, damaged):
        path = tmp_path / "conversations.jsonl"
        assert files.write(path, make, 60) == 60
        bodies = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
        assert len(bodies) == 60
        assert all(len(body["messages"]) >= files.LEAST_MESSAGES for body in bodies)
        broken.append(sum(bool(check(body, "openai-chat")) for body in bodies))
    assert broken[0] == 0
    assert broken[1] > 5


@pytest.mark.parametrize("name", list(files._LINES))
def test_each_peer_that_is_installed_works_on_every_line(name: str, tmp_path: Path) -> None:
    package, module = files._PACKAGES[name]
    if package:
        pytest.importorskip(module)
    path = tmp_path / "conversations.jsonl"
    files.write(path, healthy, 2)
    files.main(["--lines-of", str(path), "--do", name])


def test_a_process_that_fails_ends_the_benchmark() -> None:
    with pytest.raises(SystemExit, match="exit 3"):
        files._run(["-c", "raise SystemExit(3)"])
