"""What reaches far in several dialects: ids and names that a provider does not take."""

from __future__ import annotations

from collections.abc import Hashable

from wiremend.dialects.names import Alphabet
from wiremend.model import Message

NAMES = "$names"
"""The mark of messages in which a name is replaced: by one that no other has."""


def of_ids(message: Message, ids: Alphabet) -> list[Hashable]:
    """Marks of the call ids that are replaced: each is reported once."""
    return [("id", call.id) for call in message.tool_calls if not ids.takes(call.id)]


def of_names(message: Message, names: Alphabet) -> list[Hashable]:
    """The mark of a message that calls a tool by a name that has to be replaced."""
    return [] if all(names.takes(call.name) for call in message.tool_calls) else [NAMES]
