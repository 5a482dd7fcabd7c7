"""What the simulated providers say is classified as what was wrong with the request."""

from __future__ import annotations

from typing import Any

import pytest

from wiremend.providers import simulated
from wiremend.recovery import classify

_TOOLS = [{"name": "run", "input_schema": {"type": "object"}}]
_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)


def _user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def _assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def _text(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


def _use(identifier: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identifier, "name": "run", "input": {}, **more}


def _result(identifier: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identifier, "content": "ok", **more}


def _image(**source: Any) -> dict[str, Any]:
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": _PNG, **source},
    }


_HI = _user(_text("hi"))
_MARK = {"type": "ephemeral"}

_ANTHROPIC: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("WM201", [_HI, _assistant(_use("a"))], {}),
    ("WM202", [_user(_result("a"))], {}),
    ("WM203", [_HI, _assistant(_use("a")), _user(_result("a"), _result("a"))], {}),
    ("WM204", [_HI, _assistant(_use("a"), _use("a"))], {}),
    ("WM206", [_HI, _assistant(_use("a|b"))], {}),
    ("WM207", [_HI, _assistant(_use("a", name="a.b"))], {}),
    ("WM208", [_HI, _assistant(_use("a", input="{}"))], {}),
    ("WM209", [_user(_text(" "))], {}),
    ("WM210", [_user()], {}),
    ("WM211", [_HI, _assistant(_text("so "))], {}),
    ("WM212", [_assistant(_text("so"))], {}),
    ("WM213", [_HI, {"role": "tool", "content": "x"}], {}),
    ("WM213", [_HI, {"role": "system", "content": "x"}], {}),
    ("WM213", [{"role": "system", "content": "x"}], {"model": "claude-opus-4-8"}),
    ("WM214", [_HI, _assistant({"type": "thinking", "thinking": "x"}), _HI], {}),
    (
        "WM215",
        [_HI, _assistant(_use("a")), _user(_result("a"))],
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    ),
    ("WM216", [_HI, _assistant({"type": "thinking", "thinking": "x", "signature": "s"})], {}),
    ("WM217", [_HI, _assistant(_use("a")), _user(_result("a"))], {"tools": []}),
    ("WM218", [_user(_image(media_type="image/bmp"))], {}),
    ("WM219", [_user(_image(media_type="image/gif"))], {}),
    ("WM219", [_user(_image(data="JVBERi0xLjQK"))], {}),
    ("WM220", [_user(*(_text("x", cache_control=_MARK) for _ in range(5)))], {}),
    ("WM221", [_user(_text("", cache_control=_MARK))], {}),
    ("WM222", [_user(_text("x", cache_control={**_MARK, "scope": "all"}))], {}),
    (
        "WM223",
        [
            _HI,
            _assistant(
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
            ),
            _HI,
        ],
        {},
    ),
    ("WM224", [_HI, _assistant(_text("so"))], {"model": "claude-opus-4-6"}),
    ("WM225", [_user({"type": "image_url", "image_url": {"url": "x"}})], {}),
    (
        "WM226",
        [_HI, _assistant(_use("a")), _user(_result("a", is_error=True, content=""))],
        {},
    ),
    ("WM227", [_user(_image(data="A" * 11_000_000))], {}),
    ("WM228", [], {}),
    ("WM001", [{"role": "user", "content": "\ud83d"}], {}),
]


@pytest.mark.parametrize(("rule", "messages", "more"), _ANTHROPIC)
def test_a_refusal_of_anthropic_is_about_its_rule(
    rule: str, messages: list[Any], more: dict[str, Any]
) -> None:
    reply = simulated("anthropic").post({"messages": messages, "tools": _TOOLS, **more})
    found = classify(reply.status, reply.body, "anthropic")
    assert found.rules[:1] == (rule,), reply.error
    assert found.next_policy is not None
    assert found.rules == classify(reply.status, reply.error).rules


def _call(identifier: str = "c", **function: Any) -> dict[str, Any]:
    return {
        "id": identifier,
        "type": "function",
        "function": {"name": "run", "arguments": "{}", **function},
    }


def _calls(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def _tool(identifier: str, content: Any = "ok") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identifier, "content": content}


def _picture(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


_SAY = {"role": "user", "content": "hi"}

_CHAT: list[tuple[str, list[Any]]] = [
    ("WM101", [_SAY, _calls(_call())]),
    ("WM102", [_SAY, _tool("c")]),
    ("WM103", [_SAY, _calls(_call()), _tool("c"), _tool("c")]),
    ("WM104", [_SAY, _calls(_call(), _call())]),
    ("WM105", [_SAY, {"role": "assistant", "content": "x", "tool_calls": []}]),
    ("WM106", [_SAY, _calls(_call(""))]),
    ("WM106", [_SAY, _calls(_call()), _tool("")]),
    ("WM107", [_SAY, _calls(_call("c" * 41))]),
    ("WM108", [_SAY, _calls(_call(name="a.b"))]),
    ("WM108", [_SAY, _calls(_call(name="a" * 65))]),
    ("WM110", [{"role": "user", "content": None}]),
    ("WM111", [{"role": "user", "content": []}]),
    ("WM112", [_SAY, _calls(_call()), _tool("c", [_picture("https://example.test/x.png")])]),
    ("WM113", [_SAY, {"role": "assistant", "content": [{"type": "tool_use"}]}]),
    ("WM114", [{"role": "user", "content": [_picture("data:image/heic;base64,AAAA")]}]),
    ("WM115", []),
    ("WM001", [{"role": "user", "content": "\ud83d"}]),
]


@pytest.mark.parametrize(("rule", "messages"), _CHAT)
def test_a_refusal_of_openai_is_about_its_rule(rule: str, messages: list[Any]) -> None:
    reply = simulated("openai-chat").post({"messages": messages})
    found = classify(reply.status, reply.body, "openai-chat")
    assert found.rules[:1] == (rule,), reply.error
    assert found.next_policy is not None


@pytest.mark.parametrize("arguments", ["", "[1]", "{"])
def test_a_refusal_of_arguments_is_about_their_rule(arguments: str) -> None:
    body = {"messages": [_SAY, _calls(_call(arguments=arguments)), _tool("c")]}
    reply = simulated("generic").post(body)
    found = classify(reply.status, reply.body, "generic")
    assert found.rules[:1] == ("WM109",), reply.error
    assert found.next_policy is not None


def _said(*parts: Any, role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def _made(name: str = "run", **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, **more}}


def _answer(name: str = "run", **more: Any) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": {"result": "ok"}, **more}}


def _blob(label: str, data: str = _PNG) -> dict[str, Any]:
    return {"inlineData": {"mimeType": label, "data": data}}


_START = _said({"text": "hi"})

_GEMINI: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("WM401", [_START, _said(_made(), _made(), role="model"), _said(_answer())], {}),
    ("WM402", [_said(_answer())], {}),
    ("WM404", [_START, _said(_made(id="a"), role="model"), _said(_answer(id="b"))], {}),
    ("WM405", [_START, _said({"text": "so"}, role="model"), _said(_made(), role="model")], {}),
    ("WM406", [_said({"text": "so"}, role="model"), _START], {}),
    ("WM408", [_said({"text": ""})], {}),
    ("WM409", [_said()], {}),
    ("WM410", [_said({})], {}),
    ("WM411", [_said({"text": "a", **_made()})], {}),
    ("WM412", [_said({"text": "a"}, role="system")], {}),
    ("WM413", [{"role": "user", "content": "hi"}], {}),
    ("WM413", [_said({"type": "text", "text": "hi"})], {}),
    (
        "WM414",
        [_START, _said(_made(), role="model"), _said(_answer())],
        {"model": "gemini-3-pro-preview"},
    ),
    ("WM415", [_said({"text": "hi", "thoughtSignature": "=a"})], {}),
    ("WM415", [_said(_blob("image/png", "!"))], {}),
    ("WM416", [_START, _said(_made(args="{}"), role="model")], {}),
    ("WM417", [_said(_answer(response="ok"))], {}),
    ("WM418", [_START, _said(_made("a/b"), role="model")], {}),
    ("WM418", [_START, _said(_made(""), role="model")], {}),
    ("WM419", [_said(_blob("image/gif"))], {}),
    ("WM419", [_said(_blob("image/jpeg"))], {}),
    ("WM420", [], {}),
    ("WM421", [_START, _said({"text": "so"}, role="model")], {"model": "gemini-3.7-flash"}),
    ("WM001", [_said({"text": "\ud83d"})], {}),
]


@pytest.mark.parametrize(("rule", "contents", "more"), _GEMINI)
def test_a_refusal_of_gemini_is_about_its_rule(
    rule: str, contents: list[Any], more: dict[str, Any]
) -> None:
    reply = simulated("gemini").post({"contents": contents, **more})
    found = classify(reply.status, reply.body, "gemini")
    assert found.rules[:1] == (rule,), reply.error
    assert found.next_policy is not None
    assert found.rules == classify(reply.status, reply.error).rules


def _item(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **more}


def _function(call_id: str = "c", **more: Any) -> dict[str, Any]:
    return _item("function_call", **{"call_id": call_id, "name": "run", "arguments": "{}", **more})


def _output(call_id: str = "c", output: Any = "ok", **more: Any) -> dict[str, Any]:
    return _item("function_call_output", call_id=call_id, output=output, **more)


def _spoken(**more: Any) -> dict[str, Any]:
    part = {"type": "output_text", "text": "x", "annotations": []}
    return _item("message", role="assistant", content=[part], **more)


def _thought(**more: Any) -> dict[str, Any]:
    return _item("reasoning", **{"id": "rs_1", "summary": [], **more})


_CHAT_TOOL = {"type": "function", "function": {"name": "run"}}

_RESPONSES: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("WM301", [_SAY, _function()], {}),
    ("WM302", [_SAY, _output()], {}),
    ("WM303", [_SAY, _function(), _output(), _output()], {}),
    ("WM304", [_SAY, _function(), _function(), _output()], {}),
    ("WM305", [_SAY, _function(""), _output("")], {}),
    ("WM305", [_SAY, {"type": "function_call", "name": "run", "arguments": "{}"}], {}),
    ("WM306", [_SAY, _function("c" * 65)], {}),
    ("WM307", [_SAY, _function(name="a.b")], {}),
    ("WM307", [_SAY], {"tools": [{"type": "function", "name": "a" * 129}]}),
    ("WM308", [_SAY, _function(arguments="{")], {}),
    ("WM308", [_SAY, _function(arguments={})], {}),
    ("WM309", [_SAY, _function(), _output(output=None)], {}),
    ("WM309", [_SAY, _function(), {"type": "function_call_output", "call_id": "c"}], {}),
    ("WM310", [_SAY, _thought(), _SAY], {}),
    ("WM311", [_SAY, _thought(), _spoken()], {"store": False}),
    ("WM311", [_SAY, {"type": "reasoning", "summary": []}, _spoken()], {}),
    ("WM312", [_SAY, {"type": "reasoning", "id": "rs_1"}, _spoken()], {}),
    ("WM313", [_SAY, _spoken(id="msg_1"), _SAY, _spoken(id="msg_1")], {}),
    ("WM314", [_SAY, _spoken(id="fake")], {}),
    ("WM314", [_SAY, _spoken(id="msg_" + "x" * 70)], {}),
    ("WM315", [_SAY, {"role": "tool", "content": "x"}], {}),
    ("WM315", [_SAY, {"role": "assistant", "content": "x", "tool_calls": []}], {}),
    ("WM315", [{"type": "input_text", "text": "x"}], {}),
    ("WM316", [{"role": "user", "content": [{"type": "text", "text": "x"}]}], {}),
    ("WM316", [{"role": "assistant", "content": [{"type": "input_text", "text": "x"}]}], {}),
    ("WM317", [{"role": "user", "content": None}], {}),
    ("WM317", [{"role": "user"}], {}),
    (
        "WM318",
        [_user({"type": "input_image", "image_url": "data:image/heic;base64,AAAA"})],
        {},
    ),
    ("WM319", [], {}),
    ("WM320", [_SAY], {"tools": [_CHAT_TOOL]}),
    ("WM001", [{"role": "user", "content": "\ud83d"}], {}),
]


@pytest.mark.parametrize(("rule", "items", "more"), _RESPONSES)
def test_a_refusal_of_openai_responses_is_about_its_rule(
    rule: str, items: list[Any], more: dict[str, Any]
) -> None:
    reply = simulated("openai-responses").post({"input": items, **more})
    found = classify(reply.status, reply.body, "openai-responses")
    assert found.rules[:1] == (rule,), reply.error
    assert found.next_policy is not None


def test_what_no_rule_can_see_is_tried_again_strictly() -> None:
    said = "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item."
    found = classify(400, said, "openai-responses")
    assert (found.error_class, found.rules) == ("structure", ())
    assert found.next_policy == {"structure": "strict"}


_EMPTY = {"role": "assistant", "content": ""}
_TWO = {"role": "assistant", "content": "so"}
_REASONED = {"thinking": {"type": "enabled"}}
_NINE = "abcDEF123"

_SERVERS: list[tuple[str, str, list[Any], dict[str, Any]]] = [
    ("kimi", "WM101", [_SAY, _calls(_call())], {}),
    ("kimi", "WM601", [_SAY, _EMPTY, _SAY], {}),
    ("kimi", "WM602", [_SAY, _calls(_call()), _tool("c")], _REASONED),
    ("kimi", "WM603", [{"role": "user", "content": [{"type": "input_text", "text": "x"}]}], {}),
    ("kimi", "WM604", [_SAY, _calls(_call(name="2.b")), _tool("c")], {}),
    ("deepseek", "WM621", [_SAY, _calls(_call()), _tool("c")], _REASONED),
    ("deepseek", "WM622", [_SAY, {**_TWO, "reasoning_content": "x"}], {"model": "deepseek-r1"}),
    ("deepseek", "WM623", [_SAY, _calls(_call()), _tool("c", [{"type": "text", "text": "x"}])], {}),
    ("deepseek", "WM624", [{"role": "user", "content": [_picture("https://a.test/a.png")]}], {}),
    ("mistral", "WM641", [_SAY, _calls(_call("call_1")), _tool("call_1")], {}),
    ("mistral", "WM642", [_SAY, _calls(_call(_NINE)), _tool(_NINE), _SAY], {}),
    ("mistral", "WM643", [_SAY, _TWO], {}),
    ("mistral", "WM644", [_SAY, {**_TWO, "prefix": True}, _SAY], {}),
    ("mistral", "WM645", [_SAY, _EMPTY, _SAY], {}),
    ("mistral", "WM646", [{**_SAY, "name": "ann"}], {}),
    ("mistral", "WM647", [{"role": "user", "content": [{"type": "video_url"}]}], {}),
    ("qwen", "WM662", [{"role": "system", "content": "x"}], {}),
    ("generic", "WM662", [{"role": "system", "content": "x"}], {}),
    ("generic", "WM663", [_SAY, {"role": "system", "content": "x"}], {}),
    ("generic", "WM664", [_SAY, _SAY], {}),
    ("generic", "WM665", [{"role": "user", "content": ""}], {}),
    ("generic", "WM666", [_SAY, _calls(_call(name=""))], {}),
]


@pytest.mark.parametrize(("dialect", "rule", "messages", "more"), _SERVERS)
def test_a_refusal_of_a_compatible_server_is_about_its_rule(
    dialect: str, rule: str, messages: list[Any], more: dict[str, Any]
) -> None:
    reply = simulated(dialect).post({"messages": messages, **more})
    found = classify(reply.status, reply.body, dialect)
    assert found.rules[:1] == (rule,), reply.error
    assert found.next_policy is not None
