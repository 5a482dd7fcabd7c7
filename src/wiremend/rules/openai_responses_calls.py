"""Responses: what calls, outputs and tool definitions hold."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from wiremend.rules.base import OPENAI_RESPONSES, Body, Finding, Rule, objects, rule, shown
from wiremend.rules.openai_chat import bracketed
from wiremend.rules.openai_responses import call, calls, items, output, outputs, request, user

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_NAMED = ("function", "custom")
_SCHEMA = {"type": "object", "properties": {}}
_FLAT = {"type": "function", "name": "weather", "parameters": _SCHEMA, "strict": False}
_CHAT = {"type": "function", "function": {"name": "weather", "parameters": _SCHEMA}}


@rule(
    code="WM307",
    name="tool-name",
    dialects=OPENAI_RESPONSES,
    summary="A tool's name has other characters than the provider takes, or is too long.",
    doc="""
    Names of functions and custom tools are 1 to 128 letters, digits, underscores and hyphens, in
    the definitions and in the calls. Names with dots or slashes come from tool servers and from
    other providers. wiremend writes a legal name in their place, the same one in the definition
    and in every call.
    """,
    before=request(user(), call(name="weather.now"), output()),
    after=request(user(), call(name="weather_now"), output()),
    provider_error=(
        "Invalid '{place}': string does not match pattern. Expected a string that matches the "
        "pattern '^[a-zA-Z0-9_-]+$'."
    ),
    source="openai types: FunctionToolParam.name; the length as others measured it at the API",
)
def tool_name(body: Body) -> Iterator[Finding]:
    """Names in calls, in definitions and in tools that were added on the way."""
    owners = [*_defined(body), *((i.path, i.body) for i in calls(body) if _is_named(i.kind))]
    for path, owner in owners:
        name = owner.get("name")
        if isinstance(name, str) and _NAME.fullmatch(name):
            continue
        place = (*path, "name")
        yield Finding(
            place,
            f"The tool name {shown(name)} is not 1 to 128 letters, digits, '_' and '-'.",
            {"place": bracketed(place)},
        )


@rule(
    code="WM308",
    name="arguments-not-json",
    dialects=OPENAI_RESPONSES,
    summary="The arguments of a call are not the text of a JSON value.",
    doc="""
    `arguments` is text that holds JSON. A model may stop in the middle of it or leave it empty,
    tools that shorten old histories cut it, and libraries put the object there instead of its
    text. The `input` of a custom tool is any text, but text. wiremend writes an object as text and
    `{}` for empty text, and wraps in an object what cannot be read.
    """,
    before=request(user(), call(arguments='{"in": "Os'), output()),
    after=request(user(), call(arguments="{}"), output()),
    provider_error="Invalid '{place}': expected the text of a JSON object.",
    source="wire rules of OpenAI Responses (case 092; the wording is a description)",
)
def arguments_not_json(body: Body) -> Iterator[Finding]:
    """Arguments of function calls; custom tools take free text."""
    for item in calls(body):
        if item.kind == "function_call" and not _holds_json(item.body.get("arguments")):
            place = (*item.path, "arguments")
            said = f"The arguments of call {shown(item.call_id)} are not the text of JSON."
            yield Finding(place, said, {"place": bracketed(place)})
        elif item.kind == "custom_tool_call" and not isinstance(item.body.get("input"), str):
            place = (*item.path, "input")
            said = f"The input of call {shown(item.call_id)} is no text."
            yield Finding(place, said, {"place": bracketed(place)})


@rule(
    code="WM309",
    name="output-form",
    dialects=OPENAI_RESPONSES,
    summary="The output of a call is neither text nor a list of parts.",
    doc="""
    The output of a function or of a custom tool is text or a list of content parts. A tool that
    returned nothing, or an object that nobody wrote as text, is refused. wiremend writes empty
    text, or the object as JSON.
    """,
    before=request(user(), call(), output(result={"sky": "grey"})),
    after=request(user(), call(), output(result='{"sky": "grey"}')),
    provider_error=(
        "Invalid type for '{place}': expected one of an array of objects or string, but got "
        "{got} instead."
    ),
    source="openai types: FunctionCallOutput.output, ResponseCustomToolCallOutputParam.output",
)
def output_form(body: Body) -> Iterator[Finding]:
    """Outputs that are missing or of another type."""
    for item in outputs(body):
        value = item.body.get("output")
        if item.kind not in ("function_call_output", "custom_tool_call_output"):
            continue
        if not isinstance(value, (str, list)):
            place = (*item.path, "output")
            got = "null" if value is None else "an object" if isinstance(value, dict) else "another"
            said = "" if "output" in item.body else "Missing required parameter: '{place}'."
            yield Finding(
                place,
                "The output is neither text nor a list of parts.",
                {"place": bracketed(place), "got": got},
                said,
            )


@rule(
    code="WM320",
    name="chat-shaped-tool",
    dialects=OPENAI_RESPONSES,
    summary="A tool is defined in the shape of Chat Completions.",
    doc="""
    In this API a function's name and parameters stand beside its type; in Chat Completions they
    are in a `function` object. Code that moved from one API to the other keeps the old shape.
    wiremend takes the fields out of the object.
    """,
    before=request(user(), tools=[_CHAT]),
    after=request(user(), tools=[_FLAT]),
    provider_error="Missing required parameter: '{place}'.",
    source="openai types: FunctionToolParam beside ChatCompletionFunctionToolParam",
)
def chat_shaped_tool(body: Body) -> Iterator[Finding]:
    """Definitions whose name is one level too deep."""
    for index, tool in objects(body.get("tools")):
        if isinstance(tool.get("function"), dict) and "name" not in tool:
            place = ("tools", index, "name")
            yield Finding(
                ("tools", index), "The function is one level too deep.", {"place": bracketed(place)}
            )


def _is_named(kind: str) -> bool:
    return kind in ("function_call", "custom_tool_call")


def _defined(body: Body) -> Iterator[tuple[Path, Body]]:
    """The definitions of functions and custom tools, wherever they are."""
    for index, tool in objects(body.get("tools")):
        chat_shaped = isinstance(tool.get("function"), dict) and "name" not in tool
        if tool.get("type") in _NAMED and not chat_shaped:
            yield ("tools", index), tool
    for item in items(body):
        if item.kind == "additional_tools":
            for index, tool in objects(item.body.get("tools")):
                if tool.get("type") in _NAMED:
                    yield (*item.path, "tools", index), tool


def _holds_json(text: Any) -> bool:
    if not isinstance(text, str):
        return False
    try:
        json.loads(text, parse_int=str, parse_constant=_refuse)
    except RecursionError:
        return True  # too deep to be judged here
    except ValueError:
        return False
    return True


def _refuse(name: str) -> Any:
    raise ValueError(name)


RULES: tuple[Rule, ...] = (tool_name, arguments_not_json, output_form, chat_shaped_tool)
