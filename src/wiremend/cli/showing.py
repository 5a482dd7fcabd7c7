"""How ``fix`` shows what it did: in words, as a diff, as JSON."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

import click
import msgspec

from wiremend.cli.base import has_colours
from wiremend.cli.mending import Mended
from wiremend.cli.writing import compact, encoded, pretty
from wiremend.conversion import Lost
from wiremend.projection import anomaly_to_builtins
from wiremend.rules import Violation

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def repairs_in_words(mended: Mended) -> Iterator[tuple[str, str]]:
    """Each repair, and each violation that is left: a pointer, if there is one, and a sentence."""
    if mended.failure is not None:
        yield "", f"could not be mended: {mended.failure}"
    for anomaly in mended.anomalies:
        yield "", anomaly.describe()
    for lost in mended.lost:
        yield "", said_of(lost, mended.chosen.dialect)
    if mended.gained:
        gained = ", ".join(mended.gained)
        yield "", f"the array of messages became a request, as it had to get {gained}"
    yield from left_in_words(mended.remaining)


def left_in_words(remaining: Iterable[Violation]) -> Iterator[tuple[str, str]]:
    """What a provider would still refuse: pointers and sentences."""
    for found in remaining:
        yield found.pointer, f"left: {found.code} {found.rule}: {found.message}"


def said_of(lost: Lost, target: str) -> str:
    """What a provider's format has no place for, in a sentence."""
    if (lost.what, lost.where) == ("max_output_tokens", "settings"):
        return (
            f"{target} wants a limit of the answer's length, and the request had none: one was set"
        )
    times = f" ({lost.count} times)" if lost.count > 1 else ""
    return f"left out, as {target} has no place for it: {lost.what} of {lost.where}{times}"


def as_report(mended: Mended) -> bytes:
    """The request, the repairs and what is left, as one line of JSON."""
    report = {
        "request": mended.after,
        "anomalies": [anomaly_to_builtins(anomaly) for anomaly in mended.anomalies],
        "remaining": msgspec.to_builtins(mended.remaining),
    }
    return encoded(compact(report) + "\n")


def as_difference(place: str, mended: Mended) -> bytes:
    """A unified diff of the pretty-printed JSON; nothing where nothing changed."""
    if not mended.is_changed:
        return b""
    lines = difflib.unified_diff(
        pretty(mended.before).splitlines(),
        pretty(mended.after).splitlines(),
        fromfile=place,
        tofile=f"{place} (mended)",
        lineterm="",
    )
    return encoded("".join(f"{coloured(line)}\n" for line in lines))


def coloured(line: str) -> str:
    """A line of a diff in its colour, at a terminal."""
    colour = _COLOURS.get(line[:1])
    return click.style(line, fg=colour) if colour and has_colours() else line
