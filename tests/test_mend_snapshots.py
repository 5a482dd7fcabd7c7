"""Media that a provider refused, taken out by what they are: what comes later still goes out."""

from __future__ import annotations

from typing import Any

import pytest

import wiremend as wm
from wiremend.mend import snapshot_of_body, snapshot_of_history
from wiremend.model import user
from wiremend.projection import Strip

_PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    "AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def _image(comment: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"https://pictures.example/{comment}.png"}}


def _body(*names: str) -> dict[str, Any]:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": name}, _image(name)]}
        for name in names
    ]
    return {"model": "m", "messages": messages}


def _sent(body: dict[str, Any]) -> list[str]:
    return [part["type"] for message in body["messages"] for part in message["content"]]


def test_a_snapshot_strips_what_was_refused_and_nothing_later() -> None:
    refused = snapshot_of_body(_body("a"), "openai-chat")
    later = wm.fix(_body("a", "b"), "openai-chat", media=Strip(refused))
    assert _sent(later.body) == ["text", "text", "text", "image_url"]
    assert [anomaly.kind for anomaly in later.anomalies] == ["media_replaced"]


def test_the_snapshot_is_of_all_media_whatever_the_policy_was() -> None:
    body = _body("a", "b", "c")
    degraded = wm.fix(body, "openai-chat", media="degraded").body
    assert _sent(degraded).count("image_url") == 2
    stripped = wm.fix(body, "openai-chat", media=Strip(snapshot_of_body(body, "openai-chat")))
    assert "image_url" not in _sent(stripped.body)


@pytest.mark.parametrize("dialect", ["openai-chat", "openai-responses", "anthropic", "gemini"])
def test_a_history_and_the_body_made_of_it_have_the_same_media(dialect: str) -> None:
    # The label is wrong: what is sent, and what is refused, has another.
    history = [user("look", f"data:image/jpeg;base64,{_PIXEL}")]
    body = wm.request(history, dialect).body
    keys = snapshot_of_history(history, dialect)
    assert len(keys) == 1
    assert snapshot_of_body(body, dialect) == keys
    stripped = wm.request(history, dialect, media=Strip(keys)).body
    assert _PIXEL not in str(stripped)
