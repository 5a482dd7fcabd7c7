"""Chat Completions: calls, their results and their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import CHAT, OPENAI_CHAT, Body, Finding, Rule, is_id, messages, rule, shown
from wiremend.rules.openai_chat import (
    bracketed,
    call,
    calls,
    calls_of,
    request,
    result,
    unpaired,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ID = 40


@rule(
    code="WM101",
    name="missing-tool-result",
    dialects=CHAT,
    summary="A tool call has no tool message directly behind its assistant message.",
    doc="""
    An assistant message with tool calls must be followed at once by one tool message for each
    of them, in any order, before anything else. A cancelled tool, a crash or a message in
    between leaves a call open, and from then on every request is refused. wiremend moves a
    result that stands elsewhere to its place, and writes one that says that the result is
    missing where there is none.
    """,
    before=request(user(), calls(call())),
    after=request(user(), calls(call()), result(content="No result.")),
    provider_error=(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: {id}"
    ),
    said_by={
        "mistral": "Not the same number of function calls and responses",
        "deepseek": "An assistant message with 'tool_calls' must be followed by tool messages "
        "responding to each 'tool_call_id'. (insufficient tool messages following tool_calls "
        "message)",
        "kimi": "tool_call_ids did not have response messages: {id}",
    },
    source="HKUDS/OpenHarness#240, microsoft/autogen#3178 (cases 002 and 032)",
)
def missing_tool_result(body: Body) -> Iterator[Finding]:
    """Calls that nothing answers where the answer must stand."""
    for run in unpaired(body):
        for path, call_id in run.unanswered():
            yield Finding(
                path,
                f"No tool message directly behind this message answers call {shown(call_id)}.",
                {"id": shown(call_id)},
            )


@rule(
    code="WM102",
    name="orphan-tool-result",
    dialects=CHAT,
    summary="A tool message answers no call of the assistant message before it.",
    doc="""
    A tool message is taken only in the run of tool messages directly behind the assistant
    message that made its call. Histories that were cut in front lose the call and keep the
    result, and a message that was put between the two separates them. wiremend moves the
    result behind its call, and drops it where there is no such call.
    """,
    before=request(user(), result()),
    after=request(user()),
    provider_error=(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
        "with 'tool_calls'."
    ),
    source="langchain-ai/langchain#38352, microsoft/semantic-kernel#12708 (cases 009 and 031)",
)
def orphan_tool_result(body: Body) -> Iterator[Finding]:
    """Tool messages without their call in front of them."""
    for run in unpaired(body):
        for path, call_id in run.orphans():
            yield Finding(
                path, f"No call directly before this tool message has the id {shown(call_id)}."
            )


@rule(
    code="WM103",
    name="duplicate-tool-result",
    dialects=CHAT,
    summary="A second tool message answers the same call.",
    doc="""
    Each call takes one tool message. Retries and event logs that are replayed twice add the
    result again, and strict servers refuse a result for a call that is already answered.
    wiremend keeps the first result and drops the others.
    """,
    before=request(user(), calls(call()), result(), result(content="rain again")),
    after=request(user(), calls(call()), result()),
    provider_error="Duplicate tool message for tool_call_id '{id}' in '{place}'.",
    source="QwenLM/qwen-code#5099 (case 025; the wording is a description)",
)
def duplicate_tool_result(body: Body) -> Iterator[Finding]:
    """Tool messages for a call that has its result already."""
    for run in unpaired(body):
        for path, call_id in run.repeated():
            yield Finding(
                path,
                f"Call {shown(call_id)} already has its result.",
                {"id": shown(call_id), "place": bracketed(path)},
            )


@rule(
    code="WM104",
    name="duplicate-tool-call-id",
    dialects=CHAT,
    summary="Two calls of one message have the same id.",
    doc="""
    Within one assistant message each call needs an id of its own, or its result cannot be told
    from the other's. The same id in a later message is taken: some models count from zero in
    every turn. Of DeepSeek it is said that ids are unique in the whole request; the refusals that
    can be placed are all about one message. wiremend renames the later call together with its
    result, or drops an exact repetition.
    """,
    before=request(user(), calls(call(), call()), result()),
    after=request(user(), calls(call(), call("callAbc02")), result(), result("callAbc02")),
    provider_error="Duplicate tool call id '{id}' in '{place}'.",
    said_by={"deepseek": "Duplicate value for 'tool_call_id' of {id} in message[{position}]"},
    source="BerriAI/litellm#23510 (case 028; the wording is a description); earendil-works/pi#6796",
)
def duplicate_tool_call_id(body: Body) -> Iterator[Finding]:
    """Calls whose id an earlier call of their message has."""
    seen: set[tuple[object, str]] = set()
    for path, made in calls_of(body):
        call_id = made.get("id")
        if not is_id(call_id):
            continue
        if (path[1], call_id) in seen:
            yield Finding(
                (*path, "id"),
                f"An earlier call of this message has the id {shown(call_id)} too.",
                {
                    "id": shown(call_id),
                    "place": bracketed((*path, "id")),
                    "position": path[1],
                },
            )
        seen.add((path[1], call_id))


@rule(
    code="WM105",
    name="empty-tool-calls",
    dialects=CHAT,
    summary="tool_calls is an empty list.",
    doc="""
    A message without calls has no `tool_calls` at all; an empty list is refused. Libraries
    that always write the field produce it. wiremend leaves the field out.
    """,
    before=request(
        user(), {"role": "assistant", "content": "Rain.", "tool_calls": []}, user("And then?")
    ),
    after=request(user(), {"role": "assistant", "content": "Rain."}, user("And then?")),
    provider_error=(
        "Invalid '{place}': empty array. Expected an array with minimum length 1, but got an "
        "empty array instead."
    ),
    source="openai/openai-node#1341 (cases 038 and 064)",
)
def empty_tool_calls(body: Body) -> Iterator[Finding]:
    """Messages with a list of no calls."""
    for index, message in messages(body):
        if message.get("tool_calls") == []:
            path = ("messages", index, "tool_calls")
            yield Finding(path, "This list of calls is empty.", {"place": bracketed(path)})


@rule(
    code="WM106",
    name="tool-call-id-empty",
    dialects=CHAT,
    summary="A call or a tool message has no id.",
    doc="""
    The id ties a result to its call. Gateways to models that have no ids pass on null or empty
    ones, and the next request is refused. wiremend gives the call a new id and the result the
    id of the call that it must belong to.
    """,
    before=request(user(), calls(call("")), result("")),
    after=request(user(), calls(call()), result()),
    provider_error=(
        "Invalid '{place}': empty string. Expected a string with minimum length 1, but got an "
        "empty string instead."
    ),
    source="Gentleman-Programming/gentle-pi#1052 (case 103)",
)
def tool_call_id_empty(body: Body) -> Iterator[Finding]:
    """Ids that are missing, empty or no text."""
    owners = [((*path, "id"), made.get("id")) for path, made in calls_of(body)]
    owners.extend(
        (("messages", index, "tool_call_id"), message.get("tool_call_id"))
        for index, message in messages(body)
        if message.get("role") == "tool"
    )
    for path, call_id in owners:
        if not is_id(call_id):
            yield Finding(
                path,
                "The id is missing or empty.",
                {"place": bracketed(path)},
                "" if call_id == "" else "Missing required parameter: '{place}'.",
            )


@rule(
    code="WM107",
    name="tool-call-id-too-long",
    dialects=OPENAI_CHAT,
    summary="The id of a call is longer than 40 characters.",
    doc="""
    Ids that other providers made can be longer than the 40 characters that are taken here.
    Cutting them is no way out, as their first 40 characters are often the same. wiremend
    writes a short id that is made from the whole one, in the call and in its result.
    """,
    before=request(user(), calls(call("c" * 41)), result("c" * 41)),
    after=request(user(), calls(call("c" * 40)), result("c" * 40)),
    provider_error=(
        "Invalid '{place}': string too long. Expected a string with maximum length 40, but got a "
        "string with length {length} instead."
    ),
    source="anomalyco/opencode#12653 (case 099)",
)
def tool_call_id_too_long(body: Body) -> Iterator[Finding]:
    """Calls with a long id; their results follow them."""
    for path, made in calls_of(body):
        call_id = made.get("id")
        if isinstance(call_id, str) and len(call_id) > MAX_ID:
            place = (*path, "id")
            yield Finding(
                place,
                f"The id {shown(call_id)} has {len(call_id)} characters; {MAX_ID} are taken.",
                {"place": bracketed(place), "length": len(call_id)},
            )


RULES: tuple[Rule, ...] = (
    missing_tool_result,
    orphan_tool_result,
    duplicate_tool_result,
    duplicate_tool_call_id,
    empty_tool_calls,
    tool_call_id_empty,
    tool_call_id_too_long,
)
