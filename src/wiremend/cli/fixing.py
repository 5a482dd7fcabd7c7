"""The work of ``fix``, wherever it is done: documents in, what to write and to say out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wiremend.bulk import Part
from wiremend.cli.base import label, usable
from wiremend.cli.mending import Mended, Wishes, mend
from wiremend.cli.showing import as_difference, as_report, repairs_in_words
from wiremend.cli.writing import compact, encoded, layout_of
from wiremend.inputs import Choice, Document, NoConversation, Unusable, choose_sound

REQUEST, JSON, DIFF = "request", "json", "diff"


class Written(NamedTuple):
    """What came of a document.

    ``data`` is what to write, None where that is the document as it was; ``said`` are lines about
    it, each behind a pointer into it; ``kinds`` are those of its repairs; ``refused`` says why it
    could not be worked on, ``is_other`` that it is no conversation at all.
    """

    data: bytes | None
    choice: Choice | None = None
    said: tuple[tuple[str, str], ...] = ()
    kinds: tuple[str, ...] = ()
    lost: int = 0
    left: int = 0
    is_changed: bool = False
    refused: str | None = None
    is_other: bool = False


@dataclass(frozen=True)
class FixJob:
    """Mends each document of a part, in the form that was asked for."""

    wishes: Wishes
    form: str

    def __call__(self, part: Part) -> list[Written]:
        """Mend a part."""
        return [self._written(part.path, document) for document in part.documents]

    def _written(self, path: str, document: Document) -> Written:
        if document.is_blank:
            return Written(None if self.form == REQUEST else b"")
        if self._may_be_quick:
            sound = choose_sound(document.data, self.wishes.asked)
            if sound is not None:
                return Written(None if self.form == REQUEST else b"", sound)
        place = label(path, document.line)
        try:
            with usable():
                mended = mend(document, self.wishes)
                data = self._in_form(place, mended, document)
        except Unusable as error:
            is_other = isinstance(error, NoConversation)
            kept = self._as_it_was(document, str(error))
            return Written(kept, refused=str(error), is_other=is_other)
        return Written(
            data,
            mended.chosen.choice,
            tuple(repairs_in_words(mended)),
            kinds=tuple(anomaly.kind for anomaly in mended.anomalies),
            lost=sum(lost.count for lost in mended.lost),
            left=len(mended.remaining),
            is_changed=mended.is_changed,
        )

    @property
    def _may_be_quick(self) -> bool:
        """Whether nothing is done to what is sound."""
        plain = Wishes(self.wishes.asked, strict=False, media=None, duplicates=None)
        return self.form != JSON and self.wishes == plain

    def _in_form(self, place: str, mended: Mended, document: Document) -> bytes | None:
        if self.form == JSON:
            return as_report(mended)
        if self.form == DIFF:
            return as_difference(place, mended)
        return layout_of(document.data).write(mended.after) if mended.is_changed else None

    def _as_it_was(self, document: Document, error: str) -> bytes | None:
        if self.form == REQUEST:
            return None
        return refused_line(document, error) if self.form == JSON else b""


def refused_line(document: Document, error: str) -> bytes:
    """A line that stands for one that could not be worked on: none of those that follow shifts."""
    return encoded(compact({"error": error, "line": document.line}) + "\n")
