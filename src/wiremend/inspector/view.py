"""The view: what an agent remembers, what its provider gets, and why they differ.

Pure: a conversation and the wishes for it in, plain values out, which the page, the static file
and the terminal all show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from wiremend.conversion import Lost, convert
from wiremend.dialects import find_dialect
from wiremend.dialects.base import Json
from wiremend.errors import WiremendError
from wiremend.inspector.entries import Entry
from wiremend.inspector.linking import Linked, link
from wiremend.inspector.placing import (
    Problem,
    Repair,
    place_repairs,
    place_violations,
)
from wiremend.inspector.remembered import history_entries
from wiremend.inspector.unmended import refused_of, without_running
from wiremend.inspector.wire import wire_entries
from wiremend.mend import Fixed, fix, request, without_tool_table
from wiremend.model import Message
from wiremend.projection import Anomaly
from wiremend.rules import Violation, check

Media: TypeAlias = Literal["degraded", "strip"] | None
BESIDE_MESSAGES = "tools-undefined"
"""The rule about what stands beside the messages, which an array of messages has no place for."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """For whom, and how: what the switches of the page say."""

    dialect: str
    strict: bool = False
    media: Media = None


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """A request as it was given, in the format ``source``.

    ``is_bare``: it was an array of messages. ``sent`` is what really went out, with what was
    repaired in it, where somebody kept that.
    """

    value: Json
    source: str
    is_bare: bool = False
    sent: Json | None = None
    anomalies: tuple[Anomaly, ...] = ()


class History(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent remembers; ``times`` are when its messages came, in milliseconds."""

    messages: Sequence[Message]
    times: Sequence[float | None] = ()


Conversation: TypeAlias = Body | History


class View(msgspec.Struct, kw_only=True):
    """Both sides, what links them, and what was wrong.

    ``problems`` are of the conversation as it was given (of a history: as it would be unmended),
    in the words of ``judged_for``, the provider that it was written for; ``remaining`` are those of
    what comes out. ``failure`` says why nothing could be made of it.
    """

    options: Options
    body: Json
    before: Json | None
    left: list[Entry]
    right: list[Entry]
    linked: Linked
    repairs: list[Repair]
    problems: list[Problem]
    remaining: list[Problem]
    lost: tuple[Lost, ...] = ()
    failure: str = ""
    judged_for: str = ""

    @property
    def verdict(self) -> str:
        """fine, repaired, left (something is still refused) or failed."""
        if self.failure:
            return "failed"
        if self.remaining:
            return "left"
        return "repaired" if self.repairs or self.problems else "fine"


def look(conversation: Conversation, options: Options) -> View:
    """The view of a conversation for a provider.

    Raises ``WiremendError`` for an unknown dialect; what else is wrong is in the view.
    """
    find_dialect(options.dialect)
    try:
        if isinstance(conversation, History):
            return _of_history(conversation, options)
        return _of_body(conversation, options)
    except RecursionError:
        raise WiremendError("nested too deeply to be shown") from None


def _of_history(history: History, options: Options) -> View:
    left = history_entries(history.messages, history.times)
    failure = ""
    made = Fixed({}, ())
    try:
        made = request(
            history.messages, options.dialect, strict=options.strict, media=options.media
        )
    except WiremendError as error:
        failure = str(error)
    problems = refused_of(history.messages, options.dialect)
    view = _view(options, None, made, left, problems, failure=failure, is_bare=True)
    view.problems = without_running(view.problems, view.repairs)
    return view


def _of_body(given: Body, options: Options) -> View:
    source = find_dialect(given.source)
    target = find_dialect(options.dialect)
    is_foreign = source.family != target.family
    left = wire_entries(given.value, source.holds)
    judged_for = given.source if is_foreign else options.dialect
    found = problems_of(given, options.dialect)
    failure = ""
    lost: tuple[Lost, ...] = ()
    made = Fixed(given.value, ())
    try:
        if given.sent is not None and options == Options(dialect=given.source):
            made = Fixed(given.sent, given.anomalies)
        elif is_foreign:
            converted = convert(
                given.value,
                given.source,
                options.dialect,
                strict=options.strict,
                media=options.media,
            )
            made, lost = Fixed(converted.body, converted.anomalies), converted.lost
        else:
            made = fix(given.value, options.dialect, strict=options.strict, media=options.media)
            if given.is_bare:
                made = without_tool_table(made)
    except WiremendError as error:
        failure = str(error)
    problems = place_violations(found, left)
    view = _view(options, given.value, made, left, problems, failure=failure, is_bare=given.is_bare)
    view.lost, view.judged_for = lost, judged_for
    return view


def _view(
    options: Options,
    before: Json | None,
    made: Fixed,
    left: list[Entry],
    problems: list[Problem],
    *,
    failure: str,
    is_bare: bool,
) -> View:
    right = wire_entries(made.body, find_dialect(options.dialect).holds)
    renamed = {
        new: old
        for one in made.anomalies
        if isinstance(new := getattr(one, "new_id", None), str)
        and isinstance(old := getattr(one, "tool_call_id", None), str)
    }
    linked = link(left, right, renamed)
    _explain(left)
    left_over = [] if not made.body else check(made.body, options.dialect)
    return View(
        options=options,
        body=made.body,
        before=before,
        left=left,
        right=right,
        linked=linked,
        repairs=place_repairs(
            made.anomalies, options.dialect, left, right, linked, problems=problems
        ),
        problems=problems,
        remaining=place_violations(_said_of(left_over, is_bare=is_bare), right),
        failure=failure,
    )


def problems_of(given: Body, dialect: str) -> list[Violation]:
    """What would be refused as it was given, judged for whom it was written for."""
    is_foreign = find_dialect(given.source).family != find_dialect(dialect).family
    found = check(given.value, given.source if is_foreign else dialect)
    return _said_of(found, is_bare=given.is_bare)


def _said_of(found: Sequence[Violation], *, is_bare: bool) -> list[Violation]:
    return [one for one in found if not (is_bare and one.rule == BESIDE_MESSAGES)]


def _explain(left: Sequence[Entry]) -> None:
    """Say why entries are left out, or written otherwise, where no repair is about it."""
    for entry in left:
        if entry.state == "changed" and entry.speaker == "tool" and (entry.failed or entry.note):
            entry.why = "That it failed, or the note, is written where the model reads it."
        if entry.state != "dropped":
            continue
        if entry.partial:
            entry.why = "This step is not finished: nothing of it is sent until it is."
        elif not any(block.text.strip() or block.parts or block.source for block in entry.blocks):
            entry.why = "It says nothing, so nothing of it is sent."
