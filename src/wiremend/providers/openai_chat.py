"""Chat Completions, simulated: the conversation's order, and the answer."""

from __future__ import annotations

from typing import Any

from wiremend.providers.manners import OPENAI, Manners
from wiremend.providers.openai_parts import (
    check_arguments,
    check_content,
    check_identifier,
    check_tool_name,
    check_type,
)
from wiremend.providers.reply import RefusalError, Reply
from wiremend.providers.wire import arrive, fingerprint, roughly_tokens

_MISSING = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
    "'tool_call_id'. The following tool_call_ids did not have response messages: "
)
_ORPHAN = (
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
    "with 'tool_calls'."
)
_ORPHAN_FUNCTION = (
    "Invalid parameter: messages with role 'function' must be a response to a preceeding message "
    "with 'function_call'."
)
# No clock is read here, so every answer is of the same moment.
_CREATED = 1_700_000_000


class OpenAIChat:
    """The strict end of the Chat Completions API."""

    name = "openai-chat"

    def post(self, body: dict[str, Any]) -> Reply:
        """Judge a request body."""
        try:
            arrived = arrive(body)
            self.walk().through(body)
        except RefusalError as refusal:
            return _refused(refusal)
        return _taken(body, arrived)

    def walk(self) -> Walk:
        """The walk that judges one request."""
        return Walk(OPENAI)


def _refused(refusal: RefusalError) -> Reply:
    error = {
        "message": refusal.message,
        "type": refusal.kind,
        "param": refusal.param,
        "code": refusal.code,
    }
    return Reply(refusal.status, {"error": error})


def _taken(body: dict[str, Any], arrived: bytes) -> Reply:
    model = body.get("model")
    prompt = roughly_tokens(arrived)
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": "Understood.", "refusal": None},
        "logprobs": None,
        "finish_reason": "stop",
    }
    answer = {
        "id": f"chatcmpl-{fingerprint(arrived)[:29]}",
        "object": "chat.completion",
        "created": _CREATED,
        "model": model if isinstance(model, str) else "simulated",
        "choices": [choice],
        "usage": {"prompt_tokens": prompt, "completion_tokens": 3, "total_tokens": prompt + 3},
    }
    return Reply(200, answer)


class Walk:
    """Where the conversation stands: which calls are open, which were answered.

    Other servers than OpenAI look at more in ``before``, ``message`` and ``after``.
    """

    def __init__(self, manners: Manners) -> None:
        self.manners = manners
        self.owed: dict[str, int] = {}
        self.answered: set[str] = set()
        self.function_called = False

    def before(self, body: dict[str, Any], messages: list[Any]) -> None:
        """Judge the request before its messages are looked at one by one."""

    def message(self, message: dict[str, Any], role: str, index: int) -> None:
        """Judge a message whose role and content are well formed."""

    def after(self, body: dict[str, Any], messages: list[Any]) -> None:
        """Judge the request once each of its messages was taken."""

    def through(self, body: Any) -> None:
        """Judge a whole request."""
        check_type(body, dict, "body")
        if "messages" not in body:
            raise RefusalError(
                "Missing required parameter: 'messages'.",
                param="messages",
                code="missing_required_parameter",
            )
        messages = check_type(body["messages"], list, "messages")
        if not messages:
            raise _empty_array("messages")
        self.before(body, messages)
        self.definitions(body.get("tools"), "tools")
        for index, message in enumerate(messages):
            self._step(message, f"messages[{index}]", index)
        self._nothing_owed()
        self.after(body, messages)

    def definitions(self, tools: Any, place: str) -> None:
        """Judge the names of tool definitions."""
        for index, tool in enumerate(tools if isinstance(tools, list) else ()):
            function = tool.get("function") if isinstance(tool, dict) else None
            if isinstance(function, dict) and "name" in function:
                where = f"{place}[{index}].function.name"
                check_tool_name(function["name"], where, self.manners)

    def _step(self, message: Any, place: str, index: int) -> None:
        check_type(message, dict, place)
        role = self._role(message, place)
        if role != "tool":
            self._nothing_owed()
            self.answered = set()
        check_content(message, role, place, self.manners)
        self.message(message, role, index)
        if role == "tool":
            self._answer(message, place, index)
        elif role == "function" and not self.function_called:
            raise RefusalError(_ORPHAN_FUNCTION, param=f"messages.[{index}].role")
        elif role == "assistant":
            self._call(message, place, index)
        self.function_called = role == "assistant" and message.get("function_call") is not None

    def _role(self, message: dict[str, Any], place: str) -> str:
        param = f"{place}.role"
        if "role" not in message:
            raise RefusalError(
                f"Missing required parameter: '{param}'.",
                param=param,
                code="missing_required_parameter",
            )
        role = check_type(message["role"], str, param)
        roles = self.manners.roles
        if role not in roles:
            known = ", ".join(f"'{name}'" for name in roles[:-1])
            raise RefusalError(
                f"Invalid value: '{role}'. Supported values are: {known}, and '{roles[-1]}'.",
                param=param,
                code="invalid_value",
            )
        return str(role)

    def _nothing_owed(self) -> None:
        if self.owed:
            index = next(iter(self.owed.values()))
            raise RefusalError(_MISSING + ", ".join(self.owed), param=f"messages.[{index}].role")

    def _answer(self, message: dict[str, Any], place: str, index: int) -> None:
        identifier = check_identifier(message, "tool_call_id", place, self.manners)
        if identifier in self.answered:
            raise RefusalError(
                f"Duplicate value for 'tool_call_id' of '{identifier}' in message[{index}].",
                param=f"{place}.tool_call_id",
            )
        if self.owed.pop(identifier, None) is None:
            raise RefusalError(_ORPHAN, param=f"messages.[{index}].role")
        self.answered.add(identifier)

    def _call(self, message: dict[str, Any], place: str, index: int) -> None:
        legacy = message.get("function_call")
        if legacy is not None:
            check_type(legacy, dict, f"{place}.function_call")
            check_tool_name(legacy.get("name"), f"{place}.function_call.name", self.manners)
        calls = message.get("tool_calls")
        if calls is None:
            return
        check_type(calls, list, f"{place}.tool_calls")
        if not calls:
            raise _empty_array(f"{place}.tool_calls")
        for position, call in enumerate(calls):
            spot = f"{place}.tool_calls[{position}]"
            identifier = self._one_call(call, spot)
            if identifier in self.owed:
                raise RefusalError(
                    self.manners.twin_calls.format(id=identifier, index=index), param=f"{spot}.id"
                )
            self.owed[identifier] = index

    def _one_call(self, call: Any, place: str) -> str:
        check_type(call, dict, place)
        identifier = check_identifier(call, "id", place, self.manners)
        kind = call.get("type")
        if kind == "builtin_function" and self.manners.builtin_functions:
            kind = "function"
        if kind not in ("function", "custom"):
            raise RefusalError(
                f"Invalid value: '{kind}'. Supported values are: 'function' and 'custom'.",
                param=f"{place}.type",
                code="invalid_value",
            )
        made = check_type(call.get(kind), dict, f"{place}.{kind}")
        check_tool_name(made.get("name"), f"{place}.{kind}.name", self.manners)
        if kind == "custom":
            check_type(made.get("input"), str, f"{place}.custom.input")
        else:
            check_arguments(made.get("arguments"), f"{place}.function.arguments", self.manners)
        return identifier


def _empty_array(place: str) -> RefusalError:
    return RefusalError(
        f"Invalid '{place}': empty array. Expected an array with minimum length 1, "
        "but got an empty array instead.",
        param=place,
        code="empty_array",
    )
