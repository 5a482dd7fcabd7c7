"""Amazon Bedrock Converse, simulated: what depends on the model behind it."""

from __future__ import annotations

import re
from typing import Any

from wiremend.providers.anthropic_models import takes_prefill, takes_system_messages
from wiremend.providers.reply import RefusalError

_RETURNED = "The model returned the following errors: "
_MOST_MARKS = 4
_BLANK = " \t\r\n\f\v"


class Model:
    """A model by its id; one whose id says nothing takes whatever the service takes."""

    def __init__(self, identifier: Any) -> None:
        self._id = identifier.lower() if isinstance(identifier, str) else ""

    def _made_by(self, *makers: str) -> bool:
        return any(re.search(rf"(^|[./:]){maker}\.", self._id) for maker in makers)

    @property
    def is_claude(self) -> bool:
        """Whether it is one of Anthropic's."""
        return self._made_by("anthropic")

    @property
    def mixes_results_and_words(self) -> bool:
        """Whether one turn may hold results and anything else."""
        return not self._made_by("meta", "mistral", "cohere", "ai21")

    @property
    def takes_system_inside(self) -> bool:
        """Whether a system message may stand among the messages."""
        if self.is_claude:
            return takes_system_messages(self._id) or not re.search(r"claude-\w*-?\d", self._id)
        return not self._made_by("amazon", "meta", "mistral", "cohere", "ai21", "deepseek")

    def check_thinking(self, thinking: dict[str, Any], place: str) -> None:
        """Refuse what only a signature makes valid."""
        inner = thinking.get("reasoningText")
        if self.is_claude and isinstance(inner, dict) and not inner.get("signature"):
            raise RefusalError(f"{_RETURNED}{place}: Invalid `signature` in `thinking` block")

    def check_ending(self, messages: list[dict[str, Any]]) -> None:
        """Refuse a beginning of an answer that the model does not go on with."""
        if not self.is_claude or messages[-1]["role"] != "assistant":
            return
        if not takes_prefill(self._id):
            raise RefusalError(
                f"{_RETURNED}This model does not support assistant message prefill. "
                "The conversation must end with a user message."
            )
        text = messages[-1]["content"][-1].get("text")
        if isinstance(text, str) and text != text.rstrip(_BLANK):
            raise RefusalError(
                f"{_RETURNED}messages: final assistant content cannot end with trailing whitespace"
            )

    def check_open_turn(self, body: dict[str, Any]) -> None:
        """Refuse results that go on with a turn without the thinking that is asked for."""
        fields = body.get("additionalModelRequestFields")
        asked = list(fields.values()) if isinstance(fields, dict) else []
        if not self.is_claude or not any(
            isinstance(one, dict) and one.get("type") == "enabled" for one in asked
        ):
            return
        messages = body["messages"]
        if any("toolResult" not in b and "cachePoint" not in b for b in messages[-1]["content"]):
            return
        starts: list[tuple[int, str]] = []
        for index in range(len(messages) - 1, -1, -1):
            content = messages[index]["content"]
            if messages[index]["role"] == "assistant":
                starts.append((index, next(iter(content[0]))))
            elif not any("toolResult" in block for block in content):
                break
        if starts and all(first != "reasoningContent" for _, first in starts):
            raise RefusalError(
                f"{_RETURNED}messages.{starts[0][0]}.content.0.type: Expected `thinking` or "
                f"`redacted_thinking`, but found `{starts[0][1]}`. When `thinking` is enabled, a "
                "final `assistant` message must start with a thinking block."
            )

    def check_marks(self, body: dict[str, Any]) -> None:
        """Refuse more cache points than the model keeps."""
        config = body.get("toolConfig")
        holders = [config.get("tools") if isinstance(config, dict) else None, body.get("system")]
        holders += [message["content"] for message in body["messages"]]
        count = sum(
            1
            for holder in holders
            for block in holder or ()
            if isinstance(block, dict) and "cachePoint" in block
        )
        if not self.is_claude:
            return
        for index, message in enumerate(body["messages"]):
            self._check_marked_documents(message["content"], f"messages.{index}.content")
        if count > _MOST_MARKS:
            raise RefusalError(
                f"{_RETURNED}A maximum of {_MOST_MARKS} blocks with cache_control may be provided. "
                f"Found {count}."
            )

    def _check_marked_documents(self, content: list[dict[str, Any]], place: str) -> None:
        text = False
        for position, block in enumerate(content):
            document = block.get("document")
            if isinstance(document, dict):
                text = document.get("format") not in (None, "pdf")
            elif "cachePoint" not in block:
                text = False
            elif text:
                raise RefusalError(f"{_RETURNED}{place}.{position}.type: Field required")
