"""Stage 3: close what the walk left open, and, when sending, mend repeated ids.

``close`` is spec 3.1 to the letter. ``settle`` is what really goes to a provider (spec 3.6):
nothing that the agent did is lost, and results stay in the order in which they came where the
provider takes that.
"""

from __future__ import annotations

import msgspec

from wiremend.model import Message, ToolCall, is_vacuous, with_calls
from wiremend.projection.anomalies import (
    DuplicateToolCallDropped,
    DuplicateToolCallRenamed,
    DuplicateToolResultDropped,
    OnAnomaly,
    ToolResultsSorted,
    ToolResultSynthesized,
    VacuousMessageDropped,
    ignore,
)
from wiremend.projection.ordinary import Places
from wiremend.projection.pairing import Paired
from wiremend.projection.policy import ProjectionPolicy
from wiremend.projection.wire import SYNTHETIC, synthetic_result


def close(paired: Paired, report: OnAnomaly) -> list[Message]:
    """Answer every open call with a synthetic result."""
    places, trailing = paired.places, paired.trailing
    for call_id, place in paired.open_calls.items():
        places[place] = Message("tool", SYNTHETIC, (), None, call_id)
    # Where nobody listens, nothing is said: a history of lost results is reported at some length.
    if report is not ignore:
        for call_id, place in paired.open_calls.items():
            report(ToolResultSynthesized(call_id, trailing is not None and place > trailing))
    return places  # type: ignore[return-value]


def settle(paired: Paired, policy: ProjectionPolicy, report: OnAnomaly) -> list[Message]:
    """Close exchanges, order their results and mend repeated ids, as the policy asks."""
    repeated, strayed = paired.repeated, paired.strayed
    if repeated and not policy.renames:
        strayed = _lend_results(paired) or strayed
    order = {place: n for n, place in enumerate(paired.arrivals)} if strayed else None
    if not paired.open_calls and not repeated and order is None:
        return paired.places  # type: ignore[return-value]
    places = paired.places
    out: list[Message] = []
    used = _Used()
    written = 0  # how many places are in ``out``: whole runs are taken over at once
    for owner, calls in _owners(places):
        end = owner + 1 + len(calls)
        if repeated and policy.takes.reused_ids:
            used = _Used()
        fresh = not repeated or _are_fresh(calls, used)
        ordered = order is None or len(calls) == 1 or _in_order(places, order, owner + 1, end)
        trailing = paired.trailing is not None and owner >= paired.trailing
        if fresh and ordered and all(places[owner + 1 : end]):
            continue
        if fresh and ordered and not (trailing and policy.frontier == "keep"):
            for n, call in enumerate(calls, owner + 1):
                if places[n] is None:
                    places[n] = synthetic_result(call.id)
                    report(ToolResultSynthesized(call.id, trailing))
            continue
        out.extend(places[written:owner])  # type: ignore[arg-type]
        written = end
        exchange = _Exchange(places, owner, end, order)
        if not fresh:
            exchange.mend_ids(used, policy, report)
        exchange.write(out, policy, report, trailing=trailing)
    if not written:
        return places  # type: ignore[return-value]
    out.extend(places[written:])  # type: ignore[arg-type]
    return out


def _are_fresh(calls: tuple[ToolCall, ...], used: set[str]) -> bool:
    """Whether no call repeats an id; if so, the ids count as used."""
    if len(calls) == 1:
        if calls[0].id in used:
            return False
        used.add(calls[0].id)
        return True
    ids = {call.id for call in calls}
    if len(ids) < len(calls) or not used.isdisjoint(ids):
        return False
    used.update(ids)
    return True


def _in_order(places: Places, order: dict[int, int], start: int, end: int) -> bool:
    """Whether the results of an exchange came in the order of its calls."""
    before = -1
    for place in range(start, end):
        if places[place] is None:
            continue
        came = order.get(place, -1)  # -1: lent from another exchange
        if came < before:
            return False
        before = came
    return True


class _Exchange:
    """A message with its calls, and the results that came for them (None: none came)."""

    def __init__(self, places: Places, owner: int, end: int, order: dict[int, int] | None) -> None:
        message = places[owner]
        assert message is not None, "an owner is a message"
        self.message = message
        self.calls = list(message.tool_calls)
        self.results = places[owner + 1 : end]
        self.arrived = [n if order is None else order.get(n, -1) for n in range(owner + 1, end)]

    def mend_ids(self, used: _Used, policy: ProjectionPolicy, report: OnAnomaly) -> None:
        """Give calls that repeat an id a new one, or drop them; ``used`` are the ids before."""
        kept: list[int] = []
        first: dict[str, ToolCall] = {}
        for n, call in enumerate(self.calls):
            original = first.setdefault(call.id, call)
            if call.id not in used:
                used.add(call.id)
            elif not policy.renames or self._is_copy(n, original):
                report(DuplicateToolCallDropped(call.id))
                if self.results[n] is not None:
                    report(DuplicateToolResultDropped(call.id))
                continue
            else:
                self._rename(n, used.unused(call.id), report)
            kept.append(n)
        if len(kept) < len(self.calls):
            self.message = with_calls(self.message, tuple(self.calls[n] for n in kept), kept)
            self.calls = [self.calls[n] for n in kept]
            self.results = [self.results[n] for n in kept]
            self.arrived = [self.arrived[n] for n in kept]
        elif self.calls != list(self.message.tool_calls):
            self.message = msgspec.structs.replace(self.message, tool_calls=tuple(self.calls))

    def write(
        self, out: list[Message], policy: ProjectionPolicy, report: OnAnomaly, *, trailing: bool
    ) -> None:
        if not self.calls and all(is_vacuous(part) for part in self.message.content):
            report(VacuousMessageDropped(self.message.role))
            return
        out.append(self.message)
        for n in self._order(policy, report):
            result = self.results[n]
            if result is not None:
                out.append(result)
            elif not (trailing and policy.frontier == "keep"):
                out.append(synthetic_result(self.calls[n].id))
                report(ToolResultSynthesized(self.calls[n].id, trailing=trailing))

    def _order(self, policy: ProjectionPolicy, report: OnAnomaly) -> list[int]:
        """The calls' numbers in the order in which their results are written."""
        numbers = list(range(len(self.calls)))
        came = sorted(
            (n for n in numbers if self.results[n] is not None), key=self.arrived.__getitem__
        )
        if came == sorted(came):
            return numbers
        if not policy.takes.results_in_any_order:
            report(ToolResultsSorted(self.calls[0].id))
            return numbers
        return _with_lost(came, [n for n in numbers if self.results[n] is None])

    def _is_copy(self, n: int, original: ToolCall) -> bool:
        """Whether a call is the same one written twice: same name and arguments, no own result."""
        call = self.calls[n]
        return (
            call is not original
            and self.results[n] is None
            and (call.name, call.arguments) == (original.name, original.arguments)
        )

    def _rename(self, n: int, new_id: str, report: OnAnomaly) -> None:
        call, result = self.calls[n], self.results[n]
        report(DuplicateToolCallRenamed(call.id, new_id))
        self.calls[n] = msgspec.structs.replace(call, id=new_id)
        if result is not None:
            self.results[n] = msgspec.structs.replace(result, tool_call_id=new_id)


class _Used(set[str]):
    """The ids of the calls so far, and how often each was used again."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, int] = {}

    def unused(self, call_id: str) -> str:
        """``<id>__2``, ``<id>__3`` …: the first that no earlier call has.

        Later calls do not count, so that what was sent before stays when the history grows.
        """
        number = self._last.get(call_id, 1) + 1
        while f"{call_id}__{number}" in self:
            number += 1
        self._last[call_id] = number
        new_id = f"{call_id}__{number}"
        self.add(new_id)
        return new_id


def _with_lost(came: list[int], lost: list[int]) -> list[int]:
    """The calls whose results came, each of the others before the first that is made after it."""
    out: list[int] = []
    most = -1
    waiting = 0
    for n in came:
        if n > most:
            most = n
            while waiting < len(lost) and lost[waiting] < n:
                out.append(lost[waiting])
                waiting += 1
        out.append(n)
    return [*out, *lost[waiting:]]


def _owners(places: Places) -> list[tuple[int, tuple[ToolCall, ...]]]:
    """The places of the messages that make calls, and the calls."""
    return [(n, m.tool_calls) for n, m in enumerate(places) if m is not None and m.tool_calls]


def _lend_results(paired: Paired) -> bool:
    """Give a call without a result the real one of a later call with its id, which is dropped.

    Returns whether that was done.
    """
    places = paired.places
    open_places: dict[str, int] = {}
    came = {place: n for n, place in enumerate(paired.arrivals)}
    lends = False
    for owner, calls in _owners(places):
        for n, call in enumerate(calls, owner + 1):
            if places[n] is None:
                open_places.setdefault(call.id, n)
            elif call.id in open_places:
                lent = open_places.pop(call.id)
                places[lent], places[n] = places[n], None
                # It came when it came, whoever has it now.
                paired.arrivals[came[n]] = lent
                lends = True
    return lends
