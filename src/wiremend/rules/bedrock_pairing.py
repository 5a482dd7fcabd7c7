"""Amazon Bedrock Converse: calls and their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import BEDROCK, Body, Finding, Rule, objects, rule, shown
from wiremend.rules.bedrock import (
    ASKED,
    LLAMA,
    assistant,
    maker,
    member_of,
    result,
    runs,
    tool_blocks,
    turns,
    use,
    user,
    with_tools,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_RESULTS_ALONE = frozenset({"ai21", "cohere", "meta", "mistral"})


@rule(
    code="WM501",
    name="missing-tool-result",
    dialects=BEDROCK,
    summary="A toolUse has no toolResult in the message directly behind it.",
    doc="""
    The message after one with toolUse blocks holds a toolResult for each of them: results that
    are spread over two user messages are refused, as is a call that was cancelled. wiremend puts
    the results of a step into one message, in the order of the calls where they were spread, and
    writes one that says that the result is missing where there is none.
    """,
    before=with_tools(ASKED, assistant(use()), user("Never mind.")),
    after=with_tools(
        ASKED, assistant(use()), user(result("tooluse_1", "No result."), "Never mind.")
    ),
    provider_error="Expected toolResult blocks at {behind} for the following Ids: {ids}",
    source="camel-ai/camel#3954 and mlflow/mlflow#24296 (cases 061 and 031)",
)
def missing_tool_result(body: Body) -> Iterator[Finding]:
    """Calls that nothing answers where the answer must stand."""
    for run in runs(body):
        if run.is_plain:
            continue
        open_calls = list(run.unanswered())
        ids = ", ".join(shown(use_id) for _, use_id in open_calls)
        for path, use_id in open_calls:
            behind = f"messages.{int(path[1]) + 1}.content"
            yield Finding(
                path,
                f"The message directly behind this one has no result for {shown(use_id)}.",
                {"behind": behind, "ids": ids},
            )


@rule(
    code="WM502",
    name="orphan-tool-result",
    dialects=BEDROCK,
    summary="A toolResult answers no toolUse of the message before it.",
    doc="""
    A toolResult is taken only in the user message directly behind the assistant message that made
    its call. Histories that were cut in front lose the call and keep the result, and what was put
    between the two separates them. wiremend moves the result behind its call, and drops it where
    there is no such call.
    """,
    before=with_tools(user(result(), "Go on."), assistant("Rain."), user("Thanks.")),
    after=with_tools(user("Go on."), assistant("Rain."), user("Thanks.")),
    provider_error=(
        "The number of toolResult blocks at messages.{index}.content exceeds the number of toolUse "
        "blocks of previous turn."
    ),
    source="OpenHands/OpenHands#4912, pydantic/pydantic-ai#2327",
)
def orphan_tool_result(body: Body) -> Iterator[Finding]:
    """Results without their call in the message before."""
    for run in runs(body):
        for path, use_id in () if run.is_plain else run.orphans():
            yield Finding(
                path,
                f"The message directly before this one has no call {shown(use_id)}.",
                {"index": path[1]},
            )


@rule(
    code="WM503",
    name="duplicate-tool-result",
    dialects=BEDROCK,
    summary="A message holds two results for one call.",
    doc="""
    Each toolUse takes one toolResult. Retries, and messages that are merged by a gateway, add the
    result again. wiremend keeps the first and drops the others.
    """,
    before=with_tools(ASKED, assistant(use()), user(result(), result())),
    after=with_tools(ASKED, assistant(use()), user(result())),
    provider_error="The toolResult blocks at messages.{index}.content contain duplicate Ids: {id}",
    source="BerriAI/litellm#20047",
)
def duplicate_tool_result(body: Body) -> Iterator[Finding]:
    """Results for a call that has one already."""
    for run in runs(body):
        for path, use_id in () if run.is_plain else run.repeated():
            yield Finding(
                path,
                f"Call {shown(use_id)} already has its result.",
                {"index": path[1], "id": shown(use_id)},
            )


@rule(
    code="WM504",
    name="duplicate-tool-use-id",
    dialects=BEDROCK,
    summary="Two toolUse blocks of one message have the same id.",
    doc="""
    The id of a toolUse is unique within its message; later messages may use it again. Streams
    that were put together twice break this. wiremend renames the later call together with its
    result, or drops an exact repetition.
    """,
    before=with_tools(ASKED, assistant(use(), use()), user(result())),
    after=with_tools(ASKED, assistant(use()), user(result())),
    provider_error="The toolUse blocks at messages.{index}.content contain duplicate Ids: {id}",
    source="BerriAI/litellm#20049 (case 027)",
)
def duplicate_tool_use_id(body: Body) -> Iterator[Finding]:
    """Calls whose id an earlier call of the message has."""
    seen: set[tuple[int | str, str]] = set()
    for path, message, _, member, value in tool_blocks(body):
        use_id = value.get("toolUseId")
        if member != "toolUse" or message.get("role") != "assistant":
            continue
        if not isinstance(use_id, str) or not use_id:
            continue
        if (path[1], use_id) in seen:
            words: dict[str, str | int] = {"index": path[1], "id": shown(use_id)}
            yield Finding(path, f"An earlier call has the id {shown(use_id)} too.", words)
        seen.add((path[1], use_id))


@rule(
    code="WM505",
    name="results-beside-words",
    dialects=BEDROCK,
    summary="A message has results and something else, and the model takes results alone.",
    doc="""
    Models of Meta, Mistral, Cohere and AI21 know a turn of results and a turn of words, and no
    turn with both; others, Claude and Nova among them, take both. wiremend puts a line of the
    assistant between the results and the words, so that the roles still alternate.
    """,
    before=with_tools(ASKED, assistant(use()), user(result(), "And in Rome?"), modelId=LLAMA),
    after=with_tools(
        *(ASKED, assistant(use()), user(result()), assistant("(results)"), user("And in Rome?")),
        modelId=LLAMA,
    ),
    provider_error=(
        "messages.{index}.content: Conversation blocks and tool result blocks cannot be provided "
        "in the same turn."
    ),
    source="strands-agents/harness-sdk#1223 (case 034), langchain-ai/langchain-aws#141",
)
def results_beside_words(body: Body) -> Iterator[Finding]:
    """User messages with results and anything but results and cache points."""
    if maker(body) not in _RESULTS_ALONE:
        return
    for index, message, role in turns(body):
        members = [member_of(block) for _, block in objects(message.get("content"))]
        if role != "user" or "toolResult" not in members:
            continue
        for place, member in enumerate(members):
            if member not in ("toolResult", "cachePoint"):
                path = ("messages", index, "content", place)
                yield Finding(path, "This stands beside tool results.", {"index": index})
                break


RULES: tuple[Rule, ...] = (
    missing_tool_result,
    orphan_tool_result,
    duplicate_tool_result,
    duplicate_tool_use_id,
    results_beside_words,
)
