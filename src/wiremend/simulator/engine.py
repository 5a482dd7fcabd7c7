"""From a request to its answer, without a socket: the door, the judge, the script, the words.

An ``Engine`` counts the requests that it gets and remembers where its script stands; it reads no
clock, and the same requests in the same order get the same answers.
"""

from __future__ import annotations

import json
import math
import threading
from itertools import count
from typing import Any

import msgspec

from wiremend.providers.answers.asked import Asked, plain_answer
from wiremend.providers.answers.events import Numbered
from wiremend.providers.answers.script import Answer, Failure, Script
from wiremend.simulator.exchange import Request, Response, Target
from wiremend.simulator.memory import Memory
from wiremend.simulator.routes import Found, find
from wiremend.simulator.services import services
from wiremend.simulator.services.base import Error, Service, as_json

_JSON = "application/json"


class Engine:
    """Answers requests to every API. ``dialect`` says whose Chat Completions these are, and who
    speaks where a path does not tell.

    Raises ``WiremendError`` for a dialect that there is no provider of.
    """

    def __init__(self, dialect: str, script: Script | None = None) -> None:
        self.dialect = dialect
        self._services = services(dialect)
        self._script = script or Script()
        self._lock = threading.Lock()
        self._memory = Memory()
        self._requests = 0
        self._steps = 0

    def largest(self, method: str, path: str) -> int:
        """Bytes of the longest body that is taken at a path."""
        return self._service(find(method, path), {}).largest

    def answer(self, request: Request) -> tuple[Response, Any]:
        """Answer a request; with the answer comes the request's JSON, None where it is none."""
        with self._lock:
            self._requests += 1
            ids = Numbered(_unused(self._requests, request.body or b""))
            self._requests = ids.number
        found = find(request.method, request.path)
        service = self._service(found, request.headers)
        failure = _at_the_door(found, service, request)
        if found is None or failure is not None:
            return _failed(service, failure or Failure(404), ids), None
        if found.target.action in ("models", "model"):
            return _sent(service, service.models(found.target.model), ids), None
        try:
            body = json.loads(request.body or b"", parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            return _failed(service, service.unreadable(ValueError(str(error))), ids), None
        return self._judged(service, request, body, found.target, ids), body

    def _service(self, found: Found | None, headers: dict[str, str]) -> Service:
        if found is not None and found.api != "shared":
            return self._services[found.api]
        return self._services["anthropic" if "anthropic-version" in headers else "own"]

    def _judged(
        self, service: Service, request: Request, body: Any, target: Target, ids: Numbered
    ) -> Response:
        failure = service.incomplete(body, request, target)
        whole = failure or service.composed(body, self._memory)
        if isinstance(whole, Failure):
            return _failed(service, whole, ids)
        reply = service.judge(whole, target)
        if not reply.accepted:
            return _refused(service, service.refused(reply, ids), ids, reply.error)
        tokens = math.ceil(len(request.body or b"") / 4)
        if target.action == "count":
            return _sent(service, service.counted(tokens), ids)
        asked = service.asked(whole, target, tokens)
        if target.stream is not None:
            asked = msgspec.structs.replace(asked, stream=target.stream)
        with self._lock:
            step = self._script.step(self._steps)
            self._steps += 1
        if isinstance(step, Failure):
            return _failed(service, step, ids)
        answer = step or plain_answer(asked)
        if answer.fault is None:
            with self._lock:
                service.keep(whole, service.whole(answer, asked, ids), self._memory)
        return _delivered(service, answer, asked, ids, request)


def _at_the_door(found: Found | None, service: Service, request: Request) -> Failure | None:
    if found is None:
        return service.unknown_path(request)
    if found.allowed:
        return service.wrong_method(request)
    return service.missing_key(request) or (service.too_large() if request.body is None else None)


def _delivered(
    service: Service, answer: Answer, asked: Asked, ids: Numbered, request: Request
) -> Response:
    if asked.stream:
        return _streamed(service, answer, asked, ids, request)
    fault = answer.fault
    if fault is not None and fault.kind == "error":
        return _failed(service, fault.failure, ids)
    whole = _sent(service, service.whole(answer, asked, ids), ids)
    frames = () if fault is not None and fault.kind == "end" else whole.frames
    return Response(
        status=200, frames=frames, headers=whole.headers, fault=fault, pause=answer.pause
    )


def _streamed(
    service: Service, answer: Answer, asked: Asked, ids: Numbered, request: Request
) -> Response:
    frames = service.frames(answer, asked, ids, request.query)
    events, fault = frames.events, answer.fault
    if fault is not None:
        events = events[: fault.after]
        if fault.kind == "error":
            events = (*events, frames.error(service.error(fault.failure, ids), len(events)))
    return Response(
        status=200,
        frames=events,
        headers={"content-type": frames.kind, "cache-control": "no-cache", **service.headers(ids)},
        streamed=True,
        fault=fault,
        pause=answer.pause,
    )


def _sent(service: Service, body: Any, ids: Numbered) -> Response:
    headers = {"content-type": _JSON, **service.headers(ids)}
    return Response(status=200, frames=(as_json(body),), headers=headers)


def _failed(service: Service, failure: Failure, ids: Numbered) -> Response:
    error = service.error(failure, ids)
    return _refused(service, error, ids, _words(error), _more_headers(failure))


def _more_headers(failure: Failure) -> dict[str, str]:
    wait = failure.retry_after
    after = {} if wait is None else {"retry-after": f"{wait:g}"}
    return {**after, **{name.lower(): value for name, value in failure.headers.items()}}


def _refused(
    service: Service, error: Error, ids: Numbered, why: str, more: dict[str, str] | None = None
) -> Response:
    headers = {"content-type": _JSON, **service.headers(ids), **error.headers, **(more or {})}
    body = as_json(error.body)
    return Response(status=error.status, frames=(body,), headers=headers, why=why)


def _words(error: Error) -> str:
    """What an error says, wherever its provider puts it."""
    found: Any = error.body
    for name in ("error", "detail"):
        found = found.get(name, found) if isinstance(found, dict) else found
    if isinstance(found, list) and found:
        found = found[0].get("msg") if isinstance(found[0], dict) else found[0]
    said = found.get("message") if isinstance(found, dict) else found
    return said if isinstance(said, str) else ""


def _unused(number: int, body: bytes) -> int:
    """The next number whose ids a conversation does not have yet from an earlier run."""
    return next(one for one in count(number) if f"{one:07d}".encode() not in body)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")
