"""Which files are meant by the paths that somebody gave."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from wiremend.inputs.parsing import Unusable

LINES = (".jsonl", ".ndjson")
_READ = (".json", *LINES)
_DATABASES = ("opencode.db",)
_IN_STORAGE = {"session", "message", "part"}


def find_files(path: str) -> Iterator[str]:
    """The path itself, or the JSON files below it where it is a directory, in sorted order.

    Hidden files and directories are passed over. Raises ``Unusable`` where there are none.
    """
    if not Path(path).is_dir():
        yield path
        return
    found = False
    for folder, folders, names in os.walk(path):
        # opencode's messages and their parts are read with the session that they are of.
        left = ("message", "part") if set(folders) >= _IN_STORAGE else ()
        folders[:] = sorted(n for n in folders if not n.startswith(".") and n not in left)
        for name in sorted(names):
            is_read = name.lower().endswith(_READ) or name.lower() in _DATABASES
            if is_read and not name.startswith("."):
                found = True
                yield str(Path(folder, name))
    if not found:
        raise Unusable("a directory without .json or .jsonl files")
