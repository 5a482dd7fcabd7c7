"""Kinds of damage to Converse requests: each is found, mended as it should be, and reported."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

import wiremend
from tests.converse import converse_objections
from tests.dialects.converse import (
    LLAMA,
    NOVA,
    PDF,
    PNG,
    POINT,
    TOOLS,
    Body,
    assistant,
    document,
    image,
    result,
    thinking,
    use,
    user,
)
from wiremend.dialects.names import Alphabet
from wiremend.providers import simulated
from wiremend.rules import RULES

ASK, MORE = user("q"), user("more")
JPEG = "/9j/4AAQSkZJRgABAQAAAQABAAD/2Q=="
HTML = "PCFkb2N0eXBlIGh0bWw+PHA+bW92ZWQgYXdheTwvcD4="
CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
NEWEST = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-6-v1"
OTHER_NAMES = ("PDF", ".pdf", "application/pdf", "markdown", "text/plain", "htm")
MADE = Alphabet("[a-z|]+", 64).legal_id("a|b")
SECOND = {"toolSpec": {"name": "a.b", "inputSchema": {"json": {"type": "object"}}}}


def system(text: str) -> Body:
    return {"role": "system", "content": [{"text": text}]}


class Broken(NamedTuple):
    """A request, the rules that it breaks, the repairs, and what has to be true afterwards."""

    messages: list[Body]
    rules: set[str]
    repairs: list[str]
    holds: Callable[[Body], bool]
    more: Mapping[str, Any] = MappingProxyType({})


def roles(body: Body) -> str:
    return "".join(message["role"][0] for message in body["messages"])


def kinds(body: Body, at: int) -> list[str]:
    return [next(iter(block)) for block in body["messages"][at]["content"]]


def results(body: Body, at: int) -> list[str]:
    content = body["messages"][at]["content"]
    return [block["toolResult"]["toolUseId"] for block in content if "toolResult" in block]


def names(body: Body) -> list[str]:
    blocks = [block for message in body["messages"] for block in message["content"]]
    inner = [b for block in blocks for b in block.get("toolResult", {}).get("content", ())]
    return [b["document"]["name"] for b in (*blocks, *inner) if "document" in b]


CASES = {
    "results spread over two messages, in the wrong order": Broken(
        [ASK, assistant(use("a"), use("b")), user(result("b", "B")), user(result("a", "A"))],
        {"WM501", "WM502", "WM515"},
        ["tool_results_grouped"],
        lambda body: roles(body) == "uau" and results(body, 2) == ["a", "b"],
    ),
    "a cancelled call, and the user types on": Broken(
        [ASK, assistant(use("a")), MORE],
        {"WM501"},
        ["tool_result_synthesized"],
        lambda body: kinds(body, 2) == ["toolResult", "text"],
    ),
    "one of two results is missing; words keep their place before the other": Broken(
        [ASK, assistant(use("a"), use("b")), user("note", result("b", "B"), image())],
        {"WM501"},
        ["tool_result_synthesized"],
        lambda body: kinds(body, 2) == ["toolResult", "text", "toolResult", "image"],
    ),
    "results in the model's own message, each behind its call": Broken(
        [
            ASK,
            assistant("t", use("a"), result("a", "A"), use("b"), result("b", "B"), "after"),
            MORE,
        ],
        {"WM501", "WM502"},
        ["misplaced_block_moved"] * 2,
        lambda body: (
            roles(body) == "uauauau"
            and results(body, 2) == ["a"]
            and "B" in str(body["messages"][4])
        ),
    ),
    "a text, a picture and a call in one block": Broken(
        [user({"text": "see", **image()}), assistant({"text": "t", **use("a")}), user(result("a"))],
        {"WM537", "WM502"},
        ["part_split"] * 2,
        lambda body: kinds(body, 0) == ["text", "image"] and kinds(body, 1) == ["text", "toolUse"],
    ),
    "a result comes after chatter": Broken(
        [ASK, assistant(use("a")), MORE, assistant("wait"), user(result("a", "A"))],
        {"WM501", "WM502"},
        ["tool_result_reordered", "neighbours_merged"],
        lambda body: roles(body) == "uaua" and "A" in str(body["messages"][2]),
    ),
    "a result without its call": Broken(
        [user(result("a", "A"), "go on"), assistant("ok")],
        {"WM502"},
        ["orphan_tool_result_dropped"],
        lambda body: kinds(body, 0) == ["text"],
    ),
    "a call in a user message and its result in the assistant's": Broken(
        [ASK, assistant("x"), user(use("a")), assistant(result("a", "A"), "done")],
        {"WM502", "WM518"},
        ["misplaced_block_moved", "misplaced_block_moved", "neighbours_merged"],
        lambda body: roles(body) == "uaua" and results(body, 2) == ["a"],
    ),
    "two calls with one id": Broken(
        [ASK, assistant(use("a"), use("a", {"q": 2})), user(result("a", "A"), result("a", "B"))],
        {"WM504"},
        ["duplicate_tool_call_renamed"],
        lambda body: results(body, 2) == ["a", "a__2"],
    ),
    "a result that is there twice": Broken(
        [ASK, assistant(use("a")), user(result("a", "A"), result("a", "B"))],
        {"WM503"},
        ["duplicate_tool_result_dropped"],
        lambda body: results(body, 2) == ["a"],
    ),
    "results beside words and a picture, for Llama": Broken(
        [ASK, assistant(use("a")), user("now", result("a", "A"), image(), POINT)],
        {"WM505"},
        ["results_separated"],
        lambda body: roles(body) == "uauau" and kinds(body, 4) == ["text", "image"],
        {"modelId": LLAMA},
    ),
    "results and a second user message, for Mistral": Broken(
        [ASK, assistant(use("a")), user(result("a", "A")), MORE],
        {"WM515"},
        ["neighbours_merged", "results_separated"],
        lambda body: roles(body) == "uauau",
        {"modelId": "mistral.mistral-large-2407-v1:0"},
    ),
    "ids of another provider, long ones and ones that collide when cut": Broken(
        [
            ASK,
            assistant(use("x" * 70 + "1"), use("x" * 70 + "2"), use("a|b")),
            user(*(result(i, "A") for i in ("x" * 70 + "1", "x" * 70 + "2", "a|b"))),
        ],
        {"WM506"},
        ["tool_call_id_mapped"] * 3,
        lambda body: len(set(results(body, 2))) == 3,
    ),
    "a tool without an id, and its only result": Broken(
        [ASK, assistant(use(None)), user(result("", "A"))],
        {"WM506"},
        ["tool_call_id_restored", "tool_call_id_restored"],
        lambda body: results(body, 2) == ["call_1_0"],
    ),
    "a name that is refused: in the definition, the choice and the call": Broken(
        [ASK, assistant(use("a", name="a.b")), user(result("a", "A"))],
        {"WM507"},
        ["tool_name_mapped"],
        lambda body: (
            body["toolConfig"]
            == {
                "tools": [{"toolSpec": {**SECOND["toolSpec"], "name": "a_b"}}],
                "toolChoice": {"tool": {"name": "a_b"}},
            }
        ),
        {"toolConfig": {"tools": [SECOND], "toolChoice": {"tool": {"name": "a.b"}}}},
    ),
    "inputs that are no objects": Broken(
        [
            ASK,
            assistant(
                {"toolUse": {"toolUseId": "a", "name": "run", "input": '{"q": 1}'}},
                {"toolUse": {"toolUseId": "b", "name": "run", "input": None}},
                {"toolUse": {"toolUseId": "c", "name": "run"}},
            ),
            user(result("a"), result("b"), result("c")),
        ],
        {"WM508"},
        ["arguments_mended", "arguments_mended", "arguments_mended"],
        lambda body: body["messages"][1]["content"][0]["toolUse"]["input"] == {"q": 1},
    ),
    "an empty toolConfig and a history with tools": Broken(
        [ASK, assistant(use("a")), user(result("a", "A"))],
        {"WM509"},
        ["tools_declared"],
        lambda body: body["toolConfig"]["tools"][0]["toolSpec"]["name"] == "run",
        {"toolConfig": {"tools": []}},
    ),
    "an empty toolConfig and no tools": Broken(
        [ASK],
        {"WM510"},
        ["empty_tool_list_dropped"],
        lambda body: "toolConfig" not in body,
        {"toolConfig": {"tools": []}},
    ),
    "a failure without a word, and one of white space": Broken(
        [
            ASK,
            assistant(use("a"), use("b")),
            user(result("a", status="error"), result("b", " ", status="error")),
        ],
        {"WM511"},
        ["tool_result_filled", "whitespace_text_dropped", "tool_result_filled"],
        lambda body: "failed" in str(body["messages"][2]).lower(),
    ),
    "a result whose content is null or missing": Broken(
        [
            ASK,
            assistant(use("a"), use("b")),
            user(
                {"toolResult": {"toolUseId": "a", "content": None}},
                {"toolResult": {"toolUseId": "b"}},
            ),
        ],
        {"WM512"},
        ["empty_content_reshaped", "empty_content_reshaped"],
        lambda body: body["messages"][2]["content"][1]["toolResult"]["content"] == [],
    ),
    "JSON results that are no objects": Broken(
        [ASK, assistant(use("a")), user(result("a", {"json": [1, "é"]}, {"json": "plain"}))],
        {"WM513"},
        ["foreign_part_converted", "foreign_part_converted"],
        lambda body: (
            body["messages"][2]["content"][0]["toolResult"]["content"]
            == [{"text": '[1, "é"]'}, {"text": "plain"}]
        ),
    ),
    "the assistant speaks first": Broken(
        [assistant("hello"), MORE],
        {"WM514"},
        ["leading_user_inserted"],
        lambda body: roles(body) == "uau",
    ),
    "neighbours of one role, unknown fields and all": Broken(
        [
            {**ASK, "x": 1},
            user("b", image()),
            assistant("c"),
            assistant(use("a")),
            user(result("a")),
        ],
        {"WM515"},
        ["neighbours_merged", "neighbours_merged"],
        lambda body: body["messages"][0] == {**user("q", "b", image()), "x": 1},
    ),
    "a blank message between two of the user's": Broken(
        [ASK, assistant(" "), MORE],
        {"WM520"},
        ["whitespace_text_dropped", "neighbours_merged"],
        lambda body: body["messages"] == [user("q", "more")],
    ),
    "a system message in the middle, for a model that takes none": Broken(
        [ASK, assistant("a"), system("be brief"), MORE],
        {"WM516"},
        ["system_message_moved"],
        lambda body: "be brief" in body["messages"][2]["content"][0]["text"],
    ),
    "a system message first": Broken(
        [system("be brief"), ASK],
        {"WM516"},
        ["system_message_moved"],
        lambda body: body["system"] == [{"text": "be brief"}],
        {"modelId": NOVA},
    ),
    "messages of Chat Completions": Broken(
        [
            {"role": "user", "content": "q"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "run", "arguments": "{}"}}
                ],
            },
            {"role": "tool", "tool_call_id": "a", "content": "A"},
        ],
        {"WM516", "WM521", "WM522"},
        ["foreign_part_converted"] * 3,
        lambda body: roles(body) == "uau" and results(body, 2) == ["a"],
    ),
    "blocks of the Messages API": Broken(
        [
            user({"type": "text", "text": "q"}),
            assistant({"type": "tool_use", "id": "a", "name": "run", "input": {"q": 1}}),
            user({"type": "tool_result", "tool_use_id": "a", "content": "A", "is_error": True}),
        ],
        {"WM522"},
        ["foreign_part_converted"] * 4,
        lambda body: (
            body["messages"][1:]
            == [assistant(use("a", {"q": 1})), user(result("a", "A", status="error"))]
        ),
    ),
    "plain text for lists": Broken(
        [
            {"role": "user", "content": "q"},
            assistant(use("a")),
            user({"toolResult": {"toolUseId": "a", "content": "A"}}),
        ],
        {"WM522"},
        ["foreign_part_converted"] * 3,
        lambda body: (
            body["system"] == [{"text": "be brief"}]
            and body["messages"][2] == user(result("a", "A"))
        ),
        {"system": "be brief"},
    ),
    "reasoning of the user's, and cache points in a result": Broken(
        [
            user("q", thinking("hm", signature="s")),
            assistant("a", use("a")),
            user(result("a", "A", POINT)),
        ],
        {"WM518"},
        ["misplaced_block_moved", "cache_mark_dropped", "neighbours_merged"],
        lambda body: kinds(body, 1) == ["reasoningContent", "text", "toolUse"],
    ),
    "an answer that is begun, for a model that takes none": Broken(
        [ASK, assistant("It is")],
        {"WM519"},
        ["final_user_inserted"],
        lambda body: roles(body) == "uau",
        {"modelId": NEWEST},
    ),
    "an answer that ends in white space": Broken(
        [ASK, assistant("It is \n")],
        {"WM524"},
        ["trailing_whitespace_trimmed"],
        lambda body: body["messages"][1] == assistant("It is"),
    ),
    "blank text beside a call, and in the system prompt": Broken(
        [ASK, assistant("  ", use("a")), user(result("a", "A"))],
        {"WM520"},
        ["whitespace_text_dropped", "empty_text_dropped", "whitespace_text_dropped"],
        lambda body: "system" not in body and kinds(body, 1) == ["toolUse"],
        {"system": [{"text": " "}, {"text": ""}]},
    ),
    "a message of a blank text and a cache point": Broken(
        [user(" ", POINT), assistant("a"), MORE],
        {"WM520"},
        ["cache_mark_dropped", "whitespace_text_dropped", "leading_user_inserted"],
        lambda body: roles(body) == "uau",
    ),
    "empty messages": Broken(
        [ASK, {"role": "assistant", "content": []}, {"role": "assistant", "content": None}],
        {"WM515", "WM521"},
        ["vacuous_message_dropped", "vacuous_message_dropped"],
        lambda body: body["messages"] == [ASK],
    ),
    "reasoning that nobody signed, alone and beside words": Broken(
        [ASK, assistant(thinking("hm")), MORE, assistant(thinking(""), "b"), MORE],
        {"WM523"},
        ["thinking_dropped", "vacuous_message_dropped", "thinking_dropped", "neighbours_merged"],
        lambda body: roles(body) == "uau",
    ),
    "a cache point behind reasoning": Broken(
        [ASK, assistant(thinking("hm", signature="s"), POINT, POINT), MORE],
        {"WM525"},
        ["cache_mark_dropped", "cache_mark_dropped"],
        lambda body: kinds(body, 1) == ["reasoningContent"],
    ),
    "a cache point behind a document of text": Broken(
        [
            user("q", document("a", "md"), POINT, POINT),
            assistant("c"),
            user(document("b"), "d", POINT),
        ],
        {"WM536"},
        ["cache_mark_dropped", "cache_mark_dropped"],
        lambda body: kinds(body, 0) == ["text", "document"],
    ),
    "reasoning whose text was lost, with a signature and without": Broken(
        [
            ASK,
            assistant(
                thinking(None, signature="s"), {"reasoningContent": {"reasoningText": {}}}, "a"
            ),
            MORE,
        ],
        {"WM535"},
        ["empty_content_reshaped", "thinking_dropped"],
        lambda body: body["messages"][1] == assistant(thinking("", signature="s"), "a"),
    ),
    "thinking is asked for, and what was thought is unsigned": Broken(
        [ASK, assistant(thinking("hm"), use("a")), user(result("a", "A"))],
        {"WM523"},
        ["thinking_dropped", "thinking_switched_off"],
        lambda body: (
            body["additionalModelRequestFields"]
            == {"reasoning_config": {"type": "disabled"}, "top_k": 5}
        ),
        {
            "additionalModelRequestFields": {
                "reasoning_config": {"type": "enabled", "budget_tokens": 1024},
                "top_k": 5,
            }
        },
    ),
    "six cache points": Broken(
        [user("a", POINT, "b", POINT), assistant("c", POINT), user("d", POINT, "e", POINT)],
        {"WM526"},
        ["cache_mark_dropped", "cache_mark_dropped"],
        lambda body: kinds(body, 0) == ["text", "text"] and len(body["system"]) == 2,
        {"system": [{"text": "s"}, POINT]},
    ),
    "labels of pictures: one alias, one wrong, one that is no picture, one that is unknown": Broken(
        [
            user("q", image("jpg", JPEG), image("png", JPEG)),
            assistant(use("a")),
            user(result("a", image("png", HTML), image("tiff", "AAAA"))),
        ],
        {"WM527", "WM528"},
        ["media_relabelled", "media_relabelled", "media_replaced", "media_replaced"],
        lambda body: body["messages"][0] == user("q", image("jpeg", JPEG), image("jpeg", JPEG)),
    ),
    "a film and a recording in formats that are not known": Broken(
        [
            user(
                "q",
                {"video": {"format": "avi", "source": {"bytes": "AAAA"}}},
                {"audio": {"format": "midi", "source": {"bytes": "AAAA"}}},
                document("d", "rtf"),
            )
        ],
        {"WM527"},
        ["media_replaced", "media_replaced", "media_replaced"],
        lambda body: kinds(body, 0) == ["text"] * 4,
    ),
    "a picture and a document of the assistant's beside a call": Broken(
        [ASK, assistant("see", image(), document("d"), use("a")), user(result("a", "A"))],
        {"WM529"},
        ["media_moved", "media_moved"],
        lambda body: kinds(body, 2) == ["toolResult", "text", "image", "document"],
    ),
    "a picture that is all that the assistant said": Broken(
        [ASK, assistant(image()), MORE],
        {"WM529"},
        ["media_moved"],
        lambda body: kinds(body, 2) == ["text", "image", "text"],
    ),
    "documents under names that are refused, and the same name again": Broken(
        [
            user("q", document("report-v1.2.pdf"), document("a   b"), document("資料")),
            assistant(use("a")),
            user(result("a", document("a b"), document("x" * 250))),
        ],
        {"WM530"},
        ["document_renamed"] * 5,
        lambda body: names(body) == ["report-v1 2", "a b", "document", "a b 2", "x" * 200],
    ),
    "a document without a word beside it": Broken(
        [user(document("d")), assistant("a"), MORE],
        {"WM532"},
        ["document_announced"],
        lambda body: kinds(body, 0) == ["document", "text"],
    ),
    "an id that was replaced before, beside the one that it was made from": Broken(
        [ASK, assistant(use("a|b"), use(MADE)), user(result("a|b", "A"), result(MADE, "B"))],
        {"WM506"},
        ["tool_call_id_mapped"],
        lambda body: len(set(results(body, 2))) == 2 and results(body, 2)[1] == MADE,
    ),
    "data URLs for bytes, and bytes that are none": Broken(
        [
            user("q", image(data=f"data:image/png;base64,{PNG}"), image(data="not base64!")),
            assistant(use("a")),
            user(result("a", document("page", bytes=f"data:application/pdf;base64,{PDF}"))),
        ],
        {"WM538"},
        ["foreign_part_converted", "media_replaced", "foreign_part_converted"],
        lambda body: (
            kinds(body, 0) == ["text", "image", "text"]
            and body["messages"][0]["content"][1] == image()
            and document("page") in body["messages"][2]["content"][0]["toolResult"]["content"]
        ),
    ),
    "documents under endings, media types and other names of their format": Broken(
        [
            user("q", *(document(f"d {n}", form) for n, form in enumerate(OTHER_NAMES))),
            assistant(use("a")),
            user(result("a", document("note", "markdown", text="# Note"))),
        ],
        {"WM527"},
        ["media_relabelled"] * (len(OTHER_NAMES) + 1),
        lambda body: (
            [b["document"]["format"] for b in body["messages"][0]["content"][1:]]
            == ["pdf", "pdf", "pdf", "md", "txt", "html"]
            and "# Note" in str(body["messages"][2])
        ),
    ),
    "a document without a name, empty blocks, and a picture by its address": Broken(
        [
            user("q", document(""), {}, {"image": {"format": "png", "source": {"url": "x"}}}),
            assistant(use("a")),
            user(result("a", {}, "A")),
        ],
        {"WM003", "WM530"},
        ["empty_part_dropped", "media_replaced", "empty_part_dropped", "document_renamed"],
        lambda body: kinds(body, 0) == ["text", "document", "text"] and names(body) == ["document"],
    ),
    "a tool with an empty description": Broken(
        [ASK],
        {"WM539"},
        ["field_dropped"],
        lambda body: "description" not in str(body["toolConfig"]),
        {
            "toolConfig": {
                "tools": [{"toolSpec": {**SECOND["toolSpec"], "description": "", "name": "a"}}]
            }
        },
    ),
    "half a character in a result": Broken(
        [ASK, assistant(use("a")), user(result("a", "x\ud83d"))],
        {"WM001"},
        ["surrogate_replaced"],
        lambda body: "x\ufffd" in str(body),
    ),
}


def bodies() -> list[Any]:
    return [
        pytest.param(
            broken,
            {"modelId": CLAUDE, "toolConfig": TOOLS, **broken.more, "messages": broken.messages},
            id=name,
        )
        for name, broken in CASES.items()
    ]


@pytest.mark.parametrize(("broken", "body"), bodies())
def test_it_is_found_mended_and_reported(broken: Broken, body: Body) -> None:
    before = copy.deepcopy(body)
    assert {v.code for v in wiremend.check(body, "bedrock")} == broken.rules
    assert simulated("bedrock").post(body).status == 400
    fixed = wiremend.fix(body, "bedrock")
    assert [anomaly.kind for anomaly in fixed.anomalies] == broken.repairs
    assert broken.holds(fixed.body)
    assert body == before


@pytest.mark.parametrize(("broken", "body"), bodies())
def test_every_judge_takes_what_comes_out_and_nothing_more_is_done_to_it(
    broken: Broken, body: Body
) -> None:
    fixed = wiremend.fix(body, "bedrock")
    assert wiremend.check(fixed.body, "bedrock") == []
    assert simulated("bedrock").post(fixed.body).error == ""
    # A field that nobody knows stays, and only the service model minds.
    known = [{n: v for n, v in m.items() if n != "x"} for m in fixed.body["messages"]]
    assert converse_objections({**fixed.body, "messages": known}) == []
    assert wiremend.fix(fixed.body, "bedrock") == wiremend.Fixed(fixed.body, ())


FIXABLE = [
    pytest.param(one, id=one.code) for one in RULES if "bedrock" in one.dialects and one.fixable
]


@pytest.mark.parametrize("one", FIXABLE)
def test_what_a_rule_calls_fixable_is_fixed_and_reported(one: Any) -> None:
    before, _ = one.examples("bedrock")
    fixed = wiremend.fix(copy.deepcopy(before), "bedrock")
    assert fixed.anomalies
    assert wiremend.check(fixed.body, "bedrock") == []
    assert simulated("bedrock").post(fixed.body).error == ""


def test_the_shape_is_judged_as_far_as_it_goes() -> None:
    wrong = {
        "messages": [
            7,
            {"role": "robot", "content": [{"text": "a"}]},
            user({"text": "a", "cachePoint": {}}, {}, {"text": 5}, {"toolUse": "x"}, 3),
            user(
                {"image": {"format": "png", "source": {}}},
                {"document": {"format": "pdf", "source": {"bytes": PDF}}},
                {"audio": {"format": "mp3", "source": {"bytes": ""}}},
                {"image": {"format": "png", "source": {"bytes": PNG, "s3Location": {}}}},
            ),
            user({"toolResult": {"toolUseId": "a", "content": [[]]}}),
        ],
        "system": 5,
        "toolConfig": {"tools": [1, {"toolSpec": 2}, {"toolSpec": {"name": 3}}]},
    }
    found = [v.pointer for v in wiremend.check(wrong, "bedrock") if v.code == "WM003"]
    assert found == [
        "/messages/0",
        "/messages/1/role",
        "/messages/2/content/1",
        "/messages/2/content/2/text",
        "/messages/2/content/3/toolUse",
        "/messages/2/content/4",
        "/messages/3/content/0/image/source",
        "/messages/3/content/1/document/name",
        "/messages/3/content/2/audio/source/bytes",
        "/messages/3/content/3/image/source",
        "/messages/4/content/0/toolResult/content/0",
        "/system",
        "/toolConfig/tools/0",
        "/toolConfig/tools/1/toolSpec",
        "/toolConfig/tools/2/toolSpec/name",
        "/toolConfig/tools/2/toolSpec/inputSchema",
    ]
    assert json.dumps(wrong)


def test_thinking_goes_off_for_an_open_turn_behind_which_a_system_message_stands() -> None:
    body = {
        "modelId": "us.anthropic.claude-opus-4-8",
        "messages": [
            {"role": "user", "content": [{"text": "hi"}]},
            {
                "role": "assistant",
                "content": [{"toolUse": {"toolUseId": "a", "name": "run", "input": {}}}],
            },
            {
                "role": "user",
                "content": [{"toolResult": {"toolUseId": "a", "content": [{"text": "ok"}]}}],
            },
            {"role": "system", "content": [{"text": "plain"}]},
        ],
        "toolConfig": {"tools": [{"toolSpec": {"name": "run", "inputSchema": {"json": {}}}}]},
        "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    }
    assert [one.code for one in wiremend.check(body, "bedrock")] == ["WM534"]
    fixed = wiremend.fix(body, "bedrock")
    assert wiremend.check(fixed.body, "bedrock") == []
    assert [anomaly.kind for anomaly in fixed.anomalies] == ["thinking_switched_off"]
