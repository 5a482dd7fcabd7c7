"""Where a repair happened, and where a fault stands: which entries they are about.

An anomaly has no place, only what it is about: a call, a role, a kind of media. Repairs are
reported in the order in which they were made, so the first of a kind is about the first place
that it can be about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from wiremend.inspector.entries import Block, Entry, Shown
from wiremend.inspector.linking import Linked, blocks_with
from wiremend.inspector.matching import MEDIA
from wiremend.inspector.reasons import rules_of
from wiremend.model import is_blank
from wiremend.projection import Anomaly
from wiremend.rules import Violation

Places: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""Entries on the left and on the right, by their numbers."""


class Repair(Shown):
    """A repair as a person reads it: ``said`` what was done, ``doc`` what was wrong.

    ``rules`` are the codes of the rules that it is about, ``left`` and ``right`` its entries.
    """

    kind: str
    said: str
    doc: str
    rules: Sequence[str] = ()
    left: Sequence[int] = ()
    right: Sequence[int] = ()
    silent: bool = False


class Problem(Shown):
    """Something that a provider refuses. ``entry`` counts on its side; -1: no entry's."""

    code: str
    rule: str
    pointer: str
    message: str
    provider_error: str
    fixable: bool
    entry: int = -1


def place_violations(found: Iterable[Violation], entries: Sequence[Entry]) -> list[Problem]:
    """The violations of a body, each at the entry that its pointer leads into."""
    homes = {entry.pointer: number for number, entry in enumerate(entries)}
    return [
        Problem(
            one.code,
            one.rule,
            one.pointer,
            one.message,
            one.provider_error,
            one.fixable,
            _home(one.pointer, homes),
        )
        for one in found
    ]


def _home(pointer: str, homes: Mapping[str, int]) -> int:
    steps = pointer.split("/")
    for end in range(min(len(steps), 3), 1, -1):
        found = homes.get("/".join(steps[:end]))
        if found is not None:
            return found
    return -1


def place_repairs(
    anomalies: Sequence[Anomaly],
    dialect: str,
    left: Sequence[Entry],
    right: Sequence[Entry],
    linked: Linked,
    *,
    problems: Sequence[Problem],
) -> list[Repair]:
    """The repairs with their places, in the order in which they were reported.

    ``problems`` are of the left side: where nothing else tells the place of a repair, the fault
    that it is about does.
    """
    placer = _Placer(left, right, linked)
    faults: dict[str, deque[int]] = {}
    for problem in problems:
        if problem.entry >= 0:
            faults.setdefault(problem.code, deque()).append(problem.entry)
    out = []
    for anomaly in anomalies:
        lefts, rights = placer.place(anomaly)
        codes = [one.code for one in rules_of(anomaly.kind, dialect)]
        if not lefts and not rights and anomaly.kind not in _BESIDE_MESSAGES:
            lefts, rights = placer.at_fault(faults, codes)
        out.append(
            Repair(
                anomaly.kind,
                anomaly.describe(),
                _first_words(type(anomaly).__doc__ or ""),
                codes,
                lefts,
                rights,
                silent=getattr(anomaly, "trailing", False) is True,
            )
        )
    return out


def _first_words(doc: str) -> str:
    """What a kind of repair is about, without what its documentation says of its fields."""
    words = " ".join(doc.partition("``")[0].split())
    # What comes behind the last full stop was about a field.
    return words if words.endswith(".") else words.rpartition(";")[0].rstrip() + "."


class _Placer:
    """Gives each repair of a kind the next place that it can be about."""

    def __init__(self, left: Sequence[Entry], right: Sequence[Entry], linked: Linked) -> None:
        self._left = left
        self._right = right
        self._to_right: dict[int, list[int]] = {}
        self._to_left: dict[int, list[int]] = {}
        for one in linked.links:
            self._to_right.setdefault(one.left, []).append(one.right)
            self._to_left.setdefault(one.right, []).append(one.left)
        self._queues: dict[object, deque[int]] = {}
        self._ids = {"left": _by_id(left), "right": _by_id(right)}

    def at_fault(self, faults: Mapping[str, deque[int]], codes: Sequence[str]) -> Places:
        """The place of the next fault of one of these rules."""
        for code in codes:
            if faults.get(code):
                number = faults[code].popleft()
                return [number], self._to_right.get(number, ())
        return (), ()

    def place(self, anomaly: Anomaly) -> Places:
        found = self._special(anomaly)
        if found is None and (call_id := _subject(anomaly)):
            found = self._of_call(anomaly, call_id)
        if found is None and (name := getattr(anomaly, "name", None)):
            homes = self._ids["left"].get(("name", name), ())
            number = self._next((anomaly.kind, name), homes)
            found = None if number is None else ([number], self._to_right.get(number, ()))
        if found is None and (role := getattr(anomaly, "role", None)):
            found = self._changed(role)
        return found or ((), ())

    def _special(self, anomaly: Anomaly) -> Places | None:
        kind = anomaly.kind
        role = getattr(anomaly, "role", "")
        if kind in _BLANK_KINDS:
            empty = kind == "empty_text_dropped"
            return self._from_left(
                (kind, role),
                lambda entry: (
                    _has_role(entry, role)
                    and any(_is_gone(b, empty=empty) for b in blocks_with(entry))
                ),
            )
        if kind in _WHOLE_KINDS:
            return self._from_left(
                ("whole", role),
                lambda e: e.state == "dropped" and not e.partial and _has_role(e, role),
            )
        if kind in _INSERTED_KINDS:
            speaker = _INSERTED_KINDS[kind]
            return self._from_right(
                ("new", speaker), lambda e: e.state == "added" and e.speaker == speaker
            )
        if kind in _MERGED_KINDS:
            return self._merged()
        if kind in _MEDIA_KINDS:
            return self._from_left(
                "media",
                lambda e: any(b.kind in MEDIA and b.state != "same" for b in blocks_with(e)),
            )
        if kind == "thinking_dropped":
            return self._from_left(
                kind, lambda e: any(b.kind == "thinking" and b.state == "dropped" for b in e.blocks)
            )
        if kind in ("surrogate_replaced", "number_replaced"):
            homes = {entry.pointer: number for number, entry in enumerate(self._left)}
            home = _home(getattr(anomaly, "pointer", ""), homes)
            return ([home], self._to_right.get(home, ())) if home >= 0 else None
        return None

    def _of_call(self, anomaly: Anomaly, call_id: str) -> Places | None:
        if anomaly.kind == "tool_result_synthesized":
            return self._invented(call_id)
        new_id = getattr(anomaly, "new_id", None)
        if isinstance(new_id, str):
            rights = self._ids["right"].get(("call", new_id), [])
            if rights:
                return self._to_left.get(rights[0], ()), rights[:1]
        if anomaly.kind in _GONE_RESULTS:
            return self._from_left(
                ("gone", call_id),
                lambda e: _holds(e, "result", call_id, "dropped"),
                self._ids["left"].get(("result", call_id), ()),
            )
        kinds = ("call", "result") if anomaly.kind in _ABOUT_CALLS else ("result", "call")
        for kind in kinds:
            homes = self._ids["left"].get((kind, call_id), ())
            if homes:
                number = self._next((anomaly.kind, call_id), homes)
                at = homes[0] if number is None else number
                return [at], self._to_right.get(at, ())
        return None

    def _invented(self, call_id: str) -> Places | None:
        right = self._ids["right"]
        if ("result", call_id) not in right:
            # The id is one that the wire does not have, or has another one for.
            olds = self._ids["left"].get(("call", call_id), ())
            news = [n for old in olds for n in self._to_right.get(old, ())]
            ids = {block.call for n in news for block in self._right[n].blocks if block.call}
            call_id = next((one for one in sorted(ids) if ("result", one) in right), "")
        homes = right.get(("result", call_id), ())
        added = [n for n in homes if _holds(self._right[n], "result", call_id, "added")]
        number = self._next(("invented", call_id), added)
        calls = self._ids["right"].get(("call", call_id), ())
        if number is None:
            return self._to_left.get(calls[0], ()) if calls else (), calls[:1]
        made = max((n for n in calls if n <= number), default=number)
        return self._to_left.get(made, ()), [number]

    def _merged(self) -> Places | None:
        if "merged" not in self._queues:
            several = ((n, len(found)) for n, found in sorted(self._to_left.items()))
            self._queues["merged"] = deque(n for n, many in several for _ in range(many - 1))
        queue = self._queues["merged"]
        if not queue:
            return None
        number = queue.popleft()
        return self._to_left[number], [number]

    def _changed(self, role: str) -> Places | None:
        return self._from_left(
            ("changed", role), lambda e: e.state == "changed" and _has_role(e, role)
        )

    def _from_left(
        self, key: object, wanted: Callable[[Entry], bool], among: Iterable[int] | None = None
    ) -> Places | None:
        places = range(len(self._left)) if among is None else among
        number = self._next(key, (n for n in places if wanted(self._left[n])))
        return None if number is None else ([number], self._to_right.get(number, ()))

    def _from_right(self, key: object, wanted: Callable[[Entry], bool]) -> Places | None:
        number = self._next(key, (n for n, e in enumerate(self._right) if wanted(e)))
        return None if number is None else ((), [number])

    def _next(self, key: object, places: Iterable[int]) -> int | None:
        if key not in self._queues:
            self._queues[key] = deque(places)
        queue = self._queues[key]
        return queue.popleft() if queue else None


_BESIDE_MESSAGES = frozenset(
    ("tools_declared", "tool_definition_reshaped", "empty_tool_list_dropped")
)
_BLANK_KINDS = frozenset(("whitespace_text_dropped", "empty_text_dropped"))
_WHOLE_KINDS = frozenset(
    ("vacuous_message_dropped", "leading_non_user_dropped", "tool_result_without_id_dropped")
)
_INSERTED_KINDS = {
    "leading_user_inserted": "user",
    "final_user_inserted": "user",
    "bridge_inserted": "assistant",
    "results_separated": "assistant",
}
_MERGED_KINDS = frozenset(("neighbours_merged", "consecutive_assistants_merged"))
_MEDIA_KINDS = frozenset(("media_replaced", "media_relabelled", "media_moved", "image_refitted"))
_GONE_RESULTS = frozenset(("orphan_tool_result_dropped", "duplicate_tool_result_dropped"))
_ABOUT_CALLS = frozenset(
    ("arguments_mended", "tool_call_id_mapped", "duplicate_tool_call_dropped", "reasoning_filled")
)


def _by_id(entries: Sequence[Entry]) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for number, entry in enumerate(entries):
        for key in _keys(entry):
            homes = found.setdefault(key, [])
            if not homes or homes[-1] != number:
                homes.append(number)
    return found


def _keys(entry: Entry) -> Iterator[tuple[str, str]]:
    for block in entry.blocks:
        if block.kind in ("call", "result"):
            yield block.kind, block.call
        if block.name:
            yield "name", block.name


def _subject(anomaly: Anomaly) -> str:
    for name in ("tool_call_id", "tool_use_id"):
        found = getattr(anomaly, name, None)
        if isinstance(found, str):
            return found
    return ""


def _has_role(entry: Entry, role: str) -> bool:
    if role in (entry.speaker, entry.role):
        return True
    # What a tool said stands in a user's message on some wires.
    return role == "tool" and any(block.kind == "result" for block in entry.blocks)


def _is_gone(block: Block, *, empty: bool) -> bool:
    return (
        block.kind == "text"
        and block.state == "dropped"
        and is_blank(block.text)
        and (block.text == "") is empty
    )


def _holds(entry: Entry, kind: str, call_id: str, state: str) -> bool:
    return any(
        block.kind == kind and block.call == call_id and block.state == state
        for block in entry.blocks
    )
