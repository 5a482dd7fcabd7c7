"""A log, mended: the records as they shall be, and what was done to them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

import wiremend
from wiremend.cli.base import complain, usable
from wiremend.cli.logs import Found, check_conversation, problem_found, read_log
from wiremend.cli.mending import Wishes, fixed_for
from wiremend.cli.showing import coloured
from wiremend.cli.writing import compact, encoded, layout_of, pretty
from wiremend.dialects import DIALECTS
from wiremend.inputs import Unusable
from wiremend.logs import Conversation, Edits, Log, Problem, Record
from wiremend.logs.faults import UNREADABLE_RECORD
from wiremend.projection import Anomaly, anomaly_to_builtins
from wiremend.projection.anomalies import ToolsDeclared

_ROUNDS = 4
"""What a repair leaves of a log may show another part of it, which was not sent before."""


class LogMended(NamedTuple):
    """What came of a log. ``before`` and ``after`` share every record that did not change."""

    log: Log
    before: Sequence[Record]
    after: Sequence[Record]
    problems: Sequence[Found]
    anomalies: Sequence[Anomaly]
    remaining: Sequence[Found]

    @property
    def is_changed(self) -> bool:
        """Whether anything was mended."""
        return bool(self.problems or self.anomalies)


def mend_log(log: Log, records: Sequence[Record], wishes: Wishes) -> LogMended:
    """Mend what is wrong with a log, and with the conversations in it. Raises ``Unusable``."""
    if log.write_back is None:
        raise Unusable(f"is {log.what}, {log.why_not}")
    before = records
    reading = read_log(log, records)
    problems = [problem_found(problem) for problem in reading.problems]
    records = _without(reading.problems).apply(records)
    anomalies: list[Anomaly] = []
    for number in range(len(log.read(records).conversations)):
        for _ in range(_ROUNDS):
            conversations = log.read(records).conversations
            if number >= len(conversations):
                break
            fixed = _fixed(log, conversations[number], wishes)
            if not fixed.anomalies:
                break
            anomalies.extend(fixed.anomalies)
            with usable():
                edits = log.write_back(records, conversations[number], fixed.body)
            records = edits.apply(records)
    left = [
        one
        for conversation in log.read(records).conversations
        for one in check_conversation(conversation, records, wishes.asked)
    ]
    return LogMended(log, before, records, problems, anomalies, left)


def _fixed(log: Log, conversation: Conversation, wishes: Wishes) -> wiremend.Fixed:
    provider = wishes.asked.provider or conversation.dialect
    if DIALECTS[provider].family != DIALECTS[conversation.dialect].family:
        raise Unusable(
            f"is {log.what}, which goes on with {conversation.dialect}: "
            f"`wiremend convert --to {provider}` makes requests for {provider} of it"
        )
    with usable():
        fixed = fixed_for(conversation.body, provider, wishes)
    kept = tuple(one for one in fixed.anomalies if not isinstance(one, ToolsDeclared))
    return wiremend.Fixed(fixed.body, kept)


def _without(problems: Sequence[Problem]) -> Edits:
    """The edits that take the faults of the log itself away."""
    changed: dict[int, Any] = {}
    removed: set[int] = set()
    for problem in problems:
        if problem.mended is None:
            removed.add(problem.home.record)
        else:
            changed[problem.home.record] = problem.mended
    return Edits(changed, removed)


def written_records(mended: LogMended) -> Iterator[bytes]:
    """The records as they are written: what did not change to the byte, the rest as that is."""
    read = (record.data for record in mended.before if record.data and record.data.strip())
    layout = layout_of(next(read, b"{}"))
    ends = True
    for record in mended.after:
        data = layout.write(record.value) if record.data is None else record.data
        if not ends:
            yield b"\n"
        yield data
        ends = data.endswith(b"\n")


def say_log_repairs(place: str, mended: LogMended) -> None:
    """Each repair, and each violation that is left, on standard error."""
    for found in mended.problems:
        line = mended.before[found.home.record].line
        what = "taken out" if found.violation.code == UNREADABLE_RECORD.code else "mended"
        said = f"{what}: {found.violation.code} {found.violation.rule}"
        complain(place if line is None else f"{place}:{line}", said)
    for anomaly in mended.anomalies:
        complain(place, anomaly.describe())
    for found in mended.remaining:
        record = mended.after[found.home.record]
        where = place if record.line is None else f"{place}:{record.line}"
        one = found.violation
        complain(f"{where}:{found.home.pointer}", f"left: {one.code} {one.rule}: {one.message}")


def log_report(mended: LogMended) -> bytes:
    """What was done, as one line of JSON."""
    report = {
        "format": mended.log.name,
        "faults": [_placed(found, mended.before) for found in mended.problems],
        "anomalies": [anomaly_to_builtins(anomaly) for anomaly in mended.anomalies],
        "remaining": [_placed(found, mended.after) for found in mended.remaining],
    }
    return encoded(compact(report) + "\n")


def _placed(found: Found, records: Sequence[Record]) -> dict[str, Any]:
    written: dict[str, Any] = msgspec.to_builtins(found.violation)
    written["pointer"] = found.home.pointer
    return {"line": records[found.home.record].line, **written}


def log_difference(place: str, mended: LogMended) -> Iterator[bytes]:
    """A unified diff of each record that changed, pretty-printed."""
    after = {record.line: record for record in mended.after}
    if mended.before[0].line is None:
        yield from _difference(place, mended.before[0], mended.after[0])
        return
    followers = _new_behind(mended.after)
    for record in mended.before:
        now = after.get(record.line)
        if now is not record:
            yield from _difference(f"{place}:{record.line}", record, now)
        for new in followers.get(record.line, ()):
            yield from _difference(f"{place}:{record.line}", None, new)


def _new_behind(records: Sequence[Record]) -> dict[int | None, list[Record]]:
    out: dict[int | None, list[Record]] = {}
    line: int | None = None
    for record in records:
        if record.line is None:
            out.setdefault(line, []).append(record)
        line = record.line or line
    return out


def _difference(place: str, before: Record | None, after: Record | None) -> Iterator[bytes]:
    lines = difflib.unified_diff(
        _lines(before),
        _lines(after),
        fromfile=place if before is not None else "/dev/null",
        tofile=f"{place} (mended)" if after is not None else "/dev/null",
        lineterm="",
    )
    return (encoded(f"{coloured(line)}\n") for line in lines)


def _lines(record: Record | None) -> list[str]:
    if record is None:
        return []
    if record.trouble is not None:
        return [(record.data or b"").decode("utf-8", "replace").rstrip("\n")]
    return pretty(record.value).splitlines()
