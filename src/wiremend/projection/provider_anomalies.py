"""The kinds of repair that single providers ask for; ``kinds`` lists them with all others."""

from __future__ import annotations

from wiremend.projection.anomalies import Anomaly


class DocumentRenamed(Anomaly, frozen=True, tag="document_renamed"):
    """A document's name had characters that the provider refuses, or another one had it too."""

    said = "renamed the document {name} to {new_name}, which the provider takes"
    name: str
    new_name: str


class DocumentAnnounced(Anomaly, frozen=True, tag="document_announced"):
    """A message had a document and no text, and a line of text was put beside it."""

    said = "put a line of text beside the document {name}: the provider wants one"
    name: str


class ResultsSeparated(Anomaly, frozen=True, tag="results_separated"):
    """What a user said stood beside tool results, which the model takes only alone."""

    said = "put a line of the assistant between the results from {tool_call_id} on and what follows"
    tool_call_id: str


class EmptyToolListDropped(Anomaly, frozen=True, tag="empty_tool_list_dropped"):
    """The request defined tools, but none, which the provider refuses."""

    said = "removed an empty list of tools"
