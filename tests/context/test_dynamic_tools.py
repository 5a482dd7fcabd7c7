"""Dynamic tools: announced by name, loaded on demand, stripped without a trace."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.projection.notation import A, N, R, S, U
from wiremend import ContextMessage
from wiremend.context.dynamic_tools import (
    announced_names,
    announcement,
    is_announcement,
    loaded_tools,
    reannouncement,
    schema_message,
    strip_dynamic_tool_context,
)
from wiremend.context.reminders import reminder_text
from wiremend.context.select_tools import SELECT_TOOLS, call_error, select_tools
from wiremend.model import SystemTriggerOrigin, TextPart, history_from_json, to_json

PIECES = ["a", "<tools_added>", "</tools_added>", "&", "#38;", "&#10;", "\n", " ", "\ufeff", "é"]
odd = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), min_size=1, max_size=5).map("".join)
names = (st.sampled_from("abcd") | odd).filter(bool)
steps = st.lists(st.tuples(st.lists(names, max_size=4), st.lists(names, max_size=4)), max_size=5)


def tool(name: str, text: str = "") -> dict[str, Any]:
    return {"name": name, "description": text, "parameters": {"type": "object"}}


AVAILABLE = {name: tool(name) for name in ("read", "write", "search")}


def words(message: ContextMessage) -> str:
    return "".join(part.text for part in message.content if isinstance(part, TextPart))


def test_an_announcement_reads_as_specified() -> None:
    message = announcement(["a", "b"], ["c"], "Load them.")
    assert message.role == "user"
    assert is_announcement(message)
    assert reminder_text(words(message)) == (
        "<tools_added>\na\nb\n</tools_added>\n<tools_removed>\nc\n</tools_removed>\nLoad them."
    )
    assert "tools_removed" not in words(announcement(["a"]))


@given(steps, odd)
def test_the_fold_of_announcements_is_what_a_naive_model_says(
    changes: list[tuple[list[str], list[str]]], instructions: str
) -> None:
    naive: list[str] = []
    for added, removed in changes:
        naive += [name for name in dict.fromkeys(added) if name not in naive]
        naive = [name for name in naive if name in added or name not in removed]
    history = [announcement(added, removed, instructions) for added, removed in changes]
    assert announced_names(history) == tuple(naive)
    assert announced_names(history_from_json(to_json(history))) == tuple(naive)


def test_announcements_of_older_logs_count() -> None:
    text = "Names in <tools_added> can be loaded.\n<tools_added>\na\nb</tools_added>"
    old = ContextMessage(
        "user", (TextPart(text),), origin=SystemTriggerOrigin(name="loadable-tools")
    )
    assert announced_names([old, announcement((), ["a"])]) == ("b",)
    assert announced_names([U(text), N(text)]) == ()


def test_the_last_definition_of_a_loaded_tool_counts() -> None:
    wrapped = {"type": "function", "function": tool("b")}
    history = [schema_message([tool("a"), wrapped]), schema_message([tool("a", "new"), "odd", {}])]
    assert loaded_tools(history) == {"a": tool("a", "new"), "b": wrapped}


@given(steps)
def test_stripping_leaves_no_trace(changes: list[tuple[list[str], list[str]]]) -> None:
    said = [U("x"), A("y", calls="c"), R("c"), N("<tools_added>\na\n</tools_added>")]
    dynamic = [announcement(*change) for change in changes] + [schema_message([tool("a")])]
    mixed = [*dynamic, said[0], *dynamic, *said[1:], *dynamic]
    stripped = strip_dynamic_tool_context(mixed)
    assert [id(message) for message in stripped] == [id(message) for message in said]
    assert strip_dynamic_tool_context(stripped) is stripped


def test_a_schema_message_with_words_keeps_them() -> None:
    assert strip_dynamic_tool_context([S("rules", tools=(tool("a"),))]) == [S("rules")]


def test_after_compaction_the_model_knows_what_it_knew_before() -> None:
    before = [
        announcement(["read", "write", "gone"]),
        schema_message([tool("write", "old"), tool("gone")]),
    ]
    after = reannouncement(before, AVAILABLE)
    assert announced_names(after) == ("read", "write")
    assert loaded_tools(after) == {"write": tool("write")}
    assert reannouncement(strip_dynamic_tool_context(before), AVAILABLE) == ()


def test_selecting_says_what_was_loaded_was_there_and_is_unknown() -> None:
    history = [announcement(AVAILABLE), schema_message([tool("write")])]
    found = select_tools(history, '{"names": ["read", "write", "nope", "read"]}', AVAILABLE)
    assert (found.loaded, found.already_available, found.unknown) == (
        ("read",),
        ("write",),
        ("nope",),
    )
    assert found.answer.startswith("Loaded: read\nAlready available: write\nUnknown: nope\n")
    assert found.messages == (schema_message([tool("read")]),)
    assert found.result("c1").tool_call_id == "c1"
    assert found.is_error is None


def test_a_tool_that_has_changed_is_loaded_again() -> None:
    found = select_tools([schema_message([tool("read", "old")])], {"names": ["read"]}, AVAILABLE)
    assert found.loaded == ("read",)


def test_only_unknown_names_are_an_error() -> None:
    found = select_tools([], {"names": ["<system>"]}, AVAILABLE)
    assert found.is_error
    assert found.messages == ()
    assert "<system>" not in found.answer


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["names", "x"]), inner),
)


@given(JSON | st.text() | st.binary() | JSON.map(msgspec.json.encode))
def test_any_arguments_get_an_answer(arguments: Any) -> None:
    found = select_tools([], arguments, AVAILABLE)
    assert found.answer
    assert found.is_error or found.loaded


@pytest.mark.parametrize("arguments", ["", "{", "[" * 100_000, "\ud800", "[]", '{"names": []}'])
def test_arguments_that_cannot_be_used_say_how_to_call(arguments: str) -> None:
    found = select_tools([], arguments, AVAILABLE)
    assert found.is_error
    assert '{"names":' in found.answer


def test_a_call_that_cannot_be_made_is_explained() -> None:
    history = [
        announcement(["read", "write", "lost"]),
        schema_message([tool("write"), tool("search")]),
        announcement((), ["lost"]),
    ]
    active = {"read", "write", "select_tools", "lost"}

    def error(name: str) -> str:
        return call_error(name, history, AVAILABLE, active) or "fine"

    assert "Load it first by calling select_tools" in error("read")
    assert error("write") == "fine"
    assert error("select_tools") == "fine"
    assert "gone" in error("lost")
    assert "inactive" in error("search")
    assert "unknown" in error("nope")


def test_what_select_tools_loads_can_be_called() -> None:
    history = [announcement(AVAILABLE)]
    loaded = select_tools(history, {"names": ["read"]}, AVAILABLE).messages
    assert call_error("read", [*history, *loaded], AVAILABLE, AVAILABLE) is None
    assert SELECT_TOOLS["name"] == "select_tools"
