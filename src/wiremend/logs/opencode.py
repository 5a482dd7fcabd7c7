"""opencode: a session as ``opencode export`` writes it, messages of parts.

A part of type ``tool`` holds a call and, in its state, what came of it. A compaction is a prompt
with a part of that type, and an answer marked as its summary: what is before it is not sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wiremend.logs.base import Conversation, Home, Json, Piece, Reading, Record, numbered, objects
from wiremend.logs.closing import anthropic_closing, chat_closing, closed
from wiremend.logs.faults import unreadable

_SENT = ("text", "reasoning", "tool", "file", "compaction")
_CLEARED = "[Old tool result content cleared]"
_COMPACTION = "What did we do so far?"


def recognise(value: Any) -> bool:
    """Whether a value is an exported session."""
    if not isinstance(value, dict) or not isinstance(value.get("info"), dict):
        return False
    messages = value.get("messages")
    return isinstance(messages, list) and all(map(_is_message, messages[:2]))


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and {"info", "parts"} <= value.keys()


class Said(NamedTuple):
    """A part of a message that is sent."""

    kind: str
    role: str
    part: Json
    pointer: str


def read(records: Sequence[Record]) -> Reading:
    """The conversation that the session goes on from."""
    found: list[Conversation] = []
    for index, record in enumerate(records):
        if recognise(record.value):
            found += _conversations(record.value, index)
    return Reading(found, list(unreadable(records)))


def _conversations(session: Json, index: int) -> Iterator[Conversation]:
    messages = [list(_parts(message, number)) for number, message in _kept(session)]
    model = _model(session)
    talks = _Blocks() if model[0] == "anthropic" else _Chat()
    for parts in messages:
        if parts:
            talks.add(parts, index)
    if talks.messages:
        yield talks.conversation(model[1])


def _kept(session: Json) -> list[tuple[int, Json]]:
    """The messages since the last compaction that was completed, with their numbers."""
    messages = numbered(session["messages"])
    start = 0
    for place, (_, message) in enumerate(messages):
        info = _info(message)
        if info.get("summary") is True and info.get("finish"):
            prompts = enumerate(messages[:place])
            above = (n for n, (_, one) in prompts if _info(one).get("id") == info.get("parentID"))
            start = next(above, start)
    return messages[start:]


def _info(message: Json) -> Json:
    info = message.get("info")
    return info if isinstance(info, dict) else {}


def _model(session: Json) -> tuple[str, str | None]:
    """The provider that the session goes on with, and its model."""
    for message in reversed(objects(session["messages"])):
        info = _info(message)
        if isinstance(info.get("providerID"), str):
            model = info.get("modelID")
            return info["providerID"], model if isinstance(model, str) else None
    return "", None


def _parts(message: Json, number: int) -> Iterator[Said]:
    info, parts = _info(message), message.get("parts")
    role = str(info.get("role"))
    if role == "assistant" and info.get("error") and not _was_aborted(info, parts):
        return
    for place, part in numbered(parts):
        kind = part.get("type")
        if isinstance(kind, str) and kind in _SENT and not part.get("ignored"):
            yield Said(kind, role, part, f"/messages/{number}/parts/{place}")


def _was_aborted(info: Json, parts: Any) -> bool:
    """Whether the user stopped an answer that has something in it: that is sent."""
    error = info["error"]
    kinds = {part.get("type") for part in objects(parts)} - {"step-start", "reasoning"}
    return isinstance(error, dict) and error.get("name") == "MessageAbortedError" and bool(kinds)


def state_of(part: Json) -> Json:
    """The state of a call."""
    state = part.get("state")
    return state if isinstance(state, dict) else {}


def result_of(part: Json) -> tuple[str, bool] | None:
    """What came of a call, and whether it is an error; None: nothing yet."""
    state = state_of(part)
    if state.get("status") == "completed":
        time = state.get("time")
        if isinstance(time, dict) and time.get("compacted"):
            return _CLEARED, False
        return str(state.get("output", "")), False
    return (str(state.get("error", "")), True) if state.get("status") == "error" else None


class _Talk:
    """A conversation in a provider's format, put together from parts."""

    def __init__(self) -> None:
        self.messages: list[Json] = []
        self.pieces: list[Piece] = []
        self.places: dict[str, Home] = {}

    def add(self, parts: Sequence[Said], index: int) -> None:
        """A message of the session."""
        raise NotImplementedError

    def conversation(self, model: str | None) -> Conversation:
        """The conversation."""
        raise NotImplementedError


class _Blocks(_Talk):
    """As Anthropic has it."""

    def add(self, parts: Sequence[Said], index: int) -> None:
        results: list[tuple[Json, str]] = []
        for said in parts:
            if said.kind == "tool":
                result = result_of(said.part)
                if result is not None:
                    block = {
                        "type": "tool_result",
                        "tool_use_id": said.part.get("callID"),
                        "content": result[0],
                        **({"is_error": True} if result[1] else {}),
                    }
                    results.append((block, f"{said.pointer}/state"))
            elif results:
                # The words behind calls are said once their results are there.
                self._flush(results, index)
            self._put(said.role, _block(said), Home(index, said.pointer))
        self._flush(results, index)

    def _flush(self, results: list[tuple[Json, str]], index: int) -> None:
        for block, pointer in results:
            self._put("user", block, Home(index, pointer))
        results.clear()

    def _put(self, role: str, block: Json, home: Home) -> None:
        if not self.messages or self.messages[-1]["role"] != role:
            self.places[f"/messages/{len(self.messages)}"] = home
            self.messages.append({"role": role, "content": []})
        content = self.messages[-1]["content"]
        self.places[f"/messages/{len(self.messages) - 1}/content/{len(content)}"] = home
        content.append(block)
        self.pieces.append(Piece(role, block, home))

    def conversation(self, model: str | None) -> Conversation:
        around = {"model": model} if model else {}
        closing = anthropic_closing(self.messages)
        after = (Piece("user", block, None) for block in closing)
        return Conversation(
            dialect="anthropic",
            body={**around, "messages": closed(self.messages, closing)},
            recorded={**around, "messages": self.messages},
            pieces=(*self.pieces, *after),
            places=self.places,
        )


def _block(said: Said) -> Json:
    part = said.part
    if said.kind == "tool":
        call = {"id": part.get("callID"), "name": part.get("tool")}
        return {"type": "tool_use", **call, "input": state_of(part).get("input", {})}
    if said.kind == "reasoning":
        about = part.get("metadata")
        anthropic = about.get("anthropic") if isinstance(about, dict) else None
        signature = anthropic.get("signature") if isinstance(anthropic, dict) else None
        kept = {"signature": signature} if signature else {}
        return {"type": "thinking", "thinking": part.get("text"), **kept}
    if said.kind == "file":
        return _file(part)
    return {"type": "text", "text": _COMPACTION if said.kind == "compaction" else part.get("text")}


def _file(part: Json) -> Json:
    url, mime = str(part.get("url", "")), str(part.get("mime", ""))
    kind = "document" if mime == "application/pdf" else "image"
    if not mime.startswith("image/") and kind == "image":
        return {"type": "text", "text": f"[{part.get('filename') or 'file'}]"}
    if not url.startswith("data:"):
        return {"type": kind, "source": {"type": "url", "url": url}}
    data = url.partition(",")[2]
    return {"type": kind, "source": {"type": "base64", "media_type": mime, "data": data}}


class _Chat(_Talk):
    """As Chat Completions have it: the parts of an answer up to a result are one message."""

    def add(self, parts: Sequence[Said], index: int) -> None:
        answers = _steps(parts)
        for step in answers:
            home = Home(index, step[0].pointer)
            message: Json = {"role": step[0].role, "content": _chat_content(step)}
            calls = [said for said in step if said.kind == "tool"]
            if calls:
                message["tool_calls"] = [_chat_call(said.part) for said in calls]
            thought = "".join(str(s.part.get("text")) for s in step if s.kind == "reasoning")
            if thought:
                message["reasoning_content"] = thought
            at = f"/messages/{len(self.messages)}"
            for number, said in enumerate(calls):
                self.places[f"{at}/tool_calls/{number}"] = Home(index, said.pointer)
            self._put(message, home)
            for said in calls:
                result = result_of(said.part)
                if result is not None:
                    answer = {"tool_call_id": said.part.get("callID"), "content": result[0]}
                    self._put({"role": "tool", **answer}, Home(index, f"{said.pointer}/state"))

    def _put(self, message: Json, home: Home) -> None:
        self.places[f"/messages/{len(self.messages)}"] = home
        self.messages.append(message)
        self.pieces.append(Piece(message["role"], message, home))

    def conversation(self, model: str | None) -> Conversation:
        around = {"model": model} if model else {}
        closing = chat_closing(self.messages)
        after = (Piece(message["role"], message, None) for message in closing)
        return Conversation(
            dialect="openai-chat",
            body={**around, "messages": [*self.messages, *closing]},
            recorded={**around, "messages": self.messages},
            pieces=(*self.pieces, *after),
            places=self.places,
        )


def _steps(parts: Sequence[Said]) -> Iterator[list[Said]]:
    step: list[Said] = []
    for said in parts:
        if step and step[-1].kind == "tool" and said.kind != "tool":
            yield step
            step = []
        step.append(said)
    if step:
        yield step


def _chat_content(step: Sequence[Said]) -> Any:
    texts = [str(_block(said)["text"]) for said in step if said.kind in ("text", "compaction")]
    files = [said.part for said in step if said.kind == "file"]
    if files:
        images = ({"type": "image_url", "image_url": {"url": str(f.get("url"))}} for f in files)
        return [*({"type": "text", "text": text} for text in texts), *images]
    return "".join(texts) if texts else None


def _chat_call(part: Json) -> Json:
    given = json.dumps(state_of(part).get("input", {}), ensure_ascii=False)
    function = {"name": part.get("tool"), "arguments": given}
    return {"id": part.get("callID"), "type": "function", "function": function}
