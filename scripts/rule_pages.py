"""A page for each rule, and the table of all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import wiremend
from wiremend.cli.pages import difference
from wiremend.recovery import Classified
from wiremend.rules import RULES, Rule

REPORTS = Path(__file__).parents[1] / "tests" / "data"
MOST_REPORTS = 5
"""How many real error texts a page shows: the rest say the same in the same words."""

FAMILIES = {
    "WM0": "Every provider",
    "WM1": "Chat Completions",
    "WM2": "Anthropic Messages",
    "WM3": "OpenAI Responses",
    "WM4": "Gemini",
    "WM5": "Bedrock Converse",
    "WM60": "Kimi",
    "WM62": "DeepSeek",
    "WM64": "Mistral",
    "WM66": "Other servers of Chat Completions",
}


def rules_page() -> str:
    """The table of all rules; on the site each code leads to its page."""
    lines = [
        "# Rules",
        "",
        "What a provider refuses. `wiremend explain WM201` prints all about one: why, in whose",
        "words, a request before and after. Made by `scripts/write_docs.py`.",
        "",
    ]
    for prefix, title in FAMILIES.items():
        lines += [f"## {title}", "", "| code | name | dialects | |", "| --- | --- | --- | --- |"]
        lines += [
            f"| {rule.code} | {rule.name} | {', '.join(rule.dialects)} | {rule.summary} |"
            for rule in RULES
            if rule.code.startswith(prefix)
        ]
        lines.append("")
    return "\n".join(lines)


def rule_page(rule: Rule) -> str:
    """All about one rule: in whose words it is refused, why, and what becomes of an example."""
    names = ", ".join(f"`{name}`" for name in rule.dialects)
    repaired = "`wiremend fix` repairs it." if rule.fixable else "`wiremend fix` cannot repair it."
    lines = [
        f"# {rule.code} {rule.name}",
        "",
        f"{rule.summary} For {names}. **{repaired}**",
        "",
        "## What the provider says",
        "",
        *_said(rule),
        "## Why",
        "",
        f"{rule.doc} Source: {rule.source}.",
        "",
        *_what_to_do(rule),
        *_examples(rule),
    ]
    return "\n".join(lines)


class ErrorText(NamedTuple):
    """What a server said, who reported it, and what it is about."""

    text: str
    source: str
    found: Classified


@cache
def error_texts() -> tuple[ErrorText, ...]:
    """The error texts of public reports and of documentation."""
    return tuple(map(_error_text, _reports()))


def _reports() -> Iterator[dict[str, Any]]:
    for path in sorted(REPORTS.glob("error-vectors*.json")):
        yield from json.loads(path.read_bytes())


def _error_text(report: dict[str, Any]) -> ErrorText:
    body = report["body"]
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    found = wiremend.classify(report["status"], text, report["provider"])
    return ErrorText(text, report["source"], found)


def _said(rule: Rule) -> Iterator[str]:
    yield from _fenced("text", rule.provider_error)
    for dialect, words in rule.said_by.items():
        yield f"`{dialect}`:\n"
        yield from _fenced("text", words)
    real = {one.text: one.source for one in error_texts() if rule.code in one.found.rules[:1]}
    if real:
        yield "In real reports:\n"
        for text, source in list(real.items())[:MOST_REPORTS]:
            yield f"- {in_code(text)} ({source})"
        yield ""


def _what_to_do(rule: Rule) -> Iterator[str]:
    dialect = rule.dialects[0]
    yield "## What to do\n"
    if not rule.fixable:
        yield "Nothing invented would be right here: mend it where the request is made.\n"
        return
    yield (
        "`wiremend fix request.json -o mended.json` for a file; "
        f'`wiremend.fix(request, "{dialect}")` in a program; '
        "[the proxy](../proxy.md) or [an HTTP client](../integrations/index.md) for an agent "
        "whose code stays as it is.\n"
    )


def _examples(rule: Rule) -> Iterator[str]:
    shown: list[object] = []
    for dialect in rule.dialects:
        before, after = rule.examples(dialect)
        if before in shown:
            continue
        shown.append(before)
        if not rule.fixable:
            yield "## What is refused, and what is taken { data-search-exclude }\n"
            yield from _fenced("diff", *difference(before, after))
            continue
        fixed = wiremend.fix(before, dialect)
        yield f"## Before and after `wiremend fix --for {dialect}` {{ data-search-exclude }}\n"
        yield from _fenced("diff", *difference(before, fixed.body))
        yield "What is said about it:\n"
        yield from (f"- {anomaly.describe()} (`{anomaly.kind}`)" for anomaly in fixed.anomalies)
        yield ""


def in_code(words: str) -> str:
    """Words as code in a line, whatever quotes and backticks they have."""
    return f"`` {' '.join(words.split())} ``"


def _fenced(kind: str, *lines: str) -> Iterator[str]:
    """A block of code; half of a character, which one example is about, comes as its escape."""
    yield f"````{kind}"
    yield from (line.encode("utf-8", "backslashreplace").decode() for line in lines)
    yield "````\n"
