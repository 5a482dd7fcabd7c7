"""Images that really fit: scaled and written anew within what a provider takes.

    fit = fitter("anthropic", "claude-opus-4-6")
    fixed = wiremend.fix(request, "anthropic", media=fit)

Needs Pillow: ``pip install 'wiremend[media]'``.
"""

from __future__ import annotations

from typing import Any

from wiremend.errors import WiremendError
from wiremend.limits import Limits
from wiremend.limits import limits as limits_of
from wiremend.mend import Refit

__all__ = ["fitter"]


def fitter(dialect: str, model: Any = None, *, limits: Limits | None = None) -> Refit:
    """What gives a history with each image that breaks a limit made to fit.

    The limits are those of the dialect and the model unless given. Each change is reported:
    ``ImageRefitted``, ``MediaRelabelled``, or ``MediaReplaced`` where an image cannot be made to
    fit, or is one of the oldest of too many, and becomes a line of text. Only images that are in
    the history as ``data:`` URLs are read. Same input gives the same bytes (of one version of
    Pillow); images that were made to fit in one call are remembered for the next. Raises
    ``WiremendError`` for an unknown dialect, and where Pillow is missing.
    """
    wanted = limits_of(dialect, model) if limits is None else limits
    try:
        from wiremend.imaging.fitting import Fitter
    except ImportError:
        raise WiremendError(
            "making images fit needs Pillow: pip install 'wiremend[media]'"
        ) from None
    return Fitter(wanted)
