"""Random generateContent requests that Gemini takes, and random damage to them."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from tests.properties.conversations import PNG, TOOLS, Body, Names

SNAKE = {
    "functionCall": "function_call",
    "functionResponse": "function_response",
    "inlineData": "inline_data",
    "mimeType": "mime_type",
    "thoughtSignature": "thought_signature",
}


@st.composite
def gemini_bodies(draw: st.DrawFn) -> Body:
    """A request that the Gemini API takes, in either spelling of its fields."""
    names = Names()
    model = draw(st.sampled_from(["gemini-2.5-flash", "gemini-3-pro-preview", None]))
    ids = draw(st.booleans())
    contents: list[Body] = []
    for _ in range(draw(st.integers(1, 4))):
        contents.append(_user(draw, names))
        for _ in range(draw(st.integers(0, 3))):
            contents.extend(_exchange(draw, names, ids=ids, signed=model is not None))
        if draw(st.booleans()):
            contents.extend(_answer(draw, names))
    functions = [{"name": name, "parameters": {"type": "OBJECT"}} for name in TOOLS]
    body: Body = {"contents": contents, "tools": [{"functionDeclarations": functions}]}
    if model is not None:
        body["model"] = model
    if draw(st.booleans()):
        instruction: Any = {"parts": [{"text": "be brief"}]}
        body["systemInstruction"] = draw(
            st.sampled_from([instruction, {"role": "user", "parts": {"text": "be brief"}}])
        )
    if draw(st.booleans()):
        body["generationConfig"] = {"temperature": 0.3, "thinkingConfig": {"thinkingBudget": -1}}
    return _in_snake_case(body) if draw(st.integers(0, 3)) == 0 else body


def _user(draw: st.DrawFn, names: Names) -> Body:
    text: Body = {"text": names.text("user")}
    match draw(st.integers(0, 4)):
        case 0:
            image = {"inlineData": {"mimeType": "image/png", "data": PNG}}
            return {"role": "user", "parts": [image, text]}
        case 1:
            file = {"fileData": {"mimeType": "application/pdf", "fileUri": "https://e.test/f"}}
            return {"role": "user", "parts": [text, file]}
        case 2:
            return {"parts": [text, {"text": " "}]}
        case 3:
            return {"role": "user", "parts": text}
        case _:
            return {"role": "user", "parts": [text]}


def _answer(draw: st.DrawFn, names: Names) -> list[Body]:
    parts: list[Body] = [{"text": names.text("answer")}]
    match draw(st.integers(0, 4)):
        case 0:
            parts.insert(0, {"text": names.text("thinking"), "thought": True})
        case 1:
            parts.append({"text": "", "thoughtSignature": "c2ln"})
        case 2:
            code = {"language": "PYTHON", "code": "print(1)"}
            parts.append({"executableCode": code})
            parts.append({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}})
        case 3:
            return [
                {"role": "model", "parts": parts},
                {"role": "model", "parts": [{"text": names.text("answer")}]},
            ]
        case _:
            pass
    return [{"role": "model", "parts": parts}]


def _exchange(draw: st.DrawFn, names: Names, *, ids: bool, signed: bool) -> list[Body]:
    said: list[Body] = []
    if draw(st.booleans()):
        thought: Body = {
            "text": names.text("thinking"),
            "thought": True,
            "thoughtSignature": "eA==",
        }
        said.append(draw(st.sampled_from([thought, {"text": names.text("assistant")}])))
    calls: list[Body] = []
    for _ in range(draw(st.integers(1, 3))):
        call: Body = {"name": draw(st.sampled_from(TOOLS))}
        arguments = draw(st.sampled_from([None, {}, {"q": "x", "deep": [1, 2.5, None]}]))
        if arguments is not None:
            call["args"] = arguments
        if ids:
            call["id"] = names.id()
        calls.append({"functionCall": call})
        if draw(st.integers(0, 4)) == 0:
            calls.append({"text": names.text("aside")})
    if signed:
        calls[0]["thoughtSignature"] = "c2lnbmVk"
    made = [part["functionCall"] for part in calls if "functionCall" in part]
    if ids or len({call["name"] for call in made}) == len(made):
        made = draw(st.permutations(made))
    answers: list[Body] = [{"functionResponse": _response(draw, names, call)} for call in made]
    if draw(st.integers(0, 3)) == 0:
        answers.insert(draw(st.integers(0, len(answers))), {"text": names.text("user")})
    return [{"role": "model", "parts": [*said, *calls]}, {"role": "user", "parts": answers}]


def _response(draw: st.DrawFn, names: Names, call: Body) -> Body:
    text = names.text("result")
    nested = {"rows": [text], "count": 1}
    shapes: list[Any] = [
        {"result": text},
        {"output": text},
        {"error": text},
        nested,
        {"error": nested},
        {},
        {"result": ""},
    ]
    out: Body = {"name": call["name"], "response": draw(st.sampled_from(shapes))}
    if "id" in call and draw(st.booleans()):
        out["id"] = call["id"]
    if draw(st.integers(0, 4)) == 0:
        out["parts"] = [{"inlineData": {"mimeType": "image/png", "data": PNG}}]
    return out


def _in_snake_case(value: Any) -> Any:
    if isinstance(value, list):
        return [_in_snake_case(item) for item in value]
    if isinstance(value, dict):
        return {SNAKE.get(name, name): _in_snake_case(item) for name, item in value.items()}
    return value


@st.composite
def damaged_gemini(draw: st.DrawFn, bodies: st.SearchStrategy[Body]) -> Body:
    """A body after one to four accidents: something lost, doubled, moved, emptied, renamed."""
    body = copy.deepcopy(draw(bodies))
    for _ in range(draw(st.integers(1, 4))):
        _damage(draw, body)
    return body


def _damage(draw: st.DrawFn, body: Body) -> None:
    contents: list[Body] = body["contents"]
    if not contents:
        return
    at = draw(st.integers(0, len(contents) - 1))
    parts = contents[at].get("parts")
    inner = parts if isinstance(parts, list) and parts else None
    match draw(st.integers(0, 10)):
        case 0:
            del contents[at]
        case 1:
            contents.insert(draw(st.integers(0, len(contents))), copy.deepcopy(contents[at]))
        case 2:
            contents.insert(draw(st.integers(0, len(contents) - 1)), contents.pop(at))
        case 3:
            contents[at]["parts"] = draw(st.sampled_from([[], None, [{}], [{"text": ""}]]))
        case 4:
            cut = draw(st.integers(0, len(contents)))
            body["contents"] = contents[min(at, cut) : max(at, cut) + 1]
        case 5 if inner:
            del inner[draw(st.integers(0, len(inner) - 1))]
        case 6 if inner:
            which = draw(st.integers(0, len(inner) - 1))
            inner.insert(draw(st.integers(0, len(inner))), copy.deepcopy(inner[which]))
        case 7 if inner:
            inner.append(inner.pop(draw(st.integers(0, len(inner) - 1))))
        case 8 if inner:
            _break(draw, inner)
        case 9:
            contents[at]["role"] = draw(st.sampled_from(["user", "model", "assistant"]))
        case _ if inner and len(inner) > 1:
            contents.insert(at + 1, {**contents[at], "parts": inner[1:]})
            contents[at]["parts"] = inner[:1]
        case _:
            pass


def _break(draw: st.DrawFn, parts: list[Body]) -> None:
    """Break one part: its name, id, arguments, response, signature or what it is."""
    at = draw(st.integers(0, len(parts) - 1))
    part = parts[at]
    for kind, field in (("functionCall", "args"), ("functionResponse", "response")):
        held = part.get(kind, part.get(SNAKE[kind]))
        if held is not None:
            wrong: dict[str, list[Any]] = {
                "name": ["1", "a|b", "", "write"],
                "id": ["call_1", "call_2", "a|b", ""],
                field: ["text", "{}", "[1]", [1]],
            }
            which = draw(st.sampled_from(list(wrong)))
            held[which] = draw(st.sampled_from(wrong[which]))
            return
    match draw(st.integers(0, 3)):
        case 0:
            part["thoughtSignature"] = draw(st.sampled_from(["c2ln=c2ln", "!", ""]))
        case 1:
            part["functionCall"] = {"name": "read"}
        case 2:
            parts[at] = {"type": "text", "text": part.get("text", "user-0-words")}
        case _:
            part["inlineData"] = {"mimeType": "image/gif", "data": "R0lGODlhAQABAAAAACw="}
