"""All conversations through all tools, and what became of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

from benchmarks.repairs.damage import ANTHROPIC, CHAT, DAMAGES, HARMLESS, Kind, Specimen, specimen
from benchmarks.repairs.judging import Verdict, judge
from benchmarks.repairs.tools.base import Tool


@dataclass(frozen=True)
class Task:
    """A conversation in one format, for the provider of another, or of the same."""

    source: str
    target: str

    @property
    def name(self) -> str:
        """As it stands over a table."""
        if self.source == self.target:
            return f"{self.source}, repaired"
        return f"{self.source} to {self.target}"


TASKS = (
    Task(CHAT, CHAT),
    Task(ANTHROPIC, ANTHROPIC),
    Task(CHAT, ANTHROPIC),
    Task(CHAT, "openai-responses"),
    Task(CHAT, "gemini"),
    Task(CHAT, "bedrock"),
)


@dataclass(frozen=True)
class Outcome:
    """What one tool made of one conversation."""

    task: Task
    kind: str
    tool: str
    verdict: Verdict
    claimed: bool


def kinds_of(task: Task) -> Iterator[Kind]:
    """The kinds of a task: what the provider itself refuses, or everything that gets converted."""
    for kind in (*HARMLESS, *DAMAGES):
        converted = task.source != task.target and task.source in kind.sources
        if converted or task.source in kind.refused:
            yield kind


def specimens(task: Task, seeds: int) -> Iterator[Specimen]:
    """The conversations of a task, so many of each kind."""
    for kind in kinds_of(task):
        for seed in range(seeds):
            yield specimen(kind, task.source, seed)


def repaired(cases: Iterable[Specimen], task: Task) -> list[Specimen]:
    """The cases of a task: none of a conversion."""
    return [case for case in cases if case.source == task.source == task.target]


def outcomes(tools: Sequence[Tool], task: Task, given: Iterable[Specimen]) -> Iterator[Outcome]:
    """What each tool makes of each conversation that it takes."""
    sound = {kind.name for kind in HARMLESS}
    for one in given:
        for tool in tools:
            if tool.takes(one, task.target):
                claimed = one.kind in tool.claims or one.kind in sound
                yield Outcome(task, one.kind, tool.name, verdict(tool, one, task.target), claimed)


def verdict(tool: Tool, one: Specimen, target: str) -> Verdict:
    """Judge what a tool sends. An error of its own is a refusal, as it is for its user."""
    try:
        body = tool.send(one, target)
    except Exception as error:  # noqa: BLE001 - whatever it is, nothing was sent
        return Verdict(f"raises {type(error).__name__}: {error}", ())
    return judge(one, body, target)


def reason(found: Verdict) -> str:
    """Why it failed, without what differs from one conversation to the next."""
    if found.refusal:
        said = found.refusal.splitlines()[0]
        said = re.sub(r"\d+", "N", re.sub(r"\b(call_|chatcmpl-)[\w|.-]+", "ID", said))
        return shorten(said, 160, placeholder=" …")
    return found.losses[0]


def commonest(found: Sequence[Outcome]) -> tuple[str, int]:
    """The most common reason of failing, and how often it was the reason."""
    counts = Counter(reason(one.verdict) for one in found if not one.verdict.whole)
    return counts.most_common(1)[0] if counts else ("", 0)
