"""Responses: reasoning, and the ids of items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wiremend.rules.base import OPENAI_RESPONSES, Body, Finding, Rule, rule, shown
from wiremend.rules.openai_chat import bracketed
from wiremend.rules.openai_responses import (
    answer,
    call,
    items,
    output,
    reasoning,
    request,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ITEM_ID = 64
# Only the prefixes that refusals of the API are known to name.
_PREFIXES = {
    "message": "msg",
    "reasoning": "rs",
    "function_call": "fc",
    "function_call_output": "fc",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctc",
    "web_search_call": "ws",
}
_KEPT = {"encrypted_content": "ZW5j"}


@rule(
    code="WM310",
    name="lone-reasoning",
    dialects=OPENAI_RESPONSES,
    summary="A reasoning item is not followed by what it led to.",
    doc="""
    Reasoning comes with the message, the call or the other item of the model that it led to, and
    goes back directly before it. A stream that broke, a message that was filtered out, or a user
    who spoke in between leaves the reasoning alone. wiremend drops it.
    """,
    before=request(user(), reasoning(), user("Well?")),
    after=request(user(), user("Well?")),
    provider_error=(
        "Item '{id}' of type 'reasoning' was provided without its required following item."
    ),
    source="continuedev/continue#8933, vercel/ai#7099 (cases 052 and 082)",
)
def lone_reasoning(body: Body) -> Iterator[Finding]:
    """Reasoning with something else behind it, or nothing; several in a row count as one."""
    listed = list(items(body))
    followed = False
    found = []
    for item in reversed(listed):
        if item.kind != "reasoning":
            followed = item.is_of_model
        elif not followed:
            found.append(item)
    for item in reversed(found):
        said = "What this reasoning led to does not follow it."
        yield Finding(item.path, said, {"id": shown(item.body.get("id"))})


@rule(
    code="WM311",
    name="reasoning-not-kept",
    dialects=OPENAI_RESPONSES,
    summary="A reasoning item is neither in the request nor on the server.",
    doc="""
    The server finds reasoning by its id, or reads its `encrypted_content`. With `store: false`
    it keeps nothing, so that the encrypted content has to come along (ask for it with
    `include`); without an id it always has to. wiremend drops such reasoning, and the ids of the
    items that it led to, which the server would ask it for.
    """,
    before=request(user(), reasoning(), answer(), store=False),
    after=request(user(), answer(), store=False),
    provider_error=(
        "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try "
        "again with `store` set to true, or remove this item from your input."
    ),
    source="vercel/ai#7543, continuedev/continue#9101, langchain-ai/langchain#38372",
)
def reasoning_not_kept(body: Body) -> Iterator[Finding]:
    """Reasoning without encrypted content where that is needed."""
    stored = body.get("store") is not False
    for item in items(body):
        named = item.body.get("id") is not None
        if item.kind != "reasoning" or item.body.get("encrypted_content") or (named and stored):
            continue
        yield Finding(
            item.path,
            "This reasoning has no encrypted content, and the server does not know it.",
            {"id": shown(item.body.get("id")), "place": bracketed((*item.path, "id"))},
            "" if named else "Missing required parameter: '{place}'.",
        )


@rule(
    code="WM312",
    name="reasoning-summary",
    dialects=OPENAI_RESPONSES,
    summary="A reasoning item has no list of summaries.",
    doc="""
    `summary` is a list that may be empty, but has to be there. Code that keeps the encrypted
    content alone leaves it out. wiremend adds an empty list.
    """,
    before=request(user(), {"type": "reasoning", "id": "rs_1", **_KEPT}, answer()),
    after=request(user(), reasoning(**_KEPT), answer()),
    provider_error="Missing required parameter: '{place}'.",
    source="AAswordman/Operit#797 (case 088); openai types: ResponseReasoningItemParam.summary",
)
def reasoning_summary(body: Body) -> Iterator[Finding]:
    """Reasoning whose summary is missing or no list."""
    for item in items(body):
        if item.kind == "reasoning" and not isinstance(item.body.get("summary"), list):
            place = (*item.path, "summary")
            yield Finding(place, "The summary is no list.", {"place": bracketed(place)})


@rule(
    code="WM313",
    name="duplicate-item-id",
    dialects=OPENAI_RESPONSES,
    summary="Two items have the same id.",
    doc="""
    The id of an item names it on the server, once in a request. Reasoning that is written before
    each of the calls that it led to, and responses that are stored twice, repeat it. wiremend
    drops repeated reasoning and exact copies, and takes the id from any other item.
    """,
    before=request(
        *(user(), reasoning(**_KEPT), call(), reasoning(**_KEPT), call("call_2")),
        *(output(), output("call_2")),
    ),
    after=request(
        *(user(), reasoning(**_KEPT), call(), call("call_2")),
        *(output(), output("call_2")),
    ),
    provider_error=(
        "Duplicate item found with id {id}. Remove duplicate items from your input and try again."
    ),
    source="vercel/ai#7883 (cases 084 and 085)",
)
def duplicate_item_id(body: Body) -> Iterator[Finding]:
    """Items with the id of an earlier one."""
    seen: set[str] = set()
    for item in items(body):
        known = item.body.get("id")
        # The result of the local shell bears the id of its call.
        if not isinstance(known, str) or item.kind == "local_shell_call_output":
            continue
        if known in seen:
            path = (*item.path, "id")
            yield Finding(path, f"An earlier item has the id {shown(known)}.", {"id": shown(known)})
        seen.add(known)


@rule(
    code="WM314",
    name="item-id",
    dialects=OPENAI_RESPONSES,
    summary="The id of an item is not one that the provider gave.",
    doc="""
    Ids of items start with a prefix of their type (`msg`, `rs`, `fc`, `ctc`, `ws`) and have at
    most 64 characters. Ids that an SDK made up, that other providers gave, or that belong into
    `call_id` are refused. wiremend takes the id from the item, since most need none, and drops
    reasoning and other items that make no sense without their own.
    """,
    before=request(user(), answer(id="__fake_id__", status="completed"), user("Bye.")),
    after=request(user(), answer(status="completed"), user("Bye.")),
    provider_error="Invalid '{place}': '{id}'. Expected an ID that begins with '{prefix}'.",
    source="openai/openai-agents-python#2293, continuedev/continue#11494 (case 086)",
)
def item_id(body: Body) -> Iterator[Finding]:
    """Ids of the wrong prefix, length or type."""
    for item in items(body):
        known = item.body.get("id")
        prefix = _PREFIXES.get(item.kind, "")
        if known is None or item.kind == "local_shell_call_output" or _is_legal(known, prefix):
            continue
        path = (*item.path, "id")
        long = isinstance(known, str) and len(known) > MAX_ITEM_ID
        words: dict[str, str | int] = {"place": bracketed(path), "id": shown(known)}
        yield Finding(
            path,
            f"The provider gives no {item.kind} the id {shown(known)}.",
            {**words, "prefix": prefix, "length": len(known) if long else 0},
            _TOO_LONG if long else "",
        )


_TOO_LONG = (
    "Invalid '{place}': string too long. Expected a string with maximum length 64, but got a "
    "string with length {length} instead."
)


def _is_legal(known: Any, prefix: str) -> bool:
    return (
        isinstance(known, str)
        and known != ""
        and known.startswith(prefix)
        and len(known) <= MAX_ITEM_ID
    )


RULES: tuple[Rule, ...] = (
    lone_reasoning,
    reasoning_not_kept,
    reasoning_summary,
    duplicate_item_id,
    item_id,
)
