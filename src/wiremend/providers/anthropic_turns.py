"""Anthropic Messages, simulated: calls and their results, turn by turn."""

from __future__ import annotations

from typing import Any, NoReturn

from wiremend.providers.reply import RefusalError

_SERVER_CALLS = ("server_tool_use", "mcp_tool_use")


class Turns:
    """Where the conversation stands. Neighbouring assistant messages are one turn.

    ``owed`` holds the calls of the turn that is open, each with its message's index; ``serving``
    the same for the tools that the server runs itself.
    """

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.owed: dict[str, int] = {}
        self.serving: dict[str, tuple[int, str]] = {}
        self.callers: set[str] = set()

    def step(self, index: int, message: dict[str, Any]) -> None:
        """Take one more message; raises ``RefusalError`` where it cannot follow."""
        content = message["content"]
        blocks = content if isinstance(content, list) else []
        if message["role"] == "assistant":
            for position, block in enumerate(blocks):
                self._said(index, position, block)
        elif message["role"] == "user":
            if not any(block["type"] == "tool_result" for block in blocks):
                self._server_tools_done()
            self._answered(index, blocks)
        elif self.owed:
            self._unanswered()

    def end(self) -> None:
        """Look at what the conversation leaves open; the last turn may wait for a server tool."""
        if self.owed:
            self._unanswered()

    def paused(self, last: int) -> bool:
        """Whether the message at ``last`` waits for a tool that the server runs."""
        return any(index == last for index, _ in self.serving.values())

    def _said(self, index: int, position: int, block: dict[str, Any]) -> None:
        kind = block["type"]
        if kind == "tool_use" or kind in _SERVER_CALLS:
            if block["id"] in self.used:
                raise RefusalError(
                    f"messages.{index}.content.{position}: `{kind}` ids must be unique"
                )
            self.used.add(block["id"])
        if kind == "tool_use":
            self.owed[block["id"]] = index
            caller = block.get("caller")
            if isinstance(caller, dict) and isinstance(caller.get("tool_id"), str):
                self.callers.add(caller["tool_id"])
        elif kind in _SERVER_CALLS:
            self.serving[block["id"]] = (index, block["name"])
        elif kind.endswith("_tool_result"):
            self._served(index, position, block)

    def _served(self, index: int, position: int, block: dict[str, Any]) -> None:
        if self.serving.pop(block["tool_use_id"], None) is None:
            kind = block["type"]
            raise RefusalError(
                f"messages.{index}.content.{position}: unexpected `tool_use_id` found in `{kind}` "
                f"blocks: {block['tool_use_id']}. Each `{kind}` block must have a corresponding "
                "`server_tool_use` block before it."
            )

    def _server_tools_done(self) -> None:
        for identifier, (index, name) in self.serving.items():
            # Code that calls the client's tools goes on after their results.
            if identifier not in self.callers:
                raise RefusalError(
                    f"messages.{index}: `{name}` tool use with id `{identifier}` was found without "
                    f"a corresponding `{name}_tool_result` block"
                )

    def _answered(self, index: int, blocks: list[dict[str, Any]]) -> None:
        results_over = False
        given: set[str] = set()
        for position, block in enumerate(blocks):
            if block["type"] != "tool_result":
                results_over = True
                continue
            self._one_answer(f"messages.{index}.content.{position}", block["tool_use_id"], given)
            if results_over:
                self._unanswered()
            given.add(block["tool_use_id"])
            del self.owed[block["tool_use_id"]]
        if self.owed:
            self._unanswered()

    def _one_answer(self, place: str, identifier: str, given: set[str]) -> None:
        if identifier in given:
            raise RefusalError(
                f"{place}: each tool_use must have a single result. "
                f"Found multiple `tool_result` blocks with id: {identifier}"
            )
        if identifier not in self.owed:
            raise RefusalError(
                f"{place}: unexpected `tool_use_id` found in `tool_result` blocks: {identifier}. "
                "Each `tool_result` block must have a corresponding `tool_use` block in the "
                "previous message."
            )

    def _unanswered(self) -> NoReturn:
        index = next(iter(self.owed.values()))
        raise RefusalError(
            f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately "
            f"after: {', '.join(self.owed)}. Each `tool_use` block must have a corresponding "
            "`tool_result` block in the next message."
        )
