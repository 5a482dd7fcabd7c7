"""opencode's own storage, as the sessions that ``opencode export`` would write.

Either folders, ``storage/session/<project>/<session>.json`` with ``message`` and ``part`` beside
``session``, or since 2026 a database, ``opencode.db``. Both are only read.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from wiremend.inputs.parsing import Unusable, parse
from wiremend.inputs.sources import Document

_MAGIC = b"SQLite format 3\0"


def stored_sessions(path: str) -> Iterator[tuple[str, Document]] | None:
    """The sessions that a file of the storage holds, each with a name; None: it is none."""
    file = Path(path)
    if file.name.startswith("ses_") and (storage := _storage(file)) is not None:
        return _of_folders(file, storage)
    if file.suffix == ".db" and _begins_as_database(file) and _has_tables(file):
        return _of_database(file)
    return None


def _storage(file: Path) -> Path | None:
    """The storage that a session's file is in."""
    above = file.absolute().parents
    found = len(above) > 2 and above[1].name == "session" and (above[2] / "message").is_dir()
    return above[2] if found else None


def _begins_as_database(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _has_tables(file: Path) -> bool:
    """Whether a database may be opencode's: it has its tables, or its name."""
    wanted = "SELECT count(*) FROM sqlite_master WHERE name IN ('session', 'message', 'part')"
    try:
        with closing(_opened(file)) as database:
            return bool(database.execute(wanted).fetchone()[0] == 3)
    except sqlite3.Error:
        return file.name == "opencode.db"


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def _of_folders(file: Path, storage: Path) -> Iterator[tuple[str, Document]]:
    messages = [
        {"info": info, "parts": _values(storage / "part" / str(info.get("id")))}
        for info in _values(storage / "message" / file.stem)
        if isinstance(info, dict)
    ]
    yield str(file), _document(_value(file), messages)


def _values(folder: Path) -> list[Any]:
    # Ids are made to sort as they were given.
    return [_value(file) for file in sorted(folder.glob("*.json"))] if folder.is_dir() else []


def _value(file: Path) -> Any:
    try:
        return parse(file.read_bytes())
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror or error}") from None
    except Unusable as error:
        raise Unusable(f"{file}: {error}") from None


def _document(info: Any, messages: list[Any]) -> Document:
    written = json.dumps({"info": info, "messages": messages}, indent=2, ensure_ascii=False)
    return Document(written.encode("utf-8", "surrogatepass"), None)


def _of_database(file: Path) -> Iterator[tuple[str, Document]]:
    try:
        with closing(_opened(file)) as database:
            yield from _of_tables(str(file), database)
    except sqlite3.Error as error:
        raise Unusable(f"no database of opencode: {error}") from None


def _of_tables(path: str, database: sqlite3.Connection) -> Iterator[tuple[str, Document]]:
    sessions = database.execute("SELECT id FROM session ORDER BY id").fetchall()
    for (session,) in sessions:
        try:
            document = _document({"id": session}, list(_messages(database, session)))
        except _Torn as torn:
            # Found as what it is, at its session; the others are read all the same.
            document = Document(torn.data, None)
        yield f"{path}:{session}", document


def _messages(database: sqlite3.Connection, session: str) -> Iterator[dict[str, Any]]:
    parts: dict[str, list[Any]] = {}
    rows = database.execute(
        "SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id", (session,)
    )
    for part, message, data in rows:
        fields = {"id": part, "messageID": message, "sessionID": session}
        parts.setdefault(message, []).append({**fields, **_fields(data)})
    rows = database.execute(
        "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", (session,)
    )
    for message, data in rows:
        info = {"id": message, "sessionID": session, **_fields(data)}
        yield {"info": info, "parts": parts.get(message, [])}


class _Torn(Exception):  # noqa: N818
    """A column that should be JSON, and is not."""

    def __init__(self, data: bytes) -> None:
        self.data = data


def _fields(data: Any) -> dict[str, Any]:
    given = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if not isinstance(given, bytes):
        return {}
    try:
        value = parse(given)
    except Unusable:
        raise _Torn(given or b"{") from None
    return value if isinstance(value, dict) else {}
