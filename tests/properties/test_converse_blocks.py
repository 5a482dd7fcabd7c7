"""The promises for Converse requests of any blocks at all: every kind, in every place, also broken.

``converse_conversations`` starts from what Bedrock takes; this from nothing that makes sense.
"""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import wiremend
from wiremend.dialects.bedrock.settings import read_settings, write_settings
from wiremend.providers import simulated

ABSENT = object()
UNFIXABLE = {"WM003", "WM517", "WM533"}
OTHERS: list[Any] = [
    {"cachePoint": {"type": "default"}},
    {"guardContent": {"text": {"text": "g"}}},
    {"guardContent": {"text": {"text": " "}}},
    {"citationsContent": {"content": [{"text": "cited "}]}},
    {"citationsContent": {}},
    {"searchResult": {"source": "x", "title": "t", "content": []}},
    {"type": "text", "text": "typed"},
    {"type": "text", "text": " "},
    {"type": "image_url", "image_url": {"url": "https://e.test/x"}},
    {"type": "thinking", "thinking": "t", "signature": "s"},
    {"type": "tool_use", "id": "a", "name": "f", "input": {}},
    {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "r"}]},
    {"reasoningContent": {"redactedContent": "AAAA"}},
    {"toolAddition": {"tool": {"name": "f"}}},
    {"novel": {}},
    {"text": "x", "beside": 1},
    {"toolUse": {"toolUseId": "srv", "name": "n", "input": {}, "type": "server_tool_use"}},
    {"toolResult": {"toolUseId": "srv", "content": []}},
]
SOURCES: list[Any] = [
    {"bytes": "iVBORw0KGgoAAAANSUhEUg=="},
    {"bytes": "JVBERi0="},
    {"bytes": b"%PDF-"},
    {"s3Location": {"uri": "s3://bucket/a"}},
    {"text": "w"},
    {"content": [{"text": "x"}]},
    {"url": "https://e.test/x"},
    None,
]
CONFIGS: list[Any] = [
    {"tools": []},
    {"tools": [{"toolSpec": {"name": "run", "inputSchema": {"json": {}}}}, OTHERS[0]]},
    {
        "tools": [{"toolSpec": {"name": "a.b", "inputSchema": {"json": {}}}}],
        "toolChoice": {"tool": {"name": "a.b"}},
    },
    None,
    {},
]
MODELS = [
    *("anthropic.claude-sonnet-4-5", "us.anthropic.claude-opus-4-8", "anthropic.claude-opus-4-6"),
    *("us.meta.llama4-maverick", "amazon.nova-pro", "x"),
]


def one_member(member: str, /, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Blocks with this member; a field that is ``ABSENT`` is left out."""
    return st.fixed_dictionaries(fields).map(
        lambda inner: {member: {k: v for k, v in inner.items() if v is not ABSENT}}
    )


ids = st.sampled_from(["a", "b", "x|y", "", "functions.run:0", None, 5])
texts = st.sampled_from(["hi", "", "  ", "x\ud83d", "end "]).map(lambda text: {"text": text})
others = st.sampled_from(OTHERS)
media = st.sampled_from(["image", "document", "video", "audio"]).flatmap(
    lambda kind: one_member(
        kind,
        format=st.sampled_from(["png", "jpg", "pdf", "md", "mp4", "weird", ABSENT]),
        name=st.sampled_from(["d", "a.pdf", "", ABSENT]),
        source=st.sampled_from(SOURCES),
    )
)
thoughts = one_member(
    "reasoningText",
    text=st.sampled_from(["hm", "", None, ABSENT]),
    signature=st.sampled_from(["s", "", None, ABSENT]),
).map(lambda inner: {"reasoningContent": inner})
calls = one_member(
    "toolUse",
    toolUseId=ids,
    name=st.sampled_from(["run", "a.b", "", None]),
    input=st.sampled_from([{}, {"q": 1}, '{"q": 2}', None, [1], ABSENT]),
)
values = st.sampled_from([{"json": {"a": 1}}, {"json": [1]}, {"json": ""}, {"json": None}])
answers = one_member(
    "toolResult",
    toolUseId=ids,
    content=st.lists(st.one_of(texts, media, others, values), max_size=3)
    | st.sampled_from([ABSENT, None, "plain", ""]),
    status=st.sampled_from(["error", "success", ABSENT]),
    novel=st.sampled_from([1, ABSENT]),
)
blocks = st.one_of(texts, texts, calls, answers, media, thoughts, others)
messages = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "user", "assistant", "system"]),
        "content": st.lists(blocks, max_size=4) | st.sampled_from([None, "plain", " "]),
    },
    optional={"note": st.just(1)},
)
exchanges = st.tuples(
    st.lists(st.one_of(calls, calls, texts, thoughts), min_size=1, max_size=3),
    st.lists(st.one_of(answers, answers, texts, media), min_size=1, max_size=4),
).map(
    lambda pair: [
        {"role": "assistant", "content": pair[0]},
        {"role": "user", "content": pair[1]},
    ]
)
bodies = st.fixed_dictionaries(
    {
        "messages": st.lists(messages.map(lambda m: [m]) | exchanges, max_size=4).map(
            lambda lists: [message for listed in lists for message in listed]
        ),
        "modelId": st.sampled_from(MODELS),
    },
    optional={
        "system": st.lists(texts | others, max_size=2) | st.sampled_from(["be", " ", None]),
        "toolConfig": st.sampled_from(CONFIGS),
        "additionalModelRequestFields": st.sampled_from(
            [{"thinking": {"type": "enabled", "budget_tokens": 1}}, {"x": 1}]
        ),
    },
)


@given(drawn=bodies, strict=st.booleans(), wish=st.sampled_from([None, "degraded", "strip"]))
def test_any_blocks_come_out_valid_and_are_mended_once(
    drawn: dict[str, Any], strict: bool, wish: Any
) -> None:
    body = copy.deepcopy(drawn)  # what is sampled is shared
    fixed = wiremend.fix(body, "bedrock", strict=strict, media=wish)
    assert body == drawn
    left = wiremend.check(fixed.body, "bedrock")
    if UNFIXABLE & {violation.code for violation in left}:
        return
    assert left == []
    assert simulated("bedrock").post(fixed.body).error == ""
    again = wiremend.fix(fixed.body, "bedrock", strict=strict, media=wish)
    assert again == wiremend.Fixed(fixed.body, ())


@given(drawn=bodies)
def test_blocks_that_break_no_rule_are_taken_and_left_alone(drawn: dict[str, Any]) -> None:
    body = copy.deepcopy(drawn)
    if wiremend.check(body, "bedrock"):
        return
    assert simulated("bedrock").post(body).error == ""
    assert wiremend.fix(body, "bedrock") == wiremend.Fixed(drawn, ())


@given(drawn=bodies)
def test_any_settings_are_read_and_written_again(drawn: dict[str, Any]) -> None:
    read = read_settings(drawn)
    assert read_settings(write_settings(read).fields) == read
