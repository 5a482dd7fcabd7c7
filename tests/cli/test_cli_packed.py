"""Files packed with gzip or zstd: the same comes of them as of what is in them."""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from tests.cli.running import ANTHROPIC_BLANK, EXAMPLES, HELLO, OPEN_CALL, run, write
from tests.logs import claude_sessions
from wiremend.inputs import Output

PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".zst": zstd.compress,
}
UNPACK = {".gz": gzip.decompress, ".zst": zstd.decompress}
every_packing = pytest.mark.parametrize("end", list(PACK))

LINES: list[Any] = [HELLO, OPEN_CALL, ANTHROPIC_BLANK] * 40


def packed(path: Path, end: str) -> Path:
    there = path.with_name(path.name + end)
    there.write_bytes(PACK[end](path.read_bytes()))
    return there


def said(text: str) -> str:
    """A report without what says that a file is packed."""
    return re.sub(r"\.(gz|zst)(?![a-z])", "", text)


@every_packing
@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_check_says_the_same_of_a_packed_file(tmp_path: Path, end: str, form: str) -> None:
    plain = write(tmp_path / "many.jsonl", *LINES)
    one, other = (
        run("check", plain, "--output", form),
        run("check", packed(plain, end), "--output", form),
    )
    assert said(other.stdout) == one.stdout
    assert said(other.stderr) == one.stderr
    assert one.exit_code == other.exit_code == 1


@every_packing
@pytest.mark.parametrize("command", [["fix"], ["convert", "--to", "anthropic"]])
def test_what_becomes_of_a_packed_file_is_the_same(
    tmp_path: Path, end: str, command: list[str]
) -> None:
    plain = write(tmp_path / "many.jsonl", *LINES)
    one, other = run(*command, plain), run(*command, packed(plain, end))
    assert other.stdout_bytes == one.stdout_bytes
    assert said(other.stderr) == one.stderr
    assert one.exit_code == other.exit_code


@every_packing
def test_the_name_of_the_output_says_how_it_is_packed(tmp_path: Path, end: str) -> None:
    plain = write(tmp_path / "many.jsonl", *LINES)
    run("fix", plain, "-o", tmp_path / "mended.jsonl")
    target = tmp_path / f"mended.jsonl{end}"
    run("fix", plain, "-o", target)
    assert UNPACK[end](target.read_bytes()) == (tmp_path / "mended.jsonl").read_bytes()


@every_packing
def test_in_place_a_packed_file_stays_packed_whatever_it_is_called(
    tmp_path: Path, end: str
) -> None:
    plain = write(tmp_path / "many.jsonl", *LINES)
    run("fix", plain, "-o", tmp_path / "mended.jsonl")
    there = packed(plain, end).rename(tmp_path / "download.jsonl")
    run("fix", there, "--in-place")
    assert UNPACK[end](there.read_bytes()) == (tmp_path / "mended.jsonl").read_bytes()


@every_packing
def test_a_packed_log_is_mended_in_place_and_kept_packed(tmp_path: Path, end: str) -> None:
    session = claude_sessions.Session()
    session.user("Is the soil dry?")
    session.answer("msg_01", claude_sessions.call("toolu_01"))
    session.user("Never mind.")
    plain = session.write(tmp_path / "session.jsonl")
    there = packed(plain, end)
    before = there.read_bytes()
    assert run("fix", there, "--in-place").exit_code == 0
    assert there.with_name(there.name + ".bak").read_bytes() == before
    run("fix", plain, "--in-place")
    assert UNPACK[end](there.read_bytes()) == plain.read_bytes()
    assert run("check", there).exit_code == 0


@every_packing
def test_standard_input_may_be_packed(tmp_path: Path, end: str) -> None:
    plain = write(tmp_path / "many.jsonl", *LINES)
    one, other = run("check", plain), run("check", "-", stdin=PACK[end](plain.read_bytes()))
    assert other.exit_code == one.exit_code
    assert len(other.stdout.splitlines()) == len(one.stdout.splitlines())


@every_packing
def test_a_folder_is_walked_into_packed_files(tmp_path: Path, end: str) -> None:
    for plain in (
        write(tmp_path / "a.jsonl", *LINES),
        write(tmp_path / "b.json", OPEN_CALL, indent=2),
        write(tmp_path / "notes.txt", "notes"),
    ):
        packed(plain, end)
        plain.unlink()
    files = json.loads(run("check", tmp_path, "--output", "json").stdout)["files"]
    names = {Path(file["path"]).name.partition(":")[0] for file in files}
    assert names == {f"a.jsonl{end}", f"b.json{end}"}


@every_packing
def test_partitions_of_packed_files_are_those_of_the_plain_ones(tmp_path: Path, end: str) -> None:
    for name in ("plain", "packed"):
        (tmp_path / name).mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        plain = write(tmp_path / "plain" / name, *LINES)
        (tmp_path / "packed" / (name + end)).write_bytes(PACK[end](plain.read_bytes()))
    for name in ("plain", "packed"):
        assert run("fix", tmp_path / name, "-o", tmp_path / f"out-{name}").exit_code == 0
    one, other = (
        (tmp_path / f"out-{name}" / "part-00000.jsonl").read_bytes() for name in ("plain", "packed")
    )
    assert one == other


def test_files_of_several_members_are_read_to_the_end(tmp_path: Path) -> None:
    line = json.dumps(OPEN_CALL).encode() + b"\n"
    for end, pack in PACK.items():
        path = tmp_path / f"many.jsonl{end}"
        path.write_bytes(pack(line) + pack(line * 2))
        assert "3 conversations" in run("check", path).stderr


def test_a_frame_that_is_to_be_skipped_may_come_first(tmp_path: Path) -> None:
    line = json.dumps(OPEN_CALL).encode() + b"\n"
    path = tmp_path / "many.jsonl.zst"
    path.write_bytes(b"\x50\x2a\x4d\x18\x04\0\0\0abcd" + zstd.compress(line * 2))
    assert "2 conversations" in run("check", path).stderr


@every_packing
def test_a_file_that_was_unpacked_on_the_way_keeps_its_name(tmp_path: Path, end: str) -> None:
    path = write(tmp_path / f"many.jsonl{end}", HELLO)
    assert run("check", path).exit_code == 0


@every_packing
def test_a_torn_file_is_checked_up_to_there_and_said_to_be_torn(tmp_path: Path, end: str) -> None:
    plain = write(tmp_path / "many.jsonl", *({**OPEN_CALL, "n": n} for n in range(5000)))
    data = PACK[end](plain.read_bytes())
    path = tmp_path / f"torn.jsonl{end}"
    path.write_bytes(data[: len(data) // 2])
    done = run("check", path)
    assert done.exit_code == 2
    assert "truncated" in done.stderr
    assert "torn.jsonl" in done.stdout
    path.write_bytes(data[: len(data) // 2] + b"\0" * 40 + data[len(data) // 2 + 40 :])
    assert run("check", path).exit_code == 2


@pytest.mark.parametrize(
    ("data", "name"), [(b"PK\x03\x04rest", "zip"), (b"BZh91AY", "bzip2"), (b"\xfd7zXZ\0", "xz")]
)
def test_other_archives_are_named(tmp_path: Path, data: bytes, name: str) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(data)
    done = run("check", path)
    assert done.exit_code == 2
    assert name in done.stderr
    assert "unpack it first" in done.stderr


def test_without_the_extra_zstd_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = write(tmp_path / "many.jsonl", HELLO)
    there = packed(plain, ".zst")
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    checks: list[str | Path] = ["check", there]
    writes: list[str | Path] = ["fix", plain, "-o", tmp_path / "out.jsonl.zst"]
    for arguments in (checks, writes):
        done = run(*arguments)
        assert done.exit_code == 2
        assert "pip install 'wiremend[cli,zstd]'" in done.stderr


@every_packing
@pytest.mark.parametrize("where", [1, 60, 119])
def test_a_run_that_was_stopped_goes_on_in_the_packed_output(
    tmp_path: Path, end: str, where: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = write(tmp_path / "many.jsonl", *LINES)
    source = packed(plain, end)
    target, state = tmp_path / f"mended.jsonl{end}", tmp_path / "state.json"
    monkeypatch.setattr("wiremend.bulk.parts.MOST_DOCUMENTS", 7)
    written = Output.write
    left = [where]

    def failing(self: Output, data: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        written(self, data)

    arguments: list[str | Path] = ["fix", source, "-o", target, "--resume", state]
    with monkeypatch.context() as patch:
        patch.setattr(Output, "write", failing)
        patch.setattr("wiremend.bulk.resuming._EVERY", 0.0)
        run(*arguments)
    assert state.exists()
    assert run(*arguments).exit_code == 0
    assert not state.exists()
    run("fix", plain, "-o", tmp_path / "mended.jsonl")
    assert UNPACK[end](target.read_bytes()) == (tmp_path / "mended.jsonl").read_bytes()


def test_other_commands_read_packed_files_too(tmp_path: Path) -> None:
    for command, name in (("show", "openai-chat-broken.json"), ("replay", "wire.jsonl")):
        plain, packed = tmp_path / name, tmp_path / f"{name}.gz"
        plain.write_bytes((EXAMPLES / name).read_bytes())
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        assert said(run(command, packed).stdout) == run(command, plain).stdout
