"""Records, snapshots and blobs that are no longer what they were: found, named, and survived."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.stores.writers import record
from wiremend.stores import CorruptError, Store, StoreError, open_store


@pytest.fixture
def damaged(store: Store, url: str) -> Damaged:
    store.create("s")
    store.append("s", [record(number) for number in range(1, 601)], expected=0)
    return Damaged(store, url)


class Damaged:
    """A session of 600 records, and ways to damage it behind the store's back."""

    def __init__(self, store: Store, url: str) -> None:
        self.store = store
        self.url = url

    def spoil(self, number: int) -> None:
        if self.url.startswith("jsonl:"):
            self._edit(lambda lines: [*lines[: number - 1], b'{"torn\n', *lines[number:]])
        elif self.url.startswith("sqlite:"):
            self._sql("UPDATE records SET data = x'7b7d' WHERE key & 4294967295 = ?", number)
        else:
            self._sql("UPDATE wiremend.records SET data = '{}' WHERE number = %s", number)

    def spoil_blob(self, name: str) -> None:
        if self.url.startswith("jsonl:"):
            (Path(self.url.removeprefix("jsonl:")) / "blobs" / name).write_bytes(b"other")
        elif self.url.startswith("sqlite:"):
            self._sql("UPDATE blobs SET data = x'00' WHERE name = ?", name)
        else:
            self._sql("UPDATE wiremend.blobs SET data = 'other' WHERE name = %s", name)

    def spoil_snapshot(self, at: int) -> None:
        if self.url.startswith("jsonl:"):
            path = self.wire.with_name("wire.jsonl.snapshots") / f"{at}.snapshot"
            path.write_bytes(path.read_bytes()[:-1])
        elif self.url.startswith("sqlite:"):
            self._sql("UPDATE snapshots SET data = x'00' WHERE at = ?", at)
        else:
            self._sql("UPDATE wiremend.snapshots SET data = 'x' WHERE at = %s", at)

    def lose(self, first: int, last: int) -> None:
        if self.url.startswith("sqlite:"):
            self._sql(f"DELETE FROM records WHERE key & 4294967295 BETWEEN {first} AND ?", last)
        else:
            self._sql(f"DELETE FROM wiremend.records WHERE number BETWEEN {first} AND %s", last)

    @property
    def wire(self) -> Path:
        return Path(self.url.removeprefix("jsonl:")) / "s" / "wire.jsonl"

    def _edit(self, change: object) -> None:
        assert callable(change)
        self.wire.write_bytes(b"".join(change(self.wire.read_bytes().splitlines(keepends=True))))

    def _sql(self, statement: str, value: object) -> None:
        if self.url.startswith("sqlite:"):
            database = sqlite3.connect(self.url.removeprefix("sqlite:///"))
            database.execute(statement, (value,))
            database.commit()
            database.close()
        else:
            import psycopg

            with psycopg.connect(self.url) as connection:
                connection.execute(statement, (value,))


def test_a_corrupt_record_in_the_middle_is_named_and_the_rest_stays_readable(
    damaged: Damaged,
) -> None:
    damaged.spoil(300)
    store = open_store(damaged.url)
    with pytest.raises(CorruptError, match="record 300") as caught:
        list(store.read("s"))
    assert caught.value.number == 300
    assert "torn" not in str(caught.value)
    good = [(n, record(n)) for n in range(1, 601) if n != 300]
    assert list(store.read("s", skip_corrupt=True)) == good
    assert list(store.read("s", after=300)) == good[299:]
    (found,) = store.verify("s")
    assert (found.number, found.lost) == (300, "this record")
    assert store.append("s", [record(601)], expected=600) == 601
    store.close()


def test_a_fork_names_the_damage_that_it_inherits(damaged: Damaged) -> None:
    damaged.store.create("fork", parent="s", at=400)
    damaged.spoil(10)
    damaged.spoil(500)
    assert [found.number for found in damaged.store.verify("fork")] == [10]


def test_lost_records_are_named(damaged: Damaged) -> None:
    if damaged.url.startswith("jsonl:"):
        pytest.skip("a line that is gone without a trace leaves no gap in a file")
    damaged.lose(5, 9)
    damaged.lose(590, 600)
    store = damaged.store
    with pytest.raises(CorruptError, match="record 5: it is missing"):
        list(store.read("s"))
    with pytest.raises(CorruptError, match="record 590: it is missing"):
        list(store.read("s", after=20))
    assert len(list(store.read("s", skip_corrupt=True))) == 600 - 16
    assert [(found.number, found.wrong) for found in store.verify("s")] == [
        (5, "records 5 to 9 are missing"),
        (590, "records 590 to 600 are missing"),
    ]


def test_a_damaged_snapshot_is_passed_over_for_the_one_before(damaged: Damaged) -> None:
    store = damaged.store
    store.save_snapshot("s", 100, b"hundred")
    store.save_snapshot("s", 200, b"two hundred")
    damaged.spoil_snapshot(200)
    assert store.load_snapshot("s") == (100, b"hundred")
    (found,) = store.verify("s")
    assert found.number == 0
    assert found.wrong == "the snapshot at 200 does not match its checksum"
    damaged.spoil_snapshot(100)
    assert store.load_snapshot("s") is None
    assert len(list(open_store(damaged.url).read("s"))) == 600


def test_a_damaged_blob_is_never_handed_out(damaged: Damaged) -> None:
    name = damaged.store.put_blob(b"a picture")
    damaged.spoil_blob(name)
    with pytest.raises(CorruptError, match="its hash does not match"):
        damaged.store.get_blob(name)
    (found,) = damaged.store.verify("s")
    assert (found.number, found.lost) == (0, "what this blob holds")


def test_bytes_overwritten_anywhere_in_a_sqlite_file_give_clear_errors_only(
    tmp_path: Path,
) -> None:
    path = tmp_path / "agent.db"
    store = open_store(str(path))
    store.create("s")
    store.append("s", [record(number) for number in range(1, 601)], expected=0)
    store.close()
    whole = path.read_bytes()
    readable = []
    for page in range(0, len(whole), 4096):
        path.write_bytes(whole[:page] + b"\xa5" * 4096 + whole[page + 4096 :])
        try:
            again = open_store(str(path))
            found = list(again.read("s", skip_corrupt=True))
            assert all(data == record(number) for number, data in found)
            readable.append(len(found))
            assert len(found) == 600 or again.verify("s")
            again.close()
        except StoreError:
            continue
    # A page is a few records of six hundred, but for the few that lead to the others.
    assert sorted(readable)[len(readable) // 2] > 500
    assert len(readable) > len(whole) // 4096 - 10
