"""OpenAI Responses, simulated: the input as a ledger of calls and reasoning, and the answer."""

from __future__ import annotations

from typing import Any

from wiremend.providers.openai_items import check_item, check_kind, item_type
from wiremend.providers.openai_parts import check_type
from wiremend.providers.openai_tools import check_definitions
from wiremend.providers.reply import RefusalError, Reply
from wiremend.providers.wire import arrive, fingerprint, roughly_tokens

# No clock is read here, so every answer is of the same moment.
_CREATED = 1_700_000_000
_STATE = ("previous_response_id", "conversation", "prompt")
_ANSWERED_BY = {
    "function_call_output": "function call",
    "custom_tool_call_output": "custom tool call",
    "local_shell_call_output": "local shell call",
    "shell_call_output": "shell call",
    "apply_patch_call_output": "apply patch call",
    "computer_call_output": "computer call",
    "tool_search_output": "tool search call",
}
_ASKS = {
    "function_call": "function call",
    "custom_tool_call": "custom tool call",
    "local_shell_call": "local shell call",
    "shell_call": "shell call",
    "apply_patch_call": "apply patch call",
    "computer_call": "computer call",
    "tool_search_call": "tool search call",
}
_OTHERWISE = {"function_call_output": "local shell call"}
"""What else an output may answer."""
_FROM_OUTSIDE = (
    *("mcp_approval_response", "compaction_trigger", "configuration_update"),
    "additional_tools",
)


class OpenAIResponses:
    """The strict end of the Responses API."""

    name = "openai-responses"

    def post(self, body: dict[str, Any]) -> Reply:
        """Judge a request body."""
        try:
            arrived = arrive(body)
            _judge(body)
        except RefusalError as refusal:
            return _refused(refusal)
        return _taken(body, arrived)


def _judge(body: Any) -> None:
    check_type(body, dict, "body")
    check_definitions(body.get("tools"), "tools")
    remembers = any(body.get(name) for name in _STATE)
    if "input" not in body or body["input"] == []:
        if remembers:
            return
        raise RefusalError(
            'One of "input" or "previous_response_id" or "prompt" or "conversation" must be '
            "provided.",
            param="input",
            code="missing_required_parameter",
        )
    given = body["input"]
    if isinstance(given, str):
        return
    check_type(given, list, "input")
    # What each item is gets settled for all of them before anything in one is looked at.
    for index, item in enumerate(given):
        check_kind(item, f"input[{index}]")
    for index, item in enumerate(given):
        check_item(item, f"input[{index}]")
    ledger = _Ledger(remembers=remembers, stores=body.get("store") is not False)
    for item in given:
        ledger.enter(item)
    ledger.close()


class _Ledger:
    """What is owed so far: outputs to calls, a successor to reasoning, an id to one item only."""

    def __init__(self, *, remembers: bool, stores: bool) -> None:
        self._remembers = remembers
        self._stores = stores
        self._owed: dict[str, str] = {}
        self._paid: set[str] = set()
        self._known: set[str] = set()
        self._thought: str | None = None

    def enter(self, item: dict[str, Any]) -> None:
        kind = item_type(item)
        self._identify(item, kind)
        if kind == "reasoning":
            self._reason(item)
            return
        if self._thought is not None and not _by_model(item, kind):
            self._unfollowed()
        self._thought = None
        number = _number(item, kind)
        if kind in _ASKS and number is not None:
            self._ask(number, kind)
        elif kind in _ANSWERED_BY and number is not None:
            self._answer(number, kind)
        elif kind == "item_reference" and not str(item.get("id")).startswith(("msg", "rs")):
            # The item is read from the store, and may be a call.
            self._remembers = True

    def close(self) -> None:
        if self._thought is not None:
            self._unfollowed()
        for number, words in self._owed.items():
            raise RefusalError(f"No tool output found for {words} {number}.", param="input")

    def _identify(self, item: dict[str, Any], kind: str) -> None:
        name = item.get("id")
        if name is None or kind == "local_shell_call_output":
            return
        if name in self._known:
            raise RefusalError(
                f"Duplicate item found with id {name}. Remove duplicate items from your input "
                "and try again.",
                param="input",
            )
        self._known.add(name)

    def _reason(self, item: dict[str, Any]) -> None:
        self._thought = self._thought or str(item.get("id"))
        if not item.get("encrypted_content") and not self._stores:
            raise RefusalError(
                f"Item with id '{item.get('id')}' not found. Items are not persisted when `store` "
                "is set to false. Try again with `store` set to true, or remove this item from "
                "your input.",
                param="input",
            )

    def _unfollowed(self) -> None:
        raise RefusalError(
            f"Item '{self._thought}' of type 'reasoning' was provided without its required "
            "following item.",
            param="input",
        )

    def _ask(self, number: str, kind: str) -> None:
        if number in self._owed:
            raise RefusalError(f"Duplicate 'call_id': {number}", param="input")
        # Other servers refuse an id that was answered before; of OpenAI nobody has reported it.
        self._paid.discard(number)
        self._owed[number] = _ASKS[kind]

    def _answer(self, number: str, kind: str) -> None:
        if number in self._paid:
            raise RefusalError(
                f"Duplicate function_call_output for call_id '{number}'. Each function_call must "
                "have exactly one matching function_call_output",
                param="input",
            )
        owed = self._owed.pop(number, None)
        fits = owed in (_ANSWERED_BY[kind], _OTHERWISE.get(kind, _ANSWERED_BY[kind]))
        if not fits and not (owed is None and self._remembers):
            raise RefusalError(
                f"No tool call found for {_ANSWERED_BY[kind]} output with call_id {number}.",
                param="input",
            )
        self._paid.add(number)


def _number(item: dict[str, Any], kind: str) -> str | None:
    """The id under which a call and its output are booked."""
    number = item.get("call_id")
    if number is None and kind == "local_shell_call_output":
        number = item.get("id")
    return number if isinstance(number, str) else None


def _by_model(item: dict[str, Any], kind: str) -> bool:
    if kind == "message":
        return bool(item["role"] == "assistant")
    if kind.startswith("tool_search_") and item.get("call_id") is None:
        return True
    return kind not in _ANSWERED_BY and kind not in _FROM_OUTSIDE


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
    name = fingerprint(arrived)[:48]
    read = roughly_tokens(arrived)
    said = {"type": "output_text", "text": "Understood.", "annotations": [], "logprobs": []}
    message = {
        "id": f"msg_{name}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [said],
    }
    usage = {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 3,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + 3,
    }
    answer = {
        "id": f"resp_{name}",
        "object": "response",
        "created_at": _CREATED,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": model if isinstance(model, str) else "simulated",
        "output": [message],
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": usage,
    }
    return Reply(200, answer)
