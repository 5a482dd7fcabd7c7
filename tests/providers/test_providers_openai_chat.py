"""What the simulated Chat Completions API takes and what it refuses, beyond the shared cases."""

from __future__ import annotations

from typing import Any

import pytest

from wiremend.providers import Reply, simulated

_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)


def _post(*messages: Any, **more: Any) -> Reply:
    return simulated("openai-chat").post({**more, "messages": list(messages)})


def _call(identifier: str = "c", **function: Any) -> dict[str, Any]:
    made = {"name": "run", "arguments": "{}", **function}
    return {"id": identifier, "type": "function", "function": made}


def _calls(*calls: Any, content: Any = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def _tool(identifier: str = "c", content: Any = "ok") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identifier, "content": content}


def _says(content: Any, role: str = "user", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def _picture(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


_HI = _says("hi")
_CUSTOM = {"id": "c", "type": "custom", "custom": {"name": "run", "input": "not { JSON"}}

_TAKEN: dict[str, list[Any]] = {
    "empty strings": [_says(""), _says("", "assistant"), _HI],
    "an empty text part": [_says([{"type": "text", "text": ""}])],
    "a trailing assistant": [_HI, _says("so ", "assistant")],
    "neighbours of one role": [_HI, _HI, _says("a", "assistant"), _says("b", "assistant")],
    "system and developer anywhere": [_HI, _says("x", "system"), _says("y", "developer")],
    "results in any order": [_HI, _calls(_call("a"), _call("b")), _tool("b"), _tool("a"), _HI],
    "an id used again in a later message": [
        *(_HI, _calls(_call()), _tool(), _calls(_call()), _tool()),
    ],
    "an id of forty characters": [_HI, _calls(_call("c" * 40)), _tool("c" * 40)],
    "an empty result": [_HI, _calls(_call()), _tool(content="")],
    "a result in parts": [_HI, _calls(_call()), _tool(content=[{"type": "text", "text": "x"}])],
    "arguments that are no JSON": [_HI, _calls(_call(arguments='{"in": "Os')), _tool()],
    "no arguments": [_HI, _calls(_call(arguments="")), _tool()],
    "a custom call with any input": [_HI, _calls(_CUSTOM), _tool()],
    "null beside a refusal": [_HI, {"role": "assistant", "content": None, "refusal": "no"}],
    "missing beside audio": [_HI, {"role": "assistant", "audio": {"id": "x"}}],
    "a refusal part": [_HI, _says([{"type": "refusal", "refusal": "no"}], "assistant")],
    "the legacy function": [
        _HI,
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": None},
    ],
    "pictures by address and by value": [
        _says(
            [
                _picture("https://example.test/x.bmp"),
                _picture(f"data:image/png;base64,{_PNG}"),
                _picture("data:image/jpg;base64,/9j/4AAQ"),
                _picture("data:image/webp;base64,AAAA"),
            ]
        )
    ],
    "audio and a file": [
        _says(
            [
                {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}},
                {"type": "file", "file": {"file_id": "f"}},
            ]
        )
    ],
}


@pytest.mark.parametrize("messages", _TAKEN.values(), ids=_TAKEN)
def test_it_is_taken(messages: list[Any]) -> None:
    reply = _post(*messages)
    assert reply.accepted, reply.error


_REFUSED: dict[str, tuple[list[Any], str]] = {
    "an unknown role": ([_says("x", "model")], "Invalid value: 'model'. Supported values are:"),
    "no role": ([{"content": "x"}], "Missing required parameter: 'messages[0].role'."),
    "calls that end the conversation": ([_HI, _calls(_call())], "An assistant message with"),
    "calls right after calls": (
        [_HI, _calls(_call("a")), _calls(_call("b")), _tool("a"), _tool("b")],
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: a",
    ),
    "a result after the exchange was closed": (
        [_HI, _calls(_call()), _tool(), _HI, _tool()],
        "Invalid parameter: messages with role 'tool' must be a response",
    ),
    "a second result": (
        [_HI, _calls(_call()), _tool(), _tool()],
        "Duplicate value for 'tool_call_id' of 'c' in message[3].",
    ),
    "a function without its call": (
        [_HI, {"role": "function", "name": "f", "content": "x"}],
        "Invalid parameter: messages with role 'function'",
    ),
    "twins in one message": (
        [_HI, _calls(_call(), _call()), _tool()],
        "Duplicate value for 'id' of 'c' in messages[1].tool_calls.",
    ),
    "a call without an id": (
        [_HI, _calls({"type": "function", "function": {"name": "f", "arguments": "{}"}})],
        "Missing required parameter: 'messages[1].tool_calls[0].id'.",
    ),
    "a call of an unknown type": (
        [_HI, _calls({"id": "c", "type": "magic"})],
        "Invalid value: 'magic'. Supported values are: 'function' and 'custom'.",
    ),
    "a name with a dot": (
        [_HI, _calls(_call(name="a.b"))],
        "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern.",
    ),
    "arguments that are an object already": (
        [_HI, _calls(_call(arguments={}))],
        "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string",
    ),
    "content that is a number": (
        [_says(1)],
        "Invalid type for 'messages[0].content': expected an array, but got an integer instead.",
    ),
    "null from a user": ([_says(None)], "Invalid value for 'content': expected a string, got"),
    "null beside an empty list of calls": ([_HI, _calls()], "Invalid 'messages[1].tool_calls'"),
    "an empty list of parts beside calls": (
        [_HI, _calls(_call(), content=[])],
        "Invalid 'messages[1].content': empty array.",
    ),
    "a picture from the assistant": (
        [_HI, _says([_picture("https://example.test/x.png")], "assistant")],
        "Invalid 'messages[1]'. Image URLs are only allowed for messages with role 'user'",
    ),
    "a part of another API": (
        [_says([{"type": "input_text", "text": "x"}])],
        "Invalid value: 'input_text'. Supported values are: 'text' and 'image_url'",
    ),
    "a picture of another format": (
        [_says([_picture("data:image/png;base64,JVBERi0xLjQK")])],
        "You uploaded an unsupported image.",
    ),
    "a picture with another's label": (
        [_says([_picture("data:image/png;base64,/9j/4AAQ")])],
        "You uploaded an unsupported image.",
    ),
    "no messages": ([], "Invalid 'messages': empty array."),
}


@pytest.mark.parametrize(("messages", "error"), _REFUSED.values(), ids=_REFUSED)
def test_it_is_refused(messages: list[Any], error: str) -> None:
    reply = _post(*messages)
    assert reply.status == 400
    assert reply.error.startswith(error), reply.error


def test_a_tool_defined_under_an_illegal_name_is_refused() -> None:
    reply = _post(_HI, tools=[{"type": "function", "function": {"name": "a b"}}])
    assert reply.error.startswith("Invalid 'tools[0].function.name': string does not match")


def test_deepseek_says_of_twin_calls_what_it_says_of_a_second_result() -> None:
    body = {"messages": [_HI, _calls(_call(), _call()), _tool()]}
    assert simulated("deepseek").post(body).error == (
        "Duplicate value for 'tool_call_id' of c in message[1]"
    )


@pytest.mark.parametrize(
    "dialect", ["generic", "kimi", "deepseek", "mistral", "qwen", "openrouter"]
)
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("", ""),
        ('{"in": "Os', ""),
        ('{"x": NaN}', "NaN is not JSON"),
        ("1", "expected an object, but got an integer instead"),
        ("[" * 100_000, ""),
    ],
    ids=["empty", "cut", "NaN", "a number", "endless"],
)
def test_servers_that_parse_arguments_refuse_what_is_no_object(
    dialect: str, arguments: str, error: str
) -> None:
    body = {"model": "m", "messages": [_HI, _calls(_call("callAbc01", arguments=arguments))]}
    reply = simulated(dialect).post(body)
    assert reply.status in (400, 422)
    assert f"invalid function arguments json string: {error}" in reply.error
