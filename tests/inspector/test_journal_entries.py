"""A line of a journal is shown whatever its fields hold: another version may have written it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.test_rules_any_json import VALUES
from wiremend.inspector.journal import journal_item

FIELDS = (
    *("number", "time", "method", "path", "model", "status", "seconds", "received_bytes"),
    *("answered_bytes", "attempts", "anomalies", "dialect", "ended", "fault"),
)
TRIES = st.lists(
    st.dictionaries(st.sampled_from(("policy", "status", "error_class", "fault")), VALUES)
)
ENTRIES = st.dictionaries(
    st.sampled_from(FIELDS), st.one_of(VALUES, st.floats(), st.integers(), st.text(), TRIES)
)


@given(entry=ENTRIES)
def test_any_entry_makes_an_item_of_texts(entry: dict[str, Any]) -> None:
    item = msgspec.to_builtins(journal_item(entry))
    assert json.dumps(item)
    assert isinstance(item["title"], str)
    assert all(isinstance(line, str) for line in item.get("detail", ()))


def test_what_became_of_a_request_is_told_in_a_few_words() -> None:
    tries = [
        {"policy": "plain", "status": 400, "error_class": "structure"},
        {"policy": "strict", "status": 200},
    ]
    facts = {"ended": "complete", "seconds": 1.23456, "received_bytes": 12_345}
    entry = {"number": 7, "model": "gpt-5", "status": 200, "attempts": tries, **facts}
    item = journal_item(entry)
    assert item.mark == "repaired"
    assert item.subtitle == "200 · gpt-5"
    assert list(item.detail) == [
        "attempt 1 (plain): 400, structure",
        "attempt 2 (strict): 200",
        "1.23 s",
        "12,345 bytes asked",
    ]
