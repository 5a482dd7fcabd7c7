"""Anthropic Messages: ids, names and inputs of tools, and their definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wiremend.rules.anthropic import (
    ASKED,
    PNG,
    all_blocks,
    assistant,
    blocks_of,
    image,
    request,
    result,
    text,
    use,
    user,
    with_tools,
)
from wiremend.rules.base import (
    ANTHROPIC,
    Body,
    Finding,
    Rule,
    dotted,
    is_blank,
    messages,
    objects,
    one_of,
    rule,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_SERVER_ID = re.compile(r"srvtoolu_[a-zA-Z0-9_]+")
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_FOREIGN = frozenset(
    {
        *("image_url", "input_text", "output_text", "input_image", "input_audio", "input_file"),
        *("function_call", "function_call_output", "function", "refusal", "summary_text"),
        *("reasoning", "file", "video_url"),
    }
)


def _matches(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


@rule(
    code="WM206",
    name="tool-use-id",
    dialects=ANTHROPIC,
    summary="The id of a call or of a result has other characters than the provider takes.",
    doc="""
    Ids are letters, digits, underscores and hyphens, at least one; those of server tools start
    with `srvtoolu_`. Ids that other providers made hold dots, colons or bars. wiremend writes a
    legal id in their place, the same one in the call and in its result, and never one that
    another call has.
    """,
    before=with_tools(ASKED, assistant(use("weather:0")), user(result("weather:0"))),
    after=with_tools(ASKED, assistant(use("weather_0")), user(result("weather_0"))),
    provider_error="{place}: String should match pattern '^[a-zA-Z0-9_-]+$'",
    source="BlockRunAI/ClawRouter#17, earendil-works/pi#6832 (cases 096 and 025)",
)
def tool_use_id(body: Body) -> Iterator[Finding]:
    """Ids in calls and results."""
    for path, _, block in blocks_of(body, *_CALLS, "tool_result"):
        kind = block["type"]
        key = "tool_use_id" if kind == "tool_result" else "id"
        if kind == "server_tool_use":
            pattern, said = _SERVER_ID, "{place}: String should match pattern '^srvtoolu_...$'"
        else:
            pattern, said = _ID, ""
        if not _matches(pattern, block.get(key)):
            yield Finding(
                (*path, key),
                f"The id {shown(block.get(key))} has characters that are not taken here.",
                {"place": f"{dotted(path)}.{kind}.{key}"},
                said,
            )


@rule(
    code="WM207",
    name="tool-name",
    dialects=ANTHROPIC,
    summary="A tool's name has other characters than the provider takes, or is too long.",
    doc="""
    Names of tools are 1 to 128 letters, digits, underscores and hyphens, in the definitions and
    in the calls. Names with dots or slashes come from tool servers, from other providers, and
    from models that invent a tool. wiremend writes a legal name in their place, the same one
    in the definition and in every call.
    """,
    before=with_tools(ASKED, assistant(use(name="weather.now")), user(result())),
    after=with_tools(ASKED, assistant(use(name="weather_now")), user(result())),
    provider_error="{place}: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    source="pydantic/pydantic-ai#4585 (case 101); the documentation of tool definitions",
)
def tool_name(body: Body) -> Iterator[Finding]:
    """Names in definitions that have one, and in calls."""
    for place, tool in objects(body.get("tools")):
        # A toolset has no name of its own.
        if "name" in tool and not _matches(_NAME, tool["name"]):
            yield _name_finding(("tools", place, "name"), tool["name"], f"tools.{place}.name")
    for path, _, block in blocks_of(body, "tool_use"):
        if not _matches(_NAME, block.get("name")):
            place_in_words = f"{dotted(path)}.tool_use.name"
            yield _name_finding((*path, "name"), block.get("name"), place_in_words)


def _name_finding(path: tuple[str | int, ...], name: Any, place: str) -> Finding:
    message = f"The tool name {shown(name)} is not 1 to 128 letters, digits, '_' and '-'."
    return Finding(path, message, {"place": place})


@rule(
    code="WM208",
    name="input-not-object",
    dialects=ANTHROPIC,
    summary="The input of a tool_use is not an object.",
    doc="""
    `input` is a JSON object, not the text of one. Histories that were converted from Chat
    Completions keep the text, and calls without arguments end up with null. wiremend reads the
    text, writes `{}` for nothing, and wraps the rest in an object.
    """,
    before=with_tools(ASKED, assistant(use(given='{"in": "Oslo"}')), user(result())),
    after=with_tools(ASKED, assistant(use(given={"in": "Oslo"})), user(result())),
    provider_error="{place}: Input should be a valid dictionary",
    source="lijunzh/koda#501 (cases 023 and 093)",
)
def input_not_object(body: Body) -> Iterator[Finding]:
    """Inputs of another type, or none."""
    for path, _, block in blocks_of(body, *_CALLS):
        if not isinstance(block.get("input"), dict):
            yield Finding(
                (*path, "input"),
                f"The input of call {shown(block.get('id'))} is not an object.",
                {"place": f"{dotted(path)}.{block['type']}.input"},
            )


@rule(
    code="WM217",
    name="tools-undefined",
    dialects=ANTHROPIC,
    summary="The history has tool blocks, but the request defines no tools.",
    doc="""
    A history with tool_use or tool_result blocks needs `tools`, also where the model is not
    meant to call any, as in a request for a summary. wiremend declares the tools that the
    history used.
    """,
    before=request(ASKED, assistant(use()), user(result())),
    after=with_tools(ASKED, assistant(use()), user(result())),
    provider_error=("Requests which include `tool_use` or `tool_result` blocks must define tools"),
    source="aws-samples/bedrock-access-gateway#239 (case 104); wire rules, anthropic 9",
)
def tools_undefined(body: Body) -> Iterator[Finding]:
    """The first tool block of a request without tools."""
    # Tools may also be defined in the course of the conversation, by a system message.
    added = blocks_of(body, "tool_addition")
    if body.get("tools") or next(added, None) is not None:
        return
    for path, _, _ in blocks_of(body, "tool_use", "tool_result"):
        yield Finding(path, "The history uses tools, and `tools` is missing or empty.")
        return


@rule(
    code="WM225",
    name="foreign-part",
    dialects=ANTHROPIC,
    summary="A block or a message has the shape of another API.",
    doc="""
    Blocks such as image_url, input_text or function_call, and a `tool_calls` field in a
    message, belong to the APIs of OpenAI. They come from histories that were converted halfway
    or stored in another shape than they are sent in. wiremend rewrites what has a counterpart
    here and drops what says the same as a block beside it.
    """,
    before=request(user({"type": "input_text", "text": "Hello"})),
    after=request(user(text("Hello"))),
    provider_error=(
        "{place}: Input tag '{type}' found using 'type' does not match any of the expected tags"
    ),
    source="anthropic types: ContentBlockParam; cases 028, 087 and 089 show the reverse",
)
def foreign_part(body: Body) -> Iterator[Finding]:
    """Blocks and fields that this API does not have."""
    for index, message in messages(body):
        if "tool_calls" in message:
            yield Finding(
                ("messages", index, "tool_calls"),
                "A message of this API has no `tool_calls`.",
                said="{place}: Extra inputs are not permitted",
            )
    for path, block in all_blocks(body):
        kind = block.get("type")
        if one_of(kind, _FOREIGN):
            yield Finding(path, f"This API has no block {shown(kind)}.", {"type": shown(kind)})


@rule(
    code="WM226",
    name="error-result-empty",
    dialects=ANTHROPIC,
    summary="A tool_result says that the tool failed, and nothing else.",
    doc="""
    The result of a tool that failed needs content; only a successful result may be empty.
    Tools that fail without a message produce it. wiremend says in words that there is none.
    """,
    before=with_tools(ASKED, assistant(use()), user(result(content="", is_error=True))),
    after=with_tools(ASKED, assistant(use()), user(result(content="Failed.", is_error=True))),
    provider_error="{place}: content cannot be empty if `is_error` is true",
    source="wire rules, bedrock 3: measured by others for the same models",
)
def error_result_empty(body: Body) -> Iterator[Finding]:
    """Failed results without content."""
    for path, _, block in blocks_of(body, "tool_result"):
        if block.get("is_error") is True and _says_nothing(block.get("content")):
            use_id = shown(block.get("tool_use_id"))
            yield Finding(path, f"The failed result of {use_id} has no content.")


@rule(
    code="WM231",
    name="error-result-not-text",
    dialects=ANTHROPIC,
    summary="A tool_result that is marked as an error holds something else than text.",
    doc="""
    The result of a tool that failed is text; a screenshot of the failure, a document or a tool
    reference beside it is refused. wiremend says in words that the tool failed, in place of the
    mark, so that the picture stays.
    """,
    before=with_tools(
        ASKED,
        assistant(use()),
        user(result(content=[text("Crashed."), image("image/png", PNG)], is_error=True)),
    ),
    after=with_tools(
        ASKED,
        assistant(use()),
        user(result(content=[text("Failed: crashed."), image("image/png", PNG)])),
    ),
    provider_error="{place}: all content must be type `text` if `is_error` is true",
    source="vellum-ai/vellum-assistant#18387, caozhiyuan/copilot-api#196",
)
def error_result_not_text(body: Body) -> Iterator[Finding]:
    """Failed results with pictures, documents or references."""
    for path, _, block in blocks_of(body, "tool_result"):
        if block.get("is_error") is True and any(
            inner.get("type") != "text" for _, inner in objects(block.get("content"))
        ):
            use_id = shown(block.get("tool_use_id"))
            yield Finding(path, f"The failed result of {use_id} holds more than text.")


def _says_nothing(content: Any) -> bool:
    return content in (None, []) or is_blank(content)


RULES: tuple[Rule, ...] = (
    tool_use_id,
    tool_name,
    input_not_object,
    tools_undefined,
    foreign_part,
    error_result_empty,
    error_result_not_text,
)
