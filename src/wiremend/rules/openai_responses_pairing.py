"""Responses: calls, their outputs and their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import OPENAI_RESPONSES, Body, Finding, Rule, is_id, rule, shown
from wiremend.rules.openai_chat import bracketed
from wiremend.rules.openai_responses import (
    call,
    calls,
    output,
    outputs,
    pairs,
    request,
    user,
    worded,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CALL_ID = 64
_FREE = {"type": "custom_tool_call", "call_id": "call_1", "name": "run", "input": "ls"}


@rule(
    code="WM301",
    name="missing-tool-result",
    dialects=OPENAI_RESPONSES,
    summary="A call has no output behind it.",
    doc="""
    Each call that the client has to carry out (of a function, a custom tool, a shell, a patch, a
    computer, a tool search) needs an output with its `call_id` somewhere behind it. Other items
    may stand between the two. A tool that was cancelled leaves its call open, and from then on
    every request is refused. wiremend writes an output that says that the result is missing; a
    computer call, whose output is a screen, is dropped instead.
    """,
    before=request(user(), call(), user("Never mind.")),
    after=request(user(), call(), output(result="No result."), user("Never mind.")),
    provider_error="No tool output found for {kind} {id}.",
    source="livekit/agents#5092, smallmain/vscode-unify-chat-provider#152 (cases 014 and 051)",
)
def missing_tool_result(body: Body) -> Iterator[Finding]:
    """Calls that no later output answers."""
    for item in pairs(body).unanswered:
        said = shown(item.call_id)
        yield Finding(
            item.path,
            f"No output behind this call answers {said}.",
            {"kind": worded(item.kind), "id": said},
        )


@rule(
    code="WM302",
    name="orphan-tool-result",
    dialects=OPENAI_RESPONSES,
    summary="An output answers no call before it.",
    doc="""
    An output is taken only behind the call with its `call_id`, unless that call is on the server:
    in the response or the conversation that the request goes on with, or in an item that it
    refers to. Histories that were cut in front keep the output and lose the call. wiremend drops
    the output.
    """,
    before=request(output(), user("Go on.")),
    after=request(user("Go on.")),
    provider_error="No tool call found for {kind} output with call_id {id}.",
    source="n8n-io/n8n#33431, OpenMinis/OpenMinis#222 (cases 013 and 050)",
)
def orphan_tool_result(body: Body) -> Iterator[Finding]:
    """Outputs without their call in front of them."""
    for item in pairs(body).orphans:
        said = shown(item.call_id)
        yield Finding(
            item.path,
            f"No call before this output has the id {said}.",
            {"kind": worded(item.kind), "id": said},
        )


@rule(
    code="WM303",
    name="duplicate-tool-result",
    dialects=OPENAI_RESPONSES,
    summary="A second output answers the same call.",
    doc="""
    Each call takes exactly one output. Retries and logs that are replayed twice add it again.
    wiremend keeps the first output and drops the others.
    """,
    before=request(user(), call(), output(), output(result="rain again")),
    after=request(user(), call(), output()),
    provider_error=(
        "Duplicate function_call_output for call_id '{id}'. Each function_call must have exactly "
        "one matching function_call_output"
    ),
    source="NousResearch/hermes-agent#102629, mnfst/llm-gateway#2858",
)
def duplicate_tool_result(body: Body) -> Iterator[Finding]:
    """Outputs for a call that has its output already."""
    for item in pairs(body).repeated_outputs:
        said = shown(item.call_id)
        yield Finding(item.path, f"The call {said} already has its output.", {"id": said})


@rule(
    code="WM304",
    name="duplicate-tool-call-id",
    dialects=OPENAI_RESPONSES,
    summary="Two calls have the same call_id.",
    doc="""
    A `call_id` ties one call to one output in the whole input. Models that count their calls anew
    in every turn, and histories that were put together from two, use one again, and the outputs
    can no longer be told apart. Other servers of this API refuse an id that an earlier turn had;
    of OpenAI that is not known. wiremend renames the later call together with its output, or
    drops an exact repetition.
    """,
    before=request(user(), call(), call(), output()),
    after=request(user(), call(), call("call_2"), output(), output("call_2")),
    provider_error="Duplicate 'call_id': {id}",
    source="NousResearch/hermes-agent#102629, earendil-works/pi#9057, openai/gpt-oss#308",
)
def duplicate_tool_call_id(body: Body) -> Iterator[Finding]:
    """Calls whose id an earlier call has."""
    for item in pairs(body).repeated_calls:
        said = shown(item.call_id)
        path = (*item.path, "call_id")
        yield Finding(path, f"An earlier call has the id {said} too.", {"id": said})


@rule(
    code="WM305",
    name="tool-call-id-empty",
    dialects=OPENAI_RESPONSES,
    summary="A call or an output has no call_id.",
    doc="""
    The `call_id` ties an output to its call. Gateways to models that have no ids pass on null or
    empty ones. wiremend gives the call a new id and the output the id of the call that it must
    belong to. An output that names its tool instead is left alone.
    """,
    before=request(user(), call(""), output("")),
    after=request(user(), call(), output()),
    provider_error=(
        "Invalid '{place}': empty string. Expected a string with minimum length 1, but got an "
        "empty string instead."
    ),
    source="openai types: ResponseFunctionToolCallParam.call_id, FunctionCallOutput.call_id",
)
def tool_call_id_empty(body: Body) -> Iterator[Finding]:
    """Ids that are missing, empty or no text."""
    for item in (*calls(body), *outputs(body)):
        named = item.kind == "function_call_output" and isinstance(item.body.get("name"), str)
        if is_id(item.call_id) or (named and item.call_id is None):
            continue
        path = (*item.path, "call_id")
        yield Finding(
            path,
            "The id is missing or empty.",
            {"place": bracketed(path)},
            "" if item.call_id == "" else "Missing required parameter: '{place}'.",
        )


@rule(
    code="WM306",
    name="tool-call-id-too-long",
    dialects=OPENAI_RESPONSES,
    summary="A call_id is longer than 64 characters.",
    doc="""
    Ids that other providers made can be longer than the 64 characters that are taken here.
    wiremend writes a short id that is made from the whole one, in the call and in its output.
    """,
    before=request(user(), call("c" * 65), output("c" * 65)),
    after=request(user(), call("c" * 64), output("c" * 64)),
    provider_error=(
        "Invalid '{place}': string too long. Expected a string with maximum length 64, but got a "
        "string with length {length} instead."
    ),
    source="wire rules of OpenAI Responses (case 100)",
)
def tool_call_id_too_long(body: Body) -> Iterator[Finding]:
    """Calls with a long id; their outputs follow them, and those of calls on the server."""
    for item in (*calls(body), *outputs(body)):
        if isinstance(item.call_id, str) and len(item.call_id) > MAX_CALL_ID:
            path = (*item.path, "call_id")
            yield Finding(
                path,
                f"The id {shown(item.call_id)} has {len(item.call_id)} characters; "
                f"{MAX_CALL_ID} are taken.",
                {"place": bracketed(path), "length": len(item.call_id)},
            )


@rule(
    code="WM321",
    name="output-type",
    dialects=OPENAI_RESPONSES,
    summary="An output is of another type than its call.",
    doc="""
    A custom tool's call takes a custom_tool_call_output, a shell's call a shell_call_output, and so
    on; the local shell's call takes the output of a function too. Code that answers every call as
    if it were a function's call leaves the others open. wiremend writes the output as one of the
    right type; where that cannot hold text, the text goes into a message of the user.
    """,
    before=request(user(), _FREE, output()),
    after=request(user(), _FREE, {**output(), "type": "custom_tool_call_output"}),
    provider_error="No tool call found for {kind} output with call_id {id}.",
    source="openai types: ResponseInputItemParam; openai/codex pairs calls and outputs by type",
)
def output_type(body: Body) -> Iterator[Finding]:
    """Outputs whose call is of a type that takes another."""
    for item, made in pairs(body).mistyped:
        said = shown(item.call_id)
        yield Finding(
            (*item.path, "type"),
            f"The {worded(made.kind)} {said} takes no output of a {worded(item.kind)}.",
            {"kind": worded(item.kind), "id": said},
        )


RULES: tuple[Rule, ...] = (
    missing_tool_result,
    orphan_tool_result,
    duplicate_tool_result,
    duplicate_tool_call_id,
    tool_call_id_empty,
    tool_call_id_too_long,
    output_type,
)
