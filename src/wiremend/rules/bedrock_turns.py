"""Amazon Bedrock Converse: who speaks when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import (
    BEDROCK,
    Body,
    Finding,
    Rule,
    last_message,
    messages,
    objects,
    rule,
    shown,
)
from wiremend.rules.bedrock import (
    ASKED,
    MESSAGE_MEMBERS,
    RESULT_MEMBERS,
    SYSTEM_MEMBERS,
    assistant,
    blocks,
    inner_blocks,
    maker,
    member_of,
    request,
    thinking,
    tool_blocks,
    user,
)
from wiremend.rules.models import model_version, refuses_prefill, takes_system_messages

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOREIGN_ROLES = ("tool", "developer")
_SYSTEM_FIRST = frozenset({"ai21", "amazon", "cohere", "deepseek", "meta", "mistral"})


@rule(
    code="WM514",
    name="first-message-user",
    dialects=BEDROCK,
    summary="The first message is not the user's.",
    doc="""
    A conversation starts with the user. Histories that were cut in front, and chats that greet
    first, start with the assistant. wiremend puts a line of the user before it, or in strict
    projection drops the messages before the first user message.
    """,
    before=request(assistant("Hello, how can I help?"), ASKED),
    after=request(user("(start)"), assistant("Hello, how can I help?"), ASKED),
    provider_error=(
        "A conversation must start with a user message. Try again with a conversation that starts "
        "with a user message."
    ),
    source="langgenius/dify#12340, elastic/kibana#246393",
)
def first_message_user(body: Body) -> Iterator[Finding]:
    """A conversation that somebody else starts."""
    first = next(messages(body), None)
    if first is not None and first[0] == 0 and first[1].get("role") in ("assistant", "system"):
        role = first[1]["role"]
        if role == "assistant" or not _refuses_system(body):
            yield Finding(("messages", 0), f"The first message is the {role}'s.")


@rule(
    code="WM515",
    name="roles-alternate",
    dialects=BEDROCK,
    summary="Two messages in a row have the same role.",
    doc="""
    Users and the assistant take turns. Two user messages in a row come from reminders, from
    results that were answered while the user typed, and from a dropped empty answer. wiremend
    makes one message of them, block behind block.
    """,
    before=request(ASKED, user("Be brief.")),
    after=request(user("What is the weather in Oslo?", "Be brief.")),
    provider_error=(
        "A conversation must alternate between user and assistant roles. Make sure the "
        "conversation alternates between user and assistant roles and try again."
    ),
    source="langchain-ai/langchain-aws#130, microsoft/semantic-kernel#10281",
)
def roles_alternate(body: Body) -> Iterator[Finding]:
    """Messages behind one of the same role."""
    before = None
    for index, message in messages(body):
        role = message.get("role")
        if role == before and role in ("user", "assistant"):
            yield Finding(("messages", index), f"The message before is the {role}'s too.")
        before = role


@rule(
    code="WM516",
    name="role",
    dialects=BEDROCK,
    summary="A message has a role that is not taken there.",
    doc="""
    Messages are the user's and the assistant's; tool and developer messages belong to other APIs.
    A system message among the messages is taken only by Claude since 4.8; models that are known
    to refuse it get its text in a user message, or in the system prompt where it came first.
    wiremend turns tool messages into results.
    """,
    before=request(ASKED, {"role": "system", "content": [{"text": "Answer in French."}]}),
    after=request(ASKED, system=[{"text": "Answer in French."}]),
    provider_error=(
        "Value '{role}' at 'messages.{number}.member.role' failed to satisfy constraint: Member "
        "must satisfy enum value set: [user, assistant]"
    ),
    source="botocore: ConversationRole and ToolAdditionBlock; the documentation of "
    "mid-conversation system messages",
)
def role(body: Body) -> Iterator[Finding]:
    """Foreign roles, and system messages for models that take none."""
    for index, message in messages(body):
        name = message.get("role")
        foreign = name in _FOREIGN_ROLES if isinstance(name, str) else False
        if foreign or (name == "system" and _refuses_system(body)):
            words: dict[str, str | int] = {"role": str(name), "number": index + 1}
            yield Finding(("messages", index), f"A {name} message stands here.", words)


def _refuses_system(body: Body) -> bool:
    if maker(body) != "anthropic":
        return maker(body) in _SYSTEM_FIRST
    model = body.get("modelId")
    return model_version(model) is not None and not takes_system_messages(model)


@rule(
    code="WM517",
    name="no-messages",
    dialects=BEDROCK,
    summary="There is no message.",
    doc="""
    A request needs at least one message; the system prompt is none. wiremend does not invent
    what the user could have said, so this is left to you.
    """,
    before=request(),
    after=request(ASKED),
    provider_error=(
        "A conversation must start with a user message. Try again with a conversation that starts "
        "with a user message."
    ),
    source="elastic/kibana#246393",
    fixable=False,
)
def no_messages(body: Body) -> Iterator[Finding]:
    """An empty list of messages."""
    if body.get("messages") == []:
        yield Finding(("messages",), "The list of messages is empty.")


@rule(
    code="WM518",
    name="misplaced-block",
    dialects=BEDROCK,
    summary="A block stands where blocks of its kind are not taken.",
    doc="""
    Calls and reasoning are the assistant's; results hold text, JSON, pictures, documents, films
    and search results; the system prompt holds text, guarded text and cache points. wiremend gives
    the assistant's blocks a message of the assistant's, and drops from results and system prompt
    what they cannot hold. (A toolResult outside of a user message is an orphan.)
    """,
    before=request(user("Is it raining?", thinking(signature="c2ln")), assistant("No.")),
    after=request(user("Is it raining?"), assistant(thinking(signature="c2ln"), {"text": "No."})),
    provider_error="{who} messages cannot contain {what}.",
    source="vercel/ai#7034; botocore: ToolResultContentBlock and SystemContentBlock",
)
def misplaced_block(body: Body) -> Iterator[Finding]:
    """The assistant's blocks in user messages, and what results and prompts cannot hold."""
    calls = [found for found in tool_blocks(body) if found.member == "toolUse"]
    thoughts = [found for found in blocks(body) if found.member == "reasoningContent"]
    for path, message, _, member, _ in (*calls, *thoughts):
        if message.get("role") in ("user", "system"):
            what = "reasoning content" if member == "reasoningContent" else "tool use"
            yield Finding(
                path,
                f"A {member} block stands in a {message['role']} message.",
                {"who": str(message["role"]).capitalize(), "what": what},
            )
    for path, _, _, member, _ in blocks(body):
        if member not in MESSAGE_MEMBERS:
            yield _misplaced(path, member, "a message")
    for path, _, _, member, _ in inner_blocks(body):
        if member not in RESULT_MEMBERS:
            yield _misplaced(path, member, "a result")
    for place, block in objects(body.get("system")):
        if member_of(block) and member_of(block) not in SYSTEM_MEMBERS:
            yield _misplaced(("system", place), member_of(block), "the system prompt")


def _misplaced(path: tuple[int | str, ...], member: str, where: str) -> Finding:
    said = "Unknown parameter in {place}: {member}"
    words: dict[str, str | int] = {"member": shown(member)}
    return Finding(path, f"A {shown(member)} block cannot stand in {where}.", words, said)


@rule(
    code="WM519",
    name="prefill",
    dialects=BEDROCK,
    summary="The final message is the assistant's, and the model takes no such beginning.",
    doc="""
    Claude since 4.6 does not go on with an assistant message that the client began, on Bedrock
    either: the conversation ends with the user. wiremend puts a line of the user behind it.
    """,
    before=request(ASKED, assistant("The weather"), modelId="us.anthropic.claude-sonnet-4-6"),
    after=request(
        *(ASKED, assistant("The weather"), user("Go on.")),
        modelId="us.anthropic.claude-sonnet-4-6",
    ),
    provider_error=(
        "The model returned the following errors: This model does not support assistant message "
        "prefill. The conversation must end with a user message."
    ),
    source="Coneja-Chibi/TunnelVision#5; the documentation of the Messages API",
)
def prefill(body: Body) -> Iterator[Finding]:
    """A final assistant message for a model that refuses it."""
    found = last_message(body)
    if maker(body) != "anthropic" or found is None or found[1].get("role") != "assistant":
        return
    members = [member_of(block) for _, block in objects(found[1].get("content"))]
    # An open call has a rule of its own: its result is what is missing.
    if "toolUse" not in members and refuses_prefill(body.get("modelId")):
        yield Finding(("messages", found[0]), "The request ends with an assistant message.")


RULES: tuple[Rule, ...] = (
    first_message_user,
    roles_alternate,
    role,
    no_messages,
    misplaced_block,
    prefill,
)
