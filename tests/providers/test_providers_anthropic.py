"""What the simulated Messages API takes and what it refuses, beyond the shared cases."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from wiremend.providers import Reply, simulated

_TOOLS = [{"name": "run", "input_schema": {"type": "object"}}]
_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)
_MARK = {"type": "ephemeral"}
_THINK = {"type": "enabled", "budget_tokens": 1024}


def _post(*messages: Any, **more: Any) -> Reply:
    return simulated("anthropic").post({"tools": _TOOLS, **more, "messages": list(messages)})


def _user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def _assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def _text(text: str = "hi", **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


def _use(identifier: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identifier, "name": "run", "input": {}, **more}


def _result(identifier: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identifier, "content": "ok", **more}


def _thought(signature: str = "c2ln") -> dict[str, Any]:
    return {"type": "thinking", "thinking": "", "signature": signature}


def _search(identifier: str = "srvtoolu_1", name: str = "web_search") -> dict[str, Any]:
    return {"type": "server_tool_use", "id": identifier, "name": name, "input": {}}


def _found(identifier: str = "srvtoolu_1", kind: str = "web_search") -> dict[str, Any]:
    return {"type": f"{kind}_tool_result", "tool_use_id": identifier, "content": []}


def _image(data: str = _PNG, media_type: str = "image/png") -> dict[str, Any]:
    source = {"type": "base64", "media_type": media_type, "data": data}
    return {"type": "image", "source": source}


def _system(text: str = "be brief") -> dict[str, Any]:
    return {"role": "system", "content": text}


_HI = _user(_text())
_OK = _assistant(_text("ok"))

_TAKEN: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "neighbours of one role": ([_HI, _HI, _OK, _OK, _HI], {}),
    "calls spread over neighbouring assistant messages": (
        [_HI, _assistant(_use("a")), _assistant(_use("b")), _user(_result("b"), _result("a"))],
        {},
    ),
    "text after the results": ([_HI, _assistant(_use()), _user(_result(), _text())], {}),
    "an empty final assistant": ([_HI, _assistant()], {}),
    "an empty final assistant string": ([_HI, {"role": "assistant", "content": ""}], {}),
    "a prefill for an older model": ([_HI, _OK], {"model": "claude-sonnet-4-5-20250929"}),
    "a prefill for a dated first minor": ([_HI, _OK], {"model": "claude-sonnet-4-20250514"}),
    "a prefill for Claude 3": ([_HI, _OK], {"model": "claude-3-5-sonnet-20241022"}),
    "whitespace at the end elsewhere": ([_HI, _assistant(_text("ok \n")), _HI], {}),
    "a result without content": (
        [_HI, _assistant(_use()), _user({"type": "tool_result", "tool_use_id": "a"})],
        {},
    ),
    "a blank result string": ([_HI, _assistant(_use()), _user(_result(content=" "))], {}),
    "an empty result list": ([_HI, _assistant(_use()), _user(_result(content=[]))], {}),
    "an error that says something": (
        [_HI, _assistant(_use()), _user(_result(content="no", is_error=True))],
        {},
    ),
    "an image in a result": ([_HI, _assistant(_use()), _user(_result(content=[_image()]))], {}),
    "an image by address": ([_user({"type": "image", "source": {"type": "url", "url": "x"}})], {}),
    "an image of unknown bytes": ([_user(_image("AAAA"))], {}),
    "a server tool with its result": ([_HI, _assistant(_search(), _found(), _text("so")), _HI], {}),
    "a server tool answered in the next message of the turn": (
        [_HI, _assistant(_search()), _assistant(_found(), _text("so")), _HI],
        {},
    ),
    "a paused turn": ([_HI, _assistant(_text("so"), _search())], {"model": "claude-opus-4-8"}),
    "code that calls the client's tool": (
        [
            _HI,
            _assistant(
                _search("srvtoolu_9", "code_execution"),
                _use(caller={"type": "code_execution_20250825", "tool_id": "srvtoolu_9"}),
            ),
            _user(_result()),
            _assistant(_found("srvtoolu_9", "code_execution"), _text("so")),
            _HI,
        ],
        {},
    ),
    "thinking at the start of the open turn": (
        [_HI, _assistant(_thought(), _use()), _user(_result())],
        {"thinking": _THINK},
    ),
    "a second step without thinking": (
        [
            *(_HI, _assistant(_thought(), _use("a")), _user(_result("a"))),
            *(_assistant(_use("b")), _user(_result("b"))),
        ],
        {"thinking": _THINK},
    ),
    "a closed turn without thinking": (
        [_HI, _assistant(_use()), _user(_result()), _OK, _HI],
        {"thinking": _THINK},
    ),
    "adaptive thinking without any": (
        [_HI, _assistant(_use()), _user(_result())],
        {"thinking": {"type": "adaptive"}},
    ),
    "thinking in the past with thinking off": ([_HI, _assistant(_thought(), _text()), _HI], {}),
    "a system message after the user's": (
        [_HI, _system(), _OK, _HI, _system()],
        {"model": "claude-opus-4-8"},
    ),
    "a system message for a new family": ([_HI, _system()], {"model": "claude-mythos-5"}),
    "a system message after the results": (
        [_HI, _assistant(_use()), _user(_result()), _system()],
        {"model": "claude-sonnet-5"},
    ),
    "four marks": (
        [_user(_text(cache_control=_MARK), _text(cache_control={**_MARK, "ttl": "5m"}))],
        {
            "system": [_text(cache_control=_MARK)],
            "tools": [{**_TOOLS[0], "cache_control": {**_MARK, "ttl": "1h"}}],
        },
    ),
    "no mark at all, said as null": ([_user(*[_text(cache_control=None)] * 6)], {}),
    "a document": ([_user({"type": "document", "source": {"type": "text", "data": "x"}})], {}),
    "a compaction at the start": (
        [_assistant({"type": "compaction", "content": "so far"}), _HI],
        {},
    ),
    "no tools where none were used": ([_HI], {"tools": []}),
}


@pytest.mark.parametrize(("messages", "more"), _TAKEN.values(), ids=_TAKEN)
def test_it_is_taken(messages: list[Any], more: dict[str, Any]) -> None:
    reply = _post(*messages, **more)
    assert reply.accepted, reply.error


_REFUSED: dict[str, tuple[list[Any], dict[str, Any], str]] = {
    "results spread over two user messages": (
        [_HI, _assistant(_use("a"), _use("b")), _user(_result("a")), _user(_result("b"))],
        {},
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b.",
    ),
    "a result a message later": (
        [_HI, _assistant(_use()), _user(_result()), _user(_result())],
        {},
        "messages.3.content.0: unexpected `tool_use_id`",
    ),
    "a system message between a call and its result": (
        [_HI, _assistant(_use()), _system(), _user(_result())],
        {"model": "claude-opus-4-8"},
        "messages.2: a message with role 'system' must come immediately after a 'user'",
    ),
    "a system message before a user's": (
        [_HI, _system(), _HI],
        {"model": "claude-opus-4-8"},
        "messages.1: a message with role 'system' must",
    ),
    "a result for a server tool": (
        [_HI, _assistant(_search(), _found()), _user(_result("srvtoolu_1"))],
        {},
        "messages.2.content.0: unexpected `tool_use_id`",
    ),
    "a server result without its call": (
        [_HI, _assistant(_found()), _HI],
        {},
        "messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result`",
    ),
    "a server tool's id of another make": (
        [_HI, _assistant(_search("ws_1"), _found("ws_1")), _HI],
        {},
        "messages.1.content.0.server_tool_use.id: String should match",
    ),
    "an id used again in a later turn": (
        [_HI, _assistant(_use()), _user(_result()), _assistant(_use()), _user(_result())],
        {},
        "messages.3.content.0: `tool_use` ids must be unique",
    ),
    "an id that ends in a line feed": (
        [_HI, _assistant(_use("a\n"))],
        {},
        "messages.1.content.0.tool_use.id: String should match",
    ),
    "a tool defined under an illegal name": (
        [_HI],
        {"tools": [{"name": "a.b"}]},
        "tools.0.custom.name: String should match",
    ),
    "a call by the user": (
        [_user(_use())],
        {},
        "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
    ),
    "a blank string": (
        [{"role": "user", "content": " \u3000"}],
        {},
        "messages: text content blocks must contain non-whitespace text",
    ),
    "a blank text in the system prompt": (
        [_HI],
        {"system": [_text("")]},
        "messages: text content blocks must be non-empty",
    ),
    "a blank text in a result": (
        [_HI, _assistant(_use()), _user(_result(content=[_text("\n")]))],
        {},
        "messages: text content blocks must contain non-whitespace text",
    ),
    "an empty message in the middle": ([_HI, _assistant(), _HI], {}, "messages.1: all messages"),
    "an empty final user message": ([_HI, _OK, _user()], {}, "messages.2: all messages"),
    "a prefill for a newer model": (
        [_HI, _OK],
        {"model": "anthropic/claude-sonnet-4.6"},
        "This model does not support assistant message prefill",
    ),
    "five marks wherever they are": (
        [_HI, _assistant(_use()), _user(_result(content=[_text(cache_control=_MARK)]))],
        {
            "cache_control": _MARK,
            "system": [_text(cache_control=_MARK)] * 2,
            "tools": [{**_TOOLS[0], "cache_control": _MARK}],
        },
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    "a mark on thinking": (
        [_HI, _assistant({**_thought(), "cache_control": _MARK}, _text()), _HI],
        {},
        "messages.1.content.0.thinking.cache_control: Extra inputs",
    ),
    "a mark that lives too long": (
        [_user(_text(cache_control={**_MARK, "ttl": "1y"}))],
        {},
        "messages.0.content.0.text.cache_control.ephemeral.ttl: Input should be",
    ),
    "a picture that is a web page": (
        [_user(_image(base64.b64encode(b"\n <!DOCTYPE html><p>").decode()))],
        {},
        "Could not process image",
    ),
    "no picture at all": ([_user(_image(""))], {}, "messages.0.content.0.image.source.base64: "),
    "a picture over ten megabytes": (
        [_user(_image("A" * (10 * 1024 * 1024 + 4)))],
        {},
        "messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485764 bytes",
    ),
    "a picture over five megabytes on Bedrock": (
        [_user(_image("A" * (5 * 1024 * 1024 + 4)))],
        {"model": "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"},
        "messages: image exceeds 5 MB maximum: 5242884 bytes",
    ),
    "no messages": ([], {}, "messages: at least one message is required"),
}


@pytest.mark.parametrize(("messages", "more", "error"), _REFUSED.values(), ids=_REFUSED)
def test_it_is_refused(messages: list[Any], more: dict[str, Any], error: str) -> None:
    reply = _post(*messages, **more)
    assert reply.status == 400
    assert reply.error.startswith(error), reply.error


def test_a_request_over_32_megabytes_is_too_large() -> None:
    reply = _post(*[_user(_text("x" * 1_000_000))] * 34)
    assert reply.status == 413
    assert reply.body["error"] == {
        "type": "request_too_large",
        "message": "Request exceeds the maximum size",
    }


def test_the_first_fault_in_order_is_the_one_that_is_named() -> None:
    reply = _post(_HI, _assistant(_use("a|b")), _user(_text("")))
    assert reply.error.startswith("messages.1.content.0.tool_use.id")
