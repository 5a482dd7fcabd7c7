"""Anthropic Messages: who speaks when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.anthropic import (
    ASKED,
    assistant,
    request,
    text,
    thinking,
    turns,
    user,
)
from wiremend.rules.base import (
    ANTHROPIC,
    Body,
    Finding,
    Rule,
    last_message,
    messages,
    objects,
    rule,
    shown,
)
from wiremend.rules.models import refuses_prefill, takes_system_messages

if TYPE_CHECKING:
    from collections.abc import Iterator

_ASSISTANTS = ("tool_use", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use")
_FOREIGN_ROLES = ("tool", "developer", "function")


@rule(
    code="WM212",
    name="first-message-user",
    dialects=ANTHROPIC,
    summary="The first message is the assistant's.",
    doc="""
    A conversation starts with the user. Histories that were cut in front, and chats that greet
    first, start with the assistant. wiremend puts a line of the user before it, or in strict
    projection drops the messages before the first user message.
    """,
    before=request(assistant("Hello, how can I help?"), ASKED),
    after=request(user("(start)"), assistant("Hello, how can I help?"), ASKED),
    provider_error='messages: first message must use the "user" role',
    source="Kilo-Org/kilocode#5163, posit-dev/py-shiny#1530 (cases 016 and 047)",
)
def first_message_user(body: Body) -> Iterator[Finding]:
    """A conversation that the assistant starts."""
    first = next(messages(body), None)
    if first is not None and first[1].get("role") == "assistant":
        yield Finding(("messages", first[0]), "The first message is the assistant's.")


@rule(
    code="WM213",
    name="role",
    dialects=ANTHROPIC,
    summary="A message has a role that is not taken there.",
    doc="""
    Messages are the user's and the assistant's; tool, developer and function messages belong to
    other APIs. Models since Claude Opus 4.8 take a system message too, but only behind a user
    message (or a server tool's result), and before an assistant message or at the end: never
    first, and never between a call and its result. A system message of settings without words
    may stand anywhere. wiremend moves the text of a system message into the system prompt or
    into the user message beside it, and turns tool messages into results.
    """,
    before=request(ASKED, {"role": "system", "content": "Answer in French."}),
    after=request(ASKED, system="Answer in French."),
    provider_error=(
        'messages: Unexpected role "{role}". The Messages API accepts a top-level `system` '
        'parameter, not "system" as an input message role.'
    ),
    source="open-webui/open-webui (case 029); LeenHawk/gproxy#209; the documentation of "
    "mid-conversation system messages",
)
def role(body: Body) -> Iterator[Finding]:
    """Foreign roles, and system messages where none may stand."""
    takes = takes_system_messages(body.get("model"))
    said = list(messages(body))
    for place, (index, message) in enumerate(said):
        name = message.get("role")
        path = ("messages", index)
        if isinstance(name, str) and name in _FOREIGN_ROLES:
            allowed = 'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant"'
            yield Finding(path, f"This API has no role {name}.", {"role": name}, allowed)
        elif name == "system" and not takes:
            message_here = "A system message stands among the messages."
            yield Finding(path, message_here, {"role": name})
        elif name == "system" and (message.get("content") or not message.get("output_config")):
            before = said[place - 1][1] if place else None
            behind = said[place + 1][1] if place + 1 < len(said) else None
            yield from _misplaced(index, before, behind)


def _misplaced(index: int, before: Body | None, behind: Body | None) -> Iterator[Finding]:
    path = ("messages", index)
    suffix = (
        "; the directive-only form (content: [] with output_config) is accepted at any position"
    )
    if before is None:
        initial = "{place}: use the top-level 'system' parameter for the initial system prompt"
        yield Finding(path, "A system message stands first.", said=initial + suffix)
    elif not _system_may_follow(before):
        after_user = "{place}: role 'system' must follow a 'user' message"
        message = "A system message stands behind another one than the user's."
        yield Finding(path, message, said=after_user + suffix)
    elif behind is not None and behind.get("role") not in ("system", "assistant"):
        ends = "{place}: role 'system' must precede an 'assistant' message or end the array"
        message = "A system message stands before another one than the assistant's."
        yield Finding(path, message, said=ends + suffix)


def _system_may_follow(message: Body) -> bool:
    if message.get("role") in ("user", "system"):
        return True
    blocks = [block for _, block in objects(message.get("content"))]
    kind = blocks[-1].get("type") if blocks else None
    return isinstance(kind, str) and (kind == "server_tool_use" or kind.endswith("_tool_result"))


@rule(
    code="WM224",
    name="prefill",
    dialects=ANTHROPIC,
    summary="The final message is the assistant's, and the model takes no such beginning.",
    doc="""
    Models since Claude 4.6 do not go on with an assistant message that the client began: the
    conversation ends with the user. Sessions that were resumed after a finished answer, and
    requests that fix the start of the answer, are refused. A turn that was paused in the middle
    of a server tool may be sent back as it is. wiremend puts a line of the user behind it.
    """,
    before=request(ASKED, assistant("The weather"), model="claude-sonnet-4-6"),
    after=request(ASKED, assistant("The weather"), user("Go on."), model="claude-sonnet-4-6"),
    provider_error=(
        "This model does not support assistant message prefill. The conversation must end with a "
        "user message."
    ),
    source="Coneja-Chibi/TunnelVision#5, vybestack/llxprt-code#3695; anthropic types: "
    "MessageCreateParams.messages",
)
def prefill(body: Body) -> Iterator[Finding]:
    """A final assistant message for a model that refuses it."""
    found = last_message(body)
    if found is None or found[1].get("role") != "assistant":
        return
    blocks = [block for _, block in objects(found[1].get("content"))]
    answered = [shown(b.get("tool_use_id")) for b in blocks if "tool_use_id" in b]
    for block in blocks:
        # An open call of the client has a rule of its own: its result is what is missing.
        if block.get("type") == "tool_use":
            return
        if block.get("type") == "server_tool_use" and shown(block.get("id")) not in answered:
            return
    if refuses_prefill(body.get("model")):
        yield Finding(("messages", found[0]), "The request ends with an assistant message.")


@rule(
    code="WM228",
    name="no-messages",
    dialects=ANTHROPIC,
    summary="There is no message.",
    doc="""
    A request needs at least one message; the system prompt is none. wiremend does not invent
    what the user could have said, so this is left to you.
    """,
    before=request(),
    after=request(ASKED),
    provider_error="messages: at least one message is required",
    source="the documentation of the Messages API",
    fixable=False,
)
def no_messages(body: Body) -> Iterator[Finding]:
    """An empty list of messages."""
    if body.get("messages") == []:
        yield Finding(("messages",), "The list of messages is empty.")


@rule(
    code="WM229",
    name="misplaced-block",
    dialects=ANTHROPIC,
    summary="A block stands in a message of the wrong role.",
    doc="""
    Calls, thinking and what server tools gave are the assistant's; converters that put a whole
    exchange into one message leave them in a user message. wiremend gives them a message of the
    assistant's, in the same place. (A tool_result outside of a user message is an orphan.)
    """,
    before=request(user(text("Is it raining?"), thinking()), assistant("No."), user("Thanks.")),
    after=request(
        user(text("Is it raining?")), assistant(thinking()), assistant("No."), user("Thanks.")
    ),
    provider_error="{place}: `{kind}` blocks can only be in `assistant` messages",
    source="the documentation of tool use and of thinking; anthropic types: ContentBlockParam",
)
def misplaced_block(body: Body) -> Iterator[Finding]:
    """Blocks of the assistant's in user messages."""
    for index, message, role in turns(body):
        if role != "user":
            continue
        for place, block in objects(message.get("content")):
            kind = block.get("type")
            served = isinstance(kind, str) and kind.endswith("_tool_result")
            if served or kind in _ASSISTANTS:
                path = ("messages", index, "content", place)
                said = f"A {shown(kind)} block stands in a user message."
                yield Finding(path, said, {"kind": shown(kind)})


RULES: tuple[Rule, ...] = (
    first_message_user,
    role,
    prefill,
    no_messages,
    misplaced_block,
)
