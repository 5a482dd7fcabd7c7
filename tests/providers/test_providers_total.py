"""Any JSON value gets a reply, and a reply has the shape of the provider's own."""

from __future__ import annotations

import ast
import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.saying import saying

from wiremend import DIALECTS, providers
from wiremend.errors import WiremendError
from wiremend.providers import SimulatedProvider, simulated

_NAMES = tuple(sorted(DIALECTS))

_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.text(alphabet=st.characters(exclude_categories=()))
)
_json = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)

_types = st.sampled_from(
    [
        *("message", "reasoning", "function_call", "function_call_output", "item_reference"),
        *("custom_tool_call", "local_shell_call", "local_shell_call_output", "input_text"),
        *("input_image", "output_text", "additional_tools", "tool_search_call"),
        *("text", "image", "image_url", "tool_use", "tool_result", "thinking", "document"),
        *("redacted_thinking", "server_tool_use", "web_search_tool_result", "compaction"),
        *("refusal", "file", "input_audio", "function", "custom", "enabled", "base64"),
    ]
)
_ids = st.sampled_from(["a", "b", "srvtoolu_1", "", "x|y"])
_KNOWN: dict[str, st.SearchStrategy[Any]] = {
    "type": _types,
    "id": _ids,
    "tool_use_id": _ids,
    "tool_call_id": _ids,
    "call_id": _ids,
    "name": st.sampled_from(["run", "a.b", ""]),
    "text": st.sampled_from(["hi", "", " "]),
    "thinking": st.sampled_from(["hm", ""]),
    "signature": st.sampled_from(["c2ln", ""]),
    "arguments": st.sampled_from(["{}", "", "[1]", "{"]),
    "media_type": st.sampled_from(["image/png", "image/heic"]),
    "data": st.sampled_from(["/9j/4AAQ", "", "é", "AAA"]),
    "url": st.sampled_from(["data:image/png;base64,/9j/4AAQ", "data:,", "https://example.test"]),
    "is_error": st.booleans(),
    "toolUseId": _ids,
    "status": st.sampled_from(["success", "error"]),
    "format": st.sampled_from(["png", "pdf", "heic"]),
    "bytes": st.sampled_from(["/9j/4AAQ", "", "é"]),
}


def _holders(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Objects with the fields that the servers look at, of the right type or of any other."""
    fields = {key: value | _scalars for key, value in _KNOWN.items()}
    of_chat = ("content", "source", "function", "custom", "input", "caller", "image_url")
    nested = (
        *of_chat,
        *("toolUse", "toolResult", "reasoningContent", "reasoningText", "image", "document"),
        *("output", "summary", "tools"),
    )
    fields |= dict.fromkeys((*nested, "cache_control", "tool_calls", "function_call"), inner)
    return st.lists(st.fixed_dictionaries({}, optional=fields), max_size=3) | st.fixed_dictionaries(
        {}, optional=fields
    )


_messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system", "function", "x"])},
    optional={
        "content": st.recursive(_scalars, _holders, max_leaves=6),
        "tool_calls": st.recursive(_scalars, _holders, max_leaves=6),
        "function_call": _json,
        "tool_call_id": _ids,
    },
)
_items = st.recursive(_scalars, _holders, max_leaves=6)
_bodies = st.fixed_dictionaries(
    {
        "messages": st.lists(_messages | _json, max_size=5),
        "input": _items | st.lists(_messages | _json, max_size=5),
    },
    optional={"model": _json, "tools": _json, "system": _json, "thinking": _json},
)


_parts = st.fixed_dictionaries(
    {},
    optional={
        key: _json | st.dictionaries(st.sampled_from(["name", "args", "response", "id"]), _json)
        for key in ("text", "functionCall", "function_response", "inlineData", "thoughtSignature")
    },
)
_contents = st.fixed_dictionaries(
    {"contents": st.lists(_json | st.fixed_dictionaries({"parts": st.lists(_parts, max_size=3)}))},
    optional={"model": _json, "tools": _json, "systemInstruction": _json},
)


@pytest.mark.parametrize("name", _NAMES)
@settings(deadline=None, max_examples=300)
@given(body=_json | _bodies | _contents)
def test_any_json_value_gets_a_reply(name: str, body: Any) -> None:
    reply = simulated(name).post(body)
    assert reply.accepted == (not reply.error)


@pytest.mark.parametrize("name", _NAMES)
def test_what_nests_without_end_is_refused(name: str) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    holds = DIALECTS[name].holds
    content = "parts" if name == "gemini" else "content"
    reply = simulated(name).post({holds: [{"role": "user", content: deep}]})
    assert "not valid JSON" in reply.error


@pytest.mark.parametrize("name", _NAMES)
def test_a_body_that_holds_itself_is_refused(name: str) -> None:
    body = saying(name, "hi")
    body["self"] = body
    assert not simulated(name).post(body).accepted


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), "half \ud83d", {"\udc00": 1}])
def test_what_no_parser_takes_is_refused_before_anything_else(name: str, value: Any) -> None:
    reply = simulated(name).post({"messages": [], "metadata": value})
    assert reply.error.startswith("The request body is not valid JSON")


@pytest.mark.parametrize("name", _NAMES)
def test_the_same_request_gets_the_same_answer(name: str) -> None:
    body, other = saying(name, "hi"), saying(name, "ho")
    assert simulated(name).post(body).accepted
    assert simulated(name).post(body) == simulated(name).post(copy.deepcopy(body))
    assert simulated(name).post(body).body != simulated(name).post(other).body


def test_the_request_is_left_as_it_was() -> None:
    body = {"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}
    before = copy.deepcopy(body)
    for name in _NAMES:
        simulated(name).post(body)
    assert body == before


def test_an_unknown_dialect_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(WiremendError, match=", ".join(_NAMES)):
        simulated("telepathy")


@pytest.mark.parametrize("name", _NAMES)
def test_a_provider_says_its_name(name: str) -> None:
    provider: SimulatedProvider = simulated(name)
    assert provider.name == name


def test_an_accepted_chat_request_gets_what_the_openai_sdk_reads() -> None:
    sdk = pytest.importorskip("openai.types.chat")
    reply = simulated("openai-chat").post(
        {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}
    )
    answer = sdk.ChatCompletion.model_validate(reply.body)
    assert answer.choices[0].message.content
    assert answer.model == "gpt-4o"


def test_an_accepted_messages_request_gets_what_the_anthropic_sdk_reads() -> None:
    sdk = pytest.importorskip("anthropic.types")
    reply = simulated("anthropic").post(
        {"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": "hi"}]}
    )
    answer = sdk.Message.model_validate(reply.body)
    assert answer.content[0].text
    assert answer.model == "claude-sonnet-4-5"


def test_an_accepted_responses_request_gets_what_the_openai_sdk_reads() -> None:
    sdk = pytest.importorskip("openai.types.responses")
    reply = simulated("openai-responses").post({"model": "gpt-5", "input": "hi"})
    answer = sdk.Response.model_validate(reply.body)
    assert answer.output_text
    assert answer.model == "gpt-5"


def test_an_accepted_generate_content_request_gets_what_the_google_sdk_reads() -> None:
    sdk = pytest.importorskip("google.genai.types")
    reply = simulated("gemini").post(saying("gemini", "hi"))
    answer = sdk.GenerateContentResponse.model_validate(reply.body)
    assert answer.candidates[0].content.parts[0].text


def test_a_refusal_has_the_error_shape_of_its_provider() -> None:
    chat = simulated("openai-chat").post({"messages": []})
    assert set(chat.body["error"]) == {"message", "type", "param", "code"}
    contents = simulated("gemini").post({"contents": []})
    assert contents.body["error"]["code"] == 400
    assert contents.body["error"]["status"] == "INVALID_ARGUMENT"
    messages = simulated("anthropic").post({"messages": []})
    assert messages.body["type"] == "error"
    assert messages.body["error"]["type"] == "invalid_request_error"
    assert set(simulated("bedrock").post({"messages": []}).body) == {"message"}


def test_the_judge_shares_nothing_with_what_it_judges() -> None:
    imported = set()
    for path in Path(providers.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("wiremend"):
                imported.add(node.module)
            elif isinstance(node, ast.Import):
                imported.update(a.name for a in node.names if a.name.startswith("wiremend"))
    others = {name for name in imported if not str(name).startswith("wiremend.providers.")}
    assert others == {"wiremend.errors"}
