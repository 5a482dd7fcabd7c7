"""Amazon Bedrock Converse: settings outside of what the service model allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wiremend.rules.base import BEDROCK, Body, Finding, Rule, objects, rule
from wiremend.rules.bedrock import ASKED, in_service_words, request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_RANGES: dict[str, tuple[float, float]] = {
    "maxTokens": (1, float("inf")),
    "temperature": (0, 1),
    "topP": (0, 1),
}
_ENDLESS = (float("inf"), float("-inf"))
_LENGTHS: dict[Path, tuple[int, int]] = {
    ("inferenceConfig", "stopSequences"): (0, 2500),
    ("additionalModelResponseFieldPaths",): (0, 10),
    ("requestMetadata",): (1, 16),
}


@rule(
    code="WM533",
    name="setting-out-of-range",
    dialects=BEDROCK,
    summary="A setting is larger, smaller, longer or shorter than the service allows.",
    doc="""
    `temperature` and `topP` are 0 to 1, `maxTokens` is at least 1, a stop sequence is not empty,
    and lists have their greatest lengths. Settings of OpenAI, whose temperature goes up to 2,
    break this. wiremend says so and leaves the choice to you.
    """,
    before=request(ASKED, inferenceConfig={"temperature": 1.5}),
    after=request(ASKED, inferenceConfig={"temperature": 1.0}),
    provider_error=(
        "Value '{value}' at '{place}' failed to satisfy constraint: Member must have value between "
        "{least} and {most}"
    ),
    source="botocore: InferenceConfiguration, ToolSpecification, ConverseRequest",
    fixable=False,
)
def setting_out_of_range(body: Body) -> Iterator[Finding]:
    """Numbers, lists and texts beyond their bounds."""
    for name, (least, most) in _RANGES.items():
        value = _at(body, ("inferenceConfig", name))
        # A number that is none has a rule of its own.
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and (value < least or value > most) and value not in _ENDLESS:
            yield _finding(("inferenceConfig", name), str(value), least, most)
    for path, (shortest, longest) in _LENGTHS.items():
        listed = _at(body, path)
        if isinstance(listed, list | dict) and not shortest <= len(listed) <= longest:
            yield _finding(path, f"{len(listed)} items", shortest, longest)
    for path in _empty_texts(body):
        yield _finding(path, "", 1, float("inf"))


def _at(body: Body, path: Path) -> Any:
    value: Any = body
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _empty_texts(body: Body) -> Iterator[Path]:
    stops = _at(body, ("inferenceConfig", "stopSequences"))
    for place, text in enumerate(stops if isinstance(stops, list) else ()):
        if text == "":
            yield ("inferenceConfig", "stopSequences", place)


def _finding(path: Path, value: str, least: float, most: float) -> Finding:
    words: dict[str, str | int] = {"value": value, "least": str(least), "most": str(most)}
    words["place"] = in_service_words(path)
    return Finding(path, "This setting is out of the range that the service allows.", words)


def _undescribed(**spec: Any) -> Body:
    tool = {"name": "lookup", "inputSchema": {"json": {"type": "object"}}, **spec}
    return {"tools": [{"toolSpec": tool}]}


@rule(
    code="WM539",
    name="empty-description",
    dialects=BEDROCK,
    summary="The description of a tool is empty.",
    doc="""
    A tool may do without a description, but where there is one, it says something. Tools of MCP
    servers and functions without a docstring come with an empty one. wiremend leaves it out.
    """,
    before=request(ASKED, toolConfig=_undescribed(description="")),
    after=request(ASKED, toolConfig=_undescribed()),
    provider_error=(
        "Value at '{place}' failed to satisfy constraint: Member must have length greater than or "
        "equal to 1"
    ),
    source="botocore: ToolSpecification, NonEmptyString",
)
def empty_description(body: Body) -> Iterator[Finding]:
    """Descriptions of tools that are there and empty."""
    for place, tool in objects(_at(body, ("toolConfig", "tools"))):
        if _at(tool, ("toolSpec", "description")) == "":
            at: Path = ("toolConfig", "tools", place, "toolSpec", "description")
            yield Finding(at, "This description is empty.", {"place": in_service_words(at)})


RULES: tuple[Rule, ...] = (setting_out_of_range, empty_description)
