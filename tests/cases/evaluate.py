"""The sentences of the reports' ``checks``, evaluated on a mended request.

Each is a function of the mended body, the original one and what the sentence is about. They read
plain JSON, and share nothing with the code that they judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

Body = dict[str, Any]
SYNTHETIC = "Tool result is not available in the current context."


def failures(checks: list[str], mended: Body, original: Body) -> list[str]:
    """The checks that do not hold."""
    return [check for check in checks if not holds(check, mended, original)]


def holds(check: str, mended: Body, original: Body) -> bool:
    """Whether one sentence holds. A sentence that nobody understands is an error."""
    for pattern, evaluate in _SENTENCES:
        found = re.fullmatch(pattern, check, re.DOTALL)
        if found:
            return bool(evaluate(View(mended), original, *found.groups()))
    raise AssertionError(f"no evaluation for the check {check!r}")


class View:
    """A body of any format, seen as calls, results and texts.

    The items of a Responses input count as messages.
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        holds = next(name for name in ("messages", "contents", "input") if name in body)
        self.messages: list[Body] = body[holds]

    def blocks(self, message: Body) -> list[Body]:
        content = message.get("content")
        if isinstance(content, str):
            return [{"type": "text", "text": content}]
        return content if isinstance(content, list) else []

    def calls(self, message: Body) -> list[tuple[str, str, Any]]:
        found = [
            (call["id"], call["function"]["name"], call["function"]["arguments"])
            for call in message.get("tool_calls") or ()
        ]
        blocks = self.blocks(message)
        uses = [b for b in blocks if b.get("type") == "tool_use"]
        found += [(b["id"], b["name"], b["input"]) for b in uses]
        if message.get("type") == "function_call":
            found.append((message["call_id"], message["name"], message["arguments"]))
        converse = [b["toolUse"] for b in blocks if "toolUse" in b]
        return [*found, *((b["toolUseId"], b["name"], b["input"]) for b in converse)]

    def all_calls(self) -> list[tuple[str, str, Any]]:
        if "contents" in self.body:
            return self._of_gemini("functionCall", "args")
        return [call for message in self.messages for call in self.calls(message)]

    def results(self, message: Body) -> list[tuple[str, Any]]:
        if message.get("type") == "function_call_output":
            return [(message["call_id"], message["output"])]
        if message.get("role") == "tool":
            return [(message["tool_call_id"], message["content"])]
        converse = [b["toolResult"] for b in self.blocks(message) if "toolResult" in b]
        return [
            *(
                (block["tool_use_id"], block.get("content", ""))
                for block in self.blocks(message)
                if block.get("type") == "tool_result"
            ),
            *((block["toolUseId"], block["content"]) for block in converse),
        ]

    def all_results(self) -> list[tuple[str, Any]]:
        if "contents" in self.body:
            answers = self._of_gemini("functionResponse", "response")
            return [(answer_id, response) for answer_id, _, response in answers]
        return [result for message in self.messages for result in self.results(message)]

    def _of_gemini(self, kind: str, field: str) -> list[tuple[str, str, Any]]:
        """Calls or responses of contents; where they have no id, the turn, name and place are."""
        found = []
        for turn, content in enumerate(self.messages):
            held = [part[kind] for part in content["parts"] if kind in part]
            for n, item in enumerate(held):
                # Responses stand in the content behind their calls, in their order.
                made = turn if kind == "functionCall" else turn - 1
                own = item.get("id", f"{made}:{n}:{item['name']}")
                found.append((own, item["name"], item.get(field)))
        return found

    def result(self, call_id: str) -> str:
        return json.dumps([c for i, c in self.all_results() if i == call_id], ensure_ascii=False)

    def everything(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)

    def walk(self) -> Iterator[Any]:
        yield from _walk(self.body)

    def texts(self) -> list[str]:
        return [v["text"] for v in self.walk() if isinstance(v, dict) and "text" in v] + [
            m["content"]
            for m in self.messages
            # Empty text beside calls is how many servers write that there is none.
            if isinstance(m.get("content"), str) and not (m["content"] == "" and self.calls(m))
        ]


def _walk(value: Any) -> Iterator[Any]:
    yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        yield from _walk(item)


def _paired(view: View, _: Body) -> bool:
    calls = sorted(call[0] for call in view.all_calls())
    results = sorted(result[0] for result in view.all_results())
    return calls == results and len(set(calls)) == len(calls)


def _text_order(view: View, _: Body, texts: str) -> bool:
    whole = view.everything()
    places = [whole.find(json.dumps(text)[1:-1]) for text in texts.split(" | ")]
    return -1 not in places and places == sorted(places)


def _same_value(view: View, original: Body, pointer: str) -> bool:
    def at(value: Any) -> Any:
        for step in pointer.strip("/").split("/"):
            value = value[int(step)] if isinstance(value, list) else value[step]
        return value

    return bool(at(view.body) == at(original))


def _images(view: View, _: Body, count: str) -> bool:
    kinds = ("image", "image_url")
    found = [v for v in view.walk() if isinstance(v, dict) and v.get("type") in kinds]
    converse = [v for v in view.walk() if isinstance(v, dict) and "source" in v.get("image", ())]
    return len(found) + len(converse) == int(count)


def _arguments(view: View, call_id: str) -> Any:
    (found,) = [arguments for i, _, arguments in view.all_calls() if i == call_id]
    return json.loads(found) if isinstance(found, str) else found


def _last_text(view: View, _: Body) -> bool:
    text: str = view.blocks(view.messages[-1])[-1]["text"]
    return text == text.rstrip()


def _unlike_neighbours(view: View, _: Body) -> bool:
    roles = [message["role"] for message in view.messages]
    return all(a != b for a, b in pairwise(roles))


def _tools_defined(view: View, _: Body) -> bool:
    converse = view.body.get("toolConfig", {}).get("tools", ())
    tools = (*view.body.get("tools", ()), *(tool["toolSpec"] for tool in converse))
    defined = {tool.get("name") for tool in tools}
    return all(name in defined for _, name, _ in view.all_calls())


def _tool_contents_are_text(view: View, _: Body) -> bool:
    return all(isinstance(m["content"], str) for m in view.messages if m["role"] == "tool")


def _only_first_is(view: View, _: Body, role: str) -> bool:
    return [n for n, m in enumerate(view.messages) if m["role"] == role] == [0]


def _calls_have(view: View, _: Body, key: str) -> bool:
    return all(m.get(key) for m in view.messages if view.calls(m))


def _results_alone(view: View, _: Body) -> bool:
    return all(
        len(view.results(message)) in (0, len(view.blocks(message))) for message in view.messages
    )


def _item_ids_unique(view: View, _: Body) -> bool:
    ids = [item["id"] for item in view.messages if item.get("id") is not None]
    return len(set(ids)) == len(ids)


def _lacks_part(view: View, _: Body, role: str, kind: str) -> bool:
    said = [message for message in view.messages if message.get("role") == role]
    return not any(block.get("type") == kind for m in said for block in view.blocks(m))


def _keys(view: View, key: str) -> int:
    return sum(1 for v in view.walk() if isinstance(v, dict) and key in v)


_SENTENCES: tuple[tuple[str, Callable[..., Any]], ...] = (
    (r"paired", _paired),
    (
        r"keeps text: (.*)",
        lambda v, _, t: json.dumps(t, ensure_ascii=False)[1:-1] in v.everything(),
    ),
    (r"lacks text: (.*)", lambda v, _, t: t not in v.everything()),
    (r"text order: (.*)", _text_order),
    (r"result of (\S+) contains: (.*)", lambda v, _, i, t: t in v.result(i)),
    (r"result of (\S+) is synthetic", lambda v, _, i: SYNTHETIC in v.result(i)),
    (r"roles: (.*)", lambda v, _, r: [m["role"] for m in v.messages] == r.split(" > ")),
    (r"first role: (.*)", lambda v, _, r: v.messages[0]["role"] == r),
    (r"same value at: (.*)", _same_value),
    (r"call count: (\d+)", lambda v, _, n: len(v.all_calls()) == int(n)),
    (r"result count: (\d+)", lambda v, _, n: len(v.all_results()) == int(n)),
    (r"message count: (\d+)", lambda v, _, n: len(v.messages) == int(n)),
    (r"calls: (.*)", lambda v, _, i: [c[0] for c in v.all_calls()] == i.split(", ")),
    (r"call ids unique", lambda v, _: len({c[0] for c in v.all_calls()}) == len(v.all_calls())),
    (r"call ids match: (.*)", lambda v, _, p: all(re.search(p, c[0]) for c in v.all_calls())),
    (r"call names match: (.*)", lambda v, _, p: all(re.search(p, c[1]) for c in v.all_calls())),
    (
        r"call ids at most (\d+) characters",
        lambda v, _, n: all(len(c[0]) <= int(n) for c in v.all_calls()),
    ),
    (r"arguments of (\S+) equal: (.*)", lambda v, _, i, a: _arguments(v, i) == json.loads(a)),
    (r"arguments of (\S+) are a JSON object", lambda v, _, i: isinstance(_arguments(v, i), dict)),
    (r"no blank text", lambda v, _: all(text.strip() for text in v.texts())),
    (r"no two neighbours share a role", _unlike_neighbours),
    (r"no turn mixes results and text", _results_alone),
    (r"images: (\d+)", _images),
    (r"exactly (\d+) key: (.*)", lambda v, _, n, k: _keys(v, k) == int(n)),
    (r"no key: (.*)", lambda v, _, k: _keys(v, k) == 0),
    (r"no value: (.*)", lambda v, _, x: x not in v.walk()),
    (
        r"no block of type: (.*)",
        lambda v, _, t: not any(isinstance(x, dict) and x.get("type") == t for x in v.walk()),
    ),
    (
        r"thinking is off",
        lambda v, _: v.body.get("thinking", {"type": "disabled"}) == {"type": "disabled"},
    ),
    (r"last text ends without whitespace", _last_text),
    (
        r"no null content on tool messages",
        lambda v, _: all(m["content"] is not None for m in v.messages if m["role"] == "tool"),
    ),
    (r"content of tool messages is a string", _tool_contents_are_text),
    (r"only the first message has role (\S+)", _only_first_is),
    (r"every assistant message with calls has key: (\S+)", _calls_have),
    (r"item ids unique", _item_ids_unique),
    (r"no (\S+) part of type: (.*)", _lacks_part),
    (r"unchanged", lambda v, original: v.body == original),
    (r"no lone surrogates", lambda v, _: v.everything().encode() is not None),
    (r"tools defined for every called name, or no calls left", _tools_defined),
)
