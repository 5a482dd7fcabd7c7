"""All that is kept up with one history: its projections and its requests."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import compress, count
from operator import is_not
from typing import Any, Literal, Protocol, TypedDict, TypeVar, Unpack

from wiremend.incremental.projection import IncrementalProjection
from wiremend.incremental.requests import RequestBuilder
from wiremend.mend import Media
from wiremend.model import Message
from wiremend.projection import ProjectionPolicy

MOST = 4
"""How many projections and requests are kept up at a time: those that were asked for last."""


class _Follower(Protocol):
    def truncate(self, end: int) -> None: ...
    def extend(self, messages: Sequence[Message]) -> None: ...


F = TypeVar("F", bound=_Follower)


class Options(TypedDict, total=False):
    """The options of a ``RequestBuilder``."""

    strict: bool
    media: Media
    duplicates: Literal["rename", "drop"] | None
    frontier: Literal["close", "keep"]
    cache: bool


class Followers:
    """The projections and requests of one history, each made when it is first asked for."""

    def __init__(self) -> None:
        self._history: list[Message] = []
        self._projections: dict[ProjectionPolicy, IncrementalProjection] = {}
        self._builders: dict[Hashable, RequestBuilder] = {}

    def changed(self, start: int, messages: Sequence[Message]) -> None:
        """From ``start`` on the history has these messages, and no others."""
        del self._history[start:]
        self._history.extend(messages)
        followers: tuple[_Follower, ...] = (
            *self._projections.values(),
            *self._builders.values(),
        )
        for follower in followers:
            follower.truncate(start)
            follower.extend(messages)

    def follow(self, history: Sequence[Message]) -> None:
        """The history is this one now; what is the same object as before is taken as it was."""
        same = min(len(self._history), len(history))
        same = next(compress(count(), map(is_not, self._history, history)), same)
        self.changed(same, history[same:])

    def projection(self, policy: ProjectionPolicy) -> IncrementalProjection:
        """The projection under a policy."""
        return self._latest(self._projections, policy, lambda: IncrementalProjection(policy))

    def builder(
        self,
        dialect: str,
        settings: Mapping[str, Any],
        **options: Unpack[Options],
    ) -> RequestBuilder:
        """The request in a dialect with these options; see ``RequestBuilder``."""
        media = options.get("media")
        # What refits media need not have a hash; the builder keeps it, and so its identity.
        chosen = {**options, "media": id(media) if callable(media) else media}
        key = (dialect, tuple(sorted(chosen.items())))
        builder = self._latest(
            self._builders, key, lambda: RequestBuilder(dialect, settings, **options)
        )
        builder.settings = settings
        return builder

    def _latest(self, among: dict[Any, F], key: Hashable, make: Callable[[], F]) -> F:
        found = among.pop(key, None)
        if found is None:
            found = make()
            found.extend(self._history)
            if len(among) >= MOST:
                del among[next(iter(among))]
        among[key] = found
        return found
