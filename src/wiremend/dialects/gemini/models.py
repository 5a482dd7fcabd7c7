"""What differs between Gemini models, by their ids.

Sources: ai.google.dev, "Thought signatures" and "Function calling" (multimodal function responses,
from Gemini 3 on); envoyproxy/ai-gateway#2686 (Gemini 3.7 takes no final model turn).
"""

from __future__ import annotations

import re
from typing import Any

_ID = re.compile(r"gemini-(?P<major>\d{1,2})(?:[.-](?P<minor>\d{1,2})(?!\d))?")


def model_version(model: Any) -> tuple[int, int] | None:
    """Major and minor version of a Gemini model; None where the id does not tell."""
    found = _ID.search(model) if isinstance(model, str) else None
    return (int(found["major"]), int(found["minor"] or 0)) if found else None


def wants_signatures(model: Any) -> bool:
    """Whether the first call of each step of the current turn needs its thought signature."""
    version = model_version(model)
    # Image models of that generation do not check them ("Thought signatures").
    return version is not None and version >= (3, 0) and "image" not in model


def takes_media_in_responses(model: Any) -> bool:
    """Whether a function response may hold media of its own."""
    version = model_version(model)
    return version is not None and version >= (3, 0)


def refuses_final_model_turn(model: Any) -> bool:
    """Whether a conversation that ends with the model's own words is refused."""
    version = model_version(model)
    return version is not None and version >= (3, 7)
