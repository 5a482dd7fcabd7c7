"""Amazon Bedrock Converse: ids, names, inputs and results of tools, and their definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wiremend.rules.base import BEDROCK, Body, Finding, Rule, is_blank, objects, rule, shown
from wiremend.rules.bedrock import (
    ASKED,
    assistant,
    in_service_words,
    inner_blocks,
    is_foreign,
    member_of,
    request,
    result,
    tool_blocks,
    use,
    user,
    with_tools,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_ID = re.compile(r"[a-zA-Z0-9_.:-]{1,64}")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CONSTRAINT = "Value at '{member}' failed to satisfy constraint: Member must {wanted}"


def _matches(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _wanted(value: Any, pattern: str) -> str:
    if value is None:
        return "not be null"
    text = value if isinstance(value, str) else ""
    if len(text) > 64:
        return "have length less than or equal to 64"
    if not text:
        return "have length greater than or equal to 1"
    return f"satisfy regular expression pattern: {pattern}"


def _finding(path: Path, value: Any, what: str, pattern: str) -> Finding:
    words: dict[str, str | int] = {
        "member": in_service_words(path),
        "wanted": _wanted(value, pattern),
    }
    return Finding(path, f"The {what} {shown(value)} is not 1 to 64 of {pattern[1:-2]}.", words)


@rule(
    code="WM506",
    name="tool-use-id",
    dialects=BEDROCK,
    summary="The id of a call or of a result has other characters than the service takes.",
    doc="""
    Ids are 1 to 64 letters, digits, underscores, hyphens, dots and colons. Ids of other providers
    are longer or hold bars. wiremend writes a legal id in their place, the same one in the call
    and in its result, and never one that another call has.
    """,
    before=with_tools(ASKED, assistant(use("call|1")), user(result("call|1"))),
    after=with_tools(ASKED, assistant(use("call_1")), user(result("call_1"))),
    provider_error=_CONSTRAINT,
    source="earendil-works/pi#781, maximhq/bifrost#6300; botocore: ToolUseId",
)
def tool_use_id(body: Body) -> Iterator[Finding]:
    """Ids in calls and results."""
    for path, _, _, member, value in tool_blocks(body):
        use_id = value.get("toolUseId")
        if not _matches(_ID, use_id):
            yield _finding((*path, member, "toolUseId"), use_id, "id", "[a-zA-Z0-9_.:-]+")


@rule(
    code="WM507",
    name="tool-name",
    dialects=BEDROCK,
    summary="A tool's name has other characters than the service takes, or is too long.",
    doc="""
    Names of tools are 1 to 64 letters, digits, underscores and hyphens, in the definitions, in
    the choice of a tool and in the calls. Names with dots or slashes come from tool servers and
    from models that invent a tool. wiremend writes a legal name in their place, the same one
    everywhere.
    """,
    before=with_tools(ASKED, assistant(use(name="weather.now")), user(result())),
    after=with_tools(ASKED, assistant(use(name="weather_now")), user(result())),
    provider_error=_CONSTRAINT,
    source="pydantic/pydantic-ai#4585 (case 101); botocore: ToolName",
)
def tool_name(body: Body) -> Iterator[Finding]:
    """Names in definitions and calls."""
    config = body.get("toolConfig")
    for place, tool in objects(config.get("tools") if isinstance(config, dict) else None):
        spec = tool.get("toolSpec")
        name = spec.get("name") if isinstance(spec, dict) else None
        if isinstance(name, str) and not _matches(_NAME, name):
            path: Path = ("toolConfig", "tools", place, "toolSpec", "name")
            yield _finding(path, name, "tool name", "[a-zA-Z0-9_-]+")
    for path, _, _, member, value in tool_blocks(body):
        if member == "toolUse" and not _matches(_NAME, value.get("name")):
            at = (*path, member, "name")
            yield _finding(at, value.get("name"), "tool name", "[a-zA-Z0-9_-]+")


@rule(
    code="WM508",
    name="input-not-object",
    dialects=BEDROCK,
    summary="The input of a toolUse is not an object.",
    doc="""
    `input` is a JSON object, not the text of one. Histories that were converted from Chat
    Completions keep the text, and calls without arguments end up with null. wiremend reads the
    text, writes `{}` for nothing, and wraps the rest in an object.
    """,
    before=with_tools(ASKED, assistant(use(input='{"in": "Oslo"}')), user(result())),
    after=with_tools(ASKED, assistant(use(input={"in": "Oslo"})), user(result())),
    provider_error=(
        "The format of the value at {place} is invalid. Provide a json object for the field and "
        "try again."
    ),
    source="the same text for results in aws/aws-sdk-js-v3#7330; botocore: ToolUseBlock",
)
def input_not_object(body: Body) -> Iterator[Finding]:
    """Inputs of another type, or none."""
    for path, _, _, member, value in tool_blocks(body):
        if member == "toolUse" and not isinstance(value.get("input"), dict):
            at = (*path, "toolUse", "input")
            words: dict[str, str | int] = {"place": ".".join(map(str, at))}
            use_id = shown(value.get("toolUseId"))
            yield Finding(at, f"The input of call {use_id} is not an object.", words)


@rule(
    code="WM509",
    name="tools-undefined",
    dialects=BEDROCK,
    summary="The history has tool blocks, but the request has no toolConfig.",
    doc="""
    A history with toolUse or toolResult blocks needs `toolConfig`, also where the model is not
    meant to call any tool, as in a request for a summary. wiremend declares the tools that the
    history used.
    """,
    before=request(ASKED, assistant(use()), user(result())),
    after=with_tools(ASKED, assistant(use()), user(result())),
    provider_error=(
        "The toolConfig field must be defined when using toolUse and toolResult content blocks."
    ),
    source="langgenius/dify#17545, aws-samples/bedrock-access-gateway#239 (cases 060 and 104)",
)
def tools_undefined(body: Body) -> Iterator[Finding]:
    """The first tool block of a request without tools."""
    config = body.get("toolConfig")
    if isinstance(config, dict) and config.get("tools"):
        return
    for found in tool_blocks(body):
        yield Finding(found.path, "The history uses tools, and `toolConfig` defines none.")
        return


@rule(
    code="WM510",
    name="empty-tool-list",
    dialects=BEDROCK,
    summary="The toolConfig has an empty list of tools.",
    doc="""
    A toolConfig defines at least one tool. Clients that always write the field break this where
    they have no tools. wiremend leaves the field out, or declares the tools that the history used.
    """,
    before=request(ASKED, toolConfig={"tools": []}),
    after=request(ASKED),
    provider_error=(
        "Value at 'toolConfig.tools' failed to satisfy constraint: Member must have length greater "
        "than or equal to 1"
    ),
    source="botocore: ToolConfigurationToolsList",
)
def empty_tool_list(body: Body) -> Iterator[Finding]:
    """A list without tools, where none are needed either."""
    config = body.get("toolConfig")
    empty = isinstance(config, dict) and config.get("tools") == []
    if empty and next(iter(tool_blocks(body)), None) is None:
        yield Finding(("toolConfig", "tools"), "The list of tools is empty.")


@rule(
    code="WM511",
    name="error-result-empty",
    dialects=BEDROCK,
    summary="A toolResult says that the tool failed, and nothing else.",
    doc="""
    The result of a tool that failed needs content; only a successful result may be empty, or have
    blank text. Tools that fail without a message produce it. wiremend says in words that there is
    none.
    """,
    before=with_tools(ASKED, assistant(use()), user(result("tooluse_1", "", status="error"))),
    after=with_tools(ASKED, assistant(use()), user(result("tooluse_1", "Failed.", status="error"))),
    provider_error="{place}: content cannot be empty if `is_error` is true",
    source="wire rules, bedrock 3 (measured by others)",
)
def error_result_empty(body: Body) -> Iterator[Finding]:
    """Failed results without content."""
    for path, _, _, member, value in tool_blocks(body):
        if member != "toolResult" or value.get("status") != "error":
            continue
        content = value.get("content")
        inner = [block for _, block in objects(content)]
        if isinstance(content, list) and all(_is_blank(block) for block in inner):
            use_id = shown(value.get("toolUseId"))
            yield Finding(path, f"The failed result of {use_id} has no content.")


def _is_blank(block: Body) -> bool:
    return (member_of(block) == "text" or is_foreign(block)) and is_blank(block.get("text"))


@rule(
    code="WM512",
    name="result-content",
    dialects=BEDROCK,
    summary="A toolResult has no list of content.",
    doc="""
    `content` is a list of blocks, which may be empty; it is not left out and not null. wiremend
    writes an empty list.
    """,
    before=with_tools(ASKED, assistant(use()), user({"toolResult": {"toolUseId": "tooluse_1"}})),
    after=with_tools(
        *(ASKED, assistant(use())),
        user({"toolResult": {"toolUseId": "tooluse_1", "content": []}}),
    ),
    provider_error="Value at '{member}' failed to satisfy constraint: Member must not be null",
    source="botocore: ToolResultBlock",
)
def result_content(body: Body) -> Iterator[Finding]:
    """Results whose content is missing or null."""
    for path, _, _, member, value in tool_blocks(body):
        if member == "toolResult" and value.get("content") is None:
            at = (*path, "toolResult", "content")
            yield Finding(
                at, "This result has no list of content.", {"member": in_service_words(at)}
            )


@rule(
    code="WM513",
    name="json-not-object",
    dialects=BEDROCK,
    summary="A JSON result is not an object.",
    doc="""
    The `json` of a result is an object; tools that return a list, a number or a text are refused.
    wiremend writes the value as text, which says the same.
    """,
    before=with_tools(ASKED, assistant(use()), user(result("tooluse_1", {"json": ["rain", 8]}))),
    after=with_tools(ASKED, assistant(use()), user(result("tooluse_1", '["rain", 8]'))),
    provider_error=(
        "The format of the value at {place} is invalid. Provide a json object for the field and "
        "try again."
    ),
    source="aws/aws-sdk-js-v3#7330, sigoden/aichat#1550",
)
def json_not_object(body: Body) -> Iterator[Finding]:
    """Values of another type."""
    for path, _, _, member, value in inner_blocks(body):
        if member == "json" and not isinstance(value, dict):
            at = (*path, "json")
            words: dict[str, str | int] = {"place": ".".join(map(str, at))}
            yield Finding(at, "This JSON result is not an object.", words)


RULES: tuple[Rule, ...] = (
    tool_use_id,
    tool_name,
    input_not_object,
    tools_undefined,
    empty_tool_list,
    error_result_empty,
    result_content,
    json_not_object,
)
