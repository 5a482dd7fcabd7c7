"""What Mistral refuses in the order of messages and in ids."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from wiremend.rules.base import (
    MISTRAL,
    Body,
    Finding,
    Rule,
    is_blank,
    is_id,
    last_message,
    messages,
    rule,
    shown,
)
from wiremend.rules.openai_chat import call, calls, calls_of, request, result, user

if TYPE_CHECKING:
    from collections.abc import Iterator

_ID = re.compile(r"[a-zA-Z0-9]{9}")
_GOOD = "abcDEF123"
_MADE = calls(call(_GOOD))
_GIVEN = result(_GOOD)
# Who may not come right behind whom.
_REFUSED = frozenset({("tool", "user"), ("tool", "system"), ("assistant", "system")})
_ROLES = frozenset({"system", "user", "assistant", "tool"})


@rule(
    code="WM641",
    name="tool-call-id-format",
    dialects=MISTRAL,
    summary="The id of a call is not nine letters or digits.",
    doc="""
    Ids of calls have exactly nine characters of a to z, A to Z and 0 to 9. Those of other
    providers are longer and have other characters. wiremend writes an id of nine that is made
    from the whole old one, in the call and in its result; a legal id stays.
    """,
    before=request(user(), calls(call("call_search")), result("call_search")),
    after=request(user(), _MADE, _GIVEN),
    provider_error=("Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9."),
    source="anomalyco/opencode#1680, mistral_common's validators (cases 038 and 047)",
)
def tool_call_id_format(body: Body) -> Iterator[Finding]:
    """Calls with another id; their results follow them."""
    for path, made in calls_of(body):
        call_id = made.get("id")
        if is_id(call_id) and not _ID.fullmatch(call_id):
            yield Finding(
                (*path, "id"),
                f"The id {shown(call_id)} is not nine letters or digits.",
                {"id": shown(call_id)},
            )


@rule(
    code="WM642",
    name="role-order",
    dialects=MISTRAL,
    summary="A user or system message stands where the order of roles has none.",
    doc="""
    Behind a tool message the assistant comes, or another tool message; a system message stands in
    front, or behind a system or user message. A user who interrupts a tool breaks the order.
    wiremend puts a short assistant message between the result and the user, and gives a misplaced
    system message to the user as a reminder. Nor may a conversation start with calls, since the
    validators do not count those, or have an assistant message alone: a line of the user is put in
    front. The newest version of
    mistral_common lets the user follow a tool; the servers of the reports did not.
    """,
    before=request(user(), _MADE, _GIVEN, user("Never mind.")),
    after=request(
        user(), _MADE, _GIVEN, {"role": "assistant", "content": "Rain."}, user("Never mind.")
    ),
    provider_error="Unexpected role '{role}' after role '{before}'",
    source="NousResearch/hermes-agent#20154, mistral_common's validators (case 036)",
)
def role_order(body: Body) -> Iterator[Finding]:
    """Messages that may not follow the one before them."""
    for index, message in messages(body):
        if index or message.get("role") != "assistant":
            break
        if message.get("tool_calls") or len(body["messages"]) == 1:
            yield Finding(
                ("messages", 0),
                "The conversation may not start with this.",
                said="Conversation must start with a user message or system message",
            )
    for (_, before), (index, message) in pairwise(messages(body)):
        pair = (before.get("role"), message.get("role"))
        if all(isinstance(role, str) for role in pair) and pair in _REFUSED:
            yield Finding(
                ("messages", index),
                f"A {pair[1]} message may not follow a {pair[0]} message.",
                {"role": str(pair[1]), "before": str(pair[0])},
            )


@rule(
    code="WM643",
    name="last-message",
    dialects=MISTRAL,
    summary="The last message is the assistant's and no prefix.",
    doc="""
    The last message is the user's or a tool's; an assistant message there has to be marked with
    `prefix: true`, and the answer then continues it. wiremend adds a short user message, since
    what was said is no prefix of what comes.
    """,
    before=request(user(), {"role": "assistant", "content": "Rain."}),
    after=request(user(), {"role": "assistant", "content": "Rain."}, user("Continue.")),
    provider_error=(
        "Expected last role User or Tool (or Assistant with prefix True) for serving but got "
        "assistant"
    ),
    source="NEKOparapa/AiNiee#641, mistral_common's validators (case 040)",
)
def last_is_open(body: Body) -> Iterator[Finding]:
    """A final assistant message; one with open calls has a rule of its own."""
    found = last_message(body)
    if found is None:
        return
    index, message = found
    if message.get("role") != "assistant" or message.get("prefix") is True:
        return
    if not message.get("tool_calls"):
        yield Finding(("messages", index), "The conversation ends with the assistant.")


@rule(
    code="WM644",
    name="prefix-not-last",
    dialects=MISTRAL,
    summary="A message that is not the last is marked as a prefix.",
    doc="""
    `prefix: true` makes the model continue the last message. In a later request the same message
    stands further in front, and the mark is refused. wiremend takes it away.
    """,
    before=request(user(), {"role": "assistant", "content": "So", "prefix": True}, user("On.")),
    after=request(user(), {"role": "assistant", "content": "So"}, user("On.")),
    provider_error="Assistant message with prefix True must be last message",
    source="mistral_common's validators",
)
def prefix_not_last(body: Body) -> Iterator[Finding]:
    """Prefixes with something behind them."""
    last = (last_message(body) or (-1,))[0]
    for index, message in messages(body):
        prefix = message.get("role") == "assistant" and message.get("prefix") is True
        if prefix and index != last:
            yield Finding(("messages", index, "prefix"), "Only the last message is a prefix.")


@rule(
    code="WM645",
    name="empty-assistant-message",
    dialects=MISTRAL,
    summary="An assistant message has neither content nor calls.",
    doc="""
    An assistant message has content or calls. One that an interrupted step left empty is refused;
    empty text beside calls is taken. wiremend drops the message.
    """,
    before=request(user(), {"role": "assistant", "content": ""}, user("Go on.")),
    after=request(user(), user("Go on.")),
    provider_error="Assistant message must have either content or tool_calls, but not none.",
    source="zed-industries/zed#47579; mistral_common's validators",
)
def empty_assistant_message(body: Body) -> Iterator[Finding]:
    """Assistant messages of nothing but white space."""
    for index, message in messages(body):
        if message.get("role") != "assistant" or message.get("tool_calls"):
            continue
        if message.get("prefix") is not True and _is_blank(message.get("content")):
            yield Finding(("messages", index, "content"), "This assistant message is empty.")


def _is_blank(content: object) -> bool:
    """Whether content is there and holds nothing but blank text."""
    if isinstance(content, list):
        return bool(content) and all(
            isinstance(part, dict) and part.get("type") == "text" and is_blank(part.get("text"))
            for part in content
        )
    return is_blank(content)


RULES: tuple[Rule, ...] = (
    tool_call_id_format,
    role_order,
    last_is_open,
    prefix_not_last,
    empty_assistant_message,
)
