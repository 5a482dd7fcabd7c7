"""Histories that grow, shrink and change: mostly as agents make them, sometimes broken."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.properties import histories as broken
from wiremend import ContextMessage, ToolCall
from wiremend.model import (
    ImagePart,
    InjectionOrigin,
    MediaSource,
    TextPart,
    ThinkPart,
    UserOrigin,
    assistant,
    tool_result,
    user,
)

texts = st.sampled_from(["go on", "日本", " padded ", "two\nlines", "half \ud83d"])
prompts = st.one_of(
    st.builds(user, texts),
    st.builds(lambda text: user(text, origin=UserOrigin()), texts),
    st.builds(lambda text: user(text, "https://e.test/i.png"), texts),
    st.builds(lambda text: user(text, origin=InjectionOrigin(variant="v")), texts),
)
words = st.builds(assistant, texts)
reminders = st.builds(lambda text: ContextMessage("system", (TextPart(text),)), texts)


@st.composite
def exchanges(draw: st.DrawFn) -> list[ContextMessage]:
    """A step with its calls and results; now and then one is late, lost, or comes twice."""
    ids = draw(
        st.lists(
            st.one_of(
                st.integers(1, 10**6).map(lambda n: f"call_{n}"),
                st.sampled_from(["c1", "c2", "functions.run:0"]),
            ),
            min_size=1,
            max_size=3,
        )
    )
    named = st.sampled_from(["run", "run", "run", "look", "a.b"])
    arguments = st.sampled_from(['{"q": 1}', "{}", "broken", None])
    calls = tuple(ToolCall(i, draw(named), draw(arguments)) for i in ids)
    thinking = draw(st.sampled_from([(), (ThinkPart("hm", "c2ln"),), (ThinkPart("hm"),)]))
    said = draw(st.sampled_from([(), (TextPart("let me see"),)]))
    step = ContextMessage("assistant", (*thinking, *said), calls)
    results = [tool_result(i, draw(st.sampled_from(["fine", "", "12 %"]))) for i in ids]
    if draw(st.integers(0, 4)) == 0:
        results = draw(st.permutations(results))
    if draw(st.integers(0, 6)) == 0:
        results = results[:-1]
    if draw(st.integers(0, 8)) == 0:
        results.insert(0, user("meanwhile"))
    if draw(st.integers(0, 8)) == 0:
        picture = ImagePart(MediaSource("https://e.test/shot.png"))
        results[-1:] = [ContextMessage("tool", (picture,), tool_call_id=ids[-1])]
    return [step, *results]


late = st.sampled_from(["c1", "c2", "functions.run:0"]).map(
    lambda call_id: [tool_result(call_id, "late")]
)
"""A result long after its call, or one too many."""

added = st.one_of(
    late,
    prompts.map(lambda message: [message]),
    words.map(lambda message: [message]),
    exchanges(),
    exchanges(),
    st.tuples(prompts, words).map(list),
    st.tuples(prompts, words).map(list),
    reminders.map(lambda message: [message]),
    st.lists(broken.messages, min_size=1, max_size=2),
)
"""What one step of an engine adds to a history."""
