"""The blocks of any wire format, for people: tolerant of whatever stands in a body.

A block is told by its ``type`` (Chat Completions, Responses, Anthropic) or by its member (Gemini,
Bedrock). What nobody knows is shown as the JSON that it is, so nothing is ever left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from wiremend.inspector.entries import Block, Kind

Json: TypeAlias = dict[str, Any]


def as_json(value: Any) -> str:
    """A value as JSON on one line; halves of characters are let through."""
    return json.dumps(value, ensure_ascii=False)


def text_of(value: Any) -> str:
    """A text as it is, anything else as JSON; nothing for null."""
    if isinstance(value, str):
        return value
    return "" if value is None else as_json(value)


def word_of(value: Any) -> str:
    """An id or a name; nothing where there is no text."""
    return value if isinstance(value, str) else ""


def blocks_of(content: Any, pointer: str) -> list[Block]:
    """The blocks of a message's content: a text, a list of blocks, or something else."""
    if content is None:
        return []
    if not isinstance(content, list):
        return [Block("text", text_of(content), pointer=pointer)]
    return [
        block for index, item in enumerate(content) for block in _blocks(item, f"{pointer}/{index}")
    ]


def _blocks(item: Any, pointer: str) -> Iterator[Block]:
    if not isinstance(item, dict):
        yield Block("text", text_of(item), pointer=pointer)
        return
    kind = item.get("type")
    if isinstance(kind, str):
        reader = _BY_TYPE.get(kind)
        if reader is None and kind.endswith("_tool_result"):
            reader = _result
        yield reader(item, pointer) if reader else unknown(item, pointer)
        return
    # A member whose fault it is to stand beside another one is shown as well.
    known = [name for name in _BY_MEMBER if name in item]
    if item.get("thought") is True and "text" in item:
        yield Block("thinking", text_of(item["text"]), pointer=pointer)
        known = [name for name in known if name != "text"]
    elif not known:
        yield unknown(item, pointer)
    for name in known:
        yield _BY_MEMBER[name](item[name], f"{pointer}/{name}")


def unknown(item: Any, pointer: str) -> Block:
    """What only the provider understands, as JSON; its type is its name."""
    kind = item.get("type") if isinstance(item, dict) else None
    return Block("other", as_json(item), name=word_of(kind), pointer=pointer)


# --- told by their type ---


def _text(item: Json, pointer: str) -> Block:
    return Block("text", text_of(item.get("text", item.get("refusal"))), pointer=pointer)


def _thinking(item: Json, pointer: str) -> Block:
    return Block("thinking", text_of(item.get("thinking", item.get("text"))), pointer=pointer)


def _call(item: Json, pointer: str) -> Block:
    return Block(
        "call",
        text_of(item.get("input", item.get("arguments"))),
        name=word_of(item.get("name")),
        call=word_of(item.get("id")),
        pointer=pointer,
    )


def _result(item: Json, pointer: str) -> Block:
    return Block(
        "result",
        name=word_of(item.get("name")),
        call=word_of(item.get("tool_use_id", item.get("tool_call_id"))),
        failed=item.get("is_error") is True,
        parts=blocks_of(item.get("content"), f"{pointer}/content"),
        pointer=pointer,
    )


def _media(kind: Kind) -> Callable[[Json, str], Block]:
    def read(item: Json, pointer: str) -> Block:
        return Block(kind, source=_address(item), name=_title(item), pointer=pointer)

    return read


def _document(item: Json, pointer: str) -> Block:
    source = item.get("source")
    text = source.get("data") if isinstance(source, dict) and source.get("type") == "text" else ""
    address = "" if text else _address(item)
    return Block("document", word_of(text), name=_title(item), source=address, pointer=pointer)


def _title(item: Json) -> str:
    file = item.get("file")
    inner = file if isinstance(file, dict) else {}
    named = (item.get("title"), item.get("name"), item.get("filename"), inner.get("filename"))
    return next((one for one in named if isinstance(one, str)), "")


def _address(item: Json) -> str:
    """The URL of media: as it stands there, or as a ``data:`` URL."""
    for name in (
        "image_url",
        "video_url",
        "audio_url",
        "file_url",
        "input_audio",
        "source",
        "file",
    ):
        found = item.get(name)
        if isinstance(found, str):
            return found
        if isinstance(found, dict):
            return _source(found)
    for name in ("file_data", "file_id"):
        if isinstance(item.get(name), str):
            return str(item[name])
    return ""


def _source(source: Json) -> str:
    kind = source.get("media_type", source.get("format", source.get("mimeType")))
    for name in ("data", "file_data", "bytes"):
        data = source.get(name)
        if isinstance(data, str):
            return data if data.startswith("data:") else f"data:{word_of(kind)};base64,{data}"
    for name in ("url", "fileUri", "file_id", "uri"):
        if isinstance(source.get(name), str):
            return str(source[name])
    inner = source.get("s3Location")
    return word_of(inner.get("uri")) if isinstance(inner, dict) else ""


_BY_TYPE: dict[str, Callable[[Json, str], Block]] = {
    **dict.fromkeys(("text", "input_text", "output_text", "refusal", "summary_text"), _text),
    **dict.fromkeys(("thinking", "think", "reasoning_text"), _thinking),
    **dict.fromkeys(("tool_use", "server_tool_use", "mcp_tool_use"), _call),
    "tool_result": _result,
    **dict.fromkeys(("image", "image_url", "input_image"), _media("image")),
    **dict.fromkeys(("audio", "audio_url", "input_audio"), _media("audio")),
    **dict.fromkeys(("video", "video_url", "input_video"), _media("video")),
    **dict.fromkeys(("document", "file", "input_file"), _document),
}


# --- told by their member ---


def _call_member(value: Any, pointer: str) -> Block:
    item = value if isinstance(value, dict) else {}
    return Block(
        "call",
        text_of(item.get("args", item.get("input"))),
        name=word_of(item.get("name")),
        call=word_of(item.get("id", item.get("toolUseId"))),
        pointer=pointer,
    )


def _response_member(value: Any, pointer: str) -> Block:
    item = value if isinstance(value, dict) else {}
    return Block(
        "result",
        name=word_of(item.get("name")),
        call=word_of(item.get("id")),
        parts=[Block("text", text_of(item.get("response")), pointer=f"{pointer}/response")],
        pointer=pointer,
    )


def _result_member(value: Any, pointer: str) -> Block:
    item = value if isinstance(value, dict) else {}
    return Block(
        "result",
        call=word_of(item.get("toolUseId")),
        failed=item.get("status") == "error",
        parts=blocks_of(item.get("content"), f"{pointer}/content"),
        pointer=pointer,
    )


def _reasoning_member(value: Any, pointer: str) -> Block:
    inner = value.get("reasoningText") if isinstance(value, dict) else None
    if not isinstance(inner, dict):
        return Block("thinking", "", name="redacted", pointer=pointer)
    return Block("thinking", text_of(inner.get("text")), pointer=pointer)


def _media_member(kind: Kind) -> Callable[[Any, str], Block]:
    def read(value: Any, pointer: str) -> Block:
        item = value if isinstance(value, dict) else {}
        inner = item.get("source")
        source = {
            "format": _mime(kind, item.get("format")),
            **(inner if isinstance(inner, dict) else {}),
        }
        return Block(kind, source=_source(source), name=word_of(item.get("name")), pointer=pointer)

    return read


def _mime(kind: Kind, form: Any) -> str:
    family = "application" if kind == "document" else kind
    return f"{family}/{form}" if isinstance(form, str) else ""


def _inline_member(value: Any, pointer: str) -> Block:
    item = value if isinstance(value, dict) else {}
    family = word_of(item.get("mimeType", item.get("mime_type"))).partition("/")[0]
    kind: Kind = family if family in ("image", "audio", "video") else "document"  # type: ignore[assignment]
    return Block(kind, source=_source(item), pointer=pointer)


_BY_MEMBER: dict[str, Callable[[Any, str], Block]] = {
    "text": lambda value, pointer: Block("text", text_of(value), pointer=pointer),
    "json": lambda value, pointer: Block("text", as_json(value), pointer=pointer),
    **dict.fromkeys(("functionCall", "function_call", "toolUse"), _call_member),
    **dict.fromkeys(("functionResponse", "function_response"), _response_member),
    "toolResult": _result_member,
    "reasoningContent": _reasoning_member,
    "image": _media_member("image"),
    "video": _media_member("video"),
    "audio": _media_member("audio"),
    "document": _media_member("document"),
    **dict.fromkeys(("inlineData", "inline_data", "fileData", "file_data"), _inline_member),
}
