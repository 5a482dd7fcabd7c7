"""One request from its first sending to its end: what to send now, what came of it. No socket."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Literal

import msgspec

from wiremend.mend import snapshot_of_history
from wiremend.model import Message
from wiremend.projection import Anomaly
from wiremend.projection.projector import Projector
from wiremend.recovery import Classified, Sign, classify_exception
from wiremend.recovery.attempts import Attempt, Turn, next_attempt
from wiremend.recovery.thinking import BETA_HEADER, dropping_blocks, may_drop_blocks, with_beta
from wiremend.service.answers import Answer, Reading, read_response
from wiremend.service.bodies import Bodies
from wiremend.service.call_ids import CallIds
from wiremend.service.deltas import CallDelta, Delta
from wiremend.service.fingerprints import ConfigurationLog, Fingerprints
from wiremend.service.readers import Json
from wiremend.service.trace import AttemptTrace, Told, Trace, Watch


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for, whichever way it is sent in the end."""

    history: Sequence[Message]
    dialect: str
    fields: Json
    headers: Mapping[str, str]
    streamed: bool
    session_id: str | None
    cache: bool
    duplicates: Literal["rename", "drop"] | None
    frontier: Literal["close", "keep"]
    unique_ids: bool
    extra_signs: Sequence[Sign]


class TurnState:
    """What the requests of a turn share; safe to use from several threads."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._lock = threading.Lock()

    @property
    def turn(self) -> Turn:
        """The turn as it is now."""
        return self._turn

    def worked(self, attempt: Attempt) -> None:
        """Remember how a request was sent that the provider took."""
        with self._lock:
            self._turn = self._turn.after(attempt)


class Helpers(msgspec.Struct, frozen=True):
    """What all requests of a service share."""

    ids: CallIds
    bodies: Bodies
    projector: Projector
    configuration: ConfigurationLog
    clock: Callable[[], float]
    logger: logging.Logger
    on_trace: Callable[[Trace], object] | None
    # Called with what worked, so that the session remembers what outlives a turn.
    remember: Callable[[Attempt], object]


class Exchange:
    """Follows the table of ``recovery.attempts`` for one request.

    Within ``attempt``, its caller sends what ``outgoing`` gives, passes pieces through ``named``
    and what came of it to ``answered``; again, for as long as nothing was raised or answered.
    """

    def __init__(
        self, ask: Ask, state: TurnState, helpers: Helpers, watch: Callable[[], Watch]
    ) -> None:
        self._ask = ask
        self._state = state
        self._with = helpers
        self._start_watch = watch
        self._attempt = state.turn.first_attempt()
        calls = (call.id for message in ask.history for call in message.tool_calls)
        self._claim = helpers.ids.claim(calls if ask.unique_ids else ())
        self._attempts: list[AttemptTrace] = []
        self._body: Json = {}
        self._anomalies: tuple[Anomaly, ...] = ()
        self._fingerprints = Fingerprints()
        self._began = 0.0
        # The provider took the request: whatever fails from then on is none of its objections.
        self._taken = False
        self._delivered = False
        self._ended = False

    @cached_property
    def _watch(self) -> Watch:
        # A stream that nobody reads is no request: it is watched once it is.
        return self._start_watch()

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """One sending. What fails in it is raised as it is, or swallowed where to send again."""
        try:
            yield
        except Exception as error:
            if not self._refused(error):
                raise
        except BaseException as error:
            self._aborted(error)
            raise

    def outgoing(self) -> tuple[Json, dict[str, str]]:
        """The next body and headers to send. Raises ``WiremendError`` as ``request`` does."""
        self._began = self._with.clock()
        ask, attempt = self._ask, self._attempt
        made = self._with.bodies.made(
            ask.history,
            ask.dialect,
            ask.fields,
            **attempt.wishes(),
            duplicates=ask.duplicates,
            frontier=ask.frontier,
            cache=ask.cache,
        )
        self._anomalies = made.anomalies
        self._with.projector.report(made.anomalies)
        body = made.body
        headers = dict(ask.headers)
        if attempt.drops_blocks and may_drop_blocks(body, ask.dialect):
            body = dropping_blocks(body)
            named = next((name for name in headers if name.lower() == BETA_HEADER), BETA_HEADER)
            headers[named] = with_beta(headers.get(named))
        self._body = body
        self._fingerprints = self._with.configuration.saw(ask.dialect, body)
        self._watch.sending(attempt.number, attempt.policy(), body)
        return body, headers

    def named(self, delta: Delta) -> Delta:
        """A piece for the caller, calls with the ids that they have in the message.

        From then on nothing is sent again.
        """
        self._delivered = True
        if not isinstance(delta, CallDelta) or not self._ask.unique_ids:
            return delta
        call_id = self._claim.name(delta.index, delta.call_id)
        return msgspec.structs.replace(delta, call_id=call_id)

    def answered(self, response: Json) -> Answer:
        """The answer that a response is; raises ``WiremendError`` where it holds none."""
        self._taken = True
        found = read_response(response, self._ask.dialect)
        message = found.message
        if self._ask.unique_ids:
            calls = tuple(
                msgspec.structs.replace(call, id=self._claim.name(index, call.id))
                for index, call in enumerate(message.tool_calls)
            )
            message = msgspec.structs.replace(message, tool_calls=calls)
        self._state.worked(self._attempt)
        self._with.remember(self._attempt)
        trace = self._end("answered", told=_told(found))
        return Answer(
            message=message,
            response=response,
            finish_reason=found.finish_reason,
            usage=found.usage,
            model=found.model,
            response_id=found.response_id,
            anomalies=self._anomalies,
            trace=trace,
        )

    def _refused(self, error: Exception) -> bool:
        """Whether to send again, after an exception of the sender."""
        self._claim.give_back()
        if self._ended:
            return False
        ask, refused = self._ask, self._attempt
        said = classify_exception(error, ask.dialect, extra_signs=ask.extra_signs)
        again = None
        if not (self._delivered or self._taken) and self._body:
            again = next_attempt(
                refused,
                said,
                lambda: snapshot_of_history(ask.history, ask.dialect),
                may_drop_blocks=may_drop_blocks(self._body, ask.dialect),
            )
        outcome: Literal["refused", "aborted"] = (
            "aborted" if said.error_class == "aborted" else "refused"
        )
        if again is None:
            self._end(outcome, refusal=said, error=error)
            self._note(error)
            return False
        self._record(outcome, refusal=said, error=error)
        self._with.logger.info(
            "the provider refused the request (%s); sending it again: %s",
            said.error_class,
            again.policy(),
            extra={"rules": said.rules, "attempt": again.number},
        )
        self._attempt = again
        return True

    def _aborted(self, error: BaseException) -> None:
        """The caller gave the request up, or the program stops."""
        self._claim.give_back()
        if self._ended:
            return
        self._end("aborted", refusal=Classified("aborted"), error=error)

    def _record(
        self,
        outcome: Literal["answered", "refused", "aborted"],
        *,
        refusal: Classified | None = None,
        told: Told | None = None,
        error: BaseException | None = None,
    ) -> None:
        made = AttemptTrace(
            number=self._attempt.number,
            policy=self._attempt.policy(),
            seconds=self._with.clock() - self._began,
            outcome=outcome,
            anomalies=self._anomalies,
            refusal=refusal,
            delivered=self._delivered or told is not None,
        )
        self._attempts.append(made)
        self._watch.came(made, told, error)

    def _end(self, outcome: Literal["answered", "refused", "aborted"], **came: Any) -> Trace:
        self._ended = True
        self._record(outcome, **came)
        trace = Trace(
            dialect=self._ask.dialect,
            model=model_of(self._ask.fields),
            streamed=self._ask.streamed,
            attempts=tuple(self._attempts),
            fingerprints=self._fingerprints,
            renamed_ids=dict(self._claim.renamed),
            session_id=self._ask.session_id,
        )
        self._watch.ended(trace)
        if self._with.on_trace is not None:
            self._with.on_trace(trace)
        return trace

    def _note(self, error: Exception) -> None:
        if len(self._attempts) > 1:
            sent = ", ".join(attempt.policy for attempt in self._attempts)
            error.add_note(f"wiremend sent the request {len(self._attempts)} times: {sent}")


def model_of(fields: Mapping[str, Any]) -> str | None:
    """The model that a request names."""
    named = fields.get("model", fields.get("modelId"))
    return named if isinstance(named, str) else None


def _told(found: Reading) -> Told:
    return Told(
        model=found.model,
        response_id=found.response_id,
        finish_reason=found.finish_reason,
        input_tokens=found.usage.input,
        output_tokens=found.usage.output,
        cached_tokens=found.usage.cached,
    )
