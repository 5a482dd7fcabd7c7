"""Claude Code's records, edited: a mended conversation in them, and the tree of them still one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence, Set
from itertools import count, pairwise
from typing import Any

from wiremend.logs.aligning import Slot, Spoken, arrange
from wiremend.logs.base import Conversation, Edits, Json, Record, objects
from wiremend.logs.claude_chain import Link, Tree
from wiremend.logs.claude_code import EMPTY, SYNTHETIC, is_result

BEGINNING = -2
"""The place before the first record of a conversation."""
_NO_CONTENT = "(no content)"
"""What Claude Code itself writes where a message has to be and nothing was said."""


def write_back(records: Sequence[Record], conversation: Conversation, body: Json) -> Edits:
    """The edits after which the session holds the mended messages."""
    tree = Tree(records)
    written = {p.home.record for p in conversation.pieces if p.home is not None}
    links = _links_of(tree, written)
    chain = _Chain(tree, links, written)
    kept: set[int] = set()
    for slot in arrange(conversation.pieces, list(_spoken(body))):
        if slot.record is None:
            chain.insert(slot)
        else:
            kept.add(slot.record)
            chain.keep(slot)
    for record in sorted(written - kept):
        chain.remove(record)
    return chain.edits()


def _links_of(tree: Tree, written: set[int]) -> list[Link]:
    leaves = [leaf for leaf in (tree.leaf(), *tree.side_leaves()) if leaf is not None]
    for leaf in leaves:
        links = tree.conversation(leaf)
        if written <= {link.record for link in links}:
            return links
    return []


def _spoken(body: Json) -> Iterator[Spoken]:
    for number, message in enumerate(body["messages"]):
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks or [EMPTY]:
            yield Spoken(message["role"], block, number)


class _Chain:
    """The records of a conversation while they are edited: none may lose its parent."""

    def __init__(self, tree: Tree, links: Sequence[Link], written: Set[int]) -> None:
        self._tree = tree
        self._ids = set(tree.ids)
        self._places = {link.record: place for place, link in enumerate(links)}
        self._beside = {link.record for link in links if link.is_beside}
        self._path = [link.record for link in links if not link.is_beside]
        self._contents: dict[int, list[Any]] = {}
        self._calls: dict[Any, int] = {}
        self._parents: dict[int, str | None] = {}
        self._removed: set[int] = set()
        self._new: dict[int, list[Json]] = {}
        self._heirs: dict[str, str | None] = {}
        # Before the first message there may be a compaction's mark, or nothing.
        first = next((n for n, one in enumerate(self._path) if one in written), 0)
        self._last = self._last_on_path = self._path[first - 1] if first else BEGINNING
        self._places[BEGINNING] = -1

    def keep(self, slot: Slot) -> None:
        """A record of the log goes on to hold these pieces."""
        record = slot.record
        assert record is not None
        self._last = max(self._last, record, key=self._places.__getitem__)
        if record not in self._beside:
            self._last_on_path = self._last
        content = [said.value for said in slot.pieces if said.value is not EMPTY]
        self._contents[record] = content
        for block in objects(content):
            self._calls.setdefault(block.get("id"), record)

    def insert(self, slot: Slot) -> None:
        """A new record holds these pieces, behind the last one and behind the calls it answers."""
        after = self._last
        called = (said.value.get("tool_use_id") for said in slot.pieces if is_result(said.value))
        homes = {self._calls[call_id] for call_id in called if call_id in self._calls}
        for home in homes:
            is_later = self._places[home] > self._places[after]
            after = home if is_later or after in self._beside else after
        if after in self._beside and after not in homes:
            after = self._last_on_path
        self._new.setdefault(after, []).append(self._record(slot, after))

    def _record(self, slot: Slot, after: int) -> Json:
        """A record like those around it, with an id that follows from where it stands."""
        near = self._tree.values[self._path[0] if after == BEGINNING else after]
        uuid = self._new_uuid(str(near["uuid"]))
        role = slot.pieces[0].role
        if slot.source is not None and self._tree.values[slot.source].get("type") == role:
            moved = self._tree.values[slot.source]
            message = {**moved["message"], "content": [said.value for said in slot.pieces]}
            return {**moved, "uuid": uuid, "message": message}
        envelope = {name: near[name] for name in _ENVELOPE if name in near}
        content = [_as_failed(said.value) for said in slot.pieces]
        message = {"role": role, "content": content}
        record = {"parentUuid": None, **envelope, "type": role, "message": message, "uuid": uuid}
        if role == "assistant":
            record["message"] = {"id": f"msg_{uuid}", "type": "message", **_SYNTHESIS, **message}
        elif len(content) == 1 and is_result(content[0]):
            record["toolUseResult"] = f"Error: {content[0].get('content')}"
        return record

    def _new_uuid(self, near: str) -> str:
        uuid = next(u for number in count() if (u := _uuid(f"{near}/{number}")) not in self._ids)
        self._ids.add(uuid)
        return uuid

    def remove(self, record: int) -> None:
        """A record goes; what named it as its parent gets its own parent."""
        self._removed.add(record)
        value = self._tree.values[record]
        self._heirs[value["uuid"]] = self._tree.parents.get(record)

    def edits(self) -> Edits:
        """All of it, with the links drawn anew where they have to be."""
        self._keep_leaf()
        self._draw_links()
        changed = {}
        for record, value in enumerate(self._tree.values):
            if record not in self._removed and isinstance(value, dict):
                now = self._with_content(record, self._linked(record, value))
                if now != value:
                    changed[record] = now
        new = dict(self._new)
        if BEGINNING in new:
            new[self._path[0] - 1] = new.pop(BEGINNING)
        return Edits(changed, self._removed, new)

    def _keep_leaf(self) -> None:
        """Let the conversation end where it did: the tool goes on from the last record."""
        leaf = self._path[-1]
        if leaf != self._tree.leaf() or leaf not in self._removed:
            return
        others = self._tree.leaf(self._removed)
        if others is not None and others not in self._places:
            self._removed.discard(leaf)
            del self._heirs[self._tree.values[leaf]["uuid"]]
            self._contents[leaf] = [{"type": "text", "text": _NO_CONTENT}]

    def _draw_links(self) -> None:
        """New records stand between their neighbours on the way to the root."""
        path = [BEGINNING, *(record for record in self._path if record not in self._removed)]
        follower = dict(pairwise(path))
        for after, new in self._new.items():
            parent = self._tree.values[after]["uuid"] if after != BEGINNING else self._root()
            for record in new:
                record["parentUuid"] = parent
                parent = record["uuid"]
            if after in follower:
                self._parents[follower[after]] = parent

    def _root(self) -> str | None:
        """What the first record goes on from: a session may be another's sequel."""
        parent = self._tree.values[self._path[0]].get("parentUuid")
        return parent if isinstance(parent, str) else None

    def _linked(self, record: int, value: Json) -> Json:
        changed = dict(value)
        if record in self._parents:
            changed["parentUuid"] = self._parents[record]
        for name in ("parentUuid", "logicalParentUuid", "leafUuid", "sourceToolAssistantUUID"):
            uuid = changed.get(name)
            passed: set[str] = set()
            while isinstance(uuid, str) and uuid in self._heirs and uuid not in passed:
                passed.add(uuid)
                uuid = self._heirs[uuid]
            if name in changed:
                changed[name] = uuid
        return changed

    def _with_content(self, record: int, value: Json) -> Json:
        content = self._contents.get(record)
        if content is None:
            return value
        message = value["message"]
        was = message.get("content")
        if was == content or (isinstance(was, str) and content == [{"type": "text", "text": was}]):
            return value
        return {**value, "message": {**message, "content": content}}


_SYNTHESIS = {
    "model": SYNTHETIC,
    "stop_reason": None,
    "usage": {"input_tokens": 0, "output_tokens": 0},
}
_ENVELOPE = (
    *("isSidechain", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch"),
    *("slug", "agentId", "teamName", "agentName", "timestamp"),
)


def _as_failed(block: Any) -> Any:
    """A result that nobody has is written as Claude Code writes those of calls that failed."""
    return {**block, "is_error": True} if is_result(block) and "is_error" not in block else block


def _uuid(seed: str) -> str:
    """An id of the form of the others, the same for the same place in a log."""
    digits = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:32]}"
