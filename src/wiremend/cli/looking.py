"""One view of what a path names: what ``show`` and ``export-html`` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import click

from wiremend.cli.base import usable
from wiremend.cli.dialects import dialect_options, wanted
from wiremend.cli.opening import open_any
from wiremend.inputs import Unusable
from wiremend.inspector.sources import dialect_of
from wiremend.inspector.view import Options, View, look

F = TypeVar("F", bound=Callable[..., Any])
Media: TypeAlias = Literal["degraded", "strip"] | None


class Sight(NamedTuple):
    """What is looked at, and how: the options of ``view_options``."""

    path: str
    wire_format: str
    provider: str | None
    strict: bool
    media: Media
    number: int
    session: str | None
    moment: int | None


def view_options(command: F) -> F:
    """Add the path and the options that say which conversation is shown, and for whom."""
    options = (
        click.argument("path", metavar="PATH|STORE"),
        dialect_options,
        click.option("--strict", is_flag=True, help="For a provider that refused what was mended."),
        click.option(
            "--media",
            type=click.Choice(["degraded", "strip"]),
            help="Replace older pictures, sounds and videos (degraded) or all (strip).",
        ),
        click.option(
            "--number", type=click.IntRange(min=1), default=1, help="Which conversation of many."
        ),
        click.option("--session", metavar="ID", help="Which session of a store."),
        click.option("--at", "moment", type=click.IntRange(min=0), help="After so many records."),
    )
    for option in reversed(options):
        command = option(command)
    return command


class Looked(NamedTuple):
    """A view, the title of what it is of, and the command that mends that; "" where none does."""

    title: str
    view: View
    mends: str


def view_of(sight: Sight) -> Looked:
    """What is looked at. Raises ``Unusable``."""
    source = open_any(sight.path, wanted(sight.wire_format, sight.provider), sight.session)
    with usable():
        items = source.items()
        if not items:
            raise Unusable("there is nothing in it")
        if sight.number > len(items):
            raise Unusable(f"there is no conversation {sight.number}: it has {len(items)}")
        conversation = source.open(sight.number - 1, sight.moment)
        dialect = sight.provider or dialect_of(items[sight.number - 1], conversation)
        options = Options(dialect=dialect, strict=sight.strict, media=sight.media)
        mends = getattr(source, "mends", "")
        if sight.strict or sight.media:
            mends += " --strict" * sight.strict + (f" --media {sight.media}" if sight.media else "")
        return Looked(source.title, look(conversation, options), mends)
