"""A request that is too large as a whole: its images become smaller, then the oldest go."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiremend
from tests.imaging.pictures import (
    anthropic_image,
    anthropic_request,
    noise,
    opened,
    shown,
    url,
    written,
)
from wiremend.imaging import fitter
from wiremend.imaging.request_size import LEAST_DATA, share
from wiremend.limits import MB, Limits
from wiremend.model import ImagePart, Message, TextPart, user
from wiremend.providers import simulated

LARGE = url(written(noise(700, 500), "JPEG", quality=95), "image/jpeg")
SMALL = url(written(noise(60, 40), "PNG"), "image/png")


def fitted(history: list[Message], most: int) -> tuple[list[Message], list[Any]]:
    seen: list[Any] = []
    fit = fitter("generic", limits=Limits(request_bytes=most))
    out = list(fit(history, seen.append))
    assert list(fit(out, _unexpected)) == out
    return out, seen


def test_photos_that_are_too_many_bytes_together_are_made_smaller_until_the_server_takes_them() -> (
    None
):
    raw = written(noise(1700, 1500), "JPEG", quality=90)
    body = anthropic_request(*[anthropic_image(raw, "image/jpeg")] * 12)
    assert simulated("anthropic").post(body).status == 413
    fixed = wiremend.fix(body, "anthropic", media=fitter("anthropic", body["model"]))
    assert simulated("anthropic").post(fixed.body).error == ""
    assert {getattr(one, "reason", "") for one in fixed.anomalies} == {"request"}
    assert len(shown(fixed.body)) == 13


def test_the_largest_become_smaller_and_the_small_stay() -> None:
    history: list[Message] = [user("a", LARGE, SMALL), user("b", SMALL, LARGE)]
    out, seen = fitted(history, len(LARGE) * 3 // 2)
    urls = [p.image_url.url for m in out for p in m.content if isinstance(p, ImagePart)]
    assert urls[1:3] == [SMALL, SMALL]
    assert all(len(one) < len(LARGE) for one in (urls[0], urls[3]))
    assert opened(urls[0]).format == "JPEG"
    assert [one.reason for one in seen] == ["request", "request"]


def test_where_small_images_are_still_too_many_the_oldest_go() -> None:
    history: list[Message] = [user(str(n), LARGE) for n in range(8)]
    out, seen = fitted(history, LEAST_DATA * 4)
    kinds = [type(message.content[1]) for message in out]
    gone = kinds.count(TextPart)
    assert kinds == [TextPart] * gone + [ImagePart] * (8 - gone)
    assert 4 <= gone <= 6
    assert [one.reason for one in seen] == ["degraded"] * gone + ["request"] * (8 - gone)


def test_a_conversation_that_is_too_large_without_its_images_keeps_them() -> None:
    history: list[Message] = [user("x" * MB, LARGE)]
    assert fitted(history, MB // 2) == (history, [])


def test_images_that_go_for_being_too_many_do_not_count_any_more() -> None:
    history: list[Message] = [user(str(n), LARGE) for n in range(9)]
    seen: list[Any] = []
    fit = fitter("generic", limits=Limits(images=2, request_bytes=3 * len(LARGE)))
    out = fit(history, seen.append)
    assert out[7:] == history[7:]
    assert [one.reason for one in seen] == ["degraded"] * 7


def test_a_request_that_fits_is_not_touched() -> None:
    history: list[Message] = [user("a", LARGE), user("b", SMALL)]
    fit = fitter("generic", limits=Limits(request_bytes=2 * len(LARGE)))
    assert fit(history, _unexpected) is history


def test_an_image_stays_the_same_for_many_of_the_requests_that_follow() -> None:
    history: list[Message] = [user("first", LARGE)]
    firsts = set()
    fit = fitter("generic", limits=Limits(request_bytes=4 * MB))
    for n in range(14):
        history.append(user(f"turn {n}", LARGE))
        part = fit(history, lambda _: None)[0].content[1]
        firsts.add(part.image_url.url if isinstance(part, ImagePart) else "")
    assert len(firsts) <= 3


@given(
    st.integers(0, 4 * MB), st.lists(st.integers(0, 3 * MB), max_size=30), st.integers(MB, 8 * MB)
)
def test_a_share_is_always_enough_and_drops_no_more_than_it_has_to(
    rest: int, sizes: list[int], most: int
) -> None:
    found = share(rest, sizes, most)
    if found is None:
        assert rest + sum(sizes) <= most or rest + 30 * 256 > most - most // 16
        return
    kept = sizes[found.dropped :]
    assert rest + sum(min(size, found.data) for size in kept) <= most
    assert found.data >= LEAST_DATA
    if found.dropped:
        one_more = sizes[found.dropped - 1 :]
        room = most - most // 16 - 30 * 256
        assert rest + sum(min(size, LEAST_DATA) for size in one_more) > room


@pytest.mark.parametrize("text", ["half \ud83d", 'quotes " and \n lines'])
def test_any_text_can_be_measured(text: str) -> None:
    history: list[Message] = [user(text, LARGE, SMALL)]
    out, _ = fitted(history, len(LARGE))
    first = out[0].content[1]
    assert isinstance(first, ImagePart)
    assert len(first.image_url.url) < len(LARGE)
    assert msgspec.structs.asdict(out[0])["content"][0] == TextPart(text)


def _unexpected(anomaly: object) -> None:
    raise AssertionError(anomaly)
