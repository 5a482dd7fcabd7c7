"""``dialects.md``: how each format writes a conversation, and what each provider refuses of it.

Nothing here is written down twice. A small conversation is written in each dialect; where its parts
are found again is how the format says it. Then it is damaged in one way at a time, and the rules
are asked: what they say is the cell, and their sources are those of the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache

from scripts.dialect_changes import Cell, codes_of, index_of, refusals
from scripts.dialect_forms import SECOND, TOOL, WRITTEN, place, written
from scripts.rule_pages import in_code

from wiremend.cli.writing import pretty
from wiremend.dialects import DIALECTS
from wiremend.rules import find_rule

FORMATS = ("openai-chat", "openai-responses", "anthropic", "gemini", "bedrock")
_LONGEST = 300

_HEAD = """\
# Dialects

How each provider's format writes the same conversation, and what of it is refused. `kimi`,
`deepseek`, `mistral`, `qwen`, `openrouter` and `generic` are profiles of Chat Completions: they
write as it does and refuse other things. Pictures, documents and sizes are in
[Limits](limits.md), what is lost from one to another in [Conversion](conversion.md).

Made by `scripts/write_docs.py`: each cell is what the code does with a small conversation, for a
model that no rule knows by its name.
"""


def dialects_page() -> str:
    """The tables, the same conversation in each format, and where it is from."""
    refused = list(refusals())
    codes = {code for _, cells in (*refused, *_names()) for _, found in cells for code in found}
    rules = [rule for code in sorted(codes) if (rule := find_rule(code))]
    lines = [
        *_table(FORMATS, ((name, map(say, FORMATS)) for name, say in WRITTEN)),
        "Where the profiles of Chat Completions write otherwise than it does:\n",
        *_profiles(),
        "## What is refused\n",
        "*Taken*: no rule objects. A code names the rule that does, with its reason and repair.",
        "*Some servers*: the rule objects, and not every server of the format does.\n",
        *_table(DIALECTS, ((name, map(_cell, cells)) for name, cells in refused)),
        "## Ids and names\n",
        *_table(DIALECTS, ((name, map(_cell, cells)) for name, cells in _names())),
        "## One conversation in each format\n",
        "An instruction, a question, an answer with two calls, their results.\n",
        *_examples(),
        "## Where it is from\n",
        *_table(("rule", "source"), ((rule.code, (rule.name, rule.source)) for rule in rules)),
    ]
    return "\n".join([_HEAD, "## How it is written\n", *lines])


def _profiles() -> list[str]:
    """The rows in which some profile writes otherwise than ``openai-chat``."""
    names = [name for name in DIALECTS if name not in FORMATS]
    rows = [(name, [say(one) for one in names], say(FORMATS[0])) for name, say in WRITTEN]
    return _table(names, ((name, cells) for name, cells, usual in rows if {*cells} != {usual}))


def _table(columns: Iterable[str], rows: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    names = list(columns)
    lines = [f"| | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
    return [*lines, *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows), ""]


def _cell(found: Cell) -> str:
    said, codes = found
    return " ".join(filter(None, (said.replace("|", "\\|"), ", ".join(codes))))


# --- ids and names ---


@cache
def _names() -> tuple[tuple[str, list[Cell]], ...]:
    """How long they may be and which characters they may have: each is tried."""
    return tuple(
        (f"{what}: {name}", [asked(dialect, word) for dialect in DIALECTS])
        for what, word in (("call id", SECOND), ("tool name", TOOL))
        for name, asked in (("length", _lengths), ("characters", _characters))
    )


def _tried(dialect: str, word: str, instead: str) -> list[str]:
    text = json.dumps(written(dialect))
    return codes_of(json.loads(text.replace(word, json.dumps(instead)[1:-1])), dialect)


def _lengths(dialect: str, word: str) -> Cell:
    if not place(written(dialect), word):
        return "has none", ()
    taken, codes = [], set()
    for length in range(1, _LONGEST + 1):
        found = _tried(dialect, word, "a" * length)
        codes.update(found)
        taken += [] if found else [length]
    if taken[-1] == _LONGEST:
        return "any", ()
    return (str(taken[0]) if len(taken) == 1 else f"{taken[0]}–{taken[-1]}"), sorted(codes)


def _characters(dialect: str, word: str) -> Cell:
    if not place(written(dialect), word):
        return "has none", ()
    taken, codes = "", set()
    for character in map(chr, range(33, 127)):
        found = _tried(dialect, word, f"{word[:4]}{character}{word[5:]}")
        codes.update(found)
        taken += "" if found else character
    if not codes:
        return "any", ()
    letters = "".join(c for c in taken if not c.isalnum())
    ranges = [f"{a}–{b}" for a, b in ("AZ", "az", "09") if a in taken and b in taken]
    return in_code(" ".join([*ranges, *letters])), sorted(codes)


# --- examples ---


def _examples() -> Iterator[str]:
    for name in FORMATS:
        dialect = DIALECTS[name]
        items = written(name)
        head = {key: value for key, value in items.items() if place({key: value}, "SYSTEM")}
        shown = items[dialect.holds]
        head[dialect.holds] = shown[: index_of(shown, "END")]
        yield f"### {name}\n"
        yield f"```json\n{pretty(head)}\n```\n"
