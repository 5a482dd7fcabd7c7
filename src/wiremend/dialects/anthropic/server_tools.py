"""Anthropic Messages: calls that the server makes itself, and their results.

Both are blocks of the assistant's, the call first, and no client can write either. A result that
a reminder or a stray message parted from its call goes back behind it, halves are dropped, and ids
are made unique and legal. Sources: reports 105 to 107, anthropics/claude-code#89348.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wiremend.dialects.anthropic.fields import NAME
from wiremend.dialects.arguments import dump_arguments, is_object, parse_arguments
from wiremend.dialects.base import SPLIT, Json, extras_of
from wiremend.dialects.names import Alphabet
from wiremend.model import Message, OpaquePart, Part, ToolCall, with_content
from wiremend.projection.anomalies import (
    ArgumentsMended,
    DuplicateToolCallRenamed,
    OnAnomaly,
    ServerToolDropped,
    ServerToolResultMoved,
    ToolCallIdMapped,
    VacuousMessageDropped,
)

CALLS = ("server_tool_use", "mcp_tool_use")

_PREFIX = "srvtoolu_"
_IDS = {
    "server_tool_use": Alphabet(r"srvtoolu_[a-zA-Z0-9_]+", 10_000),
    "mcp_tool_use": Alphabet(r"[a-zA-Z0-9_-]+", 10_000),
}


@dataclass(eq=False)
class _Block:
    """A call or a result: where it stands, and the other half where that was found."""

    index: int
    place: int
    turn: int
    data: Json
    other: _Block | None = None

    @property
    def kind(self) -> str:
        return str(self.data["type"])

    @property
    def is_call(self) -> bool:
        return self.kind in CALLS

    @property
    def tool_id(self) -> Any:
        return served_id(self.data)


def mend_server_tools(history: Sequence[Message], report: OnAnomaly) -> Sequence[Message]:
    """The history with each server call and its result together, and without halves."""
    blocks, last_turn = _blocks(history)
    if not blocks:
        return history
    _match(blocks)
    mending = _Mending(history, report)
    used: set[str] = set()
    for block in blocks:
        if block.is_call:
            if block.other is not None or block.turn == last_turn:
                mending.keep(block, used)
            else:
                mending.drop(block)
        elif block.other is None:
            mending.drop(block)
    return mending.done()


def served_id(data: Json) -> Any:
    """What ties a call of the server's and its result together."""
    return data.get("id" if data["type"] in CALLS else "tool_use_id")


def is_open_call(part: Part) -> bool:
    """Whether this is a call that the server makes: the last of a turn that was paused."""
    data = part.data if type(part) is OpaquePart else None
    return isinstance(data, dict) and data.get("type") in CALLS


def _blocks(history: Sequence[Message]) -> tuple[list[_Block], int]:
    """The calls and results in order, and the number of the last turn.

    A turn goes on across the results of client tools, and the last one may be paused: what is
    open in it stays, and the next request continues it.
    """
    found: list[_Block] = []
    turn = 0
    client = {call.id for message in history for call in message.tool_calls}
    for index, message in enumerate(history):
        if message.role == "user":
            turn += not _goes_on(history, index, client)
        elif message.role == "assistant":
            for place, part in enumerate(message.content):
                if type(part) is OpaquePart and part.provider == NAME and is_served(part.data):
                    found.append(_Block(index, place, turn, part.data))
    return found, turn


def is_served(data: Any) -> bool:
    """Whether a block is a call that the server makes, or the result of one."""
    kind = data.get("type") if isinstance(data, dict) else None
    return isinstance(kind, str) and (kind in CALLS or kind.endswith("_tool_result"))


def _goes_on(history: Sequence[Message], index: int, client: set[str]) -> bool:
    """Whether a user message came in the same wire message as a result for one of its calls."""
    split = extras_of(history[index], NAME).get(SPLIT)
    if split is None:
        return False
    beside = (history[n] for n in (index - 1, index + 1) if 0 <= n < len(history))
    return any(
        m.role == "tool" and m.tool_call_id in client and extras_of(m, NAME).get(SPLIT) == split
        for m in beside
    )


def _match(blocks: list[_Block]) -> None:
    """Join each result with the nearest call before it that has none, else with one behind it."""
    waiting: defaultdict[str, list[_Block]] = defaultdict(list)
    for block in blocks:
        if not (isinstance(block.tool_id, str) and block.tool_id):
            continue
        if block.is_call:
            waiting[block.tool_id].append(block)
        elif waiting[block.tool_id]:
            _join(waiting[block.tool_id].pop(), block)
    for block in blocks:
        if not block.is_call and block.other is None and waiting.get(str(block.tool_id)):
            _join(waiting[str(block.tool_id)].pop(0), block)


def _join(call: _Block, result: _Block) -> None:
    call.other, result.other = result, call


class _Mending:
    """What becomes of which part: nothing, or others in its place."""

    def __init__(self, history: Sequence[Message], report: OnAnomaly) -> None:
        self._history = history
        self._report = report
        self._instead: defaultdict[int, dict[int, list[Part]]] = defaultdict(dict)

    def drop(self, block: _Block) -> None:
        self._report(ServerToolDropped(str(block.tool_id or "")))
        self._instead[block.index][block.place] = []

    def keep(self, call: _Block, used: set[str]) -> None:
        """A call that stays, with its result where it has one."""
        result = call.other
        tool_id = self._legal_id(call, used)
        data = self._with_object({**call.data, "id": tool_id})
        if result is None:
            self._write(call, data)
        elif _strays(self._history, call, result):
            self._report(ServerToolResultMoved(tool_id))
            self._instead[result.index][result.place] = []
            moved = OpaquePart(NAME, {**result.data, "tool_use_id": tool_id})
            self._instead[call.index][call.place] = [OpaquePart(NAME, data), moved]
        else:
            self._write(call, data)
            self._write(result, {**result.data, "tool_use_id": tool_id})

    def done(self) -> Sequence[Message]:
        if not self._instead:
            return self._history
        mended: list[Message] = []
        for index, message in enumerate(self._history):
            if index not in self._instead:
                mended.append(message)
                continue
            left = self._mended(message, self._instead[index])
            if left.content or left.tool_calls:
                mended.append(left)
            else:
                # Dropped here, since an empty message is taken at the end of a request.
                self._report(VacuousMessageDropped(message.role))
        return mended

    def _mended(self, message: Message, instead: dict[int, list[Part]]) -> Message:
        content: list[Part] = []
        kept: list[int] = []
        for place, part in enumerate(message.content):
            for written in instead.get(place, [part]):
                content.append(written)
                kept.append(place)
        return with_content(message, tuple(content), kept)

    def _write(self, block: _Block, data: Json) -> None:
        if data != block.data:
            self._instead[block.index][block.place] = [OpaquePart(NAME, data)]

    def _legal_id(self, call: _Block, used: set[str]) -> str:
        """The call's id as the API takes it, and as no call before it has it."""
        was = str(call.tool_id or "")
        ids = _IDS[call.kind]
        legal = was
        if not ids.takes(was):
            legal = re.sub("-", "_", _PREFIX + ids.legal_id(was))
            self._report(ToolCallIdMapped(was, legal))
        number = 1
        unique = legal
        while unique in used:
            number += 1
            unique = f"{legal}__{number}"
        if unique != legal:
            self._report(DuplicateToolCallRenamed(was, unique))
        used.add(unique)
        return unique

    def _with_object(self, data: Json) -> Json:
        given = data.get("input")
        if isinstance(given, dict):
            return data
        if isinstance(given, str) and is_object(given):
            self._report(ArgumentsMended(data["id"], "parsed"))
        text = given if isinstance(given, str) else dump_arguments(given)
        call = ToolCall(data["id"], "", "" if given is None else text)
        return {**data, "input": parse_arguments(call, self._report)}


def _strays(history: Sequence[Message], call: _Block, result: _Block) -> bool:
    """Whether a result stands before its call, in another turn, or in what was the user's."""
    if result.turn != call.turn:
        return True
    # The assistant's part of a message that was not the assistant's.
    misplaced = SPLIT in extras_of(history[result.index], NAME)
    return misplaced or (result.index, result.place) < (call.index, call.place)
