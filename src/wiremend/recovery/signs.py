"""What a sign is: one wording by which a provider's error is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

WELL_KNOWN = "well-known text of the provider"
DOCUMENTED = "documentation of the provider"


class Sign(NamedTuple):
    """One wording, and what it means.

    ``pattern`` is searched in the text in lower case, on one line, without quotes, backticks and
    backslashes. ``family`` is whose words they are: it decides where no dialect is given.
    ``next_policy`` is set where the wording asks for something else than its class does.
    """

    pattern: re.Pattern[str]
    error_class: str
    family: str = ""
    rules: tuple[str, ...] = ()
    source: str = ""
    next_policy: tuple[str, str] | None = None


Row: TypeAlias = tuple[str, str, str]
"""Pattern, rules (codes with spaces between them), source."""


def signs(error_class: str, family: str, rows: Iterable[Row]) -> tuple[Sign, ...]:
    """Make signs of one class and family."""
    return tuple(
        Sign(re.compile(pattern), error_class, family, tuple(rules.split()), source)
        for pattern, rules, source in rows
    )


def plain(error_class: str, *rows: tuple[str, str]) -> tuple[Sign, ...]:
    """Make signs that speak of no rule, from patterns and sources."""
    return signs(error_class, "", ((pattern, "", source) for pattern, source in rows))
