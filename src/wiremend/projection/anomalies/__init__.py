"""Anomalies: what was repaired, as small typed values that can be counted, shown and asserted on.

Each kind is a class; its ``said`` is the sentence that a person reads. In JSON an anomaly is
``{"kind": …, …its fields in camelCase}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from wiremend.projection.anomalies.base import (
    Anomaly,
    OnAnomaly,
    ignore,
)
from wiremend.projection.anomalies.contract import (
    ConsecutiveAssistantsMerged,
    DuplicateToolCallDropped,
    DuplicateToolCallRenamed,
    DuplicateToolResultDropped,
    LeadingNonUserDropped,
    OrphanToolResultDropped,
    ToolResultReordered,
    ToolResultSynthesized,
    VacuousMessageDropped,
    WhitespaceTextDropped,
)
from wiremend.projection.anomalies.formats import (
    DocumentAnnounced,
    DocumentRenamed,
    EmptyPartDropped,
    EmptyToolListDropped,
    ItemDropped,
    ItemIdDropped,
    ItemIdReplaced,
    OutputReshaped,
    PartSplit,
    ReasoningSummaryAdded,
    ResponseWrapped,
    ResultsSeparated,
    SignatureDropped,
    SignatureSkipped,
    ToolDefinitionReshaped,
)
from wiremend.projection.anomalies.sending import (
    ArgumentsMended,
    BridgeInserted,
    CacheMarkDropped,
    ControlTagsNeutralised,
    EmptyContentReshaped,
    EmptyTextDropped,
    EmptyToolCallsDropped,
    FailureSaidInWords,
    FieldDropped,
    FinalUserInserted,
    ForeignPartConverted,
    ForeignPartDropped,
    ImageRefitted,
    LeadingUserInserted,
    MediaMoved,
    MediaRelabelled,
    MediaReplaced,
    MisplacedBlockMoved,
    NeighboursMerged,
    NumberReplaced,
    ReasoningFilled,
    RoleRewritten,
    ServerToolDropped,
    ServerToolResultMoved,
    SurrogateReplaced,
    SystemMessageMoved,
    ThinkingDropped,
    ThinkingSwitchedOff,
    ToolCallIdMapped,
    ToolCallIdRestored,
    ToolNameMapped,
    ToolResultFilled,
    ToolResultJoined,
    ToolResultsGrouped,
    ToolResultsSorted,
    ToolResultWithoutIdDropped,
    ToolsDeclared,
    TrailingWhitespaceTrimmed,
)

__all__ = [
    "KINDS",
    "Anomaly",
    "ArgumentsMended",
    "BridgeInserted",
    "CacheMarkDropped",
    "ConsecutiveAssistantsMerged",
    "ControlTagsNeutralised",
    "DocumentAnnounced",
    "DocumentRenamed",
    "DuplicateToolCallDropped",
    "DuplicateToolCallRenamed",
    "DuplicateToolResultDropped",
    "EmptyContentReshaped",
    "EmptyPartDropped",
    "EmptyTextDropped",
    "EmptyToolCallsDropped",
    "EmptyToolListDropped",
    "FailureSaidInWords",
    "FieldDropped",
    "FinalUserInserted",
    "ForeignPartConverted",
    "ForeignPartDropped",
    "ImageRefitted",
    "ItemDropped",
    "ItemIdDropped",
    "ItemIdReplaced",
    "LeadingNonUserDropped",
    "LeadingUserInserted",
    "MediaMoved",
    "MediaRelabelled",
    "MediaReplaced",
    "MisplacedBlockMoved",
    "NeighboursMerged",
    "NumberReplaced",
    "OnAnomaly",
    "OrphanToolResultDropped",
    "OutputReshaped",
    "PartSplit",
    "ReasoningFilled",
    "ReasoningSummaryAdded",
    "ResponseWrapped",
    "ResultsSeparated",
    "RoleRewritten",
    "ServerToolDropped",
    "ServerToolResultMoved",
    "SignatureDropped",
    "SignatureSkipped",
    "SurrogateReplaced",
    "SystemMessageMoved",
    "ThinkingDropped",
    "ThinkingSwitchedOff",
    "ToolCallIdMapped",
    "ToolCallIdRestored",
    "ToolDefinitionReshaped",
    "ToolNameMapped",
    "ToolResultFilled",
    "ToolResultJoined",
    "ToolResultReordered",
    "ToolResultSynthesized",
    "ToolResultWithoutIdDropped",
    "ToolResultsGrouped",
    "ToolResultsSorted",
    "ToolsDeclared",
    "TrailingWhitespaceTrimmed",
    "VacuousMessageDropped",
    "WhitespaceTextDropped",
    "anomaly_to_builtins",
    "ignore",
]


def _kinds(cls: type[Anomaly]) -> Iterator[type[Anomaly]]:
    for kind in cls.__subclasses__():
        yield kind
        yield from _kinds(kind)


KINDS: dict[str, type[Anomaly]] = {
    str(kind.__struct_config__.tag): kind for kind in _kinds(Anomaly)
}
"""Every kind by its name."""


def anomaly_to_builtins(anomaly: Anomaly) -> dict[str, Any]:
    """An anomaly as a JSON object."""
    written: dict[str, Any] = msgspec.to_builtins(anomaly)
    return written
