"""What is measured: wiremend's functions, the floor below them and the peer beside them."""

from __future__ import annotations

import json

import msgspec

import wiremend
from benchmarks import peers
from benchmarks.bodies import BODIES
from benchmarks.histories import History
from benchmarks.measure import Work

DECODE = "msgspec decode"
ENCODE = "msgspec encode"
JSON = "json.loads + json.dumps"
PROJECT = "project"
STRICT = "project_strict"
SENDING = "project, sending"
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
