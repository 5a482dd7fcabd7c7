"""``--format`` and ``--for``: which names there are, and which one an input gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import click
import msgspec

from wiremend.dialects import DIALECTS
from wiremend.inputs import Recognised, Unusable, recognise
from wiremend.rules import Violation

AUTO = "auto"
PLANNED = (
    "openai-chat",
    "openai-responses",
    "anthropic",
    "gemini",
    "bedrock",
    "kimi",
    "deepseek",
    "mistral",
    "qwen",
    "openrouter",
)

BESIDE_MESSAGES = "tools-undefined"
"""The rule about what stands beside the messages, where an array of messages has no place."""

F = TypeVar("F", bound=Callable[..., Any])


class Chosen(NamedTuple):
    """The body of an input as the library takes it, and in which dialect.

    ``guessed`` says that nobody named the dialect, ``doubt`` holds another one that the input
    looks like.
    """

    body: dict[str, Any]
    dialect: str
    is_bare: bool
    guessed: bool
    doubt: str | None = None

    def placed(self, found: Sequence[Violation]) -> list[Violation]:
        """Violations in the body with their pointers into the input.

        What an array of messages cannot hold is not missed in it.
        """
        if not self.is_bare:
            return list(found)
        return [_in_array(one) for one in found if one.rule != BESIDE_MESSAGES]


def _in_array(found: Violation) -> Violation:
    start = "/messages"
    pointer = found.pointer.removeprefix(start) if found.pointer.startswith(start) else ""
    return msgspec.structs.replace(found, pointer=pointer)


class _Dialect(click.ParamType[str]):
    name = "dialect"

    def __init__(self, *more: str) -> None:
        self._names = (*more, *DIALECTS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(value).lower()
        if name in self._names:
            return name
        if name in PLANNED:
            why = f"{name} is not supported yet by this version"
        else:
            why = f"{value!r} is none of {', '.join(self._names)}"
        raise click.BadParameter(why, ctx=ctx, param=param)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        return f"[{'|'.join(self._names)}]"


def dialect_options(command: F) -> F:
    """Add ``--format`` and ``--for``."""
    provider = click.option(
        "--for",
        "provider",
        type=_Dialect(),
        help="The provider that the request is for; the default follows the format.",
    )
    wire_format = click.option(
        "--format",
        "wire_format",
        type=_Dialect(AUTO),
        default=AUTO,
        show_default=True,
        help="The wire format of the input; auto looks at the input itself.",
    )
    return wire_format(provider(command))


def named(wire_format: str, provider: str | None) -> str | None:
    """The dialect that the options name; None: each input says it itself."""
    if provider is None:
        return None if wire_format == AUTO else wire_format
    if wire_format not in (AUTO, provider):
        raise click.UsageError(
            f"a request in the format {wire_format} for {provider} is not supported yet: "
            "--format and --for have to name the same dialect"
        )
    return provider


def choose(value: Any, name: str | None) -> Chosen:
    """The body and the dialect of a JSON value. Raises ``Unusable``."""
    found = recognise(value)
    if name is not None and _can_be(found, value):
        doubt = found.format if found.format != name and not found.is_default else None
        return Chosen(found.body(value), name, found.is_bare, guessed=False, doubt=doubt)
    if found.format not in DIALECTS:
        raise Unusable(f"looks like {found.format}, which is not supported yet by this version")
    return Chosen(found.body(value), found.format, found.is_bare, guessed=True)


def _can_be(found: Recognised, value: Any) -> bool:
    """Whether the value has a message array, so that any dialect could be meant."""
    return found.is_bare or "messages" in value
