"""The projection of a history that grows: a step costs what was added."""

from __future__ import annotations

from collections.abc import Sequence

from wiremend.incremental.cuts import Cuts
from wiremend.incremental.growing import Growing, KeptList, Made, OverHistory, Place
from wiremend.incremental.views import Joined
from wiremend.model import Message, TextPart
from wiremend.projection import Anomaly, ProjectionPolicy, Strip, project
from wiremend.projection.policy import PLAIN
from wiremend.projection.reach import reach_nearby, reach_when_sent

USER = Message("user", (TextPart("."),))
ASSISTANT = Message("assistant", (TextPart("."),))

IN_FRONT: dict[str, list[Message]] = {"": [], "assistant": [USER], "user": [USER, ASSISTANT]}
"""What stands for all before a part of a history, by who begins that part."""
BEHIND: dict[str, list[Message]] = {"": [], "assistant": [ASSISTANT, USER], "user": [USER]}
"""What stands for all behind it. The user has the last word, which nobody has to mend."""


class IncrementalProjection(OverHistory):
    """``project`` for a history that grows; the same result, at the cost of what was added.

    Whatever happens to the history (more messages, fewer, others), what was projected of the part
    that it leaves alone is kept. The anomalies are those of ``project`` in the order of the
    history, stage by stage only within a few messages. ``media="degraded"`` looks at the whole
    request each time, and so costs what ``project`` costs.
    """

    def __init__(self, policy: ProjectionPolicy = PLAIN) -> None:
        self.policy = policy
        self._kept: KeptList[Message] = KeptList()
        self._growing = Growing(self._write, cuts_for(policy), (self._kept,))
        self._is_plain = policy.media is None or isinstance(policy.media, Strip)

    def messages(self) -> Sequence[Message]:
        """The messages to send, as ``project`` gives them; not to be changed."""
        if not self._is_plain:
            return project(self._growing.history, None, self.policy)
        end = self._growing.open_end()
        return Joined(self._kept.items, self._growing.closed, end.pieces)

    def anomalies(self) -> Sequence[Anomaly]:
        """Every repair that the messages took."""
        if not self._is_plain:
            found: list[Anomaly] = []
            project(self._growing.history, found.append, self.policy)
            return found
        end = self._growing.open_end()
        closed = self._growing.anomalies
        return Joined(closed.items, closed.mark(), end.anomalies)

    def _write(self, part: Sequence[Message], place: Place) -> Made[Message] | None:
        in_front, behind = IN_FRONT[place.first], BEHIND[place.then]
        anomalies: list[Anomaly] = []
        messages = project([*in_front, *part, *behind], anomalies.append, self.policy)
        end = len(messages) - len(behind)
        assert messages[: len(in_front)] == in_front, "nothing reaches across a cut"
        assert messages[end:] == behind, "nothing reaches across a cut"
        return Made(messages[len(in_front) : end], anomalies)


def cuts_for(policy: ProjectionPolicy) -> Cuts:
    """Where a history can be cut that is projected so."""
    if policy.sending:
        # A repeated id that is not renamed lends its result to the call that lost its own.
        return Cuts(reach_when_sent, reused_ids=policy.takes.reused_ids and policy.renames)
    # Nobody looks at ids across exchanges but strict mode and what renames them.
    reused_ids = not policy.renames and policy.structure is None
    return Cuts(reach_nearby, reused_ids=reused_ids)
