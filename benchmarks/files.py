"""``python -m benchmarks.files``: files of conversations, checked and mended, beside reading them.

Each subject is a process of its own that works on the whole file; its start is part of it, and is
a line of the table too. Peers do with each line what they would before they send it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from benchmarks.bodies import openai_chat
from benchmarks.histories import KINDS, History
from benchmarks.measure import machine
from benchmarks.tables import Table, into_page, markdown, plain

FILES = {"healthy": "sound", "one exchange in ten broken": "one exchange in ten broken"}
CONVERSATIONS = 20_000
LEAST_MESSAGES = 20
_PIECE = 20_000
"""Messages: how long the histories are that conversations are cut from."""


@dataclass(frozen=True)
class Subject:
    """What is done with a file: the arguments of Python, and the package whose work it is."""

    name: str
    arguments: tuple[str, ...]
    package: str = ""
    module: str = "wiremend"

    def says(self) -> str:
        """What its row is called, with the version that is installed."""
        return f"{self.package} {version(self.package)}: {self.name}" if self.package else self.name


@dataclass(frozen=True)
class Run:
    """What one process took: seconds, seconds of all its processors, and bytes at most."""

    seconds: float
    processor: float
    peak: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files, measure, and print the tables."""
    wishes = _parser().parse_args(arguments)
    if wishes.lines_of:
        _LINES[wishes.do](wishes.lines_of)
        return
    tables = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, title in FILES.items():
            path = Path(folder, "conversations.jsonl")
            count = write(path, KINDS[kind], wishes.conversations)
            tables.append(of_file(path, count, title, wishes.rounds, Path(folder)))
            print(f"measured: {title}", file=sys.stderr)
    print("\n".join(map(plain, tables)))
    if wishes.markdown:
        said = f"Measured on {machine()}.\n\n"
        into_page(wishes.markdown, said + "\n".join(map(markdown, tables)), "files")


def write(path: Path, make: Callable[[int], History], count: int) -> int:
    """A file of so many requests for Chat Completions, one a line; returns how many there are."""
    with path.open("wb") as file:
        for history in islice(_conversations(make), count):
            file.write(msgspec.json.encode(openai_chat(history)) + b"\n")
    return count


def _conversations(make: Callable[[int], History]) -> Iterator[History]:
    history = make(_PIECE)
    while True:
        start = 0
        for index, message in enumerate(history):
            if index - start >= LEAST_MESSAGES and message.role == "user":
                yield history[start:index]
                start = index


def of_file(path: Path, count: int, title: str, rounds: int, folder: Path) -> Table:
    """All subjects in turns on one file; the fastest run of each counts."""
    runs: dict[Subject, list[Run]] = {subject: [] for subject in _subjects(path, folder)}
    for _ in range(rounds):
        for subject, taken in runs.items():
            taken.append(_run(subject.arguments))
    size = path.stat().st_size
    floor = min(run.processor for run in next(iter(runs.values())))
    lines = []
    for subject, taken in runs.items():
        best = min(taken, key=lambda run: run.seconds)
        speed = ["–"] * 2
        if str(path) in subject.arguments:
            speed = [f"{size / best.seconds / 1e6:.0f}", f"{count / best.seconds:,.0f}"]
        lines.append(
            [
                subject.says(),
                f"{best.seconds:.2f}",
                *speed,
                f"{best.processor / floor:.1f}",
                f"{best.peak / 1e6:.0f}",
            ]
        )
    head = ["", "seconds", "MB/s", "conversations/s", "processor time, times msgspec", "MB at most"]
    return Table(f"{count:,} conversations, {size / 1e6:,.0f} MB, {title}", head, lines)


def _subjects(path: Path, folder: Path) -> Iterator[Subject]:
    for name, (package, module) in _PACKAGES.items():
        if importlib.util.find_spec(module) is not None:
            again = ("-m", "benchmarks.files", "--lines-of", str(path), "--do", name)
            yield Subject(name, again, package, module)
    command = ("-m", "wiremend")
    yield Subject("wiremend: its start alone", (*command, "--version"))
    for jobs in dict.fromkeys((1, os.cpu_count() or 1)):
        cores = "one process" if jobs == 1 else f"{jobs} processes"
        given = ("--for", "openai-chat", "--jobs", str(jobs), str(path))
        yield Subject(f"wiremend check, {cores}", (*command, "check", *given))
        out = ("-o", str(folder / "mended.jsonl"))
        yield Subject(f"wiremend fix, {cores}", (*command, "fix", *out, *given))


def _run(arguments: Sequence[str]) -> Run:
    start = perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    seconds = perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    # 1: something was found, which is the point.
    if process.returncode not in (0, 1):
        raise SystemExit(f"benchmarks.files: exit {process.returncode} of {' '.join(arguments)}")
    return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def _lines(path: str) -> Iterator[bytes]:
    with Path(path).open("rb") as file:
        yield from file


def _msgspec_decode(path: str) -> None:
    decoder = msgspec.json.Decoder()
    for line in _lines(path):
        decoder.decode(line)


def _json_both_ways(path: str) -> None:
    for line in _lines(path):
        json.dumps(json.loads(line))


def _types_of_the_sdk(path: str) -> None:
    from openai.types.chat import ChatCompletionMessageParam
    from pydantic import TypeAdapter

    adapter: TypeAdapter[Any] = TypeAdapter(list[ChatCompletionMessageParam])
    for line in _lines(path):
        adapter.validate_python(json.loads(line)["messages"])


def _langchain(path: str) -> None:
    from langchain_core.messages import convert_to_messages, convert_to_openai_messages

    for line in _lines(path):
        body = json.loads(line)
        body["messages"] = convert_to_openai_messages(convert_to_messages(body["messages"]))
        json.dumps(body)


def _litellm(path: str) -> None:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    from litellm.litellm_core_utils.prompt_templates.factory import anthropic_messages_pt

    for line in _lines(path):
        json.dumps(anthropic_messages_pt(json.loads(line)["messages"], "claude-4", "anthropic"))


_LINES: dict[str, Callable[[str], None]] = {
    "msgspec decode": _msgspec_decode,
    "json.loads and json.dumps": _json_both_ways,
    "messages validated by its types": _types_of_the_sdk,
    "convert_to_messages and back": _langchain,
    "anthropic_messages_pt": _litellm,
}
_PACKAGES = {
    "msgspec decode": ("", "msgspec"),
    "json.loads and json.dumps": ("", "json"),
    "messages validated by its types": ("openai", "openai"),
    "convert_to_messages and back": ("langchain-core", "langchain_core"),
    "anthropic_messages_pt": ("litellm", "litellm"),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.files", description=__doc__)
    add = parser.add_argument
    add("--conversations", type=int, default=CONVERSATIONS, help="how many lines a file has")
    add("--rounds", type=int, default=3, help="how often each is run; the fastest counts")
    add("--markdown", type=Path, metavar="PAGE", help="put the tables into this page")
    add("--lines-of", metavar="FILE", help=argparse.SUPPRESS)
    add("--do", choices=list(_LINES), help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    main()
