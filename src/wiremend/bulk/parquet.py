"""Parquet: a column of conversations, as JSON text or nested, read and written back.

In a nested column a null is a field that is not there: its type gives every message the fields of
all.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import IO, Any, NamedTuple

import msgspec

from wiremend.bulk.extras import arrow
from wiremend.errors import WiremendError
from wiremend.inputs import Document, Unusable, parse

COLUMNS = (
    *("request", "body", "messages", "conversation", "conversations", "contents", "input"),
    *("json", "text", "content", "data"),
)
"""Where conversations are looked for, if nobody names a column; the first that is there."""
_ROWS = (
    {"chosen", "rejected"},
    {"prompt", "completion"},
    {"query", "answers", "tools"},
)
_OF_ROWS = {"prompt", "system", *(name for names in _ROWS for name in names)}
"""Columns that are a conversation together: they are read as one, which is written as ``ROW``."""
ROW = "request"
_CHATML = "<|im_start|>"


class Group(NamedTuple):
    """A row group: rows before it, rows in it, and bytes before compression."""

    before: int
    rows: int
    size: int


class ParquetFile:
    """A file that is open. Raises ``WiremendError`` where it is no Parquet or has no column."""

    def __init__(self, file: IO[bytes], column: str | None) -> None:
        arrow()
        import pyarrow as pa
        from pyarrow import parquet

        try:
            self._file = parquet.ParquetFile(file)
        except (pa.ArrowException, OSError) as error:
            raise WiremendError(f"cannot be read as Parquet: {error}") from None
        self.schema = self._file.schema_arrow
        self._together = _together(self.schema) if column is None else []
        self.column = ROW if self._together else _column(self.schema, column)

    def groups(self) -> Iterator[Group]:
        """The row groups."""
        before = 0
        about = self._file.metadata
        for number in range(about.num_row_groups):
            group = about.row_group(number)
            yield Group(before, group.num_rows, group.total_byte_size)
            before += group.num_rows

    def read(self, number: int) -> Any:
        """A row group as a ``pyarrow.Table``. Raises ``WiremendError``."""
        import pyarrow as pa

        try:
            table = self._file.read_row_group(number)
            return _with_rows(table, self._together) if self._together else table
        except (pa.ArrowException, OSError) as error:
            raise WiremendError(f"cannot be read: {error}") from None

    @property
    def compression(self) -> str:
        """How the column is compressed, in the words of a writer."""
        about = self._file.metadata
        if not about.num_row_groups:
            return "snappy"
        group = about.row_group(0)
        name = f"{self._together[0] if self._together else self.column}."
        found = (group.column(i) for i in range(about.num_columns))
        kind = next(c.compression for c in found if f"{c.path_in_schema}.".startswith(name))
        return "none" if kind == "UNCOMPRESSED" else str(kind).lower()


def _together(schema: Any) -> list[str]:
    """The columns that are a conversation together, where none alone is one."""
    names = set(schema.names)
    if names & {*COLUMNS, ROW} or not any(row <= names for row in _ROWS):
        return []
    return [name for name in schema.names if name in _OF_ROWS]


def _with_rows(table: Any, names: Sequence[str]) -> Any:
    """The table with these columns as one more, nested."""
    import pyarrow as pa

    columns = [table.column(name).combine_chunks() for name in names]
    fields = [table.schema.field(name) for name in names]
    return table.append_column(ROW, pa.StructArray.from_arrays(columns, fields=fields))


def _column(schema: Any, asked: str | None) -> str:
    names = [name for name in schema.names if _can_hold(schema.field(name).type)]
    found = next((name for name in COLUMNS if name in names), None) if asked is None else asked
    if found in names:
        return str(found)
    if found is not None and found in schema.names:
        raise WiremendError(
            f"the column {found} holds {schema.field(found).type}, "
            "neither JSON text nor nested messages"
        )
    what = "column that is surely one of conversations" if found is None else f"column {found}"
    raise WiremendError(f"has no {what}; --column can name {', '.join(names) or 'nothing there'}")


def _can_hold(kind: Any) -> bool:
    from pyarrow import types

    texts = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return is_nested(kind) or any(is_kind(kind) for is_kind in texts)


def is_nested(kind: Any) -> bool:
    """Whether a type is one of lists or structs."""
    from pyarrow import types

    nested = (types.is_list, types.is_large_list, types.is_struct)
    return any(is_kind(kind) for is_kind in nested)


def documents_of(column: Any, first: int) -> list[Document]:
    """The values of a column as JSON; rows are counted on from ``first``."""
    values = column.to_pylist()
    if is_nested(column.type):
        values = [None if value is None else written(without_nulls(value)) for value in values]
    else:
        values = [written(value) if _is_chatml(value) else value for value in values]
    return [Document(_bytes(value), row) for row, value in enumerate(values, first)]


def _is_chatml(value: Any) -> bool:
    """Whether a text is a conversation written down, which is no JSON."""
    return isinstance(value, str) and value.lstrip().startswith(_CHATML)


def _bytes(value: Any) -> bytes:
    if value is None:
        return b""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def written(value: Any) -> bytes:
    """JSON of what a nested column holds; bytes, dates and decimals as text."""
    return msgspec.json.encode(value)


def without_nulls(value: Any) -> Any:
    """A value without the fields that are null."""
    if isinstance(value, dict):
        return {name: without_nulls(one) for name, one in value.items() if one is not None}
    if isinstance(value, list):
        return [without_nulls(one) for one in value]
    return value


class Changes:
    """What becomes of the rows of a table: kept, taken out, or with another conversation."""

    def __init__(self, table: Any, column: str, *, as_text: bool) -> None:
        import pyarrow as pa

        self._table = table
        self._column = column
        old = table.schema.field(column)
        self._type = pa.string() if as_text and is_nested(old.type) else old.type
        self.is_other_type = self._type != old.type
        self._values: list[Any] = []
        self._rows: list[int] = []
        self._places: list[int] = []

    def keep(self, row: int) -> None:
        """The row stays as it is."""
        self._rows.append(row)
        self._places.append(row)

    def put(self, row: int, data: bytes) -> None:
        """The row gets this conversation. Raises ``Unusable`` where the column has no room."""
        text = data.strip()
        if is_nested(self._type):
            self._values.append(self._fitting(parse(text)))
        else:
            self._values.append(text if _is_bytes(self._type) else text.decode("utf-8"))
        self._rows.append(row)
        self._places.append(len(self._table) + len(self._values) - 1)

    def _fitting(self, value: Any) -> Any:
        import pyarrow as pa

        try:
            back = pa.array([value], self._type).to_pylist()[0]
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            back = None
        if _same(back, value):
            return value
        raise Unusable(
            "what it becomes has fields or values for which the nested column has no room; "
            "--as-text makes the column one of JSON text"
        )

    def table(self) -> Any:
        """The new table."""
        import pyarrow as pa

        others = self._table.take(pa.array(self._rows, pa.int64()))
        if not self._values and not self.is_other_type:
            return others
        new = pa.array(self._values, self._type)
        old = self._table.column(self._column)
        # Where the type is another, no row is kept: all values are new.
        chunks = old.chunks if old.type == self._type else [pa.nulls(len(old), self._type)]
        column = pa.chunked_array([*chunks, new], self._type).take(
            pa.array(self._places, pa.int64())
        )
        place = self._table.schema.get_field_index(self._column)
        field = self._table.schema.field(place).with_type(self._type)
        return others.set_column(place, field, column)


def _is_bytes(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_binary(kind) or types.is_large_binary(kind))


def _same(back: Any, value: Any) -> bool:
    return back is not None and bool(without_nulls(back) == without_nulls(value))


def as_file(tables: Sequence[Any], compression: str) -> bytes:
    """Tables of one schema as a Parquet file, a row group each; nothing where there are no rows."""
    from pyarrow import parquet

    full = [table for table in tables if len(table)]
    if not full:
        return b""
    out = io.BytesIO()
    with parquet.ParquetWriter(out, full[0].schema, compression=compression) as writer:
        for table in full:
            writer.write_table(table)
    return out.getvalue()
