"""Random Responses requests that the API takes, and damage that only they can come to.

Every text is unique, as in ``conversations``.
"""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from tests.properties.conversations import PNG, TOOLS, Body, Names


@st.composite
def responses_bodies(draw: st.DrawFn) -> Body:
    """A Responses request that OpenAI takes."""
    names = Names()
    stores = draw(st.booleans())
    items: list[Body] = []
    for _ in range(draw(st.integers(1, 4))):
        items.extend(_asked(draw, names))
        for _ in range(draw(st.integers(0, 3))):
            items.extend(_exchange(draw, names, stores=stores))
        if draw(st.booleans()):
            items.extend(_reasoning(draw, names, stores=stores))
            items.append(_answer(draw, names))
    function = {"parameters": {"type": "object", "properties": {}}, "strict": False}
    tools = [{"type": "function", "name": name, **function} for name in TOOLS]
    body: Body = {"model": "gpt-5", "input": items, "tools": tools}
    if not stores:
        body["store"] = False
    if draw(st.booleans()):
        body["instructions"] = names.text("system")
    if draw(st.integers(0, 9)) == 0:
        body["input"] = names.text("user")
    elif draw(st.integers(0, 5)) == 0:
        body["previous_response_id"] = "resp_1"
        items.insert(0, _output(draw, names, names.id()))
    return body


def _asked(draw: st.DrawFn, names: Names) -> list[Body]:
    text = names.text("user")
    parts: list[Body] = [{"type": "input_text", "text": text}]
    match draw(st.integers(0, 6)):
        case 0:
            url = f"data:image/png;base64,{PNG}"
            parts.append({"type": "input_image", "image_url": url, "detail": "low"})
        case 1:
            data = "data:application/pdf;base64,JVBERi0="
            parts.append({"type": "input_file", "filename": "a.pdf", "file_data": data})
        case 2:
            parts.append({"type": "input_image", "detail": "auto", "file_id": "file-1"})
        case 3:
            return [
                {"type": "message", "role": "developer", "content": parts},
                {"role": "user", "content": ""},
            ]
        case 4:
            return [{"role": "user", "content": text}]
        case _:
            pass
    return [{"type": "message", "role": "user", "content": parts}]


def _reasoning(draw: st.DrawFn, names: Names, *, stores: bool) -> list[Body]:
    if draw(st.booleans()):
        return []
    summary = draw(st.sampled_from([[], [{"type": "summary_text", "text": names.text("hm")}]]))
    item: Body = {"type": "reasoning", "id": f"rs_{names.id()}", "summary": summary}
    if not stores or draw(st.booleans()):
        item["encrypted_content"] = "ZW5j"
    return [item]


def _answer(draw: st.DrawFn, names: Names) -> Body:
    text = names.text("answer")
    if draw(st.booleans()):
        return {"role": "assistant", "content": text}
    parts = [{"type": "output_text", "text": text, "annotations": []}]
    if draw(st.booleans()):
        parts.append({"type": "refusal", "refusal": names.text("answer")})
    named = {"id": f"msg_{names.id()}", "status": "completed"}
    return {"type": "message", "role": "assistant", "content": parts, **named}


def _exchange(draw: st.DrawFn, names: Names, *, stores: bool) -> list[Body]:
    out: list[Body] = _reasoning(draw, names, stores=stores)
    if draw(st.booleans()):
        out.append(_answer(draw, names))
    if draw(st.integers(0, 4)) == 0:
        action = {"type": "search", "query": names.text("query")}
        served = {"id": f"ws_{names.id()}", "status": "completed", "action": action}
        out.append({"type": "web_search_call", **served})
    made = [_call(draw, names) for _ in range(draw(st.integers(1, 3)))]
    out.extend(made)
    outputs = [_answered(draw, names, call) for call in draw(st.permutations(made))]
    if draw(st.integers(0, 4)) == 0:
        # Nothing has to stand together here.
        place = draw(st.integers(0, len(outputs) - 1))
        outputs[place:place] = _asked(draw, names)
    return [*out, *outputs]


def _call(draw: st.DrawFn, names: Names) -> Body:
    call_id, name = names.id(), draw(st.sampled_from(TOOLS))
    match draw(st.integers(0, 6)):
        case 0:
            made = {"call_id": call_id, "name": name, "input": names.text("assistant")}
            return {"type": "custom_tool_call", **made}
        case 1:
            action = {"commands": ["ls"]}
            return {"type": "shell_call", "call_id": call_id, "action": action}
        case 2:
            named = {"id": f"fc_{call_id}", "status": "completed"}
        case _:
            named = {}
    arguments = draw(st.sampled_from(["{}", '{"q": "x"}', '{ "n":1.0 }', "[1]"]))
    made = {"call_id": call_id, "name": name, "arguments": arguments}
    return {"type": "function_call", **made, **named}


def _answered(draw: st.DrawFn, names: Names, call: Body) -> Body:
    call_id = call["call_id"]
    if call["type"] == "shell_call":
        ended = {"type": "exit", "exit_code": 0}
        shown = {"stdout": names.text("result"), "stderr": "", "outcome": ended}
        return {"type": "shell_call_output", "call_id": call_id, "output": [shown]}
    return {**_output(draw, names, call_id), "type": f"{call['type']}_output"}


def _output(draw: st.DrawFn, names: Names, call_id: str) -> Body:
    text = draw(st.sampled_from(["", names.text("result")]))
    part = {"type": "input_text", "text": text}
    image = {"type": "input_image", "image_url": "https://e.test/i.png", "detail": "auto"}
    output = draw(st.sampled_from([text, [part], [part, image], []]))
    return {"type": "function_call_output", "call_id": call_id, "output": output}


@st.composite
def damaged_responses(draw: st.DrawFn) -> Body:
    """A request after one to four accidents."""
    body = copy.deepcopy(draw(responses_bodies()))
    for _ in range(draw(st.integers(1, 4))):
        if isinstance(body["input"], list) and body["input"]:
            _damage(draw, body)
    return body


def _damage(draw: st.DrawFn, body: Body) -> None:
    items: list[Body] = body["input"]
    at = draw(st.integers(0, len(items) - 1))
    item = items[at]
    match draw(st.integers(0, 10)):
        case 0:
            del items[at]
        case 1:
            items.insert(draw(st.integers(0, len(items))), copy.deepcopy(item))
        case 2:
            moved = items.pop(at)
            items.insert(draw(st.integers(0, len(items))), moved)
        case 3:
            cut = draw(st.integers(0, len(items)))
            body["input"] = items[min(at, cut) : max(at, cut) + 1]
        case 4:
            _blank(draw, item)
        case 5:
            names = ["msg_1", "rs_1", "fc_1", "call_1", "__fake_id__", "", "fc_" + "x" * 80]
            item["id"] = draw(st.sampled_from(names))
        case 6 if "call_id" in item:
            item["call_id"] = draw(st.sampled_from(["call_1", "a|b:c", "", "x" * 80, None]))
        case 7 if item.get("type") == "function_call":
            broken = draw(st.sampled_from(["", "{", "nul", None, {"a": 1}]))
            item["arguments"] = broken
            item["name"] = draw(st.sampled_from(["read", "a.b", "n" * 130]))
        case 8:
            _retype(draw, item)
        case 9:
            body["store"] = draw(st.booleans())
        case _ if item.get("type") == "reasoning":
            item.pop(draw(st.sampled_from(["summary", "encrypted_content", "id"])), None)
        case _:
            pass


def _blank(draw: st.DrawFn, item: Body) -> None:
    blank: Any = draw(st.sampled_from(["", "  \n", [], None]))
    if "role" in item:
        item["content"] = blank
    elif item.get("type") in ("function_call_output", "custom_tool_call_output"):
        item["output"] = draw(st.sampled_from([blank, {"a": 1}]))


def _retype(draw: st.DrawFn, item: Body) -> None:
    """What was kept by code for another API, or with one type for all parts."""
    if isinstance(item.get("content"), list):
        for part in item["content"]:
            if "text" in part:
                part["type"] = draw(st.sampled_from(["text", "input_text", "output_text"]))
        item["role"] = draw(st.sampled_from(["user", "assistant"]))
    elif item.get("type") == "function_call_output":
        content: Any = item.pop("output")
        call_id = item.pop("call_id")
        item.clear()
        text = content if isinstance(content, str) else [{"type": "text", "text": "x"}]
        item.update({"role": "tool", "tool_call_id": call_id, "content": text})
