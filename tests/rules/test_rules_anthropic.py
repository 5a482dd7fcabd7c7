"""What Anthropic takes although it looks broken, and what it refuses although it looks fine."""

from __future__ import annotations

from typing import Any

import pytest

from wiremend.rules import check

TOOLS = [{"name": "f", "input_schema": {"type": "object"}}]
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
OLD, NEW = "claude-sonnet-4-5", "claude-opus-4-8"
SYSTEM = {"role": "system", "content": "Be brief."}
SETTINGS = {"role": "system", "content": [], "output_config": {"effort": "low"}}


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def assistant(*content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content)}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(use_id: str = "t1") -> dict[str, Any]:
    return {"type": "tool_use", "id": use_id, "name": "f", "input": {}}


def result(use_id: str = "t1", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": use_id, "content": "ok", **more}


ASKED = user(text("go"))
CALLED = assistant(use())
ANSWERED = user(result())


def codes(*said: dict[str, Any], model: str = OLD, **more: Any) -> list[str]:
    body = {"model": model, "max_tokens": 4096, "messages": list(said), "tools": TOOLS, **more}
    return [found.code for found in check(body, "anthropic")]


TAKEN = {
    "neighbouring messages of one role": (ASKED, ASKED, assistant(text("a")), assistant(text("b"))),
    "calls spread over neighbouring assistant messages": (
        *(ASKED, CALLED, assistant(use("t2"))),
        user(result("t2"), result()),
    ),
    "results in another order than the calls": (
        *(ASKED, assistant(use(), use("t2"))),
        user(result("t2"), result(), text("and now?")),
    ),
    "a result without content": (ASKED, CALLED, user(result(content="")), assistant(text("a"))),
    "a result with a blank text": (ASKED, CALLED, user(result(content="  "))),
    "an empty final assistant message": (ASKED, {"role": "assistant", "content": ""}),
    "white space at the end of an earlier message": (ASKED, assistant(text("a \n")), ASKED),
    "thinking in an earlier message of a request without": (ASKED, assistant(THOUGHT), ASKED),
    "a server tool with its result": (ASKED, assistant(SEARCH, FOUND, text("a")), ASKED),
    "a server tool whose result is in the next assistant message": (
        *(ASKED, assistant(SEARCH)),
        *(assistant(FOUND), ASKED),
    ),
    "a paused turn that is sent back": (ASKED, assistant(text("a"), SEARCH)),
    "a server tool that waits for a client tool": (ASKED, assistant(SEARCH, use()), ANSWERED),
    "a server tool that ends after a client tool": (
        *(ASKED, assistant(SEARCH, use()), ANSWERED),
        *(assistant(FOUND, text("a")), ASKED),
    ),
    "bytes of an unknown format": (
        user({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": d}})
        for d in ("AAAA", "aGVsbG8=", "not base64!", "")
    ),
    "an image by address": (
        user({"type": "image", "source": {"type": "url", "url": "https://example.test/a.png"}}),
    ),
    "blocks that are newer than this": (ASKED, assistant({"type": "compaction"}), ASKED),
}


@pytest.mark.parametrize("said", [pytest.param(tuple(v), id=k) for k, v in TAKEN.items()])
def test_what_the_provider_takes_is_not_refused(said: tuple[dict[str, Any], ...]) -> None:
    assert codes(*said) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param((ASKED, CALLED), ["WM201"], id="a call at the end"),
        pytest.param(
            (ASKED, assistant(use(), use("t2")), ANSWERED, user(result("t2"))),
            ["WM201", "WM202"],
            id="results in two messages",
        ),
        pytest.param((ASKED, CALLED, ANSWERED, ANSWERED), ["WM202"], id="a result once more"),
        pytest.param((ASKED, assistant(use(), result())), ["WM201", "WM202"], id="its own answer"),
        pytest.param(
            (ASKED, CALLED, user(text("a"), result("old"), result())),
            ["WM202", "WM205"],
            id="an orphan behind a text is only an orphan",
        ),
        pytest.param(
            (ASKED, CALLED, user(result(), text("a"), result())),
            ["WM203"],
            id="a repetition behind a text is only a repetition",
        ),
        pytest.param((ASKED, assistant(text(" "))), ["WM209"], id="a blank final text"),
        pytest.param((ASKED, {"role": "assistant"}), ["WM210"], id="no content at the end"),
        pytest.param((user(), ASKED), ["WM210"], id="an empty message beside another"),
        pytest.param((ASKED, assistant(FOUND), ASKED), ["WM223"], id="a server result alone"),
        pytest.param(
            (ASKED, assistant(FOUND, SEARCH), ASKED),
            ["WM223", "WM223"],
            id="a server result before its call",
        ),
        pytest.param(
            (ASKED, assistant(SEARCH), user(result("srvtoolu_1")), ASKED),
            ["WM223", "WM202"],
            id="a client result for a server tool",
        ),
        pytest.param(
            (ASKED, {"role": "assistant", "content": "a", "tool_calls": None}),
            ["WM225"],
            id="a field of another API",
        ),
        pytest.param(
            (ASKED, {"role": "tool", "tool_call_id": "t1", "content": "ok"}),
            ["WM213"],
            id="a message of another API",
        ),
    ],
)
def test_what_the_provider_refuses_is_found(
    said: tuple[dict[str, Any], ...], expected: list[str]
) -> None:
    assert codes(*said) == expected


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        pytest.param((ASKED, SYSTEM), True, id="at the end"),
        pytest.param((ASKED, SYSTEM, SYSTEM, assistant(text("a")), ASKED), True, id="two of them"),
        pytest.param((ASKED, CALLED, ANSWERED, SYSTEM), True, id="behind results"),
        pytest.param((ASKED, assistant(SEARCH, FOUND), SYSTEM), True, id="behind a server result"),
        pytest.param((SETTINGS, ASKED, SETTINGS, ASKED), True, id="settings anywhere"),
        pytest.param((SYSTEM, ASKED), False, id="first"),
        pytest.param((ASKED, assistant(text("a")), SYSTEM), False, id="behind an answer"),
        pytest.param((ASKED, SYSTEM, ASKED), False, id="before a user message"),
        pytest.param((ASKED, CALLED, SYSTEM, ANSWERED), False, id="between call and result"),
    ],
)
def test_newer_models_take_a_system_message_in_its_place_only(
    said: tuple[dict[str, Any], ...], taken: bool
) -> None:
    assert codes(*said, model=NEW) == ([] if taken else ["WM213"])
    assert set(codes(*said, model=OLD)) == {"WM213"}


ENABLED = {"type": "enabled", "budget_tokens": 1024}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param((ASKED, CALLED, ANSWERED), ["WM215"], id="no thinking in the open turn"),
        pytest.param((ASKED, assistant(THOUGHT, use()), ANSWERED), [], id="thinking first"),
        pytest.param(
            (ASKED, assistant(THOUGHT, use()), ANSWERED, assistant(use("t2")), user(result("t2"))),
            [],
            id="only the first step of the turn thought",
        ),
        pytest.param((ASKED, CALLED, ANSWERED, ASKED), [], id="the user has spoken since"),
        pytest.param(
            (ASKED, CALLED, user(result(), text("go on"))), [], id="the user speaks beside it"
        ),
    ],
)
def test_an_open_turn_starts_with_thinking_where_it_is_enabled(
    said: tuple[dict[str, Any], ...], expected: list[str]
) -> None:
    assert codes(*said, thinking=ENABLED) == expected
    assert codes(*said, thinking={"type": "adaptive"}) == []


def test_a_paused_turn_with_thinking_is_taken_where_thinking_is_the_default() -> None:
    paused = (ASKED, assistant(THOUGHT, SEARCH))
    assert codes(*paused, model="claude-opus-5") == []
    assert codes(*paused, model="claude-opus-5", thinking={"type": "disabled"}) == ["WM216"]
    assert codes(*paused, model=OLD) == ["WM216"]


def test_prefill_is_refused_by_newer_models_and_taken_by_unknown_ones() -> None:
    said = (ASKED, assistant(text("a")))
    assert codes(*said, model="claude-sonnet-4-6") == ["WM224"]
    assert codes(*said, model="claude-sonnet-4-5") == []
    assert codes(*said, model="somebody's model") == []


def test_the_mark_of_the_request_counts_among_the_cache_marks() -> None:
    mark = {"type": "ephemeral", "ttl": "1h"}
    marked = [{**text("a"), "cache_control": mark} for _ in range(2)]
    said = (user(*marked), CALLED, user(result(content=marked)))
    assert codes(*said) == []
    assert codes(*said, cache_control=mark) == ["WM220"]
    assert codes(*said, system=[marked[0]]) == ["WM220"]


def test_tools_that_a_system_message_adds_are_defined() -> None:
    added = {"role": "system", "content": [{"type": "tool_addition", "tool": {}}]}
    assert codes(ASKED, added, CALLED, ANSWERED, model=NEW, tools=[]) == []
    assert codes(ASKED, CALLED, ANSWERED, tools=None) == ["WM217"]


def test_pictures_inside_results_are_looked_at() -> None:
    source = {"type": "base64", "media_type": "image/jpg", "data": "/9j/4AAQSkZJRgABAQAAAQABAAD/"}
    said = (ASKED, CALLED, user(result(content=[{"type": "image", "source": source}])))
    assert codes(*said) == ["WM218"]


def test_violations_come_in_document_order() -> None:
    body = {
        "messages": [ASKED, assistant(text(""), use("a.b")), user(result("a.b"), text(" "))],
        "model": OLD,
        "system": [text("")],
    }
    assert [found.pointer for found in check(body, "anthropic")] == [
        "/messages/1/content/0",
        "/messages/1/content/1",
        "/messages/1/content/1/id",
        "/messages/2/content/0/tool_use_id",
        "/messages/2/content/1",
        "/system/0",
    ]
