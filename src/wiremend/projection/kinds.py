"""All kinds of repair by name, and how one is written as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from wiremend.projection import media_anomalies  # noqa: F401 (its kinds count too)
from wiremend.projection.anomalies import Anomaly


def _kinds(cls: type[Anomaly]) -> Iterator[type[Anomaly]]:
    for kind in cls.__subclasses__():
        yield kind
        yield from _kinds(kind)


KINDS: dict[str, type[Anomaly]] = {
    str(kind.__struct_config__.tag): kind for kind in _kinds(Anomaly)
}


def anomaly_to_builtins(anomaly: Anomaly) -> dict[str, Any]:
    """An anomaly as a JSON object."""
    written: dict[str, Any] = msgspec.to_builtins(anomaly)
    return written
