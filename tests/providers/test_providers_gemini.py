"""What the simulated Gemini API takes and what it refuses, beyond the shared cases."""

from __future__ import annotations

from typing import Any

import pytest

from wiremend.providers import Reply, simulated

_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
)


def _post(*contents: Any, **more: Any) -> Reply:
    return simulated("gemini").post({**more, "contents": list(contents)})


def _says(*parts: Any, role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": [{"text": p} if isinstance(p, str) else p for p in parts]}


def _model(*parts: Any) -> dict[str, Any]:
    return _says(*parts, role="model")


def _call(name: Any = "run", **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {}, **more}}


def _answer(name: Any = "run", **more: Any) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": {}, **more}}


def _blob(label: str, data: str = _PNG) -> dict[str, Any]:
    return {"inlineData": {"mimeType": label, "data": data}}


@pytest.mark.parametrize(
    "contents",
    [
        pytest.param([_says("a"), _says("b")], id="two of the user"),
        pytest.param([_says("a"), _model("b"), _model("c")], id="two of the model"),
        pytest.param([_says("a"), _model(_call()), _says("b", _answer())], id="text before"),
        pytest.param([_says("a"), _model(_call(id="x")), _says(_answer())], id="id of a call"),
        pytest.param([_says("a"), _model(_call()), _says(_answer(id="x"))], id="id of an answer"),
        pytest.param([{"parts": {"text": "a"}}], id="no list, no role"),
        pytest.param([_says({"function_response": None, "text": "a"})], id="null is absent"),
        pytest.param([_says("a"), _model({"text": "", "thought_signature": "aa"})], id="signed"),
        pytest.param([_says(_blob("image/png"), _blob("audio/wav", "AA"))], id="media"),
        pytest.param([_says({"text": "a", "newName": 1})], id="a name of tomorrow"),
    ],
)
def test_what_the_api_takes_is_taken(contents: list[Any]) -> None:
    assert _post(*contents).error == ""


@pytest.mark.parametrize(
    ("contents", "error"),
    [
        ([_says("a"), _model(_call()), _says("b")], "the number of function response parts"),
        ([_says("a"), _model(_call())], "the number of function response parts"),
        ([_says("a"), _model(_call()), _says(_answer(), _answer())], "the number of function"),
        ([_says("a"), _model(_call()), _model("b"), _says(_answer())], "the number of function"),
        ([_says("a"), _model("b"), _says(_answer())], "immediately after a function call turn"),
        ([_says("a"), _model(_answer())], "immediately after a function call turn"),
        ([_says("a", _call())], "comes immediately after a user turn"),
        ([_model(_call()), _says(_answer())], "comes immediately after a user turn"),
        ([_model("a")], "single turn requests end with a user role"),
        ([_model("a"), _says("b")], "multiturn requests alternate"),
        ([_says("a", role="tool")], "Please use a valid role"),
        ([{"role": 1, "parts": [{"text": "a"}]}], "Invalid value at 'contents[0].role'"),
        (["a"], "Invalid value at 'contents[0]'"),
        ([{"parts": "a"}], "Invalid value at 'contents[0].parts'"),
        ([_says({"text": 1})], "contents[0].parts[0].text' (TYPE_STRING)"),
        ([_says(_answer(id=1))], "contents[0].parts[0].function_response.id' (TYPE_STRING)"),
        ([_says({"inlineData": 1})], "contents[0].parts[0].inline_data'"),
        ([_says(_answer(parts=[_blob("image/gif")]))], "Unsupported MIME type: image/gif"),
        ([_says({"text": "a", "thoughtSignature": 1})], "thought_signature' (TYPE_BYTES)"),
        ([_says({"inline_data": {"data": "a"}})], "inline_data.data' (TYPE_BYTES), Base64"),
    ],
)
def test_what_the_api_refuses_is_refused_in_its_words(contents: list[Any], error: str) -> None:
    reply = _post(*contents)
    assert reply.status == 400
    assert error in reply.error


def test_a_signature_is_asked_for_only_in_the_current_turn() -> None:
    step = (_model(_call(), _call()), _says(_answer(), _answer()))
    old = (_says("a"), *step, _model("b"), _says("c"))
    model = "models/gemini-3-pro-preview"
    assert _post(*old, model=model).accepted
    refused = _post(*old, *step, model=model)
    assert "function call `default_api:run` , position 6" in refused.error
    assert _post(*old, *step, model="gemini-2.5-pro").accepted
    assert _post(*old, *step).accepted
    signed = {**_call(), "thoughtSignature": "aa"}
    assert _post(*old, _model(signed, _call()), step[1], model=model).accepted


def test_names_of_declarations_are_looked_at() -> None:
    for name, taken in (("a.b:c-d", True), ("_", True), ("1a", False), ("a b", False), ("", False)):
        tools = [{"function_declarations": [{"name": name}]}]
        assert _post(_says("a"), tools=tools).accepted is taken
    assert not _post(_says("a"), tools=[{"functionDeclarations": [{"name": "a" * 129}]}]).accepted


def test_a_system_instruction_is_read_like_a_content() -> None:
    assert _post(_says("a"), systemInstruction={"parts": [{"text": "b"}]}).accepted
    assert "data" in _post(_says("a"), system_instruction={"parts": [{}]}).error
    assert "system_instruction" in _post(_says("a"), systemInstruction="b").error
