"""Which files are meant by the paths that somebody gave."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from wiremend.inputs.parsing import Unusable

LINES = (".jsonl", ".ndjson")
PARQUET = ".parquet"
_READ = (".json", *LINES, PARQUET)
_DATABASES = ("opencode.db",)
_IN_STORAGE = {"session", "message", "part"}
OWN = frozenset(("_plan.json", "_summary.json", "_done", "_refused"))
"""Beside the conversations in a folder that was written by a run over many, and none of them."""


_PACKED = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
"""How the names of packed files end, behind the ending of what is in them."""


def compression_of(path: str) -> str | None:
    """How a file is packed by its name; None: it is not."""
    return next((how for end, how in _PACKED.items() if path.lower().endswith(end)), None)


def content_name(path: str) -> str:
    """The name of a file in small letters, without what says how it is packed."""
    path = path.lower()
    end = next((end for end in _PACKED if path.endswith(end)), "")
    return path.removesuffix(end)


def is_by_line(path: str) -> bool:
    """Whether the name says that each line is a document."""
    return content_name(path).endswith(LINES)


def is_parquet(path: str) -> bool:
    """Whether the name says that a file is Parquet."""
    return path.lower().endswith(PARQUET)


def is_conversation_file(name: str) -> bool:
    """Whether the path of a file, from a folder that was asked for, is looked at.

    Hidden files and folders are not, nor what a run over many conversations notes for itself.
    """
    steps = name.split("/")
    name = steps[-1].lower()
    is_packed = content_name(name).endswith((".json", *LINES))
    is_read = name.endswith(_READ) or name in _DATABASES or is_packed
    return is_read and all(map(_is_looked_at, steps))


def _is_looked_at(step: str) -> bool:
    return not step.startswith(".") and step not in OWN


def find_files(path: str) -> Iterator[str]:
    """The path itself, or the files below it where it is a directory, in sorted order.

    Raises ``Unusable`` where there are none.
    """
    if not Path(path).is_dir():
        yield path
        return
    found = False
    for folder, folders, names in os.walk(path):
        # opencode's messages and their parts are read with the session that they are of.
        left = ("message", "part") if set(folders) >= _IN_STORAGE else ()
        folders[:] = sorted(n for n in folders if _is_looked_at(n) and n not in left)
        for name in sorted(names):
            if is_conversation_file(name):
                found = True
                yield str(Path(folder, name))
    if not found:
        raise Unusable("a directory without .json, .jsonl or .parquet files")
