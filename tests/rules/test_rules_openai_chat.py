"""What Chat Completions takes although it looks broken, and the reverse."""

from __future__ import annotations

from typing import Any

import pytest

from wiremend.rules import check

ASKED = {"role": "user", "content": "go"}


def call(call_id: Any = "c1", arguments: Any = "{}", name: str = "f") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*made: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": list(made), **more}


def result(call_id: Any = "c1", content: Any = "ok") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def said_by(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


def image(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def codes(*said: dict[str, Any], **more: Any) -> list[str]:
    body = {"model": "gpt-4o", "messages": list(said), **more}
    return [found.code for found in check(body, "openai-chat")]


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
CUSTOM = {"id": "c1", "type": "custom", "custom": {"name": "sh", "input": "not json"}}
TAKEN = {
    "empty texts": (said_by("user", ""), said_by("assistant", ""), said_by("system", "")),
    "an assistant message first and last": (said_by("assistant", "a"),),
    "neighbours of one role": (ASKED, ASKED, said_by("assistant", "a"), said_by("assistant", "b")),
    "a system message in the middle": (ASKED, said_by("system", "a"), said_by("developer", "b")),
    "results in any order": (ASKED, calls(call(), call("c2")), result("c2"), result()),
    "an id that a later message uses again": (calls(call()), result(), calls(call()), result()),
    "a custom tool with free text": (calls(CUSTOM), result()),
    "the older form of a call": (
        *(ASKED, {"role": "assistant", "content": None, "function_call": {"name": "f"}}),
        {"role": "function", "name": "f", "content": None},
    ),
    "a refusal without content": ({"role": "assistant", "content": None, "refusal": "No."},),
    "audio without content": ({"role": "assistant", "audio": {"id": "a1"}},),
    "a refusal part": (said_by("assistant", [{"type": "refusal", "refusal": "No."}]),),
    "a tool's text in parts": (calls(call()), result(content=[{"type": "text", "text": ""}])),
    "arguments with white space and large numbers": (
        calls(call(arguments=' {"n": ' + "9" * 5000 + "} ")),
        result(),
    ),
    "images of every kind": (
        said_by(
            "user",
            [
                image("https://example.test/a.svg"),
                image(f"data:image/png;base64,{PNG}"),
                image(f"DATA:IMAGE/PNG;BASE64,{PNG}"),
                image("data:image/jpg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD/"),
                image("data:image/png;base64,AAAA"),
                {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}},
                {"type": "file", "file": {"file_id": "file-1"}},
            ],
        ),
    ),
}


@pytest.mark.parametrize("said", [pytest.param(v, id=k) for k, v in TAKEN.items()])
def test_what_the_provider_takes_is_not_refused(said: tuple[dict[str, Any], ...]) -> None:
    assert codes(*said) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param((calls(call()),), ["WM101"], id="a call at the end"),
        pytest.param((calls(call()), ASKED, result()), ["WM101", "WM102"], id="a late result"),
        pytest.param((calls(call()), result(), ASKED, result()), ["WM102"], id="once more, later"),
        pytest.param((calls(call(), call()), result(), result()), ["WM104"], id="one id, twice"),
        pytest.param((calls(call(None)), result(None)), ["WM106", "WM106"], id="no ids"),
        pytest.param(
            (
                calls(
                    call(arguments=""),
                ),
                result(),
            ),
            ["WM109"],
            id="empty arguments",
        ),
        pytest.param(
            (
                calls(
                    call(arguments="[]"),
                ),
                result(),
            ),
            ["WM109"],
            id="a list",
        ),
        pytest.param(
            (
                calls(
                    call(arguments={}),
                ),
                result(),
            ),
            ["WM109"],
            id="no text",
        ),
        pytest.param(
            (
                calls(
                    call(arguments='{"a":NaN}'),
                ),
                result(),
            ),
            ["WM109"],
            id="no JSON",
        ),
        pytest.param(
            (
                calls(
                    call(name=""),
                ),
                result(),
            ),
            ["WM108"],
            id="an empty name",
        ),
        pytest.param(({"role": "assistant", "content": None},), ["WM110"], id="says nothing"),
        pytest.param(({"role": "user"},), ["WM110"], id="a user message without content"),
        pytest.param(
            (said_by("assistant", [image("https://example.test/a.png")]),),
            ["WM112"],
            id="an image of the assistant",
        ),
        pytest.param(
            (said_by("user", [image(f"data:image/jpeg;base64,{PNG}")]),),
            ["WM114"],
            id="a wrong label",
        ),
        pytest.param(
            (said_by("user", [image("data:application/pdf;base64,JVBERi0xLjQK")]),),
            ["WM114"],
            id="a document as an image",
        ),
        pytest.param(
            (said_by("user", [image("data:image/png;base64,PCFkb2N0eXBlIGh0bWw+")]),),
            ["WM114"],
            id="a page as an image",
        ),
        pytest.param(
            (said_by("assistant", [{"type": "tool_use", "id": "c1"}]),),
            ["WM113"],
            id="a part of another API",
        ),
        pytest.param(({"role": "narrator", "content": "a"},), ["WM003"], id="an unknown role"),
    ],
)
def test_what_the_provider_refuses_is_found(
    said: tuple[dict[str, Any], ...], expected: list[str]
) -> None:
    assert codes(*said) == expected


def test_definitions_of_tools_have_legal_names_too() -> None:
    tools = [{"type": "function", "function": {"name": "a.b"}}]
    assert codes(ASKED, tools=tools) == ["WM108"]
    assert codes(ASKED, tools=[{"type": "custom", "custom": {"name": "a b"}}]) == ["WM108"]
