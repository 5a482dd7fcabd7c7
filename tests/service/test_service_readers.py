"""Streams put together: as the SDKs do it, and where servers are odd in ways no SDK minds."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import openai
import pytest
from openai.lib.streaming.chat import ChatCompletionStreamState
from tests.service.asking import STRANGE, anthropic_client, chat_client, places

from wiremend.errors import WiremendError
from wiremend.service import BrokenAnswerError, CallDelta, ProviderError, TextDelta, ThinkDelta
from wiremend.service.answers import read_response
from wiremend.service.call_ids import CallIds
from wiremend.service.readers import Reader, reader_of
from wiremend.simulator import Call, Script, Thinking, running_provider, says

_BLOCK = {"type": "tool_use", "id": "a", "name": "look", "input": {}}
_ITEM = {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"}
_ENDED = {"id": "r", "status": "completed", "output": [_ITEM]}
_FUNCTION = {"name": "look", "arguments": "{}"}
STREAMS: dict[str, Any] = {
    "openai-chat": [
        {"id": "r", "choices": [{"index": 0, "delta": {"content": "hi"}}]},
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": _FUNCTION}]}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
        {"choices": [], "usage": {"prompt_tokens": 1}},
    ],
    "openai-responses": [
        {"type": "response.output_item.added", "output_index": 0, "item": _ITEM},
        {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{}"},
        {"type": "response.output_text.delta", "output_index": 1, "delta": "hi"},
        {"type": "response.completed", "response": _ENDED},
    ],
    "anthropic": [
        {"type": "message_start", "message": {"id": "r", "usage": {"input_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": "hi"},
        },
        {"type": "content_block_start", "index": 1, "content_block": _BLOCK},
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": "{}"},
        },
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
    ],
    "gemini": [
        {"responseId": "r", "candidates": [{"content": {"parts": [{"text": "hi"}]}}]},
        {
            "candidates": [
                {
                    "content": {"parts": [{"functionCall": {"name": "look", "args": {}}}]},
                    "finishReason": "STOP",
                }
            ]
        },
    ],
}

_STEP = says("one two three", Call("look", {"a": [1, 2]}), Call("f", {}))


def fed(reader: Reader, *chunks: dict[str, Any]) -> list[Any]:
    return [delta for chunk in chunks for delta in reader.feed(chunk)]


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}


def piece(call_id: str | None, name: str | None, arguments: Any, **more: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function, **more}


def test_chat_chunks_give_what_openais_own_reader_makes_of_them() -> None:
    reader, state = reader_of("openai-chat"), ChatCompletionStreamState()
    with (
        running_provider("openai-chat", Script((_STEP,))) as running,
        chat_client(running) as client,
        client.chat.completions.create(
            model="gpt-5",
            messages=[{"role": "user", "content": "x"}],
            stream=True,
            stream_options={"include_usage": True},
        ) as stream,
    ):
        for one in stream:
            reader.feed(one.to_dict(mode="json"))
            state.handle_chunk(one)
    theirs = state.get_final_completion()
    mine = openai.types.chat.ChatCompletion.model_validate(reader.response())
    assert mine.choices[0].message.content == theirs.choices[0].message.content
    calls: list[list[Any]] = [
        [call.to_dict() for call in whole.choices[0].message.tool_calls or []]
        for whole in (mine, theirs)
    ]
    for call in calls[1]:
        call["function"].pop("parsed_arguments", None)
        call.pop("index", None)
    assert calls[0] == calls[1]
    assert mine.usage == theirs.usage
    assert (mine.id, mine.model) == (theirs.id, theirs.model)


def test_anthropics_events_give_what_its_own_reader_makes_of_them() -> None:
    step = says(Thinking("let me see"), *_STEP.parts)
    request: Any = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 5000,
        "messages": [{"role": "user", "content": "x"}],
        "thinking": {"type": "enabled", "budget_tokens": 2000},
    }
    reader = reader_of("anthropic")
    with (
        running_provider("anthropic", Script((step, step))) as running,
        anthropic_client(running) as client,
    ):
        with client.messages.create(**request, stream=True) as events:
            for one in events:
                reader.feed(one.to_dict(mode="json"))
        with client.messages.stream(**request) as stream:
            theirs: Any = stream.get_final_message().to_dict(mode="json")
    mine = reader.response()
    # Two answers: ids and signatures are not the same.
    kinds = [
        [{n: v for n, v in block.items() if n in ("type", "text", "input", "name")} for block in c]
        for c in (mine["content"], theirs["content"])
    ]
    assert kinds[0] == kinds[1]
    assert [set(a) for a in mine["content"]] == [
        set(b) - {"parsed_output"} for b in theirs["content"]
    ]
    assert mine["stop_reason"] == theirs["stop_reason"]
    assert set(mine["usage"]) <= set(theirs["usage"])


def test_a_server_that_numbers_no_calls_starts_each_with_an_id() -> None:
    reader = reader_of("openai-chat")
    pieces = fed(
        reader,
        chunk({"tool_calls": [piece("a", "f", '{"x":')]}),
        chunk({"tool_calls": [piece(None, None, "1}")]}),
        chunk({"tool_calls": [piece("b", "g", "{}")]}),
        chunk({}, "tool_calls"),
    )
    calls = reader.response()["choices"][0]["message"]["tool_calls"]
    assert [(c["id"], c["function"]["arguments"]) for c in calls] == [("a", '{"x":1}'), ("b", "{}")]
    assert [(p.index, p.call_id, p.name) for p in pieces] == [
        *((0, "a", "f"), (0, "a", "f"), (1, "b", "g")),
    ]


def test_a_server_that_numbers_every_call_the_same_is_told_by_the_ids() -> None:
    reader = reader_of("openai-chat")
    fed(
        reader,
        chunk({"tool_calls": [piece("a", "f", "{}", index=0)]}),
        chunk({"tool_calls": [piece("b", "g", "{", index=0)]}),
        chunk({"tool_calls": [piece("b", "g", "}", index=0)]}),
        chunk({}, "stop"),
    )
    calls = reader.response()["choices"][0]["message"]["tool_calls"]
    assert [(c["id"], c["function"]) for c in calls] == [
        ("a", {"name": "f", "arguments": "{}"}),
        ("b", {"name": "g", "arguments": "{}"}),
    ]


def test_calls_without_any_id_get_one() -> None:
    reader = reader_of("openai-chat")
    pieces = fed(
        reader,
        chunk({"tool_calls": [piece(None, "f", "{}", index=0)]}),
        chunk({"tool_calls": [piece("", "g", "{}", index=1)]}, "stop"),
    )
    assert [p.call_id for p in pieces] == ["", ""]
    claim = CallIds().claim(["call_1"])
    assert [claim.name(p.index, p.call_id) for p in pieces] == ["call_0", "call_1__2"]


def test_thinking_is_kept_in_the_field_that_it_came_in() -> None:
    reader = reader_of("openai-chat")
    details = {"type": "reasoning.text", "index": 0, "text": "h"}
    signed = {"signature": "s"}
    pieces = fed(
        reader,
        chunk({"role": "assistant", "reasoning": "h", "reasoning_details": [details]}),
        chunk(
            {"reasoning": "m", "reasoning_details": [{**details, "text": "m", "signature": "s"}]}
        ),
        chunk({"content": "yes"}, "stop"),
    )
    assert pieces == [ThinkDelta("h"), ThinkDelta("m"), TextDelta("yes")]
    message = reader.response()["choices"][0]["message"]
    assert message["reasoning"] == "hm"
    assert message["reasoning_details"] == [{**details, "text": "hm", **signed}]


@pytest.mark.parametrize(
    ("family", "chunks"),
    [
        ("openai-chat", [chunk({"content": "half"})]),
        ("anthropic", [{"type": "message_start", "message": {"content": []}}]),
        ("openai-responses", [{"type": "response.created", "response": {}}]),
        ("gemini", [{"candidates": [{"content": {"parts": [{"text": "half"}]}}]}]),
        *((family, []) for family in ("openai-chat", "anthropic", "openai-responses", "gemini")),
    ],
)
def test_a_stream_without_its_end_is_no_answer(family: str, chunks: list[dict[str, Any]]) -> None:
    reader = reader_of(family)
    fed(reader, *chunks)
    with pytest.raises(BrokenAnswerError):
        reader.response()


@pytest.mark.parametrize(
    ("family", "error"),
    [
        ("openai-chat", {"error": {"message": "no", "code": 502}}),
        ("anthropic", {"type": "error", "error": {"type": "overloaded_error", "message": "no"}}),
        ("openai-responses", {"type": "error", "code": "server_error", "message": "no"}),
        (
            "openai-responses",
            {
                "type": "response.failed",
                "response": {"error": {"code": "server_error", "message": "no"}},
            },
        ),
        ("gemini", {"error": {"code": 503, "message": "no", "status": "UNAVAILABLE"}}),
    ],
)
def test_an_error_in_a_stream_is_raised(family: str, error: dict[str, Any]) -> None:
    with pytest.raises(ProviderError, match="no") as caught:
        reader_of(family).feed(error)
    assert caught.value.status_code == 200


def test_arguments_that_were_cut_off_stay_as_they_came() -> None:
    reader = reader_of("anthropic")
    block = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    fed(
        reader,
        {"type": "message_start", "message": {"id": "m", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": '{"a": "b'},
        },
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}},
    )
    assert reader.response()["content"][0]["input"] == '{"a": "b'
    call = read_response(reader.response(), "anthropic").message.tool_calls[0]
    assert call.arguments == '{"a": "b'


def test_geminis_signatures_stay_on_their_parts() -> None:
    reader = reader_of("gemini")
    parts: list[dict[str, Any]] = [
        {"text": "h", "thought": True},
        {"text": "m", "thought": True},
        {"text": "a"},
        {"text": "b", "thoughtSignature": "s1"},
        {"text": "c"},
        {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "s2"},
        {"functionCall": {"name": "g", "id": "own"}},
    ]
    pieces = fed(reader, *({"candidates": [{"content": {"parts": [part]}}]} for part in parts))
    reader.feed({"candidates": [{"finishReason": "STOP"}]})
    assert reader.response()["candidates"][0]["content"]["parts"] == [
        {"text": "hm", "thought": True},
        *parts[2:],
    ]
    calls = [p for p in pieces if isinstance(p, CallDelta)]
    whole = read_response(reader.response(), "gemini").message.tool_calls
    assert [c.call_id for c in calls] == [call.id for call in whole]


def test_a_blocked_prompt_is_an_answer_without_words() -> None:
    reader = reader_of("gemini")
    reader.feed({"promptFeedback": {"blockReason": "SAFETY"}})
    found = read_response(reader.response(), "gemini")
    assert (found.message.content, found.finish_reason) == ((), "SAFETY")


def test_a_response_without_an_answer_says_so() -> None:
    with pytest.raises(WiremendError, match="no answer in it"):
        read_response({"choices": []}, "openai-chat")


@pytest.mark.parametrize("family", STREAMS)
def test_whatever_a_stream_holds_it_is_read_or_the_error_is_ours(family: str) -> None:
    for number in range(len([*places(STREAMS[family])])):
        for strange in STRANGE:
            chunks = json.loads(json.dumps(STREAMS[family]))
            container, key = [*places(chunks)][number]
            container[key] = strange
            reader = reader_of(family)
            with suppress(WiremendError, ProviderError, BrokenAnswerError):
                fed(reader, *chunks)
                read_response(reader.response(), family)
