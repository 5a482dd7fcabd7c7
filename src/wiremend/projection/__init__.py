"""Projection: a pure function from the history to the messages that a provider accepts."""

from wiremend.projection.anomalies import Anomaly, OnAnomaly
from wiremend.projection.kinds import KINDS, anomaly_to_builtins
from wiremend.projection.media import take_snapshot
from wiremend.projection.pipeline import project, project_strict
from wiremend.projection.policy import PLAIN, STRICT, ProjectionPolicy, Strip, Takes

__all__ = [
    "KINDS",
    "PLAIN",
    "STRICT",
    "Anomaly",
    "OnAnomaly",
    "ProjectionPolicy",
    "Strip",
    "Takes",
    "anomaly_to_builtins",
    "project",
    "project_strict",
    "take_snapshot",
]
