"""What a request asks of the model, in no dialect's words, and the plain answer to it."""

from __future__ import annotations

import json
import math
from typing import Any, TypeAlias

import msgspec

from wiremend.providers.answers.sample import sample
from wiremend.providers.answers.script import Answer, Call, Piece, Text

Json: TypeAlias = dict[str, Any]

PLAIN = "Understood."


class Tool(msgspec.Struct, frozen=True):
    """A function that the model may call. ``custom``: its input is any text."""

    name: str
    schema: Any = None
    custom: bool = False


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What matters of a request once it was found to be sound.

    ``choice`` is ``auto``, ``none``, ``any`` or the name of the tool that must be called.
    ``answered``: the request ends with results of tools. ``shape``: the JSON schema that the answer
    must have. ``tokens``: a plausible size of the prompt. ``echoed``: fields that come back with
    the answer. ``sealed``: reasoning shall come in a form that only the provider can read.
    """

    model: str = "simulated"
    tools: tuple[Tool, ...] = ()
    choice: str = "auto"
    answered: bool = False
    shape: Any = None
    stream: bool = False
    stream_usage: bool = False
    tokens: int = 1
    echoed: Json = {}
    sealed: bool = False


def plain_answer(asked: Asked) -> Answer:
    """The answer without a script: the same for the same request.

    A prompt that comes with tools is answered by a call of the first tool, its results by a text;
    so that an agent's loop goes round once and ends.
    """
    tool = _called(asked)
    if tool is not None and tool.custom:
        return Answer((Call(tool.name, "text"),))
    if tool is not None:
        arguments = sample(tool.schema)
        return Answer((Call(tool.name, arguments if isinstance(arguments, dict) else {}),))
    if asked.shape is not None:
        return Answer((Text(json.dumps(sample(asked.shape), ensure_ascii=False)),))
    return Answer((Text(PLAIN),))


def _called(asked: Asked) -> Tool | None:
    if asked.choice == "none" or not asked.tools:
        return None
    if asked.choice in ("auto", "any"):
        return asked.tools[0] if asked.choice == "any" or not asked.answered else None
    return next((tool for tool in asked.tools if tool.name == asked.choice), None)


def output_tokens(answer: Answer) -> int:
    """A plausible size of an answer: about four characters a token."""
    if answer.usage.output is not None:
        return answer.usage.output
    return max(1, math.ceil(sum(_size(part) for part in answer.parts) / 4))


def input_tokens(answer: Answer, asked: Asked) -> int:
    """The size of the prompt: what the script says, or the estimate."""
    return asked.tokens if answer.usage.input is None else answer.usage.input


def _size(part: Piece) -> int:
    if isinstance(part, Call):
        return len(part.name) + len(arguments_text(part))
    return len(part.text)


def arguments_text(call: Call) -> str:
    """A call's arguments as JSON text."""
    if isinstance(call.arguments, str):
        return call.arguments
    return json.dumps(call.arguments, ensure_ascii=False)


def arguments_object(call: Call) -> Json:
    """A call's arguments as an object, for dialects that have no other."""
    if not isinstance(call.arguments, str):
        return call.arguments
    try:
        found = json.loads(call.arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def dicts(value: Any) -> list[Json]:
    """The objects of what may be a list of objects."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(value: Any, default: str = "") -> str:
    """A value where it is text."""
    return value if isinstance(value, str) else default
