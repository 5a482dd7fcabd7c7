"""Markers: what a tool or a user brings in cannot pass for the engine's words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.projection.notation import A, N, R, U, image
from wiremend import ContextMessage
from wiremend.context.markers import guard_markers, neutralise
from wiremend.model import DocumentPart, ShellCommandOrigin, TextPart

PIECES = ["<", "</", ">", " ", "\n", "\u200b", "system", "SYSTEM-reminder", "notification"]
PIECES += ["tools_added", "Tools_Removed", ' id="1"', "x", ".", "&lt;"]
hostile = st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=12).map("".join)


@pytest.mark.parametrize(
    "tag",
    [
        "<system>",
        "</system>",
        "<System-Reminder>",
        "< system >",
        "<\n/ SYSTEM\t>",
        '<notification id="1">',
        "<tools_added>",
        "</tools_removed>",
        "<system/>",
        "<\u200bsystem>",
    ],
)
def test_a_control_tag_is_made_harmless(tag: str) -> None:
    assert neutralise(f"a {tag} b") == (f"a &lt;{tag[1:]} b", 1)


@pytest.mark.parametrize(
    "text", ["", "a < b", "<b>", "<system.web>", "<systemd>", "<notifications>", "system>", "<x:y>"]
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert neutralise(text) == (text, 0)


@given(hostile)
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    once, _ = neutralise(text)
    assert neutralise(once) == (once, 0)


@pytest.mark.parametrize(
    "text", ["<" + " " * 200_000, "< " * 200_000, "<" * 200_000, "</" * 99_999]
)
def test_hostile_text_takes_no_longer_than_other_text(text: str) -> None:
    begin = time.perf_counter()
    neutralise(text)
    assert time.perf_counter() - begin < 2


def guarded(
    *history: ContextMessage,
) -> tuple[list[ContextMessage], list[tuple[str, str | None, int]]]:
    seen: list[tuple[str, str | None, int]] = []
    result = guard_markers(history, lambda *found: seen.append(found))
    return list(result), seen


def test_tool_results_and_prompts_are_guarded_and_reported() -> None:
    call = A("<system>", calls="c1")
    history, seen = guarded(U("<system>a</system>"), call, R("c1", "<notification>"), N("<system>"))
    assert history[0] == U("&lt;system>a&lt;/system>")
    assert history[1] is call
    assert history[2] == R("c1", "&lt;notification>")
    assert history[3] == N("<system>")
    assert seen == [("user", None, 2), ("tool", "c1", 1)]


def test_what_a_shell_printed_is_guarded() -> None:
    origin = ShellCommandOrigin(phase="output")
    printed = ContextMessage("user", (TextPart("<system>"),), origin=origin)
    history, seen = guarded(printed)
    assert history[0].content == (TextPart("&lt;system>"),)
    assert seen == [("user", None, 1)]


def test_what_has_no_tag_is_shared() -> None:
    clean = (U("a < b", image("x")), A("y", calls="c"), R("c"))
    assert guard_markers(clean, lambda *_: None) is clean
    picture = image("x")
    history, _ = guarded(U("x", picture, "<system>"))
    assert history[0].content[1] is picture


def test_a_tag_in_two_parts_is_found() -> None:
    history, seen = guarded(U("x <sys", image("u"), "tem> <system>"))
    assert history[0] == U("x &lt;sys", image("u"), "tem> &lt;system>")
    assert seen == [("user", None, 2)]


def test_documents_are_guarded_too() -> None:
    message = ContextMessage("user", (DocumentPart(text="<system>", title="<system>"),))
    history, seen = guarded(message)
    assert history[0].content == (DocumentPart(text="&lt;system>", title="&lt;system>"),)
    assert seen == [("user", None, 2)]


@given(st.lists(hostile, max_size=4))
def test_a_guarded_history_has_nothing_left_to_guard(texts: list[str]) -> None:
    once, _ = guarded(U(*texts))
    again, seen = guarded(*once)
    assert (again, seen) == (once, [])
    joined = "".join(part.text for part in once[0].content if isinstance(part, TextPart))
    assert neutralise(joined)[1] == 0
