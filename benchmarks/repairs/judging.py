"""The verdict on a request body: would the provider take it, and is all that was said still there?

What may live here: judges that know nothing of how a body was made. Two judge whether it is valid,
the simulated provider and the request types of the provider's own SDK; the third compares what
the body says with what was said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.judges import sdk_objections

from benchmarks.bodies import Body, text_of
from benchmarks.histories import History
from benchmarks.repairs.damage import Specimen
from benchmarks.repairs.reading import Event, events
from wiremend.model import ImagePart
from wiremend.providers import simulated

SPOKEN = ("user", "assistant", "system")


@dataclass(frozen=True)
class Verdict:
    """``refusal`` and ``losses`` are empty where there is nothing to object."""

    refusal: str
    losses: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """Whether the provider takes it."""
        return not self.refusal

    @property
    def whole(self) -> bool:
        """Whether the provider takes it and nothing was lost."""
        return self.valid and not self.losses


def judge(specimen: Specimen, body: Any, target: str) -> Verdict:
    """Judge what became of a damaged conversation."""
    refusal = refused(body, target)
    if refusal:
        return Verdict(refusal, ())
    return Verdict("", tuple(losses(specimen, body, target)))


def refused(body: Any, target: str) -> str:
    """Why the provider would not take a body; empty where it would."""
    reply = simulated(target).post(body)
    if not reply.accepted:
        return reply.error or f"status {reply.status}"
    try:
        objections = sdk_objections(body, target)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        return f"the SDK's types: {error!r}"
    return f"the SDK's types: {objections[0]}" if objections else ""


def losses(specimen: Specimen, body: Body, target: str) -> Iterator[str]:
    """What of the conversation is missing in a valid body, moved or given to another call."""
    if specimen.keep is not None:
        yield from _unkept(specimen.keep, json.dumps(body, ensure_ascii=False))
        return
    told = events(body, target)
    yield from _spoken(specimen.history, told)
    for path, text in _answers(specimen):
        yield from _answered(path, text, told)
    everything = json.dumps(body)
    for message in specimen.history:
        for part in message.content:
            if type(part) is ImagePart and _data(part) not in everything:
                yield "a picture is missing"


def _unkept(keep: tuple[str, ...], everything: str) -> Iterator[str]:
    """A case may mean a text, or a piece of the JSON."""
    for text in keep:
        if text not in everything and json.dumps(text, ensure_ascii=False)[1:-1] not in everything:
            yield "a text that the case wants kept is missing"


def _spoken(history: History, told: list[Event]) -> Iterator[str]:
    """Texts that are missing; and those of user and assistant that stand in another order."""
    reached: tuple[int, int] = (-1, -1)
    for message in history:
        text = _heard(text_of(message))
        if message.role not in SPOKEN or not text:
            continue
        # What the system says may be told in another role, and has no place that all agree on.
        roles = SPOKEN if message.role == "system" else (message.role,)
        place = _place(text, told, roles)
        if place is None:
            yield f"a text of the {message.role} is missing"
        elif message.role != "system":
            if place < reached:
                yield f"a text of the {message.role} stands in another place"
            reached = max(reached, place)


def _place(text: str, told: list[Event], kinds: tuple[str, ...]) -> tuple[int, int] | None:
    found = ((n, e.text.find(text)) for n, e in enumerate(told) if e.kind in kinds)
    return next(((n, at) for n, at in found if at >= 0), None)


def _heard(text: str) -> str:
    """What any tool could keep of a text: no blanks around it, nothing behind half a character."""
    return text.partition("\ud83c")[0].strip()


def _answers(specimen: Specimen) -> Iterator[tuple[str, str]]:
    """Each call that still has its own result: its path, which no other call has, and the text.

    The path is empty where the damage took it from the call.
    """
    left = {_path(call.arguments) for message in specimen.history for call in message.tool_calls}
    answers = [text_of(message) for message in specimen.history if message.role == "tool"]
    paths: dict[str | None, str] = {}
    for message in specimen.before:
        paths.update({call.id: _path(call.arguments) for call in message.tool_calls})
        if message.role != "tool":
            continue
        path, text = paths[message.tool_call_id], text_of(message)
        if any(answer.startswith(text) for answer in answers):
            if path in left:
                yield path, text
            elif "" in left:
                yield "", text


def _path(arguments: str | None) -> str:
    return (arguments or "").removeprefix('{"path": "').partition('"')[0]


def _answered(path: str, text: str, told: list[Event]) -> Iterator[str]:
    """Whether the next result behind this call with its id has this text."""
    calls = [n for n, event in enumerate(told) if event.kind == "call" and path in event.text]
    if not calls:
        yield "a call that has a result is missing"
        return
    # Without a path any call can be the one that was meant.
    for at in calls if not path else calls[:1]:
        results = (e for e in told[at:] if e.kind == "result" and e.id == told[at].id)
        result = next(results, None)
        if result is not None and text in result.text:
            return
    elsewhere = any(text in event.text for event in told)
    yield "a result stands with another call" if elsewhere else "the text of a result is missing"


def _data(picture: ImagePart) -> str:
    return picture.image_url.url.rpartition(",")[2]
