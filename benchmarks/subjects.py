"""What is measured: wiremend's functions, the floor below them and the peer beside them."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec

import wiremend
from benchmarks import peers
from benchmarks.bodies import BODIES
from benchmarks.histories import History
from benchmarks.measure import Work
from wiremend.projection import ordinary

DECODE = "msgspec decode"
ENCODE = "msgspec encode"
JSON = "json.loads + json.dumps"
PROJECT = "project"
STRICT = "project_strict"
SENDING = "project, sending"
IN_PYTHON = ", nothing compiled"
CHECK = "check"
FIX = "fix"

_SENDING = wiremend.ProjectionPolicy(sending=True)


def of_history(history: History, peer: str, *, whole: bool) -> dict[str, Work]:
    """Work on a history. ``whole``: with the floor and the peer, not only the projections."""
    data = wiremend.to_json(tuple(history))
    # Measured on what was read from JSON, as a session starts.
    messages = wiremend.history_from_json(data)
    works: dict[str, Work] = {
        DECODE: lambda: wiremend.history_from_json(data),
        PROJECT: lambda: wiremend.project(messages),
        STRICT: lambda: wiremend.project_strict(messages),
        SENDING: lambda: wiremend.project(messages, None, _SENDING),
    }
    if whole:
        works[ENCODE] = lambda: wiremend.to_json(messages)
        works[JSON] = lambda: json.dumps(json.loads(data))
        works[f"{PROJECT}{IN_PYTHON}"] = _in_python(lambda: wiremend.project(messages))
        works[f"{STRICT}{IN_PYTHON}"] = _in_python(lambda: wiremend.project_strict(messages))
    if whole and peer == peers.PYDANTIC_AI:
        works[peers.name_of_pydantic_ai()] = peers.pydantic_ai(history)
    return works


def of_body(history: History, dialect: str, *, whole: bool) -> dict[str, Work]:
    """Work on the same history as a request body."""
    body = BODIES[dialect](history)
    data = msgspec.json.encode(body)
    works: dict[str, Work] = {
        DECODE: lambda: msgspec.json.decode(data),
        FIX: lambda: wiremend.fix(body, dialect),
    }
    if whole:
        works[CHECK] = lambda: wiremend.check(body, dialect)
        works[ENCODE] = lambda: msgspec.json.encode(body)
        works[JSON] = lambda: json.dumps(json.loads(data))
    return works


def _in_python(work: Callable[[], object]) -> Work:
    """The work as it is where wiremend was installed without a compiler."""

    def worked() -> object:
        compiled, ordinary.ordinary = ordinary.ordinary, ordinary.in_python
        try:
            return work()
        finally:
            ordinary.ordinary = compiled

    return worked
