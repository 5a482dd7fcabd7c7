"""The documents of one input, worked on and written in order: for ``fix`` and ``convert``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import click
import msgspec

from wiremend.bulk import Part, Place, Resumed, in_order
from wiremend.cli.base import complain, count, label, usable
from wiremend.cli.bulk import Bulk, Reader, bytes_below, place_behind, watching
from wiremend.cli.fixing import Written
from wiremend.cli.progress import Taken
from wiremend.cli.tally import table
from wiremend.inputs import Document, Output, Source, Unusable, Wanted


class Counts(msgspec.Struct):
    """What came of documents.

    ``kinds`` has the repairs of each kind, ``size`` is in bytes, of what was written.
    """

    documents: int = 0
    kinds: dict[str, int] = {}
    lost: int = 0
    left: int = 0
    unusable: int = 0
    changed: bool = False
    size: int = 0

    @property
    def repairs(self) -> int:
        """All repairs."""
        return sum(self.kinds.values())

    def add(self, written: Written) -> None:
        """Count a document."""
        self.documents += 1
        for kind in written.kinds:
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.lost += written.lost
        self.left += written.left
        self.unusable += written.refused is not None
        self.changed = self.changed or written.is_changed

    def tail(self) -> str:
        """What is left and what could not be used, to put behind other counts."""
        said = f", {count(self.left, 'violation')} left" if self.left else ""
        if self.unusable:
            said += f", {count(self.unusable, 'unusable line')}"
        return said

    def table(self) -> Iterator[str]:
        """The kinds of repair, where there were many documents."""
        kinds = {kind: (times,) for kind, times in self.kinds.items()}
        return table(("repair", "times"), kinds, self.documents)


class Outputs:
    """Writes what a job makes of each document of an input, and says what it says of it."""

    def __init__(self, path: str, bulk: Bulk, taken: Taken, resumed: Resumed | None = None) -> None:
        self._path = path
        self._bulk = bulk
        self.taken = taken
        self._resumed = resumed
        self._place: Place | None = None
        self.counts = Counts()
        if resumed is not None and resumed.counts is not None:
            self.counts = msgspec.convert(resumed.counts, Counts)

    def write(
        self,
        job: Callable[[Part], list[Written]],
        source: Source,
        documents: Iterable[Document],
        out: Output,
        asked: Wanted,
    ) -> None:
        """Write everything. Raises ``Unusable`` where the input is one document that is."""
        reader = Reader(asked, self._resumed, keeps_blank=True)
        with usable(), watching(lambda: bytes_below([self._path])) as watch:
            parts = reader.parts_of_source(source, documents, self._path)
            is_whole = True
            try:
                for part, answers in in_order(job, parts, self._bulk.processes):
                    repairs = self.counts.repairs
                    is_whole = False
                    for document, written in zip(part.documents, answers, strict=True):
                        self._write(part, document, written, out)
                    is_whole = True
                    watch.advance(part.size, len(answers), self.counts.repairs - repairs)
                    if self._resumed is not None and self._resumed.is_due:
                        self._keep(out, is_whole=True)
            finally:
                if self._resumed is not None:
                    self._keep(out, is_whole=is_whole)

    def finish(self) -> None:
        """Forget how far it got, once the output has its name."""
        if self._resumed is not None:
            self._resumed.finish()

    def _keep(self, out: Output, *, is_whole: bool) -> None:
        """Keep how far it got. ``is_whole``: what was written of a part is all of it."""
        assert self._resumed is not None
        # What is said to be done must be there.
        if not out.is_packed:
            out.settle()
        elif is_whole:
            # Only between two frames can a packed file be cut, and gone on with.
            self.counts.size = out.settle()
            self._reach()
        self._resumed.keep()

    def _reach(self) -> None:
        if self._resumed is not None and self._place is not None:
            self._resumed.reach(self._place, msgspec.to_builtins(self.counts))

    def _write(self, part: Part, document: Document, written: Written, out: Output) -> None:
        place = label(self._path, document.line)
        if written.refused is not None:
            if document.line is None:
                raise Unusable(written.refused)
            complain(place, written.refused)
            if self._bulk.strict_input:
                raise Unusable(f"line {document.line}: stopped there, as --strict-input says")
        elif written.choice is not None:
            self.taken.tell(place, written.choice)
        self._say(place, written)
        data = document.data if written.data is None else written.data
        out.write(data)
        if not document.is_blank:
            self.counts.add(written)
        self.counts.size += len(data)
        self._place = place_behind(part, document.line)
        if not out.is_packed:
            self._reach()

    def put(self, place: str, written: Written, out: Output) -> None:
        """Write what came of a conversation of a log."""
        self._say(place, written)
        out.write(written.data or b"")
        self.counts.add(written)

    def refuse(self, place: str, why: str) -> None:
        """Say that one of many logs cannot be used. Raises ``Unusable`` where that ends the run."""
        complain(place, why)
        self.counts.unusable += 1
        if self._bulk.strict_input:
            raise Unusable(f"{place}: stopped there, as --strict-input says")

    def _say(self, place: str, written: Written) -> None:
        for pointer, said in written.said:
            complain(f"{place}:{pointer}" if pointer else place, said)

    def summarise(self, said: str) -> None:
        """Say the counts on standard error."""
        complain(label(self._path), said + self.counts.tail())
        for line in self.counts.table():
            click.echo(line, err=True)
