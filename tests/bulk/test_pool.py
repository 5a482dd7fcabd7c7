"""One function over many things on several processes: in order, ahead by little, never silent."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from wiremend.bulk import Part, in_order, parts_of, spans_of
from wiremend.bulk.parts import MOST_BYTES, MOST_DOCUMENTS
from wiremend.bulk.pool import AHEAD
from wiremend.errors import WiremendError
from wiremend.inputs import Document


@pytest.fixture(autouse=True)
def _processes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wiremend.bulk.pool.ALONE", 0.0)


def where(number: int) -> tuple[int, int]:
    """A number, squared, and the process that did it."""
    return number * number, os.getpid()


def fail_at_seven(number: int) -> int:
    if number == 7:
        raise ValueError("seven")
    return number


def die(number: int) -> int:
    os._exit(number)


@pytest.mark.parametrize("processes", [1, 3])
def test_answers_come_in_order(processes: int) -> None:
    answers = list(in_order(where, range(50), processes))
    assert [thing for thing, _ in answers] == list(range(50))
    assert [answer for _, (answer, _) in answers] == [n * n for n in range(50)]
    others = {process for _, (_, process) in answers} - {os.getpid()}
    assert len(others) == (0 if processes == 1 else len(others)) <= processes
    assert bool(others) is (processes > 1)


@pytest.mark.parametrize("processes", [1, 2])
def test_little_is_read_ahead_of_what_was_taken(processes: int) -> None:
    read = 0

    def things() -> Iterator[int]:
        nonlocal read
        for number in range(1000):
            read += 1
            yield number

    taken = in_order(where, things(), processes)
    for number in range(1, 30):
        next(taken)
        assert read <= number + AHEAD * processes + 1
    del taken


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_reaches_the_caller_behind_the_answers_before_it(processes: int) -> None:
    answers = in_order(fail_at_seven, range(20), processes)
    assert [next(answers)[0] for _ in range(7)] == list(range(7))
    with pytest.raises(ValueError, match="seven"):
        next(answers)


def test_a_process_that_dies_is_said() -> None:
    with pytest.raises(WiremendError, match="was killed, perhaps for want of memory"):
        list(in_order(die, range(4), 2))


def test_parts_hold_half_a_megabyte_or_one_document_that_is_larger() -> None:
    sizes = [MOST_BYTES * 2, 10, MOST_BYTES - 10, 5, *[1] * (MOST_DOCUMENTS + 1)]
    documents = [Document(b"x" * size, number + 1) for number, size in enumerate(sizes)]
    parts = list(parts_of(documents))
    assert [document for part in parts for document in part] == documents
    assert [len(part) for part in parts] == [1, 2, MOST_DOCUMENTS, 2]
    assert list(parts_of([])) == []


@pytest.mark.parametrize("has_blank", [True, False])
@pytest.mark.parametrize("behind", [0, 1, 3, 700, 10_000])
def test_another_process_reads_a_part_again_as_it_was(
    behind: int, has_blank: bool, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    lines = [b"1\n", b"\n", b"2\r\n", b" \r\n", b"\x0b3\x0c\n", *[b"[4]\n", b"\n"] * 600, b"5"]
    path.write_bytes(b"".join(lines))
    documents = [Document(line, number) for number, line in enumerate(lines, 1)]
    seen: list[Document] = []
    for part, span in spans_of(iter(documents), behind=behind, has_blank=has_blank):
        here = Part(str(path), 0, part, span=span)
        there = pickle.loads(pickle.dumps(here))
        assert there == here
        assert len(pickle.dumps(here)) < 500
        seen += part
    wanted = [one for one in documents if (one.line or 0) > behind]
    assert seen == [one for one in wanted if has_blank or not one.is_blank]


def test_a_file_that_became_shorter_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"1\n2\n")
    ((part, span),) = spans_of([Document(b"1\n", 1), Document(b"2\n", 2)])
    sent = pickle.dumps(Part(str(path), 0, part, span=span))
    path.write_bytes(b"1\n")
    with pytest.raises(WiremendError, match="was changed while it was read"):
        pickle.loads(sent)
