"""The repairs that single wire formats ask for."""

from __future__ import annotations

from wiremend.projection.anomalies.base import Anomaly

# --- names, documents and lists (Bedrock) ---


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


# --- items with ids of their own (OpenAI Responses) ---


class ItemIdDropped(Anomaly, frozen=True, tag="item_id_dropped"):
    """An item kept its content and lost its id, which the provider refuses.

    ``reason`` is repeated, illegal, too long or without reasoning.
    """

    said = "removed the id of a {item} item ({reason})"
    item: str
    reason: str


class ItemIdReplaced(Anomaly, frozen=True, tag="item_id_replaced"):
    """An item that needs an id got another one, made from the one that the provider refuses.

    ``reason`` is repeated, illegal, too long or without reasoning.
    """

    said = "gave a {item} item the id {new_id} ({reason})"
    item: str
    reason: str
    new_id: str


class ItemDropped(Anomaly, frozen=True, tag="item_dropped"):
    """An item could not stay: ``reason`` is repeated, illegal id or unanswered."""

    said = "dropped a {item} item ({reason})"
    item: str
    reason: str


class ReasoningSummaryAdded(Anomaly, frozen=True, tag="reasoning_summary_added"):
    """A reasoning item had no list of summaries, and got an empty one."""

    said = "gave a reasoning item the empty summary that it has to have"


class ToolDefinitionReshaped(Anomaly, frozen=True, tag="tool_definition_reshaped"):
    """A tool was defined in another API's shape."""

    said = "rewrote the definition of the tool {name}, which was in another API's shape"
    name: str


class OutputReshaped(Anomaly, frozen=True, tag="output_reshaped"):
    """An output was no text and no list of parts, or of another type than its call.

    ``how`` is missing, serialised or retyped.
    """

    said = "wrote the output of {tool_call_id} as the provider takes it ({how})"
    tool_call_id: str
    how: str


# --- parts with signatures, one kind of data each (Gemini) ---


class SignatureDropped(Anomaly, frozen=True, tag="signature_dropped"):
    """A signature was no base64, which no provider's signature is."""

    said = "dropped a thought signature that is no base64"


class SignatureSkipped(Anomaly, frozen=True, tag="signature_skipped"):
    """A call lost its thought signature, and the provider's word to go on without stands for it."""

    said = "marked the call of {name} as one whose thought signature is lost"
    name: str


class PartSplit(Anomaly, frozen=True, tag="part_split"):
    """One part held several kinds of data, of which a part has one."""

    said = "made {count} parts of one that held as many kinds of data"
    count: int


class EmptyPartDropped(Anomaly, frozen=True, tag="empty_part_dropped"):
    """A part held no data at all."""

    said = "dropped a part without data from a message ({role})"
    role: str


class ResponseWrapped(Anomaly, frozen=True, tag="response_wrapped"):
    """A function's response was no object, and was put into one."""

    said = "made the response of {name} an object"
    name: str
