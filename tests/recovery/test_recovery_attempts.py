"""What is tried after a refusal: every sequence of refusals ends, and none asks for less."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiremend.projection import Strip
from wiremend.recovery import Classified, classify
from wiremend.recovery.attempts import MOST_ATTEMPTS, Attempt, Turn, next_attempt

_STRUCTURE = classify(400, "`tool_use` ids must be unique")
_TOO_LARGE = classify(413, "")
_BAD_IMAGE = classify(400, "Could not process image")
_BIG_IMAGE = classify(400, "image exceeds 5 MB maximum")
_BOUND = classify(
    400,
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a "
    "different conversation.",
    "anthropic",
)
_REPAIRABLE = (_STRUCTURE, _TOO_LARGE, _BAD_IMAGE, _BIG_IMAGE, _BOUND)
_OTHERS = (
    classify(400, "prompt is too long"),
    classify(401, ""),
    classify(402, ""),
    classify(429, ""),
    classify(500, "`tool_use` ids must be unique"),
    classify(503, ""),
    classify(400, "no luck"),
    Classified("aborted"),
    Classified("network"),
)
_PICTURES = frozenset({"p1", "p2"})

errors = st.sampled_from((*_REPAIRABLE, *_OTHERS))
snapshots = st.frozensets(st.sampled_from(("p1", "p2", "p3")))


def walk(said: Sequence[Classified], pictures: frozenset[str] = _PICTURES) -> list[str]:
    """The policies of all attempts where a provider says these things one after another."""
    attempt: Attempt | None = Attempt()
    policies = []
    for error in said:
        assert attempt is not None
        policies.append(attempt.policy())
        attempt = next_attempt(attempt, error, lambda: pictures)
    policies.append(attempt.policy() if attempt else "given up")
    return policies


@pytest.mark.parametrize(
    ("said", "policies"),
    [
        ([_STRUCTURE], "plain strict"),
        ([_STRUCTURE, _STRUCTURE], "plain strict, given up"),
        ([_TOO_LARGE], "plain degraded"),
        ([_TOO_LARGE, _TOO_LARGE], "plain degraded strip"),
        ([_TOO_LARGE, _TOO_LARGE, _TOO_LARGE], "plain degraded strip, given up"),
        ([_BAD_IMAGE], "plain strip"),
        ([_BIG_IMAGE], "plain strip"),
        ([_BAD_IMAGE, _BAD_IMAGE], "plain strip, given up"),
        ([_BAD_IMAGE, _TOO_LARGE], "plain strip, given up"),
        ([_TOO_LARGE, _BAD_IMAGE], "plain degraded strip"),
        ([_STRUCTURE, _TOO_LARGE], "plain strict strict+degraded"),
        ([_TOO_LARGE, _STRUCTURE, _TOO_LARGE], "plain degraded strict+degraded strict+strip"),
        ([_BAD_IMAGE, _STRUCTURE], "plain strip strict+strip"),
        ([_BOUND], "plain drop_block"),
        ([_BOUND, _BOUND], "plain drop_block, given up"),
        ([_BOUND, _STRUCTURE], "plain drop_block strict+drop_block"),
    ],
)
def test_what_is_tried_after_what(said: list[Classified], policies: str) -> None:
    assert walk(said) == [
        "given up" if word == "given-up" else word
        for word in policies.replace(", given up", " given-up").split()
    ]


@pytest.mark.parametrize("said", _OTHERS)
def test_what_is_not_ours_to_repair_is_passed_on(said: Classified) -> None:
    assert walk([said]) == ["plain", "given up"]


@pytest.mark.parametrize("said", [_TOO_LARGE, _BAD_IMAGE])
def test_a_request_without_media_is_not_sent_again_for_its_media(said: Classified) -> None:
    assert walk([said], frozenset()) == ["plain", "given up"]


def test_a_request_that_cannot_ask_to_drop_blocks_is_passed_on() -> None:
    refused = Attempt()
    assert next_attempt(refused, _BOUND, frozenset, may_drop_blocks=False) is None


def test_media_are_looked_at_only_where_they_matter() -> None:
    def fail() -> frozenset[str]:
        raise AssertionError("nobody asked for the media")

    for said in (_STRUCTURE, _BOUND, *_OTHERS):
        next_attempt(Attempt(), said, fail)


@given(st.lists(errors, min_size=20, max_size=20), snapshots)
def test_every_sequence_of_refusals_ends_soon_and_asks_for_more_each_time(
    said: list[Classified], pictures: frozenset[str]
) -> None:
    attempt: Attempt | None = Attempt()
    seen: list[Attempt] = []
    for error in said:
        if attempt is None:
            break
        assert all(_asks(attempt) != _asks(before) for before in seen)
        if seen:
            before = seen[-1]
            assert attempt.number == before.number + 1
            assert (before.structure or "") <= (attempt.structure or "")
            assert before.drops_blocks <= attempt.drops_blocks
            assert _rank(before) <= _rank(attempt)
        seen.append(attempt)
        attempt = next_attempt(attempt, error, lambda: pictures)
    assert attempt is None
    assert len(seen) <= MOST_ATTEMPTS


@given(st.lists(st.tuples(st.lists(errors, max_size=6), snapshots), max_size=6))
def test_within_a_turn_the_media_policy_that_worked_stays(
    requests: list[tuple[list[Classified], frozenset[str]]],
) -> None:
    turn = Turn()
    for said, pictures in requests:
        attempt: Attempt | None = turn.first_attempt()
        assert attempt is not None
        assert attempt.number == 1
        assert attempt.structure is None
        for error in said:
            if attempt is None:
                break
            attempt = next_attempt(attempt, error, lambda now=pictures: now)  # type: ignore[misc]
        if attempt is None:
            continue
        after = turn.after(attempt)
        assert (after.media, after.drops_blocks) == (attempt.media, attempt.drops_blocks)
        turn = after


def test_the_next_turn_starts_clean_of_media_and_remembers_dropped_blocks() -> None:
    turn = Turn().after(Attempt(structure="strict", media="degraded", drops_blocks=True))
    assert turn == Turn(media="degraded", drops_blocks=True)
    assert turn.next_turn() == Turn(drops_blocks=True)
    assert turn.next_turn().first_attempt() == Attempt(drops_blocks=True)


def test_a_turn_that_strips_can_strip_what_came_later() -> None:
    stripping = Turn(media=Strip(frozenset({"p1"}))).first_attempt()
    again = next_attempt(stripping, _BAD_IMAGE, lambda: frozenset({"p1", "p2"}))
    assert again == Attempt(media=Strip(frozenset({"p1", "p2"})), number=2)
    assert next_attempt(stripping, _BAD_IMAGE, lambda: frozenset({"p1"})) is None


def test_requests_side_by_side_keep_what_each_of_them_learned() -> None:
    one, two = Attempt(media=Strip(frozenset({"p1"}))), Attempt(media=Strip(frozenset({"p2"})))
    both = Strip(frozenset({"p1", "p2"}))
    assert Turn().after(one).after(two) == Turn(media=both)
    assert Turn().after(one).after(Attempt()) == Turn(media=one.media)
    assert Turn().after(one).after(Attempt(media="degraded")) == Turn(media=one.media)


def test_an_attempt_gives_the_options_of_fix() -> None:
    assert Attempt().is_plain
    assert Attempt().wishes() == {"strict": False, "media": None}
    strict = Attempt(structure="strict", media="degraded")
    assert not strict.is_plain
    assert strict.wishes() == {"strict": True, "media": "degraded"}
    assert not Attempt(drops_blocks=True).is_plain


def _asks(attempt: Attempt) -> tuple[object, ...]:
    return attempt.structure, attempt.media, attempt.drops_blocks


def _rank(attempt: Attempt) -> int:
    if attempt.media is None:
        return 0
    return 1 if attempt.media == "degraded" else 2 + len(attempt.media.snapshot)
