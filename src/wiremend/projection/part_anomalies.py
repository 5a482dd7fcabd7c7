"""Anomalies of parts that only some providers have: signed calls, oneofs, responses as objects.

They are listed with all others in ``anomalies``, which is where they are imported from.
"""

from __future__ import annotations

from wiremend.projection.anomaly import Anomaly


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
