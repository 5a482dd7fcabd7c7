"""What a provider would say to a history that is sent as it is remembered. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from wiremend.dialects import find_dialect
from wiremend.errors import WiremendError
from wiremend.inspector.linking import link
from wiremend.inspector.placing import Problem, Repair, place_violations
from wiremend.inspector.remembered import history_entries
from wiremend.inspector.wire import wire_entries
from wiremend.model import Message
from wiremend.projection.anomalies import ignore
from wiremend.rules import check


def refused_of(messages: Sequence[Message], dialect: str) -> list[Problem]:
    """What is refused where nothing is mended, each at the message that it is about.

    A step that is not finished is never sent. What cannot be written without being mended has no
    words of a provider: then nothing is found.
    """
    target = find_dialect(dialect)
    finished = [n for n, message in enumerate(messages) if not getattr(message, "partial", None)]
    sent = [messages[n] for n in finished]
    with suppress(WiremendError):
        body = target.encode(sent, {}, ignore)
        written = wire_entries(body, target.holds)
        homes: dict[int, int] = {}
        for one in link(history_entries(sent, ()), written, {}).links:
            homes.setdefault(one.right, finished[one.left])
        # The body is none that anybody has: its pointers would lead nowhere.
        return [
            replace(problem, pointer="", entry=homes.get(problem.entry, -1))
            for problem in place_violations(check(body, dialect), written)
            if problem.entry >= 0
        ]
    return []


def without_running(problems: Sequence[Problem], repairs: Sequence[Repair]) -> list[Problem]:
    """The problems but those of the last step, which may still be running: that is no fault.

    None where nothing was repaired: then the provider is not asked to take what it refuses.
    """
    if not repairs:
        return []
    running = {
        (entry, code)
        for repair in repairs
        if repair.silent
        for entry in repair.left
        for code in repair.rules
    }
    return [one for one in problems if (one.entry, one.code) not in running]
