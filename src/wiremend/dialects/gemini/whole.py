"""Gemini: what shows only in the whole request, mended on the way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from wiremend.dialects.base import Json, extras_of, tool_table
from wiremend.dialects.gemini.fields import NAME, read_names
from wiremend.dialects.gemini.models import (
    refuses_final_model_turn,
    takes_media_in_responses,
    wants_signatures,
)
from wiremend.dialects.gemini.tools import native_tool
from wiremend.dialects.moving import behind_exchanges
from wiremend.model import (
    DocumentPart,
    Message,
    OpaquePart,
    Part,
    TextPart,
    joined,
    media_source,
)
from wiremend.projection.anomalies import (
    ConsecutiveAssistantsMerged,
    FinalUserInserted,
    MediaMoved,
    NeighboursMerged,
    OnAnomaly,
    SignatureSkipped,
)

CONTINUE = "Continue."
SKIP = "skip_thought_signature_validator"
"""ai.google.dev, "Thought signatures": stands in for a signature that cannot be had."""

_INSIDE = ("image/", "application/pdf", "text/plain")


def mend_end(messages: Sequence[Message], model: Any, report: OnAnomaly) -> list[Message]:
    """The messages with a last one that the model takes (envoyproxy/ai-gateway#2686)."""
    out = list(messages)
    if out and out[-1].role == "assistant" and refuses_final_model_turn(model):
        report(FinalUserInserted())
        out.append(Message("user", (TextPart(CONTINUE),)))
    return out


def join_runs(messages: Sequence[Message], report: OnAnomaly) -> list[Message]:
    """One message of the model's where calls follow its own words (case 056)."""
    out: list[Message] = []
    start = 0
    for message in messages:
        if message.role != "assistant":
            start = len(out) + 1
        elif message.tool_calls and start < len(out):
            for _ in out[start:]:
                report(ConsecutiveAssistantsMerged())
            out[start:] = [joined([*out[start:], message], in_place=True)]
            start = len(out)
            continue
        out.append(message)
    return out


def move_media(messages: Sequence[Message], model: Any, report: OnAnomaly) -> list[Message]:
    """Media of results that may not stand in them, in a user message behind their exchange.

    What came inside a response goes back there; older models take none of their own.
    """
    inside = takes_media_in_responses(model)

    def parted(message: Message) -> tuple[Message, Sequence[Part]]:
        if message.role != "tool":
            return message, ()
        staying, leaving = _parted(message, inside=inside)
        if not leaving:
            return staying, ()
        for part in leaving:
            report(MediaMoved(_kind(part), "tool"))
        line = TextPart(f"[Attached from the result of {message.tool_call_id}:]")
        return staying, (line, *leaving)

    return behind_exchanges(messages, parted)


def _parted(message: Message, *, inside: bool) -> tuple[Message, list[Part]]:
    """A result without the media that may not stand in it, and that media."""
    kept = [n for n, part in enumerate(message.content) if not _has_to_move(part, inside=inside)]
    if len(kept) == len(message.content) or extras_of(message, NAME):
        return message, []
    leaving = [part for part in message.content if _has_to_move(part, inside=inside)]
    content = tuple(message.content[n] for n in kept)
    content = content or (TextPart("[The attachment is in the next user message.]"),)
    return msgspec.structs.replace(message, content=content), leaving


def _kind(part: Part) -> str:
    found = media_source(part)
    return found[0] if found else "document"


def _has_to_move(part: Part, *, inside: bool) -> bool:
    if type(part) in (TextPart, OpaquePart):
        return False
    found = media_source(part)
    url = found[1].url if found else part.url if type(part) is DocumentPart else None
    return not (inside and (url or "").removeprefix("data:").startswith(_INSIDE))


def merge_neighbours(contents: list[Json], report: OnAnomaly) -> list[Json]:
    """Contents of one role in a row as one, for a server that wants them to alternate.

    Responses keep a content of their own: some servers take no other part beside them.
    """
    out: list[Json] = []
    for content in contents:
        before = out[-1] if out else None
        if (
            before is None
            or before.get("role") != content.get("role")
            or _answers(before)
            or _answers(content)
        ):
            out.append(content)
            continue
        report(NeighboursMerged(str(content.get("role"))))
        # Into the list that is there: a long run costs what it holds.
        before["parts"] = _list(before["parts"])
        before["parts"].extend(_list(content["parts"]))
    return out


def _answers(content: Json) -> bool:
    return any("functionResponse" in read_names(part)[0] for part in _list(content["parts"]))


def mend_signatures(contents: list[Json], model: Any, report: OnAnomaly) -> list[Json]:
    """A signature on the first call of each step of the current turn (report 071).

    The others of a step need none, and nothing is checked in earlier turns.
    """
    if not wants_signatures(model):
        return contents
    out = list(contents)
    for index in range(len(out) - 1, -1, -1):
        parts = _list(out[index].get("parts"))
        if out[index].get("role") == "model":
            out[index] = _signed(out[index], parts, report)
        elif not all("functionResponse" in read_names(part)[0] for part in parts):
            break
    return out


def _signed(content: Json, parts: list[Json], report: OnAnomaly) -> Json:
    for n, part in enumerate(parts):
        fields, names = read_names(part)
        if fields.get("functionCall") is None:
            continue
        if fields.get("thoughtSignature"):
            return content
        report(SignatureSkipped(str(fields["functionCall"].get("name"))))
        spelled = "thought_signature" if "functionCall" in names else "thoughtSignature"
        spelled = names.get("thoughtSignature", spelled)
        signed = {**part, spelled: SKIP}
        whole: Any = signed if isinstance(content["parts"], dict) else [*parts]
        if isinstance(whole, list):
            whole[n] = signed
        return {**content, "parts": whole}
    return content


def _list(parts: Any) -> list[Json]:
    return [parts] if isinstance(parts, dict) else parts or []


def declare_tools(messages: Sequence[Message], envelope: Mapping[str, Any]) -> Json:
    """The envelope with the tools that messages declare in its table, where they are not yet."""
    declared = [tool for message in messages for tool in message.tools or ()]
    if not declared:
        return dict(envelope)
    names = set(declared_names(envelope))
    added = []
    for tool in map(native_tool, declared):
        if tool is not None and tool["name"] not in names:
            names.add(tool["name"])
            added.append(tool)
    if not added:
        return dict(envelope)
    return {**envelope, "tools": [*tool_table(envelope), {"functionDeclarations": added}]}


def declared_names(envelope: Mapping[str, Any]) -> list[str]:
    """The names of the functions that a request declares."""
    return [
        function["name"]
        for tool in tool_table(envelope)
        for function in _functions(tool)
        if isinstance(function, dict) and isinstance(function.get("name"), str)
    ]


def rename_tools(body: Json, renamed: Mapping[str, str]) -> Json:
    """The body with new names in the declarations and in the choice of tools."""
    if not renamed:
        return body
    out = dict(body)
    if tool_table(body):
        out["tools"] = [_renamed_tool(tool, renamed) for tool in tool_table(body)]
    for field in ("toolConfig", "tool_config"):
        if isinstance(body.get(field), dict):
            out[field] = _renamed_config(body[field], renamed)
    return out


def _functions(tool: Any) -> list[Any]:
    fields = read_names(tool)[0] if isinstance(tool, dict) else {}
    functions = fields.get("functionDeclarations")
    return functions if isinstance(functions, list) else []


def _renamed_tool(tool: Any, renamed: Mapping[str, str]) -> Any:
    functions = _functions(tool)
    if not functions:
        return tool
    spelled = read_names(tool)[1].get("functionDeclarations", "functionDeclarations")
    return {
        **tool,
        spelled: [
            {**f, "name": renamed[f["name"]]}
            if isinstance(f, dict) and isinstance(f.get("name"), str) and f["name"] in renamed
            else f
            for f in functions
        ],
    }


def _renamed_config(config: Json, renamed: Mapping[str, str]) -> Json:
    for outer in ("functionCallingConfig", "function_calling_config"):
        for inner in ("allowedFunctionNames", "allowed_function_names"):
            calling = config.get(outer)
            names = calling.get(inner) if isinstance(calling, dict) else None
            if isinstance(calling, dict) and isinstance(names, list):
                new = [renamed.get(n, n) if isinstance(n, str) else n for n in names]
                config = {**config, outer: {**calling, inner: new}}
    return config
