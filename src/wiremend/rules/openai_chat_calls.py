"""Chat Completions: the names and the arguments of tools."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from wiremend.rules.base import (
    CHAT,
    DEEPSEEK,
    MISTRAL,
    OPENAI_CHAT,
    OPENROUTER,
    QWEN,
    Body,
    Finding,
    Rule,
    dialect_of,
    objects,
    rule,
    shown,
)
from wiremend.rules.openai_chat import (
    bracketed,
    call,
    called,
    calls,
    calls_of,
    request,
    result,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


# Numbers are not needed, and Python limits how long an integer may be.
_DECODER = json.JSONDecoder(parse_int=str, parse_constant=_refuse_constant)


def _holds_object(arguments: Any) -> bool:
    if not isinstance(arguments, str):
        return False
    try:
        return isinstance(_DECODER.decode(arguments), dict)
    except ValueError:
        return False
    except RecursionError:
        # Too deep for this parser, which says nothing about the provider's.
        return True


@rule(
    code="WM108",
    name="tool-name",
    dialects=OPENAI_CHAT + DEEPSEEK + MISTRAL + QWEN + OPENROUTER,
    summary="A tool's name has other characters than the provider takes, or is too long.",
    doc="""
    Names of tools are 1 to 64 letters, digits, underscores and hyphens, in the definitions and
    in the calls. Names with dots or slashes come from tool servers, from other providers, and
    from models that invent a tool. wiremend writes a legal name in their place, the same one
    in the definition and in every call.
    """,
    before=request(user(), calls(call(name="weather.now")), result()),
    after=request(user(), calls(call(name="weather_now")), result()),
    provider_error=(
        "Invalid '{place}': string does not match pattern. Expected a string that matches the "
        "pattern '^[a-zA-Z0-9_-]{1,64}$'."
    ),
    source="pydantic/pydantic-ai#4585 (case 101); openai types: FunctionDefinition.name",
)
def tool_name(body: Body) -> Iterator[Finding]:
    """Names in calls and in definitions."""
    defined = ((("tools", place), tool) for place, tool in objects(body.get("tools")))
    for owners in (defined, calls_of(body)):
        for path, owner in owners:
            inner = called(owner)
            name = None if inner is None else inner.get("name")
            if inner is None or (isinstance(name, str) and _NAME.fullmatch(name)):
                continue
            kind = "custom" if owner.get("type") == "custom" else "function"
            place = (*path, kind, "name")
            yield Finding(
                place,
                f"The tool name {shown(name)} is not 1 to 64 letters, digits, '_' and '-'.",
                {"place": bracketed(place)},
            )


@rule(
    code="WM109",
    name="arguments-not-object",
    dialects=CHAT,
    summary="The arguments of a call are not the text of a JSON object.",
    doc="""
    `arguments` is text that holds a JSON object. A model may stop in the middle of it, write it
    badly, or leave it empty, and tools that shorten old histories cut it. OpenAI is patient
    with it; servers that hand it to a chat template parse it and refuse the request. wiremend
    writes `{}` for empty text, mends what can be read, and wraps the rest in an object.
    """,
    before=request(user(), calls(call(arguments='{"in": "Os')), result()),
    after=request(user(), calls(call(arguments="{}")), result()),
    provider_error="invalid function arguments json string",
    source="NousResearch/hermes-agent#11788, bojieli/ai-agent-book#114 (cases 040, 091 and 095)",
)
def arguments_not_object(body: Body) -> Iterator[Finding]:
    """Arguments of function calls; custom tools take free text."""
    parsed = dialect_of(body) in MISTRAL  # its SDK has arguments as an object, too
    for path, made in calls_of(body):
        inner = called(made)
        if inner is None or made.get("type") == "custom" or _holds_object(inner.get("arguments")):
            continue
        if parsed and isinstance(inner.get("arguments"), dict):
            continue
        yield Finding(
            (*path, "function", "arguments"),
            f"The arguments of call {shown(made.get('id'))} are not the text of a JSON object.",
        )


RULES: tuple[Rule, ...] = (tool_name, arguments_not_object)
