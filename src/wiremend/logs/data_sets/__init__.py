"""Data sets for training and for tests: each row is a conversation, or a few that share a begin.

Rows with ``messages`` as a provider takes them are requests like any other and need no reader.
"""

from wiremend.logs.data_sets.chatml import is_chatml, read_chatml
from wiremend.logs.data_sets.messages import is_messages, read_messages
from wiremend.logs.data_sets.preferences import is_preference, read_preference
from wiremend.logs.data_sets.queries import is_query, read_query
from wiremend.logs.data_sets.sharegpt import is_sharegpt, read_sharegpt

__all__ = [
    "is_chatml",
    "is_messages",
    "is_preference",
    "is_query",
    "is_sharegpt",
    "read_chatml",
    "read_messages",
    "read_preference",
    "read_query",
    "read_sharegpt",
]
