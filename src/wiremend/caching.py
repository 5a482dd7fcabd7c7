"""Prompt caches: where to mark what stays, and how much of a request equals the one before.

A provider's cache is a prefix: it holds for as long as tools, system prompt and messages are, byte
for byte, what they were. Some find it by themselves, some want marks in the request.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects import find_dialect
from wiremend.dialects.base import Json
from wiremend.dialects.settings import Settings
from wiremend.errors import Path, pointer
from wiremend.model import is_blank
from wiremend.projection import Anomaly

MOST_MARKS = 4
"""platform.claude.com, "Prompt caching": at most four in a request; Bedrock says the same."""

_HEADS = ("tools", "toolConfig", "system", "systemInstruction", "instructions")
"""What providers read before the messages, in their order; a request has some of them."""
_UNMARKABLE = frozenset(("thinking", "redacted_thinking"))
_encode = msgspec.json.Encoder().encode


def cache_key_fields(dialect: str, key: str) -> Json:
    """The fields by which a provider is told which requests go together; none where it has none.

    ``key`` stays the same for a session, such as its id.
    """
    write = find_dialect(dialect).write_settings
    plain, keyed = write(Settings()).fields, write(Settings(cache_key=key)).fields
    return {name: value for name, value in keyed.items() if value != plain.get(name)}


# --- marks ------------------------------------------------------------------------------------


def mark_cache(body: Json, dialect: str) -> Json:
    """The request with cache marks where its provider wants some; the input is not changed.

    Marked are, as far as four marks reach and the caller has set none there: the last message,
    the last one before the last prompt or result (which the request before ended with), the
    system prompt and the tool table. Other providers' requests come back as they are.
    """
    marker = _MARKERS.get(dialect)
    if marker is None:
        return body
    out = dict(body)
    room = MOST_MARKS - marker.count(body)
    for place in (_last, _last_before, _system, _tools):
        if room > 0:
            room -= place(out, marker)
    return out


class _Marker(msgspec.Struct, frozen=True):
    """How a dialect marks: a field on the last block, or a block of its own behind it."""

    field: str | None
    mark: Json

    def count(self, value: Any) -> int:
        """How many marks there are in a body."""
        if isinstance(value, list):
            return sum(map(self.count, value))
        if not isinstance(value, dict):
            return 0
        name = self.field or next(iter(self.mark))
        return (name in value) + sum(map(self.count, value.values()))

    def marked(self, blocks: Sequence[Any]) -> list[Any] | None:
        """The blocks, the last that may be marked marked; None: one is already, or none may be."""
        for index in range(len(blocks) - 1, -1, -1):
            block = blocks[index]
            if self.count(block):
                return None
            if not _may_be_marked(block):
                continue
            if self.field is None:
                return [*blocks[: index + 1], self.mark, *blocks[index + 1 :]]
            return [*blocks[:index], {**block, self.field: self.mark}, *blocks[index + 1 :]]
        return None


_MARKERS = {
    "anthropic": _Marker("cache_control", {"type": "ephemeral"}),
    "bedrock": _Marker(None, {"cachePoint": {"type": "default"}}),
}


def _may_be_marked(block: Any) -> bool:
    if not isinstance(block, dict):
        return False
    text = block.get("text")
    is_empty = isinstance(text, str) and is_blank(text)
    is_thinking = block.get("type") in _UNMARKABLE or "reasoningContent" in block
    # A tool that is loaded later is not part of the prefix.
    return not (is_empty or is_thinking or block.get("defer_loading"))


def _mark_message(body: Json, index: int, marker: _Marker) -> bool:
    message = body["messages"][index]
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    marked = marker.marked(content) if isinstance(content, list) else None
    if marked is None:
        return False
    messages = list(body["messages"])
    messages[index] = {**message, "content": marked}
    body["messages"] = messages
    return True


def _messages(body: Json) -> list[Any]:
    messages = body.get("messages")
    return messages if isinstance(messages, list) else []


def _last(body: Json, marker: _Marker) -> bool:
    return bool(_messages(body)) and _mark_message(body, len(body["messages"]) - 1, marker)


def _last_before(body: Json, marker: _Marker) -> bool:
    """Where the request before ended: the user message before the last one."""
    roles = [m.get("role") if isinstance(m, dict) else None for m in _messages(body)]
    users = [index for index, role in enumerate(roles[:-1]) if role == "user"]
    return bool(users) and _mark_message(body, users[-1], marker)


def _system(body: Json, marker: _Marker) -> bool:
    system = body.get("system")
    if isinstance(system, str) and not is_blank(system):
        system = [{"type": "text", "text": system}]
    marked = marker.marked(system) if isinstance(system, list) else None
    if marked is not None:
        body["system"] = marked
    return marked is not None


def _tools(body: Json, marker: _Marker) -> bool:
    config = body.get("toolConfig")
    holder = config if isinstance(config, dict) else body
    tools = holder.get("tools")
    marked = marker.marked(tools) if isinstance(tools, list) else None
    if marked is None:
        return False
    if holder is body:
        body["tools"] = marked
    else:
        body["toolConfig"] = {**holder, "tools": marked}
    return True


# --- prefix -----------------------------------------------------------------------------------


class Prefix(msgspec.Struct, frozen=True, rename="camel"):
    """How much of a request is what the one before began with.

    ``bytes`` of ``of_bytes`` (of the earlier request) and ``messages`` of ``of_messages`` are the
    same from the start. ``broken_at`` is a JSON pointer to the first thing that is not, None where
    the earlier request is whole in the later one; ``repairs`` are those of the later request that
    can have been the reason.
    """

    messages: int
    of_messages: int
    bytes: int
    of_bytes: int
    broken_at: str | None = None
    repairs: tuple[Anomaly, ...] = ()


def compare_prefix(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    dialect: str,
    *,
    repaired_before: Iterable[Anomaly] = (),
    repaired_after: Iterable[Anomaly] = (),
) -> Prefix:
    """What a provider's prompt cache can reuse of ``before`` for ``after``, two request bodies.

    With the repairs of both requests, those that are new are named.
    """
    holds = find_dialect(dialect).holds
    old, new = list(_sections(before, holds)), list(_sections(after, holds))
    of_bytes = sum(len(_encode(value)) for _, value in old)
    of_messages = sum(1 for path, _ in old if path[0] == holds)
    same = messages = 0
    for (path, value), (new_path, new_value) in zip(old, new, strict=False):
        if path != new_path or value != new_value:
            return Prefix(
                messages,
                of_messages,
                same + _common(_encode(value), _encode(new_value)),
                of_bytes,
                pointer(_first_difference(value, new_value, new_path)),
                _suspects(new_value, repaired_before, repaired_after),
            )
        same += len(_encode(value))
        messages += path[0] == holds
    ended = None if len(old) <= len(new) else pointer(old[len(new)][0])
    repairs = _suspects(None, repaired_before, repaired_after) if ended else ()
    return Prefix(messages, of_messages, same, of_bytes, ended, repairs)


def _sections(body: Mapping[str, Any], holds: str) -> Iterator[tuple[Path, Any]]:
    """A body in the order in which it is read: what stands before the messages, then each."""
    for name in _HEADS:
        if name in body:
            yield (name,), body[name]
    items = body.get(holds)
    if isinstance(items, list):
        yield from (((holds, index), item) for index, item in enumerate(items))
    elif items is not None:
        yield (holds,), items


def _common(one: bytes, other: bytes) -> int:
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return index
    return min(len(one), len(other))


def _first_difference(old: Any, new: Any, path: Path) -> Path:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*old, *new]:
            if old.get(name) != new.get(name) or (name in old) != (name in new):
                return _first_difference(old.get(name), new.get(name), (*path, name))
    if isinstance(old, list) and isinstance(new, list):
        for index in range(max(len(old), len(new))):
            if index >= min(len(old), len(new)):
                return (*path, index)
            if old[index] != new[index]:
                return _first_difference(old[index], new[index], (*path, index))
    return path


def _suspects(
    changed: Any, before: Iterable[Anomaly], after: Iterable[Anomaly]
) -> tuple[Anomaly, ...]:
    """The repairs that only the later request needed: those about this message, or else all."""
    known = Counter(before)
    fresh: list[Anomaly] = []
    for anomaly in after:
        if known[anomaly]:
            known[anomaly] -= 1
        else:
            fresh.append(anomaly)
    text = _encode(changed).decode()
    about = [a for a in fresh if any(_encode(value).decode() in text for value in _ids(a))]
    return tuple(about or fresh)


def _ids(anomaly: Anomaly) -> list[str]:
    fields = msgspec.structs.asdict(anomaly)
    named = ("tool_call_id", "new_id", "name", "new_name", "tool_use_id")
    return [fields[name] for name in named if isinstance(fields.get(name), str)]
