"""How rules read a Responses request, and what their examples are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wiremend.rules.base import Body, is_id, objects, once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wiremend.errors import Path

CALLS = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "local_shell_call": "local_shell_call_output",
    "shell_call": "shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "computer_call": "computer_call_output",
    "tool_search_call": "tool_search_output",
}
OUTPUTS = frozenset(CALLS.values())
_OF_THE_CLIENT = OUTPUTS | {
    "mcp_approval_response",
    "compaction_trigger",
    "configuration_update",
    "additional_tools",
}


class Item(NamedTuple):
    """An item of the input: where it is, its type (also where that is left out), its fields."""

    path: Path
    kind: str
    body: Body

    @property
    def call_id(self) -> Any:
        """What ties a call and its output together."""
        if self.kind == "local_shell_call_output" and "call_id" not in self.body:
            return self.body.get("id")
        return self.body.get("call_id")

    @property
    def is_served(self) -> bool:
        """Whether this is a tool search that the server did by itself."""
        return self.kind.startswith("tool_search_") and self.call_id is None

    @property
    def is_of_model(self) -> bool:
        """Whether the model made it, so that reasoning can have led to it."""
        if self.kind == "message":
            return self.body.get("role") == "assistant"
        return self.is_served or self.kind not in _OF_THE_CLIENT


@once
def items(body: Body) -> Iterator[Item]:
    """The items that are objects and whose type can be told."""
    for index, item in objects(body.get("input")):
        kind = item.get("type")
        if kind is None:
            kind = "message" if "role" in item else "item_reference"
        if isinstance(kind, str):
            yield Item(("input", index), kind, item)


@once
def calls(body: Body) -> Iterator[Item]:
    """The calls that the client has to answer."""
    return (item for item in items(body) if item.kind in CALLS and not item.is_served)


@once
def outputs(body: Body) -> Iterator[Item]:
    """The client's answers to calls."""
    return (item for item in items(body) if item.kind in OUTPUTS and not item.is_served)


@once
def parts(body: Body) -> Iterator[tuple[Path, str, Body]]:
    """Every content part that is an object: its path, the role that holds it, the part."""
    for item in items(body):
        role = item.body.get("role")
        if item.kind == "message" and isinstance(role, str):
            for place, part in objects(item.body.get("content")):
                yield (*item.path, "content", place), role, part
        elif item.kind in ("function_call_output", "custom_tool_call_output"):
            for place, part in objects(item.body.get("output")):
                yield (*item.path, "output", place), "tool", part


def goes_on(body: Body) -> bool:
    """Whether the input goes on with a conversation that is on the server."""
    return any(body.get(name) for name in ("previous_response_id", "conversation", "prompt"))


class Pairs(NamedTuple):
    """What is wrong with the calls and outputs of a body.

    ``mistyped`` are outputs of another type than their call, which comes with each.
    """

    mistyped: list[tuple[Item, Item]]
    unanswered: list[Item]
    orphans: list[Item]
    repeated_calls: list[Item]
    repeated_outputs: list[Item]


@once
def _pairs(body: Body) -> Iterator[Pairs]:
    called: dict[str, Item] = {}
    answered: set[str] = set()
    elsewhere = goes_on(body)
    here = {item.call_id for item in calls(body) if is_id(item.call_id)}
    found = Pairs([], [], [], [], [])
    for item in items(body):
        call_id = item.call_id
        elsewhere = elsewhere or _may_be_a_call(item)
        if not is_id(call_id) or item.is_served:
            continue
        if item.kind in CALLS:
            if call_id in called:
                found.repeated_calls.append(item)
            if call_id in answered:
                answered.discard(call_id)
                called[call_id] = item
            called.setdefault(call_id, item)
        elif item.kind in OUTPUTS:
            if call_id in answered:
                found.repeated_outputs.append(item)
            elif call_id in called or (elsewhere and call_id not in here):
                answered.add(call_id)
                made = called.get(call_id)
                if made is not None and not _answers(item.kind, made.kind):
                    found.mistyped.append((item, made))
            else:
                found.orphans.append(item)
    found.unanswered.extend(item for key, item in called.items() if key not in answered)
    yield found


def _answers(kind: str, called: str) -> bool:
    """Whether the types go together; a local shell's call takes the output of a function too."""
    return CALLS[called] == kind or (
        called == "local_shell_call" and kind == "function_call_output"
    )


def _may_be_a_call(item: Item) -> bool:
    """Whether an item refers to one on the server that may be a call."""
    known = str(item.body.get("id"))
    return item.kind == "item_reference" and not known.startswith(("msg", "rs"))


def pairs(body: Body) -> Pairs:
    """What is wrong with the calls and outputs of a body."""
    return next(iter(_pairs(body)))


def worded(kind: str) -> str:
    """A type of calls as the provider's errors name it: ``custom tool call``."""
    return kind.removesuffix("_output").replace("_", " ")


# --- for the examples of the rules -----------------------------------------------------------


def request(*said: Body, **more: Any) -> Body:
    """A complete request with these items."""
    return {"model": "gpt-5", "input": list(said), **more}


def user(content: Any = "What is the weather in Oslo?") -> Body:
    """A user's message."""
    return {"role": "user", "content": content}


def answer(content: Any = "Rain.", **more: Any) -> Body:
    """A message of the assistant."""
    if isinstance(content, str):
        content = [{"type": "output_text", "text": content}]
    return {"type": "message", "role": "assistant", "content": content, **more}


def call(call_id: Any = "call_1", name: str = "weather", **more: Any) -> Body:
    """A function call."""
    made = {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}"}
    return {**made, **more}


def output(call_id: Any = "call_1", result: Any = "rain", **more: Any) -> Body:
    """The output of a function call."""
    return {"type": "function_call_output", "call_id": call_id, "output": result, **more}


def reasoning(item_id: str = "rs_1", **more: Any) -> Body:
    """A reasoning item."""
    return {"type": "reasoning", "id": item_id, "summary": [], **more}
