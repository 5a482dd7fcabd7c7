"""The work of ``convert``, wherever it is done: documents in, what to write and to say out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import msgspec

import wiremend
from wiremend.bulk import Part
from wiremend.cli.base import usable
from wiremend.cli.fixing import JSON, Written, refused_line
from wiremend.cli.mending import Media, media_for
from wiremend.cli.showing import left_in_words, said_of
from wiremend.cli.writing import Layout, compact, encoded, layout_of
from wiremend.conversion import Converted, convert
from wiremend.inputs import Chosen, Document, NoConversation, Unusable, Wanted, choose
from wiremend.logs import Conversation
from wiremend.projection import anomaly_to_builtins
from wiremend.rules import Violation


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of ``convert``."""

    asked: Wanted
    model: str | None
    thinking: Literal["drop", "text"] | None
    home: dict[str, Any] | None
    strict: bool
    media: Media
    duplicates: Literal["rename", "drop"] | None


@dataclass(frozen=True)
class ConvertJob:
    """Converts each document of a part, in the form that was asked for."""

    options: Options
    form: str

    def __call__(self, part: Part) -> list[Written]:
        """Convert a part. A blank line is nothing."""
        return [
            Written(b"") if document.is_blank else self._written(document)
            for document in part.documents
        ]

    def _written(self, document: Document) -> Written:
        try:
            with usable():
                chosen = choose(document.value(), _from(self.options.asked))
                made = _converted(chosen.body, chosen.source, self.options)
        except Unusable as error:
            # A line that is missing would shift all that follow.
            return Written(
                refused_line(document, str(error)),
                refused=str(error),
                is_other=isinstance(error, NoConversation),
            )
        return self._said(made, layout_of(document.data), chosen)

    def converted(self, conversation: Conversation) -> Written:
        """Convert a conversation of a log, as it was recorded. Raises ``Unusable``."""
        body = conversation.recorded or conversation.body
        with usable():
            made = _converted(body, conversation.dialect, self.options)
        return self._said(made, Layout(None, (", ", ": ")), None)

    def _said(self, made: Converted, layout: Layout, chosen: Chosen | None) -> Written:
        goal = str(self.options.asked.provider)
        remaining = wiremend.check(made.body, goal)
        if self.form == JSON:
            data = encoded(compact(_report(made, remaining)) + "\n")
        else:
            data = layout.write(made.body if chosen is None else chosen.written(made.body, goal))
        said = [("", anomaly.describe()) for anomaly in made.anomalies]
        said += [("", said_of(lost, goal)) for lost in made.lost]
        return Written(
            data,
            None if chosen is None else chosen.choice,
            (*said, *left_in_words(remaining)),
            kinds=tuple(anomaly.kind for anomaly in made.anomalies),
            lost=sum(lost.count for lost in made.lost),
            left=len(remaining),
            is_changed=True,
        )


def _from(asked: Wanted) -> Wanted:
    """The input is read in the format that was named or that it shows, whatever the goal is."""
    return Wanted(asked.format, asked.format)


def _converted(body: dict[str, Any], source: str, options: Options) -> Converted:
    goal = str(options.asked.provider)
    model = options.model or body.get("model") or body.get("modelId")
    return convert(
        body,
        source,
        goal,
        model=options.model,
        thinking=options.thinking,
        home=options.home,
        strict=options.strict,
        media=media_for(options.media, goal, model),
        duplicates=options.duplicates,
    )


def _report(made: Converted, remaining: list[Violation]) -> dict[str, Any]:
    return {
        "request": made.body,
        "anomalies": [anomaly_to_builtins(anomaly) for anomaly in made.anomalies],
        "lost": msgspec.to_builtins(made.lost),
        "remaining": msgspec.to_builtins(remaining),
    }
