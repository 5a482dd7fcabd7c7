"""What happens to conversations: each kind of damage that providers are known to refuse.

What may live here: functions from a sound conversation to a damaged one. A kind is told as it
happens to a user. The damage is in the conversation, so that each tool gets it in the form that
it takes; a few kinds exist in one wire format only, and are done to the body.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from benchmarks.bodies import BODIES, Body, text_of
from benchmarks.histories import History
from benchmarks.repairs.conversations import Speaker, sound
from wiremend.model import ContextMessage, TextPart, ThinkPart

Harm: TypeAlias = Callable[[History, Speaker], History]
HarmOfBody: TypeAlias = Callable[[Body, Speaker], None]

CHAT, ANTHROPIC = "openai-chat", "anthropic"


@dataclass(frozen=True)
class Kind:
    """A kind of damage.

    ``refused`` names the formats whose provider surely refuses it as it is, ``sources`` those that
    can have it. What is ``wire_only`` exists in no types but in bodies.
    """

    name: str
    refused: tuple[str, ...]
    harm: Harm = lambda history, _speaker: history
    of_body: HarmOfBody | None = None
    sources: tuple[str, ...] = (CHAT, ANTHROPIC)
    wire_only: bool = False


@dataclass(frozen=True)
class Specimen:
    """One conversation: what was said before the damage, what is left, and the wire body."""

    kind: str
    source: str
    before: History
    history: History
    body: Body
    wire_only: bool
    keep: tuple[str, ...] | None = None
    """Of a case from a file: the texts that have to be there, in place of what was said before."""


def specimen(kind: Kind, source: str, seed: int) -> Specimen:
    """The conversation of this seed, damaged in this way, in this format."""
    speaker = Speaker(seed, thinks=source == ANTHROPIC)
    before = sound(speaker)
    history = kind.harm(before, speaker)
    body = BODIES[source](history)
    if kind.of_body:
        kind.of_body(body, speaker)
    return Specimen(kind.name, source, before, history, body, kind.wire_only)


def _wide(history: History) -> int:
    """Where the step with several calls stands."""
    return next(n for n, message in enumerate(history) if len(message.tool_calls) > 1)


def _cancelled(history: History, speaker: Speaker) -> History:
    return [*history, *list(speaker.exchange(1))[:1], speaker.prompt()]


def _crashed(history: History, speaker: Speaker) -> History:
    at = _wide(history)
    lost = at + 1 + speaker.chance.randrange(len(history[at].tool_calls))
    return history[:lost] + history[lost + 1 :]


def _all_lost(history: History, _: Speaker) -> History:
    at = _wide(history)
    return history[: at + 1] + history[at + 1 + len(history[at].tool_calls) :]


def _interrupted(history: History, speaker: Speaker) -> History:
    at = _wide(history) + speaker.chance.randint(1, 2)
    return [*history[:at], speaker.prompt(), *history[at:]]


def _spoken_over(history: History, speaker: Speaker) -> History:
    at = _wide(history) + 1
    said = ContextMessage("assistant", (TextPart(speaker.text("Answer")),))
    return [*history[:at], said, *history[at:]]


def _late(history: History, _: Speaker) -> History:
    at = _wide(history) + 1
    return [*history[:at], *history[at + 1 :], history[at]]


def _early(history: History, _: Speaker) -> History:
    at = _wide(history)
    return [*history[:at], history[at + 1], history[at], *history[at + 2 :]]


def _delivered_twice(history: History, _: Speaker) -> History:
    at = _wide(history) + 2
    return [*history[:at], history[at - 1], *history[at:]]


def _twins(history: History, _: Speaker) -> History:
    return _with_ids(history, lambda at, call_id: f"call_of_step_{at}" if at else call_id)


def _restarted_ids(history: History, _: Speaker) -> History:
    steps = [n for n, message in enumerate(history) if message.tool_calls]
    numbers = {
        call.id: f"call_{n}" for at in steps for n, call in enumerate(history[at].tool_calls)
    }
    return _with_ids(history, lambda _at, call_id: numbers[call_id])


def _long_ids(history: History, _: Speaker) -> History:
    return _with_ids(history, lambda _at, call_id: f"chatcmpl-tool-of-another-provider-{call_id}")


def _ids_with_a_pipe(history: History, _: Speaker) -> History:
    return _with_ids(history, lambda _at, call_id: f"{call_id}|fc.{call_id[-6:]}")


def _no_ids(history: History, _: Speaker) -> History:
    return _with_ids(history, lambda _at, _call_id: "")


def _with_ids(history: History, rename: Callable[[int, str], str]) -> History:
    """The history with other ids: ``rename`` gets the number of the step, from 1, and the id."""
    steps = {call.id: n for n, m in enumerate(history, 1) for call in m.tool_calls}

    def renamed(message: ContextMessage) -> ContextMessage:
        calls = tuple(replace(c, id=rename(steps[c.id], c.id)) for c in message.tool_calls)
        answered = message.tool_call_id
        if answered is not None:
            answered = rename(steps[answered], answered)
        return replace(message, tool_calls=calls, tool_call_id=answered)

    return [renamed(message) for message in history]


def _call_gone(history: History, _: Speaker) -> History:
    at = _wide(history)
    return history[:at] + history[at + 1 :]


def _compacted(history: History, speaker: Speaker) -> History:
    summary = ContextMessage("user", (TextPart(speaker.text("Summary")),))
    return [summary, *history[_wide(history) + 1 :]]


def _trimmed(history: History, _: Speaker) -> History:
    return history[_wide(history) :]


def _orphan_alone(history: History, _: Speaker) -> History:
    at = _wide(history)
    return [history[at + 1], *history[:at], *history[at + 1 + len(history[at].tool_calls) :]]


def _nothing_said(history: History, _: Speaker) -> History:
    at = _wide(history)
    return [*history[:at], ContextMessage("assistant", ()), *history[at:]]


def _blank_beside_a_call(history: History, _: Speaker) -> History:
    at = _wide(history)
    parts = (*history[at].content, TextPart(" \n"))
    return [*history[:at], replace(history[at], content=parts), *history[at + 1 :]]


def _blank_prompt(history: History, speaker: Speaker) -> History:
    parts = (speaker.picture(), TextPart(""))
    return [*history, ContextMessage("user", parts)]


def _null_result(history: History, _: Speaker) -> History:
    at = _wide(history) + 1
    return [*history[:at], replace(history[at], content=()), *history[at + 1 :]]


def _screenshot(history: History, speaker: Speaker) -> History:
    at = _wide(history) + 1
    parts = (*history[at].content, speaker.picture())
    return [*history[:at], replace(history[at], content=parts), *history[at + 1 :]]


def _wrong_label(history: History, speaker: Speaker) -> History:
    shown = ContextMessage("user", (speaker.picture("image/jpeg"), *speaker.prompt().content))
    return [*history[:-1], shown]


def _cut_arguments(history: History, _: Speaker) -> History:
    return _with_arguments(history, lambda text: text[: text.rindex(",") + 4])


def _empty_arguments(history: History, _: Speaker) -> History:
    return _with_arguments(history, lambda _text: "")


def _with_arguments(history: History, change: Callable[[str], str]) -> History:
    at = _wide(history)
    first, *others = history[at].tool_calls
    calls = (replace(first, arguments=change(first.arguments or "")), *others)
    return [*history[:at], replace(history[at], tool_calls=calls), *history[at + 1 :]]


def _dotted_name(history: History, _: Speaker) -> History:
    at = _wide(history)
    first, *others = history[at].tool_calls
    calls = (replace(first, name=f"functions.{first.name}"), *others)
    return [*history[:at], replace(history[at], tool_calls=calls), *history[at + 1 :]]


def _half_a_character(history: History, _: Speaker) -> History:
    at = _wide(history) + 1
    cut = (TextPart(f"{text_of(history[at])} \ud83c"),)
    return [*history[:at], replace(history[at], content=cut), *history[at + 1 :]]


def _unsigned(history: History, _: Speaker) -> History:
    return [
        replace(
            message,
            content=tuple(
                replace(part, encrypted=None) if type(part) is ThinkPart else part
                for part in message.content
            ),
        )
        for message in history
    ]


def _begun_answer(history: History, speaker: Speaker) -> History:
    return [*history, ContextMessage("assistant", (TextPart(speaker.text("Answer") + " \n"),))]


def _told_in_between(history: History, speaker: Speaker) -> History:
    told = ContextMessage("system", (TextPart(speaker.text("Rule")),))
    at = _wide(history)
    return [*history[:at], told, *history[at:]]


def _other_order(history: History, _: Speaker) -> History:
    at = _wide(history) + 1
    end = at + len(history[at - 1].tool_calls)
    return [*history[:at], *reversed(history[at:end]), *history[end:]]


def _said_twice(history: History, speaker: Speaker) -> History:
    at = _wide(history)
    said = ContextMessage("assistant", (TextPart(speaker.text("Answer")),))
    return [*history[:at], said, *history[at:], speaker.prompt()]


def _shown(history: History, speaker: Speaker) -> History:
    return [*history[:-1], ContextMessage("user", (*history[-1].content, speaker.picture()))]


_SEVERAL: tuple[Harm, ...] = (
    _cancelled,
    _crashed,
    _interrupted,
    _late,
    _delivered_twice,
    _ids_with_a_pipe,
    _blank_beside_a_call,
    _nothing_said,
    _said_twice,
    _screenshot,
)


def _several(history: History, speaker: Speaker) -> History:
    # The first always breaks something; a later one needs a step with several calls left over.
    for harm in (_cancelled, *speaker.chance.sample(_SEVERAL[1:], 3)):
        history = harm(history, speaker)
    return history


def _no_list(body: Body, _: Speaker) -> None:
    answer = next(m for m in body["messages"] if m["role"] == "assistant" and "tool_calls" not in m)
    answer["tool_calls"] = []


def _no_tools(body: Body, _: Speaker) -> None:
    del body["tools"]


def _five_marks(body: Body, _: Speaker) -> None:
    prompts = [m for m in body["messages"] if m["role"] == "user"][:5]
    for message in prompts:
        if isinstance(message["content"], str):
            message["content"] = [{"type": "text", "text": message["content"]}]
        message["content"][-1]["cache_control"] = {"type": "ephemeral"}


def _on_the_wire(name: str, source: str, of_body: HarmOfBody) -> Kind:
    return Kind(name, (source,), of_body=of_body, sources=(source,), wire_only=True)


_BOTH = (CHAT, ANTHROPIC)

HARMLESS = (
    Kind("nothing", ()),
    Kind("a picture in a prompt", (), _shown),
    Kind("results in another order", (), _other_order),
)
"""What OpenAI and Anthropic take as it is: it has to come out of a conversion whole."""

DAMAGES = (
    Kind("call cancelled, user goes on", _BOTH, _cancelled),
    Kind("one of several results lost", _BOTH, _crashed),
    Kind("all results of a step lost", _BOTH, _all_lost),
    Kind("user speaks between call and result", _BOTH, _interrupted),
    Kind("model speaks between call and result", (CHAT,), _spoken_over),
    Kind("result comes at the very end", _BOTH, _late),
    Kind("result stands before its call", _BOTH, _early),
    Kind("result delivered twice", _BOTH, _delivered_twice),
    Kind("calls of a step share an id", _BOTH, _twins),
    Kind("ids start again in each step", (ANTHROPIC,), _restarted_ids),
    Kind("ids of another provider, too long", (CHAT,), _long_ids),
    Kind("ids of another provider, with a pipe", (ANTHROPIC,), _ids_with_a_pipe),
    Kind("ids lost", _BOTH, _no_ids),
    Kind("call gone, its results left", _BOTH, _call_gone),
    Kind("compaction cut an exchange", _BOTH, _compacted),
    Kind("trimmed to start with a call", (ANTHROPIC,), _trimmed),
    Kind("starts with a result", _BOTH, _orphan_alone),
    Kind("model said nothing", _BOTH, _nothing_said),
    Kind("blank text beside a call", (ANTHROPIC,), _blank_beside_a_call),
    Kind("empty text beside a picture", (ANTHROPIC,), _blank_prompt),
    Kind("result is null", (CHAT,), _null_result, sources=(CHAT,)),
    Kind("picture in a result", (CHAT,), _screenshot),
    Kind("picture with the wrong label", (ANTHROPIC,), _wrong_label),
    Kind("arguments cut off", (ANTHROPIC,), _cut_arguments),
    Kind("arguments empty", (ANTHROPIC,), _empty_arguments),
    Kind("tool name with a dot", _BOTH, _dotted_name),
    Kind("half a character", _BOTH, _half_a_character),
    Kind("thinking without a signature", (ANTHROPIC,), _unsigned, sources=(ANTHROPIC,)),
    Kind("begun answer ends with a blank", (ANTHROPIC,), _begun_answer),
    Kind("system message in the middle", (ANTHROPIC,), _told_in_between),
    Kind("several at once", _BOTH, _several),
    Kind("tools not defined", (ANTHROPIC,), of_body=_no_tools),
    _on_the_wire("tool_calls is an empty list", CHAT, _no_list),
    _on_the_wire("five cache marks", ANTHROPIC, _five_marks),
)
