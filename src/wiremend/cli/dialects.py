"""``--format`` and ``--for``: which names there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from wiremend.dialects import DIALECTS
from wiremend.inputs import Wanted
from wiremend.logs import LOGS

AUTO = "auto"
F = TypeVar("F", bound=Callable[..., Any])


class _Dialect(click.ParamType[str]):
    name = "dialect"

    def __init__(self, *more: str) -> None:
        self._names = more

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(value).lower()
        if name in self._names:
            return name
        why = f"{value!r} is none of {', '.join(self._names)}"
        raise click.BadParameter(why, ctx=ctx, param=param)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        return f"[{'|'.join(self._names)}]"


def dialect_type(*more: str) -> click.ParamType[str]:
    """The type of an option that names a dialect, or one of ``more``."""
    return _Dialect(*more, *DIALECTS)


def format_type() -> click.ParamType[str]:
    """The type of an option that names a format of an input: a dialect, or that of a log."""
    return _Dialect(AUTO, *DIALECTS, *LOGS)


def dialect_options(command: F) -> F:
    """Add ``--format`` and ``--for``."""
    provider = click.option(
        "--for",
        "provider",
        type=_Dialect(*DIALECTS),
        help="The provider that the request is for; the default follows the format.",
    )
    wire_format = click.option(
        "--format",
        "wire_format",
        type=format_type(),
        default=AUTO,
        show_default=True,
        help="The format of the input; auto looks at the input itself.",
    )
    return wire_format(provider(command))


def wanted(wire_format: str, provider: str | None) -> Wanted:
    """What the options say."""
    return Wanted(None if wire_format == AUTO else wire_format, provider)
