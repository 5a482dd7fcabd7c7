"""What every store promises."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from wiremend.stores import ConflictError, MissingError, Store, StoreError, open_store


def numbered(first: int, last: int) -> list[bytes]:
    return [b'{"type":"n","n":%d,"text":"\xc3\xa9"}' % n for n in range(first, last + 1)]


def filled(store: Store, session_id: str, count: int) -> list[bytes]:
    store.create(session_id)
    records = numbered(1, count)
    store.append(session_id, records, expected=0)
    return records


def contents(store: Store, session_id: str) -> list[bytes]:
    return [record for _, record in store.read(session_id)]


def test_what_is_appended_is_read_back_in_order_with_its_numbers(store: Store) -> None:
    store.create("s")
    assert store.append("s", numbered(1, 1), expected=0) == 1
    assert store.append("s", numbered(2, 600), expected=1) == 600
    assert store.length("s") == 600
    assert list(store.read("s")) == list(enumerate(numbered(1, 600), 1))


def test_it_is_all_there_after_reopening(store: Store, url: str) -> None:
    records = filled(store, "s", 5)
    store.close()
    again = open_store(url)
    assert contents(again, "s") == records
    assert again.append("s", numbered(6, 6), expected=5) == 6
    again.close()


@pytest.mark.parametrize(
    ("after", "until", "numbers"),
    [(0, 3, [1, 2, 3]), (7, None, [8, 9, 10]), (4, 6, [5, 6]), (10, None, []), (8, 99, [9, 10])],
)
def test_a_part_can_be_read(
    store: Store, after: int, until: int | None, numbers: list[int]
) -> None:
    filled(store, "s", 10)
    assert [number for number, _ in store.read("s", after=after, until=until)] == numbers


def test_an_empty_session_reads_as_nothing(store: Store) -> None:
    store.create("s")
    assert store.length("s") == 0
    assert list(store.read("s")) == []
    assert store.append("s", [], expected=0) == 0


def test_the_second_of_two_writers_gets_a_conflict_and_can_go_on(store: Store, url: str) -> None:
    filled(store, "s", 2)
    other = open_store(url)
    other.append("s", numbered(3, 4), expected=2)
    with pytest.raises(ConflictError, match="has 4 records, not 2: another writer") as caught:
        store.append("s", numbered(3, 3), expected=2)
    assert (caught.value.expected, caught.value.found) == (2, 4)
    assert store.append("s", numbered(5, 5), expected=store.length("s")) == 5
    assert contents(store, "s") == contents(other, "s") == numbered(1, 5)
    other.close()


def test_an_empty_append_still_says_that_another_was_here(store: Store) -> None:
    filled(store, "s", 2)
    with pytest.raises(ConflictError):
        store.append("s", [], expected=1)


@pytest.mark.parametrize(
    "bad", [b"", b"[1]", b"{", b'{"a":1}\n', b' {"a":1}', b'{"a":"\xff"}', b'{"a":1}{"b":2}', b"5"]
)
def test_what_is_no_record_is_refused_and_nothing_of_the_batch_stays(
    store: Store, bad: bytes
) -> None:
    store.create("s")
    with pytest.raises(StoreError, match="record 1 of those to append cannot be stored"):
        store.append("s", [b'{"type":"fine"}', bad], expected=0)
    assert store.length("s") == 0


def test_what_is_not_there_is_said_to_be_missing(store: Store) -> None:
    for ask in (
        lambda: store.length("none"),
        lambda: list(store.read("none")),
        lambda: store.append("none", numbered(1, 1), expected=0),
        lambda: store.create("fork", parent="none"),
        lambda: store.load_snapshot("none"),
        lambda: store.save_snapshot("none", 0, b""),
        lambda: store.delete("none"),
        lambda: store.verify("none"),
        lambda: store.get_blob("0" * 64),
    ):
        with pytest.raises(MissingError, match="there is no"):
            ask()


def test_a_session_is_made_once(store: Store) -> None:
    store.create("s")
    with pytest.raises(StoreError, match="already a session 's'"):
        store.create("s")


@pytest.mark.parametrize("bad", ["", ".", "..", "a/b", "a\\b", "a\0b", "a b", "-x", "x" * 201])
def test_an_id_that_could_be_no_file_name_is_refused(store: Store, bad: str) -> None:
    with pytest.raises(StoreError, match="a session id is"):
        store.create(bad)


def test_sessions_are_listed_with_their_times_and_ancestry(store: Store) -> None:
    filled(store, "b", 3)
    store.create("a", parent="b", at=2)
    first, second = store.sessions()
    assert (first.id, first.records, first.parent, first.at) == ("a", 2, "b", 2)
    assert (second.id, second.records, second.parent, second.at) == ("b", 3, None, None)
    assert 1_700_000_000_000 < second.created <= second.updated < 10_000_000_000_000


def test_a_fork_goes_its_own_way_from_where_it_left(store: Store) -> None:
    filled(store, "parent", 4)
    store.create("fork", parent="parent", at=2)
    store.append("fork", numbered(70, 71), expected=2)
    store.append("parent", numbered(5, 5), expected=4)
    assert contents(store, "fork") == numbered(1, 2) + numbered(70, 71)
    assert contents(store, "parent") == numbered(1, 5)
    assert [n for n, _ in store.read("fork", after=1, until=3)] == [2, 3]


def test_forks_of_forks_read_along_all_of_their_ancestors(store: Store) -> None:
    filled(store, "g1", 3)
    expected = numbered(1, 3)
    for depth in range(2, 12):
        store.create(f"g{depth}", parent=f"g{depth - 1}")
        store.append(f"g{depth}", numbered(depth * 10, depth * 10), expected=len(expected))
        expected += numbered(depth * 10, depth * 10)
    assert contents(store, "g11") == expected
    store.create("early", parent="g11", at=1)
    assert contents(store, "early") == numbered(1, 1)


@pytest.mark.parametrize("at", [-1, 4])
def test_a_fork_beyond_its_parents_end_is_refused(store: Store, at: int) -> None:
    filled(store, "parent", 3)
    with pytest.raises(StoreError, match="has 3 records"):
        store.create("fork", parent="parent", at=at)
    with pytest.raises(StoreError, match="no parent was given"):
        store.create("fork", at=1)


def test_a_parent_is_not_deleted_before_its_forks(store: Store) -> None:
    filled(store, "parent", 3)
    store.create("fork", parent="parent")
    with pytest.raises(StoreError, match="has a fork, 'fork'"):
        store.delete("parent")
    store.delete("fork")
    store.delete("parent")
    assert store.sessions() == []
    store.create("parent")
    assert contents(store, "parent") == []
    assert store.load_snapshot("parent") is None


def test_the_last_snapshot_within_reach_is_loaded_and_two_are_kept(store: Store) -> None:
    filled(store, "s", 9)
    assert store.load_snapshot("s") is None
    for at in (2, 5, 9):
        store.save_snapshot("s", at, b"\x00state\n%d" % at)
    assert store.load_snapshot("s") == (9, b"\x00state\n9")
    assert store.load_snapshot("s", until=8) == (5, b"\x00state\n5")
    assert store.load_snapshot("s", until=4) is None
    store.save_snapshot("s", 9, b"again")
    assert store.load_snapshot("s") == (9, b"again")
    assert store.load_snapshot("s", until=8) == (5, b"\x00state\n5")


def test_a_snapshot_of_records_that_are_not_there_is_refused(store: Store) -> None:
    filled(store, "s", 3)
    with pytest.raises(StoreError, match="3 records"):
        store.save_snapshot("s", 4, b"")


def test_a_fork_uses_a_snapshot_of_its_parent_up_to_where_it_left(store: Store) -> None:
    filled(store, "parent", 9)
    store.create("early", parent="parent", at=4)
    store.create("late", parent="parent", at=8)
    store.save_snapshot("parent", 6, b"six")
    store.save_snapshot("parent", 9, b"nine")
    assert store.load_snapshot("early") is None
    assert store.load_snapshot("late") == (6, b"six")
    store.save_snapshot("late", 8, b"own")
    assert store.load_snapshot("late") == (8, b"own")
    assert store.load_snapshot("late", until=7) == (6, b"six")


@pytest.mark.parametrize("data", [b"", b"\x89PNG\x00\n", bytes(range(256)) * 9000])
def test_a_blob_has_one_name_and_comes_back_as_it_was(store: Store, data: bytes) -> None:
    name = store.put_blob(data)
    assert store.put_blob(data) == name
    assert len(name) == 64
    assert store.get_blob(name) == data


def test_a_healthy_session_has_no_damage(store: Store) -> None:
    filled(store, "parent", 300)
    store.save_snapshot("parent", 300, b"state")
    store.put_blob(b"picture")
    store.create("fork", parent="parent", at=100)
    store.append("fork", numbered(1, 300), expected=100)
    assert store.verify("parent") == store.verify("fork") == []


def test_threads_share_a_store(store: Store) -> None:
    store.create("s")

    def write(records: Sequence[bytes]) -> None:
        for record in records:
            while True:
                try:
                    store.append("s", [record], expected=store.length("s"))
                    break
                except ConflictError:
                    continue

    batches = [numbered(n * 100, n * 100 + 9) for n in range(4)]
    threads = [threading.Thread(target=write, args=(batch,)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = contents(store, "s")
    assert sorted(found) == sorted(record for batch in batches for record in batch)
    for batch in batches:
        assert [record for record in found if record in batch] == batch


def test_a_reader_that_is_slow_does_not_hold_up_a_writer(store: Store, url: str) -> None:
    filled(store, "s", 600)
    reading = store.read("s")
    next(reading)
    other = open_store(url)
    other.append("s", numbered(601, 601), expected=600)
    other.close()
    assert len(list(reading)) == 599
