"""What an integration does where its package is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wiremend.errors import WiremendError


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import what an integration needs inside of this.

    Raises ``WiremendError``, which names the extra, where something of it is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise WiremendError(
            f"{error.name} is not installed, or too old: pip install 'wiremend[{name}]'"
        ) from error
