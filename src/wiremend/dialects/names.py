"""Call ids and tool names in a provider's alphabet and length.

A legal name stays. An illegal id becomes its legal characters and a hash of the whole, so that two
different ids never become one, and the same id always becomes the same (reports 096, 099).
"""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from wiremend.model import Message, ToolCall
from wiremend.projection.anomalies import OnAnomaly, ToolCallIdMapped, ToolNameMapped

_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]")
_HASHED = 8
_LETTERS = string.ascii_letters + string.digits


class Alphabet(msgspec.Struct, frozen=True):
    """What a provider takes as an id or a name: a pattern that matches whole, and a length."""

    pattern: str
    longest: int

    def takes(self, name: str) -> bool:
        """Whether the name can be sent as it is."""
        return len(name) <= self.longest and _whole(self.pattern)(name) is not None

    def refused(self, names: Iterable[str]) -> set[str]:
        """Those of the names that cannot be sent as they are."""
        matches, longest = _whole(self.pattern), self.longest
        return {name for name in set(names) if len(name) > longest or not matches(name)}

    def legal_id(self, name: str) -> str:
        """An id that is taken, different for each name."""
        room = self.longest - _HASHED - 1
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASHED]
        return f"{_ILLEGAL.sub('_', name)[:room]}_{digest}"

    def legal_name(self, name: str, used: Iterable[str]) -> str:
        """A tool name that is taken and not in use; readable before all."""
        plain = _ILLEGAL.sub("_", name)[: self.longest] or "unnamed_tool"
        if not self.takes(plain):
            plain = f"tool_{plain}"[: self.longest]
        if plain not in used:
            return plain
        hashed = self.legal_id(name)
        return hashed if self.takes(hashed) else self.legal_id(f"tool_{name}")


class ShortIds(Alphabet, frozen=True):
    """Ids of a fixed length that letters and digits fill: there is only room for a hash."""

    def legal_id(self, name: str) -> str:
        """``longest`` letters and digits, made from the whole name."""
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
        number = int.from_bytes(digest)
        out = ""
        for _ in range(self.longest):
            number, place = divmod(number, len(_LETTERS))
            out += _LETTERS[place]
        return out


@lru_cache(maxsize=64)
def _whole(pattern: str) -> Callable[[str], re.Match[str] | None]:
    """What matches a whole text, without looking for the compiled pattern each time."""
    return re.compile(pattern).fullmatch


def map_ids(messages: Sequence[Message], ids: Alphabet, report: OnAnomaly) -> Sequence[Message]:
    """The messages with illegal call ids replaced, the same in call and result.

    An id that was replaced before may be there beside the one that it was made from: histories
    are put together from what was sent and what was kept.
    """
    called = {call.id for message in messages for call in message.tool_calls}
    answered = {m.tool_call_id for m in messages if m.tool_call_id is not None}
    refused = ids.refused(called | answered)
    if not refused:
        return messages
    mapped: dict[str, str] = {}
    used = called - refused
    out = list(messages)
    for index, message in enumerate(messages):
        changed = message
        if any(call.id in refused for call in message.tool_calls):
            calls = tuple(
                _mapped_call(call, ids, mapped, used, report) for call in message.tool_calls
            )
            changed = msgspec.structs.replace(changed, tool_calls=calls)
        call_id = message.tool_call_id
        if call_id is not None and call_id in refused:
            # A result whose call was legal cannot be here: pairing saw to it.
            new_id = mapped.get(call_id) or ids.legal_id(call_id)
            changed = msgspec.structs.replace(changed, tool_call_id=new_id)
        out[index] = changed
    return out


def map_names(
    messages: Sequence[Message], tools: Any, names: Alphabet, report: OnAnomaly
) -> tuple[Sequence[Message], dict[str, str]]:
    """The messages with illegal tool names replaced, and what became of which name.

    ``tools`` are the names that the request defines: a replacement never takes one of theirs.
    """
    called = {call.name for message in messages for call in message.tool_calls}
    refused = names.refused({*called, *tools})
    if not refused:
        return messages, {}
    mapped: dict[str, str] = {}
    used = {name for name in tools if name not in refused}
    for name in tools:
        _map_name(name, names, mapped, used, report)
    out = list(messages)
    for index, message in enumerate(messages):
        if any(call.name in refused for call in message.tool_calls):
            for call in message.tool_calls:
                _map_name(call.name, names, mapped, used, report)
            calls = tuple(
                msgspec.structs.replace(call, name=mapped.get(call.name, call.name))
                for call in message.tool_calls
            )
            out[index] = msgspec.structs.replace(message, tool_calls=calls)
    return out, mapped


def _mapped_call(
    call: ToolCall, ids: Alphabet, mapped: dict[str, str], used: set[str], report: OnAnomaly
) -> ToolCall:
    if ids.takes(call.id):
        return call
    if call.id not in mapped:
        made = ids.legal_id(call.id)
        while made in used:
            made = ids.legal_id(f"{call.id} {made}")
        used.add(made)
        mapped[call.id] = made
        report(ToolCallIdMapped(call.id, mapped[call.id]))
    return msgspec.structs.replace(call, id=mapped[call.id])


def _map_name(
    name: str, names: Alphabet, mapped: dict[str, str], used: set[str], report: OnAnomaly
) -> None:
    if names.takes(name) or name in mapped:
        return
    mapped[name] = names.legal_name(name, used)
    used.add(mapped[name])
    report(ToolNameMapped(name, mapped[name]))
