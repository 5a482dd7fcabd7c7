"""The ``console`` blocks of a page: what is typed, and what has to come of it.

A block is run in bash, in a copy of ``examples/`` together with the files that the page itself
shows (blocks with ``json title="request.json"``). ``$ `` starts a command, ``> `` goes on with it,
the rest is what it prints, on both streams; ``…`` stands for anything. A block that cannot run here
says so where the reader sees it: ``console title="not run: needs a provider's key"``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
_FENCE = re.compile(r'^```(\w+)(?: title="([^"]*)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)


class Typed(NamedTuple):
    """A command, and what the page says that it prints."""

    command: str
    printed: str


class Page(NamedTuple):
    """What a page shows: files by their names, and commands in their order."""

    files: dict[str, str]
    typed: list[Typed]


def read_page(text: str) -> Page:
    """The files and the commands of a page; those that it calls ``not run`` are left out."""
    files: dict[str, str] = {}
    typed: list[Typed] = []
    for kind, title, body in _FENCE.findall(text):
        if kind == "console" and not title.startswith("not run: "):
            assert not title, f"a console block is run, or says `not run: …`, not {title!r}"
            typed.extend(_typed(body))
        elif kind != "console" and title and "/" not in title:
            files[title] = body
    return Page(files, typed)


def furnish(page: Page, folder: Path) -> Path:
    """Make the folder in which a page's commands run, and give it."""
    shutil.copytree(ROOT / "examples", folder)
    for name, text in page.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(command: str, folder: Path, tools: Path) -> str:
    """What a command prints, on both streams as they come."""
    program = tools / "wiremend"
    if not program.exists():
        tools.mkdir(parents=True, exist_ok=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wiremend "$@"\n')
        program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONUNBUFFERED": "1",  # both streams in the order in which a terminal shows them
        "COLUMNS": "100",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    return done.stdout.decode()


def agrees(printed: str, shown: str) -> bool:
    """Whether a page shows what was printed, anything standing where it has ``…``."""
    pattern = ".*".join(re.escape(piece) for piece in _trimmed(shown).split("…"))
    return re.fullmatch(pattern, _trimmed(printed), re.DOTALL) is not None


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _typed(body: str) -> Iterator[Typed]:
    for entry in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        first, *rest = entry.splitlines()
        command = [first]
        while rest and rest[0].startswith("> "):
            command.append(rest.pop(0)[2:])
        yield Typed("\n".join(command), "\n".join(rest))
