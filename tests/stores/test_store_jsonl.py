"""Session logs as files: torn, edited, and written by others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.stores.writers import record
from wiremend.stores import StoreError, UnavailableError, open_store
from wiremend.stores.jsonl import JsonlStore

KIMI = Path(__file__).parents[2] / "examples"


def wire(folder: Path) -> Path:
    return folder / "s" / "wire.jsonl"


def begun(folder: Path, count: int) -> JsonlStore:
    store = JsonlStore(folder)
    store.create("s")
    for number in range(1, count + 1):
        store.append("s", [record(number)], expected=number - 1)
    return store


def test_a_batch_torn_at_any_byte_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    store = begun(tmp_path, 2)
    before = wire(tmp_path).stat().st_size
    batch = [b'{"a":1}', b'{"b":{"c":2}}', b'{"d":3}']
    store.append("s", batch, expected=2)
    whole = wire(tmp_path).read_bytes()
    for size in range(before, len(whole) + 1):
        for aside in tmp_path.glob("s/*.torn-*"):
            aside.unlink()
        wire(tmp_path).write_bytes(whole[:size])
        again = JsonlStore(tmp_path)
        there = size >= len(whole) - 1  # only the last line break is missing
        assert again.length("s") == (5 if there else 2)
        torn = 0 if there else size - before
        assert [d.lost for d in again.verify("s")] == (
            ["nothing: it was never acknowledged"] if torn else []
        )
        again.append("s", [b'{"next":1}'], expected=again.length("s"))
        expected = [record(1), record(2), *(batch if there else []), b'{"next":1}']
        assert [data for _, data in again.read("s")] == expected
        aside = tmp_path / "s" / "wire.jsonl.torn-1"
        assert (aside.read_bytes() if torn else b"") == whole[before : before + torn]
        assert again.verify("s") == []


def test_torn_lines_are_set_aside_one_after_the_other(tmp_path: Path) -> None:
    store = begun(tmp_path, 1)
    for number, torn in enumerate((b'{"a', b'{"bc'), 1):
        with wire(tmp_path).open("ab") as file:
            file.write(torn)
        store.append("s", [record(number + 1)], expected=number)
    assert (tmp_path / "s/wire.jsonl.torn-1").read_bytes() == b'{"a'
    assert (tmp_path / "s/wire.jsonl.torn-2").read_bytes() == b'{"bc'
    assert [data for _, data in store.read("s")] == [record(1), record(2), record(3)]


def test_every_line_of_a_batch_is_json_for_any_reader(tmp_path: Path) -> None:
    store = begun(tmp_path, 1)
    store.append("s", [record(n) for n in range(2, 8)], expected=1)
    lines = wire(tmp_path).read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == list(range(1, 8))


def test_a_kimi_session_opens_reads_and_goes_on(tmp_path: Path) -> None:
    lines = [
        b'{"type":"metadata","protocol_version":"1.1","created_at":1764633600.5}',
        b'{"type": "context.append_message", "message": {}, "time": 1764633600000}',
        b'{"type":"something.new","x":[1, 2]}',
    ]
    path = tmp_path / "wire.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\r\n\n")
    store = open_store(f"jsonl:{path}")
    (info,) = store.sessions()
    assert (info.id, info.records, info.created) == (tmp_path.name, 3, 1764633600500)
    assert list(store.read(info.id)) == list(enumerate(lines, 1))
    assert store.append(info.id, [record(4)], expected=3) == 4
    assert path.read_bytes().startswith(b"\n".join(lines))
    assert list(store.read(info.id, after=3)) == [(4, record(4))]


def test_one_file_is_one_session(tmp_path: Path) -> None:
    store = open_store(f"jsonl:{tmp_path}/mine.jsonl")
    assert store.sessions() == []
    with pytest.raises(StoreError, match="is one session, 'mine': open its folder"):
        store.create("other")
    store.create("mine")
    store.append("mine", [record(1)], expected=0)
    assert (tmp_path / "mine.jsonl").read_bytes() == record(1) + b"\n"
    folder = open_store(f"jsonl:{tmp_path}")
    assert [info.id for info in folder.sessions()] == ["mine"]
    folder.create("fork", parent="mine")
    assert list(folder.read("fork")) == [(1, record(1))]


def test_a_fork_is_one_line_that_says_where_it_comes_from(tmp_path: Path) -> None:
    store = begun(tmp_path, 3)
    store.create("fork", parent="s", at=2)
    line = (tmp_path / "fork" / "wire.jsonl").read_bytes()
    assert line.startswith(b'{"type":"session.fork","parent":"s","at":2,')
    wire(tmp_path).unlink()
    assert store.length("fork") == 2
    with pytest.raises(StoreError, match="there is no session 's'"):
        list(store.read("fork"))
    (found,) = store.verify("fork")
    assert (found.number, found.lost) == (1, "records 1 to 2, which it inherits")


def test_sessions_that_are_each_others_parents_are_refused(tmp_path: Path) -> None:
    for name, parent in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.jsonl").write_text(
            f'{{"type":"session.fork","parent":"{parent}","at":1}}\n{{}}\n'
        )
    store = JsonlStore(tmp_path)
    with pytest.raises(StoreError, match="its own ancestor"):
        list(store.read("a", until=1))


def test_a_file_that_lost_lines_before_its_snapshot_is_found_out(tmp_path: Path) -> None:
    store = begun(tmp_path, 30)
    store.save_snapshot("s", 30, b"state")
    lines = wire(tmp_path).read_bytes().splitlines(keepends=True)
    glued = lines[3][:-1] + b" " + lines[4]
    wire(tmp_path).write_bytes(b"".join([*lines[:3], glued, *lines[5:]]))
    found = JsonlStore(tmp_path).verify("s")
    assert [damage.number for damage in found] == [4, 0]
    assert "may have shifted" in found[1].lost


def test_a_file_replaced_by_another_program_is_read_anew(tmp_path: Path) -> None:
    store = begun(tmp_path, 30)
    beside = tmp_path / "new"
    beside.write_bytes(record(1) + b"\n" + record(2) + b"\n")
    beside.replace(wire(tmp_path))
    assert store.length("s") == 2
    assert store.append("s", [record(3)], expected=2) == 3


def test_a_locked_file_is_said_to_be_locked(tmp_path: Path) -> None:
    import fcntl

    begun(tmp_path, 1)
    store = JsonlStore(tmp_path, lock_seconds=0.05)
    with wire(tmp_path).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(UnavailableError, match="is locked by another program"):
            store.append("s", [record(2)], expected=1)
    assert store.append("s", [record(2)], expected=1) == 2


@pytest.mark.parametrize("name", ["../up", "a/b", "..", "", "\0"])
def test_an_id_never_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "up.jsonl").write_bytes(b"{}\n")
    (tmp_path / "wire.jsonl").write_bytes(b"{}\n")
    (tmp_path / "in").mkdir()
    with pytest.raises(StoreError, match="there is no session"):
        JsonlStore(tmp_path / "in").length(name)
    with pytest.raises(StoreError, match="there is no blob"):
        JsonlStore(tmp_path / "in").get_blob("../wire.jsonl")
