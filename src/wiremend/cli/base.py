"""What every command shares: exit status, diagnostics, options, and safe printing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from wiremend.errors import WiremendError
from wiremend.inputs import STDIN, Unusable
from wiremend.inputs.parsing import TOO_DEEP

FINE, FOUND, UNUSABLE = 0, 1, 2


class Command(click.Command):
    """A command whose unusable input is one line and exit status 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except Unusable as error:
            complain(None, str(error))
            ctx.exit(UNUSABLE)


def printable(text: str) -> str:
    """The text on one line, without anything that a terminal would act on."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def label(path: str, line: int | None = None) -> str:
    """A place in an input as a person reads it."""
    name = "<stdin>" if path == STDIN else printable(path)
    return name if line is None else f"{name}:{line}"


def count(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def complain(place: str | None, said: str) -> None:
    """Write one line about the input or the usage to standard error."""
    click.echo(f"wiremend: {f'{place}: ' if place else ''}{printable(said)}", err=True)


def stdout() -> IO[bytes]:
    """Standard output for bytes: data is UTF-8 whatever the locale is."""
    return sys.stdout.buffer


def put(text: str) -> None:
    """Write text to standard output as UTF-8; what has no encoding is escaped."""
    stdout().write(text.encode("utf-8", "backslashreplace"))


def is_terminal() -> bool:
    """Whether somebody reads standard output as it is written."""
    return sys.stdout.isatty()


def has_colours() -> bool:
    """Whether standard output takes colours, and nobody said that it shall not."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def bold(text: str) -> str:
    """The text as a heading, where there are colours."""
    return click.style(text, bold=True) if has_colours() else text


def emphasis(text: str) -> str:
    """The text as something to notice, where there are colours."""
    return click.style(text, fg="yellow") if has_colours() else text


@contextmanager
def usable() -> Iterator[None]:
    """Turn what the library says about an input into ``Unusable``."""
    try:
        yield
    except WiremendError as error:
        raise Unusable(
            f"{error.pointer}: {error.reason}" if error.pointer else error.reason
        ) from None
    except RecursionError:
        raise Unusable(TOO_DEEP) from None
    except MemoryError:
        raise Unusable("too large for the memory of this machine") from None


@contextmanager
def about(place: str) -> Iterator[None]:
    """Say of which input it is where one is ``Unusable``."""
    try:
        yield
    except Unusable as error:
        raise Unusable(f"{place}: {error}") from None
