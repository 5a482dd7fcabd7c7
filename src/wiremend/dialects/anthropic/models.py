"""What differs between Claude models, by their ids.

Sources: platform.claude.com, "Prefill not supported" (from 4.6 on) and "Mid-conversation system
messages" (from 4.8 on); BerriAI and anthropics issues quoted in the rules.
"""

from __future__ import annotations

import re
from typing import Any

_ID = re.compile(r"claude-(?:(?P<family>[a-z]+)-)?(?P<major>\d)(?:[-.](?P<minor>\d)(?!\d))?")
_NEWEST = ("fable", "mythos")
_WITHOUT_PREFILL = (4, 6)
_WITH_SYSTEM_INSIDE = (4, 8)


def model_version(model: Any) -> tuple[int, int] | None:
    """Major and minor version of a Claude model; None where the id does not tell.

    Families that started after 4.8 count as the newest whatever their own number is.
    """
    if not isinstance(model, str):
        return None
    if any(f"claude-{family}" in model for family in _NEWEST):
        return 9, 0
    found = _ID.search(model)
    return (int(found["major"]), int(found["minor"] or 0)) if found else None


def refuses_prefill(model: Any) -> bool:
    """Whether the model refuses a conversation that ends with the assistant."""
    version = model_version(model)
    return version is not None and version >= _WITHOUT_PREFILL


def takes_system_inside(model: Any) -> bool:
    """Whether the model takes a system message after a user turn."""
    version = model_version(model)
    return version is not None and version >= _WITH_SYSTEM_INSIDE
