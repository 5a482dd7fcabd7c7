"""What a JSON value is a conversation of: signs are counted, and the most win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from wiremend.inputs.envelopes import is_answer
from wiremend.inputs.parsing import NoConversation

Json: TypeAlias = dict[str, Any]

CHAT, ANTHROPIC = "openai-chat", "anthropic"
RESPONSES, GEMINI, BEDROCK = "openai-responses", "gemini", "bedrock"


class Recognised(NamedTuple):
    """A wire format; ``is_bare``: the value is a message array without its request.

    ``is_default`` says that there was no sign of any format.
    """

    format: str
    is_bare: bool = False
    is_default: bool = False

    def body(self, value: Any, holds: str) -> Json:
        """The value as a request body, whose list is in the field ``holds``."""
        return {holds: value} if self.is_bare else value


_TOP = {
    **dict.fromkeys(("system", "anthropic_version", "stop_sequences", "top_k"), ANTHROPIC),
    **dict.fromkeys(("mcp_servers", "context_management", "anthropic_beta"), ANTHROPIC),
    **dict.fromkeys(("max_completion_tokens", "response_format", "functions"), CHAT),
    **dict.fromkeys(("frequency_penalty", "presence_penalty", "logit_bias"), CHAT),
    **dict.fromkeys(("parallel_tool_calls", "reasoning_effort", "n", "stop"), CHAT),
    **dict.fromkeys(("modelId", "toolConfig", "inferenceConfig", "guardrailConfig"), BEDROCK),
}
_BLOCKS = {
    **dict.fromkeys(("tool_use", "tool_result", "thinking", "redacted_thinking"), ANTHROPIC),
    **dict.fromkeys(("image", "document", "server_tool_use", "search_result"), ANTHROPIC),
    **dict.fromkeys(("image_url", "input_audio", "file", "refusal"), CHAT),
}
_BEDROCK_BLOCKS = frozenset(("toolUse", "toolResult", "reasoningContent", "cachePoint"))
_ITEMS = ("function_call", "function_call_output", "reasoning", "message")
_CHAT_FIELDS = ("tool_calls", "tool_call_id", "function_call", "reasoning_content")
_HISTORY_FIELDS = frozenset(
    ("toolCalls", "toolCallId", "origin", "isError", "providerMessageId", "toolCallDisplays")
)
_CHAT_MODELS = ("gpt", "o1", "o3", "o4", "chatgpt", "kimi", "deepseek", "qwen", "mistral")


def recognise(value: Any) -> Recognised:
    """What ``value`` is; without any sign, what most servers speak. Raises ``NoConversation``."""
    if isinstance(value, list):
        return _of_array(value)._replace(is_bare=True)
    if not isinstance(value, dict):
        raise NoConversation(f"holds {_named(value)}, not a conversation")
    return _of_object(value)


def _of_object(value: Json) -> Recognised:
    if "messages" not in value:
        return Recognised(_without_messages(value))
    messages = value["messages"]
    found = list(messages) if isinstance(messages, list) else []
    _refuse_history(found)
    return _most([*_signs_of_request(value), *_signs_of_messages(found)])


def _without_messages(value: Json) -> str:
    if _holds_objects(value.get("contents")):
        return GEMINI
    if (
        isinstance(value.get("input"), str) or _holds_objects(value.get("input"))
    ) and "custom_id" not in value:
        return RESPONSES
    if "role" in value:
        raise NoConversation("a single message, not a conversation")
    if is_answer(value):
        raise NoConversation("the answer to a line of a batch, without its request")
    if not value:
        raise NoConversation("holds an empty object, not a conversation")
    raise NoConversation('holds an object without "messages": no request of a known shape')


def _of_array(items: list[Any]) -> Recognised:
    objects = [item for item in items if isinstance(item, dict)]
    if not items:
        raise NoConversation("holds an empty array, not a conversation")
    if not objects:
        raise NoConversation(f"holds an array of {_plural(items[0])}, not of messages")
    _refuse_history(objects)
    first = objects[0]
    if "parts" in first:
        return Recognised(GEMINI)
    if "role" not in first and isinstance(first.get("messages"), list):
        raise NoConversation("holds an array of requests; write one request a line (JSONL) instead")
    if first.get("type") in _ITEMS or any("role" not in o and _is_item(o) for o in objects):
        return Recognised(RESPONSES)
    if not any("role" in item for item in objects):
        raise NoConversation("holds an array of objects that are no messages")
    return _most(_signs_of_messages(objects))


def _holds_objects(value: Any) -> bool:
    """Whether this is a list that may be of messages: not one of texts alone."""
    return isinstance(value, list) and (not value or any(isinstance(one, dict) for one in value))


def _is_item(value: Json) -> bool:
    """Whether an object without a role is an item of Responses, by its type or what it answers."""
    kind = value.get("type")
    return isinstance(kind, str) and (
        kind in _ITEMS or kind.endswith(("_call", "_output", "_reference", "compaction", "_tools"))
    )


def _refuse_history(messages: list[Any]) -> None:
    if any(isinstance(m, dict) and _HISTORY_FIELDS & m.keys() for m in messages):
        raise NoConversation("holds a history, not a request: give it to `wiremend project`")


def _signs_of_request(body: Json) -> Iterator[str]:
    for name in body:
        if name in _TOP:
            yield _TOP[name]
    for tool in _objects(body.get("tools")):
        if "input_schema" in tool:
            yield ANTHROPIC
        elif isinstance(tool.get("function"), dict):
            yield CHAT
    model = body.get("model")
    if isinstance(model, str):
        if "claude" in model:
            yield ANTHROPIC
        elif model.startswith(_CHAT_MODELS):
            yield CHAT


def _signs_of_messages(messages: list[Any]) -> Iterator[str]:
    for message in _objects(messages):
        role = message.get("role")
        # A system message tells nothing: requests to Anthropic hold them by mistake, and rightly.
        if role in ("tool", "developer", "function"):
            yield CHAT
        if any(name in message for name in _CHAT_FIELDS):
            yield CHAT
        for block in _objects(message.get("content")):
            kind = block.get("type")
            if isinstance(kind, str):
                if kind in _BLOCKS:
                    yield _BLOCKS[kind]
                if "cache_control" in block:
                    yield ANTHROPIC
            elif _BEDROCK_BLOCKS & block.keys():
                yield BEDROCK


def _most(signs: Iterable[str]) -> Recognised:
    counts = {CHAT: 0}
    for sign in signs:
        counts[sign] = counts.get(sign, 0) + 1
    if BEDROCK in counts:
        # Its names are found nowhere else, while its bodies share `system` with Anthropic's.
        return Recognised(BEDROCK)
    most = max(counts, key=counts.__getitem__)
    return Recognised(most, is_default=counts[most] == 0)


def _objects(value: Any) -> Iterator[Json]:
    return (
        (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())
    )


def _named(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    return "a text" if isinstance(value, str) else "a number"


def _plural(value: Any) -> str:
    if isinstance(value, list):
        return "arrays"
    return "nulls" if value is None else _named(value).removeprefix("a ") + "s"
