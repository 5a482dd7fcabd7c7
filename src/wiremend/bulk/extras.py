"""What has to be installed for Parquet, object stores and clusters, imported where it is used."""

from __future__ import annotations

import importlib
from typing import Any

from wiremend.errors import WiremendError


def arrow() -> Any:
    """``pyarrow``. Raises ``WiremendError``, which names the extra."""
    return _module("pyarrow", "Parquet and object stores need", "parquet")


def ray() -> Any:
    """``ray``, with ``ray.data``. Raises ``WiremendError``, which names the extra."""
    _module("ray.data", "--engine ray needs", "ray")
    return importlib.import_module("ray")


def _module(name: str, who: str, extra: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise WiremendError(f"{who} an extra: pip install 'wiremend[cli,{extra}]'") from None
