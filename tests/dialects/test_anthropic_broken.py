"""Kinds of damage that only Anthropic refuses: cache marks, server tools, pictures, documents."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialects.blocks import (
    MARK,
    TOOLS,
    Body,
    assistant,
    found,
    image,
    result,
    search,
    text,
    thinking,
    use,
    user,
)
from tests.dialects.broken import Broken, cases, is_found_and_mended, is_taken_once_mended

ASK, MORE = user("q"), user("more")
HOUR = {"type": "ephemeral", "ttl": "1h"}


def document(*blocks: Body, **more: Any) -> Body:
    return {"type": "document", "source": {"type": "content", "content": list(blocks)}, **more}


def found_text(*blocks: Body) -> Body:
    return {"type": "search_result", "source": "s", "title": "t", "content": list(blocks)}


def marks(value: Any) -> list[Any]:
    """Every cache mark below a value, in document order."""
    if isinstance(value, list):
        return [mark for item in value for mark in marks(item)]
    if not isinstance(value, dict):
        return []
    own = [value["cache_control"]] if "cache_control" in value else []
    return [
        *own,
        *(mark for name in value if name != "cache_control" for mark in marks(value[name])),
    ]


CACHE_MARKS = {
    "marks in a document count, and the earliest goes": Broken(
        [
            user(
                document(text("a", cache_control=MARK), text("b", cache_control=MARK)),
                *(text(words, cache_control=MARK) for words in "cde"),
            )
        ],
        {"WM220"},
        ["cache_mark_dropped"],
        lambda body: (
            len(marks(body["messages"])) == 4
            and "cache_control" not in body["messages"][0]["content"][0]["source"]["content"][0]
        ),
    ),
    "marks in results and in a document that a result holds": Broken(
        [
            ASK,
            assistant(use("a", cache_control=MARK)),
            user(
                result(
                    "a",
                    [text("x", cache_control=MARK), document(text("y", cache_control=MARK))],
                    cache_control=MARK,
                )
            ),
        ],
        {"WM220"},
        ["cache_mark_dropped", "cache_mark_dropped"],
        lambda body: len(marks(body)) == 4 and marks(body["tools"]) == [MARK],
        {"tools": [{**TOOLS[0], "cache_control": MARK}], "cache_control": MARK},
    ),
    "more marks on tools than a request has room for": Broken(
        [ASK],
        {"WM220"},
        ["cache_mark_dropped", "cache_mark_dropped"],
        lambda body: len(marks(body["tools"])) == 4,
        {"tools": [{**TOOLS[0], "name": f"run{n}", "cache_control": MARK} for n in range(6)]},
    ),
    "unknown fields in the marks of everything that can have one": Broken(
        [
            user(text("q", cache_control={**MARK, "scope": "global"})),
            assistant(use("a")),
            user(result("a", [text("x")], cache_control={**HOUR, "scope": "global"})),
        ],
        {"WM222"},
        ["cache_mark_dropped"] * 5,
        lambda body: (
            marks(body["tools"]) == [HOUR]
            and marks(body["messages"]) == [MARK, MARK]
            and body["cache_control"] == MARK
        ),
        {
            "tools": [{**TOOLS[0], "cache_control": {**HOUR, "scope": "org"}}],
            "cache_control": {**MARK, "scope": "org"},
        },
    ),
    "marks of no known form": Broken(
        [
            user(
                text("a", cache_control=True),
                text("b", cache_control={"ttl": "5m"}),
                text("c", cache_control={"type": "ephemeral", "ttl": "2h"}),
                text("d", cache_control={}),
            )
        ],
        {"WM222"},
        ["cache_mark_dropped"] * 4,
        lambda body: marks(body) == [MARK, {"ttl": "5m", "type": "ephemeral"}, MARK],
    ),
    "an hour behind five minutes": Broken(
        [user(text("a", cache_control=MARK)), assistant("x"), user(text("b", cache_control=HOUR))],
        {"WM233"},
        ["cache_mark_dropped"],
        lambda body: marks(body["messages"]) == [MARK, MARK] and marks(body["system"]) == [HOUR],
        {"system": [text("s", cache_control=HOUR)]},
    ),
    "tools for five minutes, and a system prompt for an hour": Broken(
        [ASK],
        {"WM233"},
        ["cache_mark_dropped"],
        lambda body: marks(body) == [MARK, MARK],
        {
            "tools": [{**TOOLS[0], "cache_control": MARK}],
            "system": [text("s", cache_control=HOUR)],
        },
    ),
    "a mark on redacted thinking": Broken(
        [
            ASK,
            assistant({"type": "redacted_thinking", "data": "x", "cache_control": MARK}, text("a")),
            MORE,
        ],
        {"WM230"},
        ["cache_mark_dropped"],
        lambda body: marks(body) == [],
    ),
}

INSIDE = {
    "a document that holds blank text and a picture under a wrong label": Broken(
        [user(document(text(""), text("a"), image("image/jpeg"), title="t"), text("q"))],
        {"WM209", "WM219"},
        ["empty_text_dropped", "media_relabelled"],
        lambda body: body["messages"][0]["content"][0] == document(text("a"), image(), title="t"),
    ),
    "a document in a result that holds nothing": Broken(
        [ASK, assistant(use("a")), user(result("a", [document(text(" ")), text("out")]))],
        {"WM209"},
        ["whitespace_text_dropped", "media_replaced"],
        lambda body: body["messages"][2]["content"][0]["content"][1] == text("out"),
    ),
    "a search result that holds blank text": Broken(
        [user(found_text(text(""), text("b")), text("q"))],
        {"WM209"},
        ["empty_text_dropped"],
        lambda body: body["messages"][0]["content"][0] == found_text(text("b")),
    ),
}

THINKING = {
    "redacted thinking that lost its data": Broken(
        [
            ASK,
            assistant({"type": "redacted_thinking", "data": ""}, text("a")),
            MORE,
            assistant({"type": "redacted_thinking"}, thinking("b", signature="c2ln"), text("c")),
            MORE,
        ],
        {"WM214"},
        ["thinking_dropped", "thinking_dropped"],
        lambda body: (
            [len(m["content"]) for m in body["messages"] if m["role"] == "assistant"] == [1, 2]
        ),
    ),
}

SERVED = [text("s"), search("srvtoolu_1"), found("srvtoolu_1")]

SERVER_TOOLS = {
    "a reminder between a server tool's call and its result": Broken(
        [
            *(ASK, assistant(text("s"), search("srvtoolu_1")), user("<system-reminder>")),
            *(assistant(found("srvtoolu_1"), text("a"), use("t")), user(result("t"))),
        ],
        {"WM223"},
        ["server_tool_result_moved"],
        lambda body: (
            body["messages"][1]["content"] == SERVED
            and body["messages"][3]["content"] == [text("a"), use("t")]
        ),
    ),
    "a strayed result that goes back between two calls of the client": Broken(
        [
            *(ASK, assistant(use("t"), search("srvtoolu_1"), use("u"))),
            *(user(result("t"), result("u"), text("go on")), assistant("so")),
            *(MORE, assistant(found("srvtoolu_1"))),
            *(MORE, assistant("done"), MORE),
        ],
        {"WM223"},
        ["server_tool_result_moved", "vacuous_message_dropped"],
        lambda body: (
            [block["type"] for block in body["messages"][1]["content"]]
            == ["tool_use", "server_tool_use", "web_search_tool_result", "tool_use"]
        ),
    ),
    "a result before its call": Broken(
        [ASK, assistant(text("s"), found("srvtoolu_1"), search("srvtoolu_1")), MORE],
        {"WM223"},
        ["server_tool_result_moved"],
        lambda body: body["messages"][1]["content"] == SERVED,
    ),
    "a second result for one call": Broken(
        [ASK, assistant(*SERVED, found("srvtoolu_1")), MORE],
        {"WM223"},
        ["server_tool_dropped"],
        lambda body: body["messages"][1]["content"] == SERVED,
    ),
    "ids that server tools do not have, and one that repeats": Broken(
        [ASK, assistant(search("a:1"), found("a:1"), search("a:1"), found("a:1")), MORE],
        {"WM204", "WM206"},
        ["tool_call_id_mapped", "tool_call_id_mapped", "duplicate_tool_call_renamed"],
        lambda body: _paired_with_own_ids(body["messages"][1]["content"]),
    ),
    "input of a server tool that is text": Broken(
        [
            ASK,
            assistant({**search("srvtoolu_1"), "input": '{"query": "x"}'}, found("srvtoolu_1")),
            MORE,
        ],
        {"WM208"},
        ["arguments_mended"],
        lambda body: body["messages"][1]["content"][0] == search("srvtoolu_1"),
    ),
    "a client's result and words for an open server tool": Broken(
        [ASK, assistant(text("s"), search("srvtoolu_1")), user(result("srvtoolu_1"), text("k"))],
        {"WM202"},
        ["server_tool_dropped", "orphan_tool_result_dropped"],
        lambda body: body["messages"][1:] == [assistant(text("s")), user(text("k"))],
    ),
}


def _paired_with_own_ids(blocks: list[Body]) -> bool:
    ids = [block.get("id", block.get("tool_use_id")) for block in blocks]
    return ids[0] == ids[1] != ids[2] == ids[3]


EVERY = cases({**CACHE_MARKS, **INSIDE, **THINKING, **SERVER_TOOLS}, "anthropic", tools=TOOLS)


@pytest.mark.parametrize(("dialect", "broken", "body"), EVERY)
def test_it_is_found_mended_and_reported(dialect: str, broken: Broken, body: Body) -> None:
    is_found_and_mended(dialect, broken, body)


@pytest.mark.parametrize(("dialect", "_broken", "body"), EVERY)
def test_every_judge_takes_what_comes_out(dialect: str, _broken: Broken, body: Body) -> None:
    is_taken_once_mended(dialect, body)
