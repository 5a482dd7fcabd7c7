"""Reads the parts of one Gemini content as messages of the history."""

from __future__ import annotations

from typing import Any

from wiremend.dialects.arguments import dump_arguments, is_object
from wiremend.dialects.base import (
    SPLIT,
    Json,
    expect_list,
    expect_object,
    extras,
    extras_of,
    rest,
    with_extras,
)
from wiremend.dialects.foreign import read_foreign
from wiremend.dialects.gemini.fields import (
    AT,
    CALLED,
    CONTENT,
    NAME,
    NAMES,
    PART,
    RESPONSE,
    kinds_of,
    read_names,
    write_names,
)
from wiremend.dialects.gemini.linking import Answer, Links
from wiremend.dialects.gemini.parts import read_part
from wiremend.dialects.gemini.responses import read_response
from wiremend.errors import Path
from wiremend.model import ContextMessage, OpaquePart, Part, TextPart, ToolCall
from wiremend.projection.anomalies import (
    ArgumentsMended,
    ForeignPartConverted,
    ForeignPartDropped,
    MisplacedBlockMoved,
    OnAnomaly,
    PartSplit,
    ResponseWrapped,
)


class Reader:
    """Collects the parts of one content: what is said, what is called, what came back."""

    def __init__(self, role: str, index: int, links: Links, report: OnAnomaly) -> None:
        self._role = role
        self._index = index
        self._links = links
        self._report = report
        self._parts: list[Part] = []
        self._places: list[int] = []
        self._calls: list[ToolCall] = []
        self._positions: list[int] = []
        self._results: list[tuple[int, Answer, ContextMessage]] = []

    def read(self, parts: list[Any], path: Path) -> None:
        """Read the parts, which stand at ``path``."""
        for place, value in enumerate(parts):
            part = expect_object(value, (*path, place), "a part")
            for own in self._separated(part):
                self._one(own, place, (*path, place))

    def system(self, kept: Json) -> ContextMessage:
        """All that was said, as a system message."""
        return ContextMessage("system", tuple(self._parts), extras=extras(NAME, kept))

    def messages(self, kept: Json) -> list[ContextMessage]:
        """The messages that the content stands for; ``kept`` are its other fields."""
        results = self._answering()
        if self._role == "user" and not results and not self._calls:
            return [ContextMessage("user", tuple(self._parts), extras=extras(NAME, kept))]
        if self._role == "assistant" and not results:
            return [self._calling(self._parts, kept)]
        said: list[ContextMessage] = []
        if self._role == "assistant":
            said = [self._calling(self._parts, kept)] if self._parts or self._calls else []
            return [*said, *results]
        if self._parts:
            note = {NAME: {SPLIT: self._index, **kept, AT: self._places}}
            said.append(ContextMessage("user", tuple(self._parts), extras=note))
        fields = {SPLIT: self._index, **({CONTENT: kept} if kept else {})}
        marked = [with_extras(r, NAME, {**extras_of(r, NAME), **fields}) for r in results]
        calling = [self._calling([], {})] if self._calls else []
        return [*marked, *said, *calling]

    def _separated(self, part: Json) -> list[Json]:
        """The part, or one for each kind of data where it holds several (a oneof holds one)."""
        fields, names = read_names(part)
        kinds = kinds_of(fields)
        if len(kinds) < 2:
            return [part]
        self._report(PartSplit(len(kinds)))
        beside = {n: v for n, v in fields.items() if n not in kinds}
        # A signature is of the call where there is one, else of what comes first.
        owner = "functionCall" if "functionCall" in kinds else kinds[0]
        return [write_names({k: fields[k], **(beside if k == owner else {})}, names) for k in kinds]

    def _one(self, part: Json, place: int, path: Path) -> None:
        fields, names = read_names(part)
        kinds = kinds_of(fields)
        if "functionCall" in kinds:
            self._call(fields, names, place, path)
        elif "functionResponse" in kinds:
            self._response(fields, names, place, path)
        elif isinstance(part.get("type"), str):
            self._foreign(part, place)
        else:
            self._say(read_part(part, self._role), place)

    def _say(self, part: Part, place: int) -> None:
        self._parts.append(part)
        self._places.append(place)

    def _foreign(self, block: Json, place: int) -> None:
        kind = str(block["type"])
        found = read_foreign(block)
        self._report(ForeignPartDropped(kind) if found is None else ForeignPartConverted(kind))
        if found is not None:
            self._say(found, place)

    def _call(self, fields: Json, names: dict[str, str], place: int, path: Path) -> None:
        if self._role != "assistant":
            self._report(MisplacedBlockMoved("functionCall", self._role))
        call = expect_object(fields["functionCall"], (*path, "functionCall"), "a function call")
        name, wire_id = _text(call.get("name")), _text(call.get("id"))
        call_id = self._links.call(wire_id, name or "", (self._index, place))
        arguments = None
        known = ["name"]
        if call.get("args") is not None:
            known.append("args")
            arguments = self._arguments(call["args"], call_id)
        kept = rest(call, *known)
        beside = rest(fields, "functionCall")
        notes = {**({NAMES: names} if names else {}), **({PART: beside} if beside else {})}
        self._positions.append(len(self._parts))
        self._calls.append(
            ToolCall(call_id, name or "", arguments, extras={NAME: {**notes, **kept}})
        )

    def _arguments(self, value: Any, call_id: str) -> str:
        if not isinstance(value, str):
            return dump_arguments(value)
        if is_object(value):
            # What is no object is reported where it is wrapped.
            self._report(ArgumentsMended(call_id, "parsed"))
        return value

    def _response(self, fields: Json, names: dict[str, str], place: int, path: Path) -> None:
        at = (*path, "functionResponse")
        value = expect_object(fields["functionResponse"], at, "a function response")
        if self._role != "user":
            self._report(MisplacedBlockMoved("functionResponse", self._role))
        name = _text(value.get("name"))
        beside = rest(fields, "functionResponse")
        kept: Json = {
            **({NAMES: names} if names else {}),
            **({PART: beside} if beside else {}),
            **({CALLED: name} if name is not None else {}),
        }
        response = value.get("response")
        text, failed = self._said(response, name or "", kept)
        content: list[Part] = [] if text is None else [TextPart(text)]
        # What was null or empty, and a part without a list around it, goes back as it came.
        read = [] if response is None else ["response"]
        if value.get("parts") and not isinstance(value["parts"], dict):
            read.append("parts")
            content.extend(self._inside(value["parts"], (*at, "parts")))
        kept.update(rest(value, "name", *read))
        message = ContextMessage(
            "tool", tuple(content), is_error=True if failed else None, extras=extras(NAME, kept)
        )
        self._results.append((place, Answer(_text(value.get("id")), name or ""), message))

    def _said(self, response: Any, name: str, kept: Json) -> tuple[str | None, bool]:
        if response is None:
            return None, False
        if isinstance(response, dict):
            kept[RESPONSE] = response
            return read_response(response)
        self._report(ResponseWrapped(name))
        return response if isinstance(response, str) else dump_arguments(response), False

    def _inside(self, parts: Any, path: Path) -> list[Part]:
        out: list[Part] = []
        for n, value in enumerate(expect_list(parts, path, "parts")):
            part = expect_object(value, (*path, n), "a part")
            found = read_part(part, "user")
            # The text of a result is its response, so nothing else may pass for it.
            out.append(OpaquePart(NAME, part) if type(found) is TextPart else found)
        return out

    def _answering(self) -> list[ContextMessage]:
        ids = self._links.answers([answer for _, answer, _ in self._results], self._index)
        return [
            ContextMessage(
                "tool",
                message.content,
                tool_call_id=call_id,
                is_error=message.is_error,
                extras={NAME: {**extras_of(message, NAME), AT: place}},
            )
            for call_id, (place, _, message) in zip(ids, self._results, strict=True)
        ]

    def _calling(self, parts: list[Part], kept: Json) -> ContextMessage:
        interleaved = any(position < len(parts) for position in self._positions)
        return ContextMessage(
            "assistant",
            tuple(parts),
            tuple(self._calls),
            call_positions=tuple(self._positions) if interleaved and parts else None,
            extras=extras(NAME, kept),
        )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
