"""Random histories: whatever an engine, a crash or a slice may leave behind."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.properties.conversations import PNG
from wiremend import ContextMessage, ToolCall
from wiremend.model import (
    AudioPart,
    DocumentPart,
    ImagePart,
    InjectionOrigin,
    MediaSource,
    OpaquePart,
    Part,
    RetryOrigin,
    TextPart,
    ThinkPart,
    UserOrigin,
    VideoPart,
)

IDS = ("c1", "c2", "c3", "functions.run:0", "x" * 50, "")
TEXTS = ("", "  ", "\ufeff", "hello", " padded \n", "日本", "Tool output is empty.", "half \ud83d")
ARGUMENTS = (None, "", "{}", '{"q": 1}', "[1]", '{"broken', '"{}"')

parts: st.SearchStrategy[Part] = st.one_of(
    st.sampled_from(TEXTS).map(TextPart),
    st.sampled_from(TEXTS).map(TextPart),
    st.sampled_from([("", None), ("hm", None), ("hm", "sig"), ("", "sig")]).map(
        lambda pair: ThinkPart(*pair)
    ),
    st.sampled_from(
        [f"data:image/png;base64,{PNG}", "https://e.test/i", "data:image/heic;base64,AAAA"]
    ).map(lambda url: ImagePart(MediaSource(url))),
    st.just(AudioPart(MediaSource("data:audio/wav;base64,UklGRg=="))),
    st.just(VideoPart(MediaSource("https://e.test/v.mp4"))),
    st.just(DocumentPart(url="data:application/pdf;base64,JVBERi0=", title="paper")),
    st.just(OpaquePart("somebody-else", {"type": "secret"})),
)
contents = st.lists(parts, max_size=3).map(tuple)
calls = st.lists(
    st.builds(
        ToolCall,
        id=st.sampled_from(IDS),
        name=st.sampled_from(["run", "a.b", ""]),
        arguments=st.sampled_from(ARGUMENTS),
    ),
    max_size=3,
).map(tuple)
messages = st.one_of(
    st.builds(
        ContextMessage,
        role=st.just("user"),
        content=contents,
        origin=st.sampled_from([None, UserOrigin(), RetryOrigin(), InjectionOrigin(variant="v")]),
        id=st.sampled_from([None, "m1"]),
    ),
    st.builds(
        ContextMessage,
        role=st.just("assistant"),
        content=contents,
        tool_calls=calls,
        partial=st.sampled_from([None, None, None, True]),
    ),
    st.builds(
        ContextMessage,
        role=st.just("tool"),
        content=contents,
        tool_call_id=st.sampled_from([*IDS, None]),
        is_error=st.sampled_from([None, False, True]),
        note=st.sampled_from([None, "", "a note"]),
    ),
    st.builds(
        ContextMessage,
        role=st.just("system"),
        content=contents,
        tools=st.sampled_from([None, ({"name": "run", "parameters": {"type": "object"}},)]),
    ),
)
histories = st.lists(messages, max_size=12)
