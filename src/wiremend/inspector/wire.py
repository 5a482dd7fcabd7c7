"""A request body as entries: its system prompt and its messages, each with its JSON pointer.

Reads any JSON: what is broken is what people come to see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wiremend.history.tokens import MEDIA_TOKENS, estimate_tokens
from wiremend.inspector.entries import Block, Entry
from wiremend.inspector.wire_blocks import Json, blocks_of, text_of, unknown, word_of

_SYSTEM_FIELDS = ("system", "instructions", "systemInstruction", "system_instruction")
_SPEAKERS = {
    **dict.fromkeys(("system", "developer"), "system"),
    "user": "user",
    **dict.fromkeys(("assistant", "model"), "assistant"),
    **dict.fromkeys(("tool", "function"), "tool"),
}


def wire_entries(body: Json, holds: str) -> list[Entry]:
    """The entries of a body whose messages are in the field ``holds``, in document order."""
    entries = list(_system(body))
    found = body.get(holds)
    if isinstance(found, str):
        found = [{"role": "user", "content": found}]
        entries.append(_message(found[0], f"/{holds}"))
        entries[-1].blocks[0].pointer = f"/{holds}"
    else:
        items = found if isinstance(found, list) else []
        entries += [entry_of(item, f"/{holds}/{index}") for index, item in enumerate(items)]
    for entry in entries:
        entry.tokens = tokens_of(entry.blocks)
    return entries


def tokens_of(blocks: list[Block]) -> int:
    """About how many tokens these blocks are."""
    total = 0
    for block in blocks:
        if block.kind in ("image", "audio", "video", "document") and not block.text:
            total += MEDIA_TOKENS
        else:
            total += estimate_tokens(block.name) + estimate_tokens(block.text)
        total += tokens_of(block.parts)
    return total


def entry_of(item: Any, pointer: str) -> Entry:
    """One message, or one item of the Responses API."""
    if not isinstance(item, dict):
        return Entry("?", "user", [unknown(item, pointer)], pointer)
    kind = item.get("type")
    if "role" in item or not isinstance(kind, str) or kind == "message":
        return _message(item, pointer)
    return _item(item, kind, pointer)


def _system(body: Json) -> Iterator[Entry]:
    for name in _SYSTEM_FIELDS:
        value = body.get(name)
        if not value:
            continue
        pointer = f"/{name}"
        content = value
        if isinstance(value, dict) and "parts" in value:
            content, place = value["parts"], f"{pointer}/parts"
        else:
            place = pointer
        yield Entry("system", "system", blocks_of(content, place), pointer)


def _message(item: Json, pointer: str) -> Entry:
    role = text_of(item.get("role")) or "?"
    speaker = _SPEAKERS.get(role, "user")
    field = "parts" if "parts" in item else "content"
    blocks = blocks_of(item.get(field), f"{pointer}/{field}")
    for name in ("reasoning_content", "reasoning"):
        if isinstance(item.get(name), str) and item[name]:
            blocks.insert(0, Block("thinking", item[name], pointer=f"{pointer}/{name}"))
            break
    if item.get("refusal"):
        blocks.append(Block("text", text_of(item["refusal"]), pointer=f"{pointer}/refusal"))
    if speaker == "tool":
        call = word_of(item.get("tool_call_id"))
        blocks = [Block("result", "", word_of(item.get("name")), call, "", pointer, parts=blocks)]
    calls = item.get("tool_calls")
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        blocks.append(_chat_call(call, f"{pointer}/tool_calls/{index}"))
    if isinstance(item.get("function_call"), dict):
        blocks.append(_chat_call(item, f"{pointer}/function_call", member="function_call"))
    if item.get("tools"):
        blocks.append(Block("tools", text_of(item["tools"]), pointer=f"{pointer}/tools"))
    return Entry(role, speaker, blocks, pointer, word_of(item.get("id")))


def _chat_call(call: Any, pointer: str, member: str = "function") -> Block:
    if not isinstance(call, dict):
        return unknown(call, pointer)
    inner = call.get(member)
    if not isinstance(inner, dict):
        inner = call.get("custom")
    if not isinstance(inner, dict):
        return unknown(call, pointer)
    arguments = inner.get("arguments", inner.get("input"))
    name, call_id = word_of(inner.get("name")), word_of(call.get("id"))
    return Block("call", text_of(arguments), name, call_id, "", pointer)


def _item(item: Json, kind: str, pointer: str) -> Entry:
    """An item of the Responses API that is no message."""
    own_id = word_of(item.get("id"))
    call = word_of(item.get("call_id"))
    if kind == "reasoning":
        parts = [*_listed(item, "summary", pointer), *_listed(item, "content", pointer)]
        said = "\n\n".join(part.text for part in parts)
        block = Block("thinking", said, pointer=pointer)
        return Entry(kind, "assistant", [block], pointer, own_id)
    if kind.endswith("_output"):
        output = blocks_of(item.get("output", item.get("tools")), f"{pointer}/output")
        result = Block("result", call=call, pointer=pointer, parts=output)
        return Entry(kind, "tool", [result], pointer, own_id)
    if kind.endswith("_call"):
        made = item.get("arguments", item.get("input", item.get("action")))
        name = word_of(item.get("name")) or kind
        block = Block("call", text_of(made), name, call or own_id, "", pointer)
        return Entry(kind, "assistant", [block], pointer, own_id)
    return Entry(kind, "assistant", [unknown(item, pointer)], pointer, own_id)


def _listed(item: Json, name: str, pointer: str) -> list[Block]:
    found = item.get(name)
    return blocks_of(found, f"{pointer}/{name}") if isinstance(found, list) else []
