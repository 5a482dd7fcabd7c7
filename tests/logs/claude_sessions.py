"""Claude Code's logs, written as it writes them: for the tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

SESSION = "7b0c1a52-6f5e-4d0e-9c0b-0f3f7d3a9e11"


class Session:
    """Records of a session, each the child of the one before unless said otherwise."""

    def __init__(self, version: str = "2.1.81") -> None:
        self.records: list[Any] = []
        self.last: str | None = None
        self._version = version
        self._count = 0

    def _add(self, kind: str, **fields: Any) -> str:
        self._count += 1
        uuid = fields.pop("uuid", f"00000000-0000-4000-8000-{self._count:012d}")
        record = {
            "parentUuid": fields.pop("parent", self.last),
            "isSidechain": False,
            "userType": "external",
            "cwd": "/srv/greenhouse",
            "sessionId": SESSION,
            "version": self._version,
            "gitBranch": "main",
            "type": kind,
            **fields,
            "uuid": uuid,
            "timestamp": f"2026-03-02T10:{self._count // 60:02d}:{self._count % 60:02d}.000Z",
        }
        self.records.append(record)
        self.last = uuid
        return str(uuid)

    def user(self, content: Any, **fields: Any) -> str:
        return self._add("user", message={"role": "user", "content": content}, **fields)

    def result(self, call: str, content: Any = "fine", **fields: Any) -> str:
        block = {"tool_use_id": call, "type": "tool_result", "content": content}
        about = {"stdout": content, "stderr": "", "interrupted": False}
        return self.user([block], toolUseResult=about, **fields)

    def answer(self, message: str, *blocks: dict[str, Any], **fields: Any) -> str:
        """An answer of the provider, or some of its blocks."""
        said = {
            "model": "claude-sonnet-4-5-20250929",
            "id": message,
            "type": "message",
            "role": "assistant",
            "content": list(blocks),
            "stop_reason": None,
            "usage": {"input_tokens": 3, "output_tokens": 11, "service_tier": "standard"},
        }
        return self._add("assistant", message=said, requestId="req_011", **fields)

    def system(self, subtype: str, **fields: Any) -> str:
        return self._add("system", subtype=subtype, level="info", **fields)

    def note(self, **record: Any) -> None:
        """A record outside of the tree."""
        self.records.append(record)

    def write(self, path: Path) -> Path:
        lines = (
            one if isinstance(one, str) else json.dumps(one, separators=(",", ":"))
            for one in self.records
        )
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def call(call_id: str, name: str = "Bash", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given or {"command": "ls"}}


def thought(said: str, signature: str = "c2lnbmVk" * 8) -> dict[str, Any]:
    return {"type": "thinking", "thinking": said, "signature": signature}


def whole() -> Session:
    """A session as it should be: blocks of one answer apart, results in between, a compaction."""
    session = Session()
    session.note(
        type="summary", summary="Watering", leafUuid="11111111-1111-4111-8111-111111111111"
    )
    session.note(type="file-history-snapshot", messageId="x", snapshot={}, isSnapshotUpdate=False)
    session.user("Is the soil dry?")
    session.answer("msg_01", thought("I should look."))
    session.answer("msg_01", text("Let me look."))
    one = session.answer("msg_01", call("toolu_01"))
    session.result("toolu_01", "12 %", sourceToolAssistantUUID=one)
    two = session.answer("msg_01", call("toolu_02"))
    session.result("toolu_02", "9 %", sourceToolAssistantUUID=two)
    before = session.answer("msg_02", text("Dry, both."))
    session.system("turn_duration", durationMs=1200, isMeta=False)
    session.system(
        "compact_boundary",
        parent=None,
        logicalParentUuid=before,
        content="Conversation compacted",
        compactMetadata={"trigger": "auto", "preTokens": 155000},
    )
    session.user(
        "This session is being continued from a previous conversation.",
        isCompactSummary=True,
        isVisibleInTranscriptOnly=True,
    )
    session.answer("msg_03", text("The soil is dry."))
    session.user("Water it.")
    first = session.answer("msg_04", call("toolu_03", "Water", bed=1))
    second = session.answer("msg_04", call("toolu_04", "Water", bed=2))
    session.result("toolu_03", "done", parent=first, sourceToolAssistantUUID=first)
    session.result("toolu_04", "done", parent=second, sourceToolAssistantUUID=second)
    session.answer("msg_05", text("Watered."))
    return session
