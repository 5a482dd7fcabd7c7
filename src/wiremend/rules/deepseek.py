"""What DeepSeek refuses beyond the rules of Chat Completions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiremend.rules.base import DEEPSEEK, Body, Finding, Rule, messages, rule, shown
from wiremend.rules.openai_chat import call, calls, parts_of, request, result, user

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROLES = ("system", "user", "assistant", "tool")
_THINKING = {"thinking": {"type": "enabled"}}
_REASONED = {**calls(call()), "reasoning_content": "I need the weather."}


def _named(body: Body, *names: str) -> bool:
    model = body.get("model")
    return isinstance(model, str) and any(name in model.lower() for name in names)


def _thinks(body: Body) -> bool:
    thinking = body.get("thinking")
    said = thinking.get("type") if isinstance(thinking, dict) else None
    if said == "enabled":
        return True
    versions = tuple(f"deepseek-v{number}" for number in range(4, 10))
    return said != "disabled" and _named(body, "deepseek-reasoner", *versions)


@rule(
    code="WM621",
    name="reasoning-missing",
    dialects=DEEPSEEK,
    summary="Thinking is on, and a message with calls has no reasoning_content.",
    doc="""
    In thinking mode (`deepseek-reasoner`, DeepSeek V4 by default, or `thinking` says so) each
    assistant message that makes calls goes back with its `reasoning_content`, in every later
    request. Empty text counts as missing. Nothing can stand in for lost reasoning: wiremend
    writes a line that says that it is not there.
    """,
    before=request(user(), calls(call()), result(), **_THINKING),
    after=request(user(), _REASONED, result(), **_THINKING),
    provider_error="The `reasoning_content` in the thinking mode must be passed back to the API.",
    source="api-docs.deepseek.com, Thinking Mode; JohnnyZ93/oai-compatible-copilot#215",
)
def reasoning_missing(body: Body) -> Iterator[Finding]:
    """Messages with calls and without reasoning."""
    if not _thinks(body):
        return
    for index, message in messages(body):
        if message.get("role") != "assistant" or not message.get("tool_calls"):
            continue
        reasoning = message.get("reasoning_content")
        if not isinstance(reasoning, str) or not reasoning:
            yield Finding(("messages", index), "This message makes calls and has no reasoning.")


@rule(
    code="WM622",
    name="reasoning-refused",
    dialects=DEEPSEEK,
    summary="The model is of a time when reasoning could not be sent back.",
    doc="""
    DeepSeek R1 gives its `reasoning_content` and refuses a request that brings it back; today's
    models want the opposite. wiremend leaves the field out for models of that name.
    """,
    before={
        **request(user(), {"role": "assistant", "content": "Rain.", "reasoning_content": "Hm."}),
        "model": "deepseek-r1",
    },
    after={**request(user(), {"role": "assistant", "content": "Rain."}), "model": "deepseek-r1"},
    provider_error="reasoning_content is not allowed in the input messages",
    source="api-docs.deepseek.com, Reasoning Model, as of 2025 (the wording is a description)",
)
def reasoning_refused(body: Body) -> Iterator[Finding]:
    """Reasoning for a model that takes none."""
    if not _named(body, "deepseek-r1"):
        return
    for index, message in messages(body):
        if message.get("role") == "assistant" and isinstance(message.get("reasoning_content"), str):
            place = ("messages", index, "reasoning_content")
            yield Finding(place, "This model takes no reasoning back.")


@rule(
    code="WM623",
    name="tool-content-list",
    dialects=DEEPSEEK,
    summary="The content of a tool message is a list of parts.",
    doc="""
    A tool message's content is one text here; the list of text parts that OpenAI takes is refused
    before anything is read. wiremend writes the texts one below the other.
    """,
    before=request(user(), calls(call()), result(content=[{"type": "text", "text": "rain"}])),
    after=request(user(), calls(call()), result(content="rain")),
    provider_error=(
        "Failed to deserialize the JSON body into the target type: messages[{position}]: invalid "
        "type: sequence, expected a string"
    ),
    source="Gitlawb/openclaude#774 (case 119)",
)
def tool_content_list(body: Body) -> Iterator[Finding]:
    """Lists in tool messages; an empty one has a rule of its own."""
    for index, message in messages(body):
        content = message.get("content")
        if message.get("role") == "tool" and isinstance(content, list) and content:
            yield Finding(
                ("messages", index, "content"),
                "The content of this tool message is a list.",
                {"position": index},
            )


@rule(
    code="WM624",
    name="part-type",
    dialects=DEEPSEEK,
    summary="A message holds something else than text.",
    doc="""
    The models take text and nothing else. A picture that another model was shown, or a part in
    another API's shape, is refused. wiremend rewrites what is text in another shape, and puts a
    line of text in the place of the rest.
    """,
    before=request(
        user([{"type": "image_url", "image_url": {"url": "https://example.test/a.png"}}])
    ),
    after=request(user([{"type": "text", "text": "[image omitted]"}])),
    provider_error=(
        "Failed to deserialize the JSON body into the target type: messages[{position}]: unknown "
        "variant `{type}`, expected `text`"
    ),
    source="esengine/DeepSeek-Reasonix#7136 (case 117; the wording is a description)",
)
def part_type(body: Body) -> Iterator[Finding]:
    """Parts that are no text."""
    for path, role, part in parts_of(body):
        kind = part.get("type")
        if role in _ROLES and isinstance(kind, str) and kind != "text":
            yield Finding(
                path,
                f"This is no text but {shown(kind)}.",
                {"position": path[1], "type": shown(kind)},
            )


RULES: tuple[Rule, ...] = (reasoning_missing, reasoning_refused, tool_content_list, part_type)
