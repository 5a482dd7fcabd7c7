"""One document, mended and checked again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import click

import wiremend
from wiremend.cli.base import usable
from wiremend.conversion import Lost, convert
from wiremend.inputs import BESIDE_MESSAGES, Chosen, Document, Wanted, choose
from wiremend.mend import Refit, without_tool_table
from wiremend.projection import Anomaly
from wiremend.rules import Violation

F = TypeVar("F", bound=Callable[..., Any])
Media: TypeAlias = Literal["degraded", "strip", "fit"] | None


def repair_options(command: F) -> F:
    """Add ``--strict``, ``--media`` and ``--duplicates``."""
    strict = click.option(
        "--strict", is_flag=True, help="For a provider that refused the mended request too."
    )
    media = click.option(
        "--media",
        type=click.Choice(["degraded", "strip", "fit"]),
        help="Make pictures fit the provider's limits (fit), or replace older pictures, sounds and "
        "videos (degraded) or all (strip) by a line of text.",
    )
    duplicates = click.option(
        "--duplicates",
        type=click.Choice(["rename", "drop"]),
        help="What becomes of a call that repeats an id.",
    )
    return strict(media(duplicates(command)))


class Wishes(NamedTuple):
    """The options of ``fix``."""

    asked: Wanted
    strict: bool
    media: Media
    duplicates: Literal["rename", "drop"] | None


class Mended(NamedTuple):
    """What came of a document, in the form of the input.

    ``gained`` names the fields that a bare message array had to get, and became a request for;
    ``failure`` says why nothing could be mended at all, ``lost`` what another provider's format
    has no place for.
    """

    chosen: Chosen
    before: Any
    after: Any
    anomalies: tuple[Anomaly, ...]
    remaining: list[Violation]
    gained: tuple[str, ...]
    is_changed: bool
    failure: str | None = None
    lost: tuple[Lost, ...] = ()


def mend(document: Document, wishes: Wishes) -> Mended:
    """Mend a document. Raises ``Unusable`` or ``WiremendError``.

    A request that is too misshapen to be mended comes back as it was, with what is wrong.
    """
    value = document.value()
    chosen = choose(value, wishes.asked)
    if chosen.is_foreign:
        return _converted(value, chosen, wishes)
    failure = None
    try:
        fixed = fixed_for(chosen.body, chosen.dialect, wishes)
    except wiremend.WiremendError as error:
        remaining = wiremend.check(chosen.body, chosen.dialect)
        if not remaining:
            raise
        failure = error.reason
        fixed = wiremend.Fixed(chosen.body, ())
    else:
        if chosen.is_bare:
            fixed = without_tool_table(fixed)
        remaining = wiremend.check(fixed.body, chosen.dialect)
    if chosen.is_bare:
        remaining = [one for one in remaining if one.rule != BESIDE_MESSAGES]
    gained = tuple(name for name in fixed.body if name not in chosen.body)
    is_array = chosen.is_bare and not gained
    return Mended(
        chosen=chosen,
        before=value,
        after=fixed.body[chosen.holds] if is_array else chosen.written(fixed.body, chosen.dialect),
        anomalies=fixed.anomalies,
        remaining=chosen.placed(remaining) if is_array or chosen.line else remaining,
        gained=gained if chosen.is_bare else (),
        is_changed=bool(fixed.anomalies) or fixed.body != chosen.body,
        failure=failure,
    )


def _converted(value: Any, chosen: Chosen, wishes: Wishes) -> Mended:
    """The request in the format of the provider that it is for."""
    made = convert(
        chosen.body,
        chosen.source,
        chosen.dialect,
        strict=wishes.strict,
        media=media_for(wishes.media, chosen.dialect, _model(chosen)),
        duplicates=wishes.duplicates,
    )
    return Mended(
        chosen=chosen,
        before=value,
        after=chosen.written(made.body, chosen.dialect),
        anomalies=made.anomalies,
        remaining=wiremend.check(made.body, chosen.dialect),
        gained=(),
        is_changed=True,
        lost=made.lost,
    )


def check_media(media: Media) -> None:
    """Raise ``Unusable`` where what the option asks for is not installed."""
    if media == "fit":
        with usable():
            _fitter("generic", None)


def _fitter(dialect: str, model: Any) -> Refit:
    from wiremend.imaging import fitter

    return fitter(dialect, model)


def fixed_for(body: dict[str, Any], dialect: str, wishes: Wishes) -> wiremend.Fixed:
    """The body, mended for a provider as the options wish. Raises ``WiremendError``."""
    model = body.get("model", body.get("modelId"))
    return wiremend.fix(
        body,
        dialect,
        strict=wishes.strict,
        media=media_for(wishes.media, dialect, model),
        duplicates=wishes.duplicates,
    )


def media_for(
    media: Media, dialect: str, model: Any
) -> Literal["degraded", "strip"] | Refit | None:
    """What the option asks for, as the library takes it."""
    return _fitter(dialect, model) if media == "fit" else media


def _model(chosen: Chosen) -> Any:
    return chosen.body.get("model", chosen.body.get("modelId"))
