"""Logs, as the commands read them: what is wrong in one, at the lines that say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

import wiremend
from wiremend.cli.base import usable
from wiremend.cli.foreign import check_converted
from wiremend.cli.reports import Checked
from wiremend.dialects import DIALECTS
from wiremend.inputs import (
    BESIDE_MESSAGES,
    Document,
    NoConversation,
    Unusable,
    Wanted,
)
from wiremend.logs import Conversation, Home, Log, Problem, Reading, Record
from wiremend.logs.faults import MISSHAPEN_RECORD
from wiremend.rules import Violation


class Found(NamedTuple):
    """What is wrong at one place of a log."""

    home: Home
    violation: Violation

    def unfixable(self) -> Found:
        """The same where nothing of it is mended."""
        return self._replace(violation=msgspec.structs.replace(self.violation, fixable=False))


def read_log(log: Log, records: Sequence[Record]) -> Reading:
    """What a log holds. Raises ``Unusable`` where it is none, ``NoConversation`` if it is empty."""
    if (log.by_line or len(records) == 1) and records[0].trouble is not None:
        raise Unusable(records[0].trouble)
    with usable():
        reading = log.read(records)
    if not reading.conversations:
        if not any(log.recognise(one.value) for one in records):
            raise Unusable(f"is not {log.what}")
        if not reading.problems:
            raise NoConversation(f"{log.what} without a conversation")
    return reading


def target_of(conversation: Conversation, asked: Wanted) -> str:
    """The provider that a conversation is judged for."""
    return asked.provider or conversation.dialect


def check_conversation(
    conversation: Conversation, records: Sequence[Record], asked: Wanted
) -> list[Found]:
    """What the provider would refuse if the tool went on with this conversation."""
    target = target_of(conversation, asked)
    with usable():
        if DIALECTS[target].family != DIALECTS[conversation.dialect].family:
            found = check_converted(conversation.body, conversation.dialect, target)
        else:
            found = wiremend.check(conversation.body, target)
    first = next((p.home for p in conversation.pieces if p.home is not None), Home(0, ""))
    out = []
    for one in found:
        # A log does not hold the tools that its program defines.
        if one.rule == BESIDE_MESSAGES:
            continue
        home = conversation.home_of(one.pointer)
        if home is None and one.pointer:
            # In what stands for the time after the log.
            continue
        out.append(Found(_written(home or Home(first.record, ""), records), one))
    return out


def _written(home: Home, records: Sequence[Record]) -> Home:
    """The place itself, or the nearest around it that the record has: it may be in other words."""
    value: Any = records[home.record].value
    steps = home.pointer.split("/")
    for number, step in enumerate(steps[1:], start=1):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return home._replace(pointer="/".join(steps[:number]))
    return home


def problem_found(problem: Problem) -> Found:
    """A fault of the log itself, in the form of what a provider refuses."""
    fault = problem.fault
    is_fixable = fault is not MISSHAPEN_RECORD
    said = Violation(
        fault.code, fault.name, "", problem.message, fault.consequence, fixable=is_fixable
    )
    return Found(problem.home, said)


def by_record(
    path: str, log: Log, dialect: str, records: Sequence[Record], found: Sequence[Found]
) -> Iterator[Checked]:
    """What was found, as a report takes it: a record after the other."""
    groups: dict[int, list[Violation]] = {}
    for home, one in found:
        placed = msgspec.structs.replace(one, pointer=home.pointer)
        groups.setdefault(home.record, []).append(placed)
    for index in sorted(groups):
        record = records[index]
        document = Document(record.data or b"", record.line)
        file = record.file or path
        yield Checked(file, document, log.name, dialect, groups[index])
