"""Random Converse requests that Bedrock takes, and damage that only they can have."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from tests.properties.conversations import PNG, TOOLS, Body, Names, damage

CLAUDE = "anthropic.claude-sonnet-4-5-20250929-v1:0"
LLAMA = "us.meta.llama4-maverick-17b-instruct-v1:0"
NOVA = "amazon.nova-pro-v1:0"
PDF = {"bytes": "JVBERi0="}
POINT = {"cachePoint": {"type": "default"}}


@st.composite
def bedrock_bodies(draw: st.DrawFn) -> Body:
    """A Converse request that Bedrock takes."""
    names = Names()
    model = draw(st.sampled_from([CLAUDE, CLAUDE, NOVA, LLAMA]))
    thinks = model == CLAUDE and draw(st.booleans())
    messages: list[Body] = []
    for _ in range(draw(st.integers(1, 4))):
        messages.append({"role": "user", "content": _words(draw, names)})
        for _ in range(draw(st.integers(0, 3))):
            messages.extend(_exchange(draw, names, thinks=thinks, alone=model == LLAMA))
        blocks: list[Body] = [{"text": names.text("answer")}]
        if thinks and draw(st.booleans()):
            blocks.insert(0, _thinking(names))
        messages.append({"role": "assistant", "content": blocks})
    if draw(st.booleans()):
        messages.append({"role": "user", "content": [{"text": names.text("user")}, POINT]})
    schema = {"json": {"type": "object"}}
    tools = [{"toolSpec": {"name": name, "inputSchema": schema}} for name in TOOLS]
    body: Body = {"modelId": model, "messages": messages, "toolConfig": {"tools": tools}}
    if draw(st.booleans()):
        body["inferenceConfig"] = {"maxTokens": 1024, "temperature": 0.3}
    if thinks and draw(st.booleans()):
        asked = {"type": "enabled", "budget_tokens": 1024}
        body["additionalModelRequestFields"] = {"thinking": asked}
    if draw(st.booleans()):
        body["system"] = draw(st.sampled_from([[], [{"text": "be brief"}, POINT]]))
    return body


def _thinking(names: Names) -> Body:
    return {"reasoningContent": {"reasoningText": {"text": names.text("t"), "signature": "c2ln"}}}


def _words(draw: st.DrawFn, names: Names) -> list[Body]:
    said: Body = {"text": names.text("user")}
    match draw(st.integers(0, 3)):
        case 0:
            return [{"image": {"format": "png", "source": {"bytes": PNG}}}, said]
        case 1:
            named = {"format": "pdf", "name": f"paper {names.id()}", "source": PDF}
            return [said, {"document": named}]
        case 2:
            guarded = {"text": {"text": names.text("user"), "qualifiers": ["query"]}}
            return [said, {"guardContent": guarded}]
        case _:
            return [said]


def _exchange(draw: st.DrawFn, names: Names, *, thinks: bool, alone: bool) -> list[Body]:
    blocks: list[Body] = [_thinking(names)] if thinks else []
    if draw(st.booleans()):
        blocks.append({"text": names.text("assistant")})
    ids = [names.id() for _ in range(draw(st.integers(1, 3)))]
    for call_id in ids:
        given = draw(st.sampled_from([{}, {"q": "x", "deep": [1, 2.5, None]}]))
        use = {"toolUseId": call_id, "name": draw(st.sampled_from(TOOLS)), "input": given}
        blocks.append({"toolUse": use})
    answers: list[Body] = [
        {"toolResult": {"toolUseId": call_id, **_result(draw, names)}}
        for call_id in draw(st.permutations(ids))
    ]
    if not alone and draw(st.booleans()):
        place = draw(st.sampled_from([0, len(answers)]))
        answers.insert(place, {"text": names.text("user")})
    return [{"role": "assistant", "content": blocks}, {"role": "user", "content": answers}]


def _result(draw: st.DrawFn, names: Names) -> Body:
    said = {"text": names.text("result")}
    image = {"image": {"format": "png", "source": {"bytes": PNG}}}
    return draw(
        st.sampled_from(
            [
                {"content": [said]},
                {"content": [said], "status": "success"},
                {"content": [said], "status": "error"},
                {"content": [{"json": {"said": said["text"], "n": 1.0}}]},
                {"content": [{"text": ""}, said, image]},
                {"content": []},
                {"content": [{"text": " "}]},
            ]
        )
    )


@st.composite
def damaged_converse(draw: st.DrawFn, bodies: st.SearchStrategy[Body]) -> Body:
    """A body after one to four accidents, of the kinds that all formats have and of its own."""
    body = copy.deepcopy(draw(bodies))
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            damage(draw, body)
        else:
            _own_damage(draw, body)
    return body


def _own_damage(draw: st.DrawFn, body: Body) -> None:
    lists = [m["content"] for m in body["messages"] if isinstance(m.get("content"), list)]
    blocks = [block for content in lists for block in content]
    tools = [b for b in blocks if isinstance(b.get("toolUse", b.get("toolResult")), dict)]
    if not blocks:
        return
    block = draw(st.sampled_from(blocks))
    inner: Any = next(iter(block.values()))
    match draw(st.integers(0, 10)):
        case 0 if tools:
            _damage_tool(draw, draw(st.sampled_from(tools)))
        case 1:
            body.pop("toolConfig", None)
        case 2:
            body["toolConfig"] = {"tools": []}
        case 3:
            draw(st.sampled_from(lists)).extend([POINT] * draw(st.integers(1, 5)))
        case 4 if isinstance(inner, dict):
            inner = inner.get("reasoningText", inner)
            for field in ("signature", "name", "format"):
                if field in inner:
                    inner[field] = draw(st.sampled_from(["a.b", "gif", "same", ""]))
        case 5:
            draw(st.sampled_from(lists)).append({"type": "text", "text": "typed"})
        case 6:
            _split(draw, body["messages"])
        case 7:
            content = draw(st.sampled_from(lists))
            lost = draw(st.sampled_from(["unsigned", None]))
            content.append({"reasoningContent": {"reasoningText": {"text": lost}}})
        case 8:
            draw(st.sampled_from(lists)).insert(0, {"text": draw(st.sampled_from(["", " \n"]))})
        case 9:
            body["modelId"] = draw(st.sampled_from([LLAMA, "us.anthropic.claude-opus-4-8", "x"]))
        case _:
            written = draw(st.sampled_from(["pdf", "md"]))
            named = {"format": written, "name": "paper.pdf", "source": PDF}
            draw(st.sampled_from(lists)).extend([{"document": named}, POINT])


def _damage_tool(draw: st.DrawFn, block: Body) -> None:
    if "toolUse" in block:
        broken: list[Body] = [
            {"name": "a.b/c"},
            {"toolUseId": "x|y"},
            {"toolUseId": "same"},
            {"input": '{"q": 1}'},
            {"input": None},
            {"input": [1]},
        ]
        block["toolUse"].update(draw(st.sampled_from(broken)))
        return
    changes: list[Body] = [
        {"toolUseId": "same"},
        {"content": None},
        {"content": [], "status": "error"},
        {"content": [{"json": [1, 2]}]},
        {"content": [{"json": "text"}]},
        {"content": "plain"},
        {"content": [{"text": " "}], "status": "error"},
    ]
    block["toolResult"].update(draw(st.sampled_from(changes)))


def _split(draw: st.DrawFn, messages: list[Body]) -> None:
    """One message as two, in the middle of its blocks."""
    at = draw(st.integers(0, len(messages) - 1))
    content = messages[at].get("content")
    if isinstance(content, list) and len(content) > 1:
        cut = draw(st.integers(1, len(content) - 1))
        role = messages[at]["role"]
        messages[at : at + 1] = [
            {"role": role, "content": content[:cut]},
            {"role": role, "content": content[cut:]},
        ]
