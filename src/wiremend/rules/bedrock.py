"""How rules read a Converse request of Amazon Bedrock, and the pieces of their examples."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from wiremend.rules.base import Body, messages, objects, once
from wiremend.rules.pairing import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

CLAUDE = "anthropic.claude-sonnet-4-5-20250929-v1:0"
LLAMA = "us.meta.llama4-maverick-17b-instruct-v1:0"
TOOLS = {"tools": [{"toolSpec": {"name": "weather", "inputSchema": {"json": {"type": "object"}}}}]}
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
PDF = "JVBERi0xLjQK"

MESSAGE_MEMBERS = (
    *("text", "image", "document", "video", "audio", "toolUse", "toolResult", "guardContent"),
    *("cachePoint", "reasoningContent", "citationsContent", "searchResult", "toolAddition"),
    "toolRemoval",
)
RESULT_MEMBERS = ("json", "text", "image", "document", "video", "searchResult")
SYSTEM_MEMBERS = ("text", "guardContent", "cachePoint")
MEMBERS = frozenset((*MESSAGE_MEMBERS, *RESULT_MEMBERS))
MEDIA = ("image", "document", "video", "audio")

_MAKER = re.compile(
    r"(?:^|[./:])"
    r"(ai21|amazon|anthropic|cohere|deepseek|meta|minimax|mistral|moonshot|openai|qwen|writer)\."
)


def maker(body: Body) -> str:
    """Who made the model, by its id or its ARN; empty where that does not tell."""
    model = body.get("modelId")
    found = _MAKER.search(model) if isinstance(model, str) else None
    return found[1] if found else ""


def request(*said: Body, **more: Any) -> Body:
    """A complete request with these messages, for the examples of the rules."""
    return {"modelId": CLAUDE, "messages": list(said), **more}


def with_tools(*said: Body, **more: Any) -> Body:
    """The same with the tool of the examples."""
    return request(*said, toolConfig=TOOLS, **more)


def user(*blocks: Any) -> Body:
    """A user message of blocks; a string stands for a text block."""
    return {"role": "user", "content": [_block(block) for block in blocks]}


def assistant(*blocks: Any) -> Body:
    """An assistant message of blocks; a string stands for a text block."""
    return {"role": "assistant", "content": [_block(block) for block in blocks]}


def _block(block: Any) -> Any:
    return {"text": block} if isinstance(block, str) else block


ASKED = user("What is the weather in Oslo?")


def use(use_id: Any = "tooluse_1", name: Any = "weather", **more: Any) -> Body:
    """A toolUse block."""
    return {"toolUse": {"toolUseId": use_id, "name": name, "input": {}, **more}}


def result(use_id: Any = "tooluse_1", *content: Any, **more: Any) -> Body:
    """A toolResult block; without content it says that it rains."""
    blocks = [_block(block) for block in content or ("rain",)]
    return {"toolResult": {"toolUseId": use_id, "content": blocks, **more}}


def thinking(**more: Any) -> Body:
    """A block of reasoning."""
    return {"reasoningContent": {"reasoningText": {"text": "Let me see.", **more}}}


def media(kind: str, written: str, data: str = "AAAA", **more: Any) -> Body:
    """A picture, document, film or recording."""
    return {kind: {"format": written, "source": {"bytes": data}, **more}}


def in_service_words(path: Path) -> str:
    """A path as the service writes it, counting from one: ``messages.2.member.content.1.member``.

    NousResearch/hermes-agent#90008 has an even number for an assistant message.
    """
    return ".".join(f"{step + 1}.member" if isinstance(step, int) else step for step in path)


class Block(NamedTuple):
    """A content block with where it stands, what it is, and the value of its one member."""

    path: Path
    message: Body
    whole: Body
    member: str
    value: Any


def is_foreign(block: Body) -> bool:
    """Whether a block has a ``type``, as in other APIs, and no member that only this one has."""
    if not isinstance(block.get("type"), str):
        return False
    return all(name == "text" or name not in MEMBERS for name in block)


def member_of(block: Body) -> str:
    """The one known member of a block; empty where it has none or several, or is another API's."""
    found = [name for name in block if name in MEMBERS]
    return found[0] if len(found) == 1 and not is_foreign(block) else ""


@once
def blocks(body: Body) -> Iterator[Block]:
    """The blocks of the messages themselves."""
    for index, message in messages(body):
        for place, block in objects(message.get("content")):
            if member := member_of(block):
                path = ("messages", index, "content", place)
                yield Block(path, message, block, member, block[member])


@once
def inner_blocks(body: Body) -> Iterator[Block]:
    """The blocks inside of tool results."""
    for path, message, _, member, value in blocks(body):
        if member == "toolResult" and isinstance(value, dict):
            for place, block in objects(value.get("content")):
                if inner := member_of(block):
                    at = (*path, "toolResult", "content", place)
                    yield Block(at, message, block, inner, block[inner])


@once
def turns(body: Body) -> Iterator[tuple[int, Body, str]]:
    """User and assistant messages with index and role; other roles have a rule of their own."""
    for index, message in messages(body):
        if message.get("role") in ("user", "assistant"):
            yield index, message, message["role"]


@once
def _served(body: Body) -> Iterator[str]:
    for found in blocks(body):
        if found.member == "toolUse" and _runs_itself(found.value):
            yield str(found.value.get("toolUseId"))


def _runs_itself(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "server_tool_use"


@once
def tool_blocks(body: Body) -> Iterator[Block]:
    """Calls of the client's tools and their results: not those that the provider runs itself."""
    served = set(_served(body))
    for found in blocks(body):
        if found.member not in ("toolUse", "toolResult") or not isinstance(found.value, dict):
            continue
        if str(found.value.get("toolUseId")) not in served:
            yield found


@once
def runs(body: Body) -> Iterator[Run]:
    """Each assistant message's calls with the results of the user message directly behind it.

    Results anywhere else come as runs without calls.
    """
    calls: dict[int, Run] = {}
    lost: list[Run] = []
    for found in tool_blocks(body):
        index = found.path[1]
        assert isinstance(index, int)
        placed = (found.path, found.value.get("toolUseId"))
        role = found.message.get("role")
        if found.member == "toolUse":
            if role == "assistant":
                calls.setdefault(index, Run()).calls.append(placed)
        elif role == "user" and index - 1 in calls:
            calls[index - 1].results.append(placed)
        else:
            lost.append(Run([], [placed]))
    yield from calls.values()
    yield from lost
