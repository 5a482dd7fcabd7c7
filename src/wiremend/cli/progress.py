"""What a command says about its inputs while it works."""

from __future__ import annotations

import sys

from wiremend.cli.base import complain
from wiremend.inputs import Choice


class Taken:
    """Says what inputs were taken for: with ``-v`` for each, at a terminal once a format."""

    def __init__(self, *, verbose: bool) -> None:
        self._verbose = verbose
        self._told: set[str] = set()
        self._doubted: set[str] = set()

    def tell(self, place: str, choice: Choice) -> None:
        """Say what the input at ``place`` was taken for, if somebody wants to know."""
        if choice.doubt is not None and (self._verbose or choice.doubt not in self._doubted):
            self._doubted.add(choice.doubt)
            complain(place, f"looks like {choice.doubt}; taken for {choice.format} as you said")
        elif self._verbose or (
            choice.guessed and sys.stderr.isatty() and choice.dialect not in self._told
        ):
            self._told.add(choice.dialect)
            what = "an array of messages" if choice.is_bare else "a request"
            goal = "" if choice.format == choice.dialect else f", for {choice.dialect}"
            hint = "; for another, say --for" if choice.guessed and not self._verbose else ""
            complain(place, f"taken for {what} in the format {choice.format}{goal}{hint}")

    def tell_log(self, place: str, what: str) -> None:
        """Say of which kind the log at ``place`` is, if somebody wants to know."""
        if self._verbose or (sys.stderr.isatty() and what not in self._told):
            self._told.add(what)
            complain(place, f"taken for {what}")

    def pass_over(self, place: str, why: str) -> None:
        """Say why a file of a directory is passed over, if somebody wants to know."""
        if self._verbose:
            complain(place, f"passed over: {why}")
