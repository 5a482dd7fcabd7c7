"""What several servers beside OpenAI refuse, and what strict chat templates do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import (
    DEEPSEEK,
    GENERIC,
    KIMI,
    MISTRAL,
    QWEN,
    Body,
    Finding,
    Rule,
    dialect_of,
    messages,
    objects,
    rule,
)
from wiremend.rules.openai_chat import (
    call,
    called,
    calls,
    calls_of,
    request,
    result,
    says_nothing,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_SYSTEM = {"role": "system", "content": "You answer in one line."}
_ANSWER = {"role": "assistant", "content": "Rain."}
_UNKNOWN = {"qwen": ("developer",)}


@rule(
    code="WM661",
    name="role-unknown",
    dialects=KIMI + DEEPSEEK + MISTRAL + QWEN + GENERIC,
    summary="A message has a role that only OpenAI knows.",
    doc="""
    `developer` is OpenAI's newer name for `system`, and `function` its older one for `tool`. Other
    servers know system, user, assistant and tool, and refuse the rest. wiremend makes a developer
    a system message; what a legacy function said becomes a user's message.
    """,
    before=request({"role": "developer", "content": "You answer in one line."}, user()),
    after=request(_SYSTEM, user()),
    provider_error=(
        "messages[{position}].role: unknown variant `{role}`, expected one of `system`, `user`, "
        "`assistant`, `tool`"
    ),
    source=(
        "earendil-works/pi#1048, openclaw/openclaw#22194, DayuanJiang/next-ai-draw-io#304; "
        "mistralai types: the roles"
    ),
)
def role_unknown(body: Body) -> Iterator[Finding]:
    """Messages of developers, and of functions where those are not known."""
    unknown = _UNKNOWN.get(dialect_of(body), ("developer", "function"))
    for index, message in messages(body):
        role = message.get("role")
        if isinstance(role, str) and role in unknown:
            yield Finding(
                ("messages", index, "role"),
                f"This server knows no role {role}.",
                {"position": index, "role": role},
            )


@rule(
    code="WM662",
    name="no-user-message",
    dialects=QWEN + GENERIC,
    summary="No message is the user's.",
    doc="""
    DashScope, and the chat templates of Qwen, look for what the user wants, and refuse a
    conversation without any user message, such as one that begins with a system prompt and goes
    on with the agent's own steps. wiremend puts a line in front that says so.
    """,
    before=request(_SYSTEM),
    after=request(_SYSTEM, user()),
    provider_error="The input messages do not contain elements with the role of user",
    source="agentscope-ai/agentscope-java#613, langfuse/langfuse#10513",
)
def no_user_message(body: Body) -> Iterator[Finding]:
    """Conversations of others alone."""
    roles = [message.get("role") for _, message in messages(body)]
    # A legacy function's message is the user's once it is mended, and has a rule of its own.
    if roles and "user" not in roles and "function" not in roles:
        yield Finding(("messages",), "There is no user message.")


@rule(
    code="WM663",
    name="system-not-first",
    dialects=GENERIC,
    summary="A system message is not the first message.",
    doc="""
    Many chat templates take one system message, in front of all others. wiremend makes one of
    several in front, and gives a later one to the user as a reminder, where it stands, so that
    what was sent before stays as it was.
    """,
    before=request(_SYSTEM, user("Morning"), _ANSWER, _SYSTEM, user()),
    after=request(_SYSTEM, user("Morning"), _ANSWER, user()),
    provider_error="system message must be at the beginning",
    source="ollama/ollama#17774 (case 048)",
)
def system_not_first(body: Body) -> Iterator[Finding]:
    """System messages behind any other message."""
    for index, message in messages(body):
        if index and message.get("role") == "system":
            yield Finding(("messages", index), "Only the first message may be a system message.")


@rule(
    code="WM664",
    name="roles-alternate",
    dialects=GENERIC,
    summary="Two messages of one role stand in a row, or the assistant speaks first.",
    doc="""
    Many chat templates want user and assistant in turn, the user first; tool messages belong to
    the assistant's turn. wiremend makes one message of two, with a blank line between their
    texts, and puts a line of the user in front of a conversation that lost its beginning.
    """,
    before=request(user("Name the highest hill."), user("Is it steep?")),
    after=request(user("Name the highest hill.\n\nIs it steep?")),
    provider_error=(
        "After the optional system message, conversation roles must alternate "
        "user/assistant/user/assistant/..."
    ),
    source="vllm-project/vllm#6862 (case 043)",
)
def roles_alternate(body: Body) -> Iterator[Finding]:
    """Neighbours of one role, and a first message that is not the user's."""
    before: object = None
    for index, message in messages(body):
        role = message.get("role")
        first = before in (None, "system", "developer")
        doubled = role == before and role in ("user", "assistant")
        if doubled or (first and role in ("assistant", "tool")):
            yield Finding(("messages", index), "User and assistant have to speak in turn.")
        before = role


@rule(
    code="WM665",
    name="empty-message",
    dialects=GENERIC,
    summary="A message has neither words nor calls.",
    doc="""
    Templates and servers refuse messages without words, which an interrupted step or an empty
    prompt leaves behind. Empty text beside calls, and an empty result of a tool, are taken.
    wiremend drops the message.
    """,
    before=request(user("")),
    after=request(user("Hello")),
    provider_error="message content must not be empty",
    source="SGLang and LM Studio (the wording is a description)",
)
def empty_message(body: Body) -> Iterator[Finding]:
    """Messages of nothing but white space."""
    for index, message in messages(body):
        role = message.get("role")
        if role in ("system", "user", "assistant", "developer") and says_nothing(message):
            yield Finding(("messages", index, "content"), "This message says nothing.")


@rule(
    code="WM666",
    name="tool-name-missing",
    dialects=GENERIC,
    summary="A call or a tool has no name.",
    doc="""
    Which characters a name may have differs from server to server, but all need some. wiremend
    writes a name that says that there was none.
    """,
    before=request(user(), calls(call(name="")), result()),
    after=request(user(), calls(call(name="unnamed_tool")), result()),
    provider_error="Field required: {place}",
    source="docs.vllm.ai, OpenAI-Compatible Server: FunctionCall.name",
)
def tool_name_missing(body: Body) -> Iterator[Finding]:
    """Names that are no text or empty."""
    defined = ((("tools", place), tool) for place, tool in objects(body.get("tools")))
    for owners in (defined, calls_of(body)):
        for path, owner in owners:
            inner = called(owner)
            name = None if inner is None else inner.get("name")
            if inner is not None and not (isinstance(name, str) and name):
                kind = "custom" if owner.get("type") == "custom" else "function"
                yield Finding((*path, kind, "name"), "The name is missing.")


RULES: tuple[Rule, ...] = (
    role_unknown,
    no_user_message,
    system_not_first,
    roles_alternate,
    empty_message,
    tool_name_missing,
)
