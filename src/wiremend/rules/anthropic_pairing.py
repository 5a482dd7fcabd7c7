"""Anthropic Messages: calls and their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wiremend.rules.anthropic import (
    ASKED,
    assistant,
    blocks_of,
    carries_results,
    request,
    result,
    runs,
    text,
    turns,
    unpaired,
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
    is_id,
    objects,
    rule,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

_SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
_SERVER_CALLS = ("server_tool_use", "mcp_tool_use")


@rule(
    code="WM201",
    name="missing-tool-result",
    dialects=ANTHROPIC,
    summary="A tool_use has no tool_result in the message directly behind it.",
    doc="""
    The message after one with tool_use blocks holds a tool_result for each of them; neighbouring
    assistant messages count as one, but results that are spread over two user messages are
    refused. A cancelled tool, a crash or a message in between leaves a call open, and from then
    on every request is refused. wiremend moves a result that stands elsewhere to its place, and
    writes one that says that the result is missing where there is none.
    """,
    before=with_tools(ASKED, assistant(use()), user("Never mind.")),
    after=with_tools(
        ASKED, assistant(use()), user(result(content="No result."), text("Never mind."))
    ),
    provider_error=(
        "{message}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        "{id}. Each `tool_use` block must have a corresponding `tool_result` block in the next "
        "message."
    ),
    source="anthropics/claude-code#2697, agentscope-ai/agentscope#1892 (cases 001 and 029)",
)
def missing_tool_result(body: Body) -> Iterator[Finding]:
    """Calls that nothing answers where the answer must stand."""
    for run in unpaired(body):
        for path, use_id in run.unanswered():
            yield Finding(
                path,
                f"The message directly behind this turn has no result for {shown(use_id)}.",
                {"id": shown(use_id), "message": dotted(path[:2])},
            )


@rule(
    code="WM202",
    name="orphan-tool-result",
    dialects=ANTHROPIC,
    summary="A tool_result answers no tool_use of the turn before it.",
    doc="""
    A tool_result is taken only in the user message directly behind the assistant turn that made
    its call. Histories that were cut in front lose the call and keep the result, and a message
    that was put between the two separates them. A result in any other message, also in an
    assistant message, is refused, and so is one for a server tool. wiremend moves the result
    behind its call, and drops it where there is no such call.
    """,
    before=with_tools(user(result(), text("Go on.")), assistant("Rain."), user("Thanks.")),
    after=with_tools(user(text("Go on.")), assistant("Rain."), user("Thanks.")),
    provider_error=(
        "{place}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each "
        "`tool_result` block must have a corresponding `tool_use` block in the previous message."
    ),
    source="anthropics/claude-code#18947 and #13460 (cases 008 and 016)",
)
def orphan_tool_result(body: Body) -> Iterator[Finding]:
    """Results without their call in the turn before."""
    for run in unpaired(body):
        for path, use_id in run.orphans():
            yield Finding(
                path,
                f"The turn directly before this message has no call {shown(use_id)}.",
                {"id": shown(use_id)},
            )


@rule(
    code="WM203",
    name="duplicate-tool-result",
    dialects=ANTHROPIC,
    summary="A message holds two results for one call.",
    doc="""
    Each tool_use takes one tool_result. Retries and event logs that are replayed twice add the
    result again. wiremend keeps the first and drops the others.
    """,
    before=with_tools(ASKED, assistant(use()), user(result(), result())),
    after=with_tools(ASKED, assistant(use()), user(result())),
    provider_error=(
        "{place}: each tool_use must have a single result. Found multiple `tool_result` blocks "
        "with id: {id}"
    ),
    source="EdanStarfire/claudecode_webui#405 (case 009)",
)
def duplicate_tool_result(body: Body) -> Iterator[Finding]:
    """Results for a call that has one already."""
    for run in unpaired(body):
        for path, use_id in run.repeated():
            yield Finding(
                path, f"Call {shown(use_id)} already has its result.", {"id": shown(use_id)}
            )


@rule(
    code="WM204",
    name="duplicate-tool-use-id",
    dialects=ANTHROPIC,
    summary="Two tool_use blocks of the request have the same id.",
    doc="""
    The id of a tool_use, also of one that the server makes, is unique in the whole request, not
    only in its message. Models that count their calls from zero in every turn, and steps that
    were stored twice, break this. wiremend renames the later call together with its result, or
    drops an exact repetition.
    """,
    before=with_tools(*(ASKED, assistant(use()), user(result()), assistant(use()), user(result()))),
    after=with_tools(
        *(ASKED, assistant(use()), user(result())),
        *(assistant(use("toolu_2")), user(result("toolu_2"))),
    ),
    provider_error="{place}: `{kind}` ids must be unique",
    source="anthropics/claude-code#20901, echoVic/orca-agent#67 (cases 007 and 008)",
)
def duplicate_tool_use_id(body: Body) -> Iterator[Finding]:
    """Calls whose id an earlier call has."""
    seen: set[str] = set()
    for path, message, block in blocks_of(body, "tool_use", *_SERVER_CALLS):
        use_id = block.get("id")
        if is_id(use_id) and message.get("role") == "assistant":
            if use_id in seen:
                words: dict[str, str | int] = {"kind": shown(block["type"])}
                yield Finding(path, f"An earlier call has the id {shown(use_id)} too.", words)
            seen.add(use_id)


@rule(
    code="WM205",
    name="result-not-first",
    dialects=ANTHROPIC,
    summary="A tool_result stands behind another block of its message.",
    doc="""
    In the message that answers calls all results come first; text and images stand behind them.
    Reminders and notes that are put in front of the results are refused. wiremend moves them
    behind the results.
    """,
    before=with_tools(ASKED, assistant(use()), user(text("Be brief."), result())),
    after=with_tools(ASKED, assistant(use()), user(result(), text("Be brief."))),
    provider_error=(
        "{message}: Did not find {count} `tool_result` block(s) at the beginning of this message. "
        "Messages following `tool_use` blocks must begin with a matching number of `tool_result` "
        "blocks."
    ),
    source="anthropics/claude-code#37 (case 032); the documentation of tool use",
)
def result_not_first(body: Body) -> Iterator[Finding]:
    """The first result of a message that has something else in front of it."""
    for run in runs(body):
        for count, (path, use_id) in enumerate(run.results):
            # With only results in front, a result's place is the number of them.
            if path[3] != count and path in run.answers:
                yield Finding(
                    path,
                    f"Another block stands before the result of {shown(use_id)}.",
                    {"message": dotted(path[:2]), "count": run.call_ids.total()},
                )
                break


@rule(
    code="WM223",
    name="server-tool-unpaired",
    dialects=ANTHROPIC,
    summary="A server tool's call lacks its result, or a result its call.",
    doc="""
    A server_tool_use and the one result that the provider wrote for it stay together in one
    assistant turn, the call first. A stream that was cut, a reminder that was put between them,
    or a cleaner that knows only client tools separates them, and no client can write the result.
    A paused turn may be sent back with its call open, as long as nothing but tool results
    follows. wiremend puts a result back behind its call, and drops a block that is alone.
    """,
    before=request(ASKED, assistant(text("Searching."), _SEARCH), user("And in Rome?")),
    after=request(ASKED, assistant(text("Searching.")), user("And in Rome?")),
    provider_error=(
        "{message}: `{name}` tool use with id `{id}` was found without a corresponding "
        "`{name}_tool_result` block"
    ),
    source="AnswerDotAI/lisette#108 (case 105), anthropics/claude-code#64383 and #89348",
)
def server_tool_unpaired(body: Body) -> Iterator[Finding]:
    """Server calls and their results, turn by turn."""
    pending: dict[str, Finding] = {}
    for index, message, role in turns(body):
        if role == "user":
            # Results of client tools go on with the turn: a server tool that calls them ends later.
            if not carries_results(message):
                yield from pending.values()
                pending = {}
            continue
        for place, block in objects(message.get("content")):
            kind = block.get("type")
            path = ("messages", index, "content", place)
            if kind in _SERVER_CALLS and is_id(block.get("id")):
                pending[block["id"]] = _unfinished(path, block)
            elif isinstance(kind, str) and kind.endswith("_tool_result"):
                use_id = block.get("tool_use_id")
                if is_id(use_id) and pending.pop(use_id, None) is None:
                    yield _unasked(path, kind, use_id)


def _unfinished(path: Path, block: Body) -> Finding:
    use_id = shown(block["id"])
    words: dict[str, str | int] = {"message": dotted(path[:2]), "id": use_id}
    words["name"] = shown(block.get("name"))
    return Finding(path, f"The server tool call {use_id} has no result in its turn.", words)


def _unasked(path: Path, kind: str, use_id: Any) -> Finding:
    return Finding(
        path,
        f"No open server tool call before this result has the id {shown(use_id)}.",
        {"id": shown(use_id), "kind": shown(kind)},
        "{place}: unexpected `tool_use_id` found in `{kind}` blocks: {id}. Each `{kind}` block "
        "must have a corresponding `server_tool_use` block before it.",
    )


RULES: tuple[Rule, ...] = (
    missing_tool_result,
    orphan_tool_result,
    duplicate_tool_result,
    duplicate_tool_use_id,
    result_not_first,
    server_tool_unpaired,
)
