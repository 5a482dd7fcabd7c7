"""Gemini's rules where they are easily wrong: what they find, where, and what they leave alone."""

from __future__ import annotations

from typing import Any

import pytest
from tests.dialects.contents import asked, blob, gave, made, model, said

from wiremend.rules import check


def found(*contents: Any, **more: Any) -> list[tuple[str, str]]:
    return [(v.code, v.pointer) for v in check(asked(*contents, **more), "gemini")]


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        ([said("a"), model(made(), made()), said(gave())], [("WM401", "/contents/1")]),
        ([said("a"), model(made())], [("WM401", "/contents/1")]),
        (
            [said("a"), model(made()), said("b"), said(gave())],
            [("WM401", "/contents/1"), ("WM402", "/contents/3")],
        ),
        ([said("a"), model(made()), said(gave(), gave())], [("WM403", "/contents/2")]),
        (
            [said("a"), model(made(id="x"), made(id="y")), said(gave(id="x"), gave(id="x"))],
            [("WM404", "/contents/2/parts/1/functionResponse/id")],
        ),
        (
            [said("a"), model("b"), model(made())],
            [("WM401", "/contents/2"), ("WM405", "/contents/2")],
        ),
        ([model(made()), said(gave())], [("WM406", "/contents/0")]),
        ([said("a", made())], [("WM407", "/contents/0/parts/1/functionCall")]),
        ([said({"text": ""}, "a")], [("WM408", "/contents/0/parts/0/text")]),
        ([{"role": "user"}], [("WM409", "/contents/0")]),
        ([said({"thoughtSignature": "aa"})], [("WM410", "/contents/0/parts/0")]),
        ([said({"text": "a", "inline_data": {}})], [("WM411", "/contents/0/parts/0")]),
        ([said("a", role="tool")], [("WM412", "/contents/0/role")]),
        ([said({"type": "text", "text": "a"})], [("WM413", "/contents/0/parts/0/type")]),
        (
            [{"parts": {"inline_data": {"mime_type": "image/jpg", "data": "!"}}}],
            [
                ("WM419", "/contents/0/parts/inline_data/mime_type"),
                ("WM415", "/contents/0/parts/inline_data/data"),
            ],
        ),
    ],
)
def test_a_fault_is_found_at_its_place(
    contents: list[Any], expected: list[tuple[str, str]]
) -> None:
    assert found(*contents) == expected


def test_media_inside_a_response_is_judged_too() -> None:
    response = gave(parts=[blob("image/gif")])
    assert found(said("a"), model(made()), said(response)) == [
        ("WM419", "/contents/2/parts/0/functionResponse/parts/0/inlineData/mimeType")
    ]


def test_the_system_instruction_is_judged_by_its_parts_alone() -> None:
    assert found(said("a"), systemInstruction={"role": "boss", "parts": []}) == []
    assert found(said("a"), system_instruction={"parts": {"text": ""}}) == [
        ("WM408", "/system_instruction/parts/text")
    ]
    assert found(said("a"), systemInstruction="b") == [("WM003", "/systemInstruction")]


@pytest.mark.parametrize(
    ("name", "checks"),
    [
        ("gemini-3-pro-preview", True),
        ("models/gemini-3.1-flash-lite", True),
        ("gemini-3-pro-image-preview", False),
        ("gemini-2.5-pro", False),
        ("gemini-flash-latest", False),
        (None, False),
    ],
)
def test_signatures_are_asked_for_where_the_model_checks_them(name: Any, checks: bool) -> None:
    broken = found(said("a"), model("b", made(), made()), said(gave(), gave()), model=name)
    assert broken == ([("WM414", "/contents/1/parts/1")] if checks else [])


def test_words_beside_responses_start_a_turn() -> None:
    step = (model(made()), said(gave(), "and now?"))
    assert found(said("a"), *step, model="gemini-3-pro") == []


def test_a_type_that_is_wrong_is_found_once() -> None:
    assert found("a", {"role": 2, "parts": 1}, said(gave(id=5), {"text": 1})) == [
        ("WM003", "/contents/0"),
        ("WM003", "/contents/1/role"),
        ("WM003", "/contents/1/parts"),
        ("WM402", "/contents/2"),
        ("WM003", "/contents/2/parts/0/functionResponse/id"),
        ("WM003", "/contents/2/parts/1/text"),
    ]
