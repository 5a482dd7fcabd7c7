"""The way of one conversation through its attempts: what to send first, and what after a refusal.

Whoever has the socket sends what ``Step.judged`` holds, and asks for the next step when the
provider objects.
"""

from __future__ import annotations

import msgspec

from wiremend.recovery import Classified
from wiremend.recovery.attempts import Attempt, next_attempt
from wiremend.recovery.thinking import may_drop_blocks
from wiremend.transit.judging import Judged, Request, judge, snapshot


class Step(msgspec.Struct, frozen=True):
    """One sending: how, and what."""

    attempt: Attempt
    judged: Judged


def step(request: Request, attempt: Attempt) -> Step:
    """What to send for a request on this attempt."""
    return Step(attempt, judge(request, attempt))


def next_step(request: Request, refused: Step, said: Classified) -> Step | None:
    """The next attempt that sends something else than what was refused; None: give up."""
    attempt = refused.attempt
    may_drop = may_drop_blocks(request.body, request.dialect)
    while True:
        following = next_attempt(attempt, said, lambda: snapshot(request), may_drop_blocks=may_drop)
        if following is None:
            return None
        # What was not sent is not counted.
        attempt = msgspec.structs.replace(following, number=refused.attempt.number + 1)
        again = step(request, attempt)
        if again.judged.data != refused.judged.data:
            return again
