"""Lines and columns of JSON pointers, for any JSON in any layout."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from wiremend.cli.locating import Position, locate
from wiremend.inputs import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)


def _places(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    yield pointer, value
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
    for step, item in items:
        escaped = str(step).replace("~", "~0").replace("/", "~1")
        yield from _places(item, f"{pointer}/{escaped}")


@given(_VALUES, st.sampled_from([None, 0, 2]), st.booleans())
def test_at_the_position_of_a_pointer_stands_its_value(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    places = list(_places(value))
    document = Document(text.encode(), None)
    lines = text.split("\n")
    for place, (_, item) in zip(locate(document, [p for p, _ in places]), places, strict=True):
        rest = "\n".join([lines[place.line - 1][place.column - 1 :], *lines[place.line :]])
        assert json.JSONDecoder().raw_decode(rest)[0] == item


def test_what_is_not_there_is_where_the_nearest_thing_around_it_is() -> None:
    document = Document(b'{"messages": [{"role": "user"}]}', None)
    assert locate(document, ["/messages/0/content/3"]) == [Position(1, 15)]


def test_the_line_of_a_jsonl_file_counts() -> None:
    assert locate(Document(b'{"a": 1}\n', 7), ["/a"]) == [Position(7, 7)]


def test_of_a_repeated_key_the_last_one_counts() -> None:
    assert locate(Document(b'{"a": 1, "a": 2}', None), ["/a"]) == [Position(1, 15)]
