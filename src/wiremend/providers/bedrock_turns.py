"""Amazon Bedrock Converse, simulated: whose turn it is, and which calls are open."""

from __future__ import annotations

from typing import Any

from wiremend.providers.bedrock_models import Model
from wiremend.providers.reply import RefusalError


class Turns:
    """Where the conversation stands.

    ``owed`` are the calls of the message before, which this one has to answer; ``served`` those
    that the provider answers itself.
    """

    def __init__(self, *, has_tools: bool, model: Model) -> None:
        self._has_tools = has_tools
        self._model = model
        self._before: str | None = None
        self._index = 0
        self._owed: list[str] = []
        self._served: set[str] = set()

    def step(self, index: int, message: dict[str, Any]) -> None:
        """Take one more message; raises ``RefusalError`` where it cannot follow."""
        role, content = message["role"], message["content"]
        self._index = index
        if role == "system" and not self._model.takes_system_inside:
            raise RefusalError(
                f"Value 'system' at 'messages.{index + 1}.member.role' failed to satisfy "
                "constraint: Member must satisfy enum value set: [user, assistant]"
            )
        if self._before is None and role != "user":
            raise RefusalError(
                "A conversation must start with a user message. Try again with a conversation "
                "that starts with a user message."
            )
        if role == self._before and role != "system":
            raise RefusalError(
                "A conversation must alternate between user and assistant roles. Make sure the "
                "conversation alternates between user and assistant roles and try again."
            )
        self._before = role
        calls = [block["toolUse"] for block in content if "toolUse" in block]
        self._served |= {c["toolUseId"] for c in calls if c.get("type") == "server_tool_use"}
        self._answer(role, content)
        self._look_at_cache_points(content)
        self._say(role, content)

    def end(self) -> None:
        """Look at what the conversation leaves open."""
        if self._before is None:
            raise RefusalError(
                "A conversation must start with a user message. Try again with a conversation "
                "that starts with a user message."
            )
        self._index += 1
        self._missing(self._owed)

    def _answer(self, role: str, content: list[dict[str, Any]]) -> None:
        """The results of this message, against the calls of the one before."""
        results = [block["toolResult"]["toolUseId"] for block in content if "toolResult" in block]
        results = [identifier for identifier in results if identifier not in self._served]
        if results:
            self._want_tools()
        twice = [identifier for n, identifier in enumerate(results) if identifier in results[:n]]
        if twice:
            raise RefusalError(
                f"The toolResult blocks at messages.{self._index}.content contain duplicate Ids: "
                f"{', '.join(twice)}"
            )
        owed, self._owed = self._owed, []
        self._missing([identifier for identifier in owed if identifier not in results])
        if role != "user":
            owed = []
        if len(results) > len(owed):
            raise RefusalError(
                f"The number of toolResult blocks at messages.{self._index}.content exceeds the "
                "number of toolUse blocks of previous turn."
            )
        words = [b for b in content if "toolResult" not in b and "cachePoint" not in b]
        if results and words and not self._model.mixes_results_and_words:
            raise RefusalError(
                f"messages.{self._index}.content: Conversation blocks and tool result blocks "
                "cannot be provided in the same turn."
            )

    def _missing(self, identifiers: list[str]) -> None:
        if identifiers:
            raise RefusalError(
                f"Expected toolResult blocks at messages.{self._index}.content for the following "
                f"Ids: {', '.join(identifiers)}"
            )

    def _want_tools(self) -> None:
        if not self._has_tools:
            raise RefusalError(
                "The toolConfig field must be defined when using toolUse and toolResult content "
                "blocks."
            )

    def _look_at_cache_points(self, content: list[dict[str, Any]]) -> None:
        thought = False
        for block in content:
            if "cachePoint" in block and thought:
                raise RefusalError(
                    "Cache point cannot be inserted after reasoning block. Please remove the "
                    "invalid cache point and try again."
                )
            thought = "reasoningContent" in block

    def _say(self, role: str, content: list[dict[str, Any]]) -> None:
        """The calls and the reasoning of this message."""
        for position, block in enumerate(content):
            call = block.get("toolUse", {})
            client = "toolUse" in block and call["toolUseId"] not in self._served
            thinking = block.get("reasoningContent")
            if role != "assistant" and (client or thinking is not None):
                what = "tool use" if client else "reasoning content"
                raise RefusalError(f"{role.capitalize()} messages cannot contain {what}.")
            if thinking is not None:
                self._model.check_thinking(thinking, f"messages.{self._index}.content.{position}")
            if client:
                self._want_tools()
                if call["toolUseId"] in self._owed:
                    raise RefusalError(
                        f"The toolUse blocks at messages.{self._index}.content contain duplicate "
                        f"Ids: {call['toolUseId']}"
                    )
                self._owed.append(call["toolUseId"])
