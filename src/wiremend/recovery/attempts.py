"""What to try after a refusal, and what of it stays for the rest of a turn: values, nothing else.

The request service, which has a history, and the proxy, which has a body, both follow them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypedDict

import msgspec

from wiremend.projection import Strip
from wiremend.projection.policy import MediaPolicy
from wiremend.recovery.errors import Classified

MOST_ATTEMPTS = 5
"""How often a request is sent at most: as it is, and once for each thing that can be changed."""


class MendingWishes(TypedDict):
    """The options of ``wiremend.fix`` and ``wiremend.request`` that an attempt asks for."""

    strict: bool
    media: MediaPolicy


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """How a request is sent this time.

    ``structure`` and ``media`` are those of ``ProjectionPolicy``; ``drops_blocks`` asks Anthropic
    to leave out thinking that belongs to another beginning (see ``thinking``); ``number`` counts
    the attempts from 1. An attempt after another one always asks for more than that.
    """

    structure: Literal["strict"] | None = None
    media: MediaPolicy = None
    drops_blocks: bool = False
    number: int = 1

    @property
    def is_plain(self) -> bool:
        """Whether nothing is asked for beyond what every request gets."""
        return self.structure is None and self.media is None and not self.drops_blocks

    def wishes(self) -> MendingWishes:
        """What to give to ``wiremend.fix`` or ``wiremend.request``."""
        return {"strict": self.structure == "strict", "media": self.media}

    def policy(self) -> str:
        """The attempt in words, for logs: ``plain``, ``strict+degraded``, ``strip``, …"""
        media = "strip" if isinstance(self.media, Strip) else self.media
        thinking = "drop_block" if self.drops_blocks else None
        return "+".join(word for word in (self.structure, media, thinking) if word) or "plain"


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """What the requests of a turn have in common.

    ``media`` is the policy that worked and stays until the turn ends; ``drops_blocks`` stays for
    as long as the session does, as the provider keeps nothing of it.
    """

    media: MediaPolicy = None
    drops_blocks: bool = False

    def first_attempt(self) -> Attempt:
        """How the next request of this turn is sent first."""
        return Attempt(media=self.media, drops_blocks=self.drops_blocks)

    def after(self, accepted: Attempt) -> Turn:
        """The turn once a provider took a request that was sent so."""
        return Turn(
            media=_wider(self.media, accepted.media),
            drops_blocks=self.drops_blocks or accepted.drops_blocks,
        )

    def next_turn(self) -> Turn:
        """The turn that comes after this one: media start clean."""
        return Turn(drops_blocks=self.drops_blocks)


def next_attempt(
    refused: Attempt,
    said: Classified,
    snapshot: Callable[[], frozenset[str]],
    *,
    may_drop_blocks: bool = True,
) -> Attempt | None:
    """How to send a refused request again; None: give up, and pass on what the provider said.

    ``snapshot`` gives the keys of all media in the refused request as it is without a media
    policy (``wiremend.take_snapshot``); it is called only where media matter. ``may_drop_blocks``
    says whether the request can ask for that (see ``thinking.may_drop_blocks``). Do not ask after
    an abort, nor once output has reached the caller.
    """
    policy = said.next_policy or {}
    again: Attempt | None
    if "thinking" in policy:
        again = _without_bound_thinking(refused) if may_drop_blocks else None
    elif "structure" in policy:
        again = _stricter(refused)
    else:
        again = _with_less_media(refused, policy.get("media"), snapshot)
    return again and msgspec.structs.replace(again, number=refused.number + 1)


def _without_bound_thinking(refused: Attempt) -> Attempt | None:
    return None if refused.drops_blocks else msgspec.structs.replace(refused, drops_blocks=True)


def _stricter(refused: Attempt) -> Attempt | None:
    strict = msgspec.structs.replace(refused, structure="strict")
    return None if refused.structure == "strict" else strict


def _with_less_media(
    refused: Attempt, policy: str | None, snapshot: Callable[[], frozenset[str]]
) -> Attempt | None:
    if policy is None:
        return None
    keys = snapshot()
    old = refused.media.snapshot if isinstance(refused.media, Strip) else frozenset()
    # Nothing is left that could be taken out: the same bytes would get the same answer.
    if keys <= old:
        return None
    if policy == "degraded" and refused.media is None:
        return msgspec.structs.replace(refused, media="degraded")
    return msgspec.structs.replace(refused, media=Strip(old | keys))


def _wider(kept: MediaPolicy, worked: MediaPolicy) -> MediaPolicy:
    """Both policies in one, so that requests sent side by side lose nothing of each other."""
    if isinstance(kept, Strip) and isinstance(worked, Strip):
        return Strip(kept.snapshot | worked.snapshot)
    return kept if isinstance(kept, Strip) else worked or kept
