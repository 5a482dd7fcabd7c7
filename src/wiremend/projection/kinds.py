"""All kinds of anomalies by name, wherever they are defined."""

from __future__ import annotations

from wiremend.projection import anomalies, item_anomalies
from wiremend.projection.anomalies import Anomaly

KINDS: dict[str, type[Anomaly]] = {
    str(kind.__struct_config__.tag): kind
    for module in (anomalies, item_anomalies)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Anomaly) and kind is not Anomaly
}
