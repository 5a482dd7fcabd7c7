"""``errors.md``: which rule a provider's words are about, and what its box finds them with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from scripts.rule_pages import FAMILIES, error_texts, in_code

import wiremend
from wiremend.cli.pages import MEANING, advice
from wiremend.recovery import Classified
from wiremend.recovery.codes import CODES
from wiremend.recovery.errors import SIGNS
from wiremend.recovery.media_signs import UNNAMED_MEDIA
from wiremend.recovery.signs import Sign
from wiremend.recovery.structure_signs import UNNAMED
from wiremend.rules import RULES, Rule, find_rule

EXAMPLES = 4
"""How many real texts stand for a class: the shortest of them, which say it plainest."""

_HEAD = """\
# I have this error

<div id="explain" markdown>

Paste it into `wiremend explain`, as it is: the message, the JSON, or what your SDK printed.

</div>

```console
$ wiremend explain "messages with role 'tool' must be a response to a preceeding message"
structure: the messages are not in the form or order that the provider takes
rule: WM102 orphan-tool-result: A tool message answers no call of the assistant message before it.
next: `wiremend fix request.json -o mended.json`, and send that; refused again: add `--strict`
or:   `wiremend fix --in-place SESSION`, if it is a coding agent's session log
more: wiremend explain WM102
```

Or look for a few of its words here; names, numbers and places are `…`. Made by
`scripts/write_docs.py`.
"""


def errors_page() -> str:
    """Every wording that a rule knows, then the errors that are no rule's."""
    lines = [_HEAD]
    for prefix, title in FAMILIES.items():
        lines += [f"## {title}", "", "| the provider says | rule | |", "| --- | --- | --- |"]
        lines += _rows(rule for rule in RULES if rule.code.startswith(prefix))
        lines.append("")
    lines += ["## Errors that no rule is about", ""]
    for error_class in MEANING:
        lines += _class(error_class)
    return "\n".join(lines)


def box_data() -> dict[str, Any]:
    """What the box matches a pasted text with, and its answers: the words are those of ``explain``.

    ``signs`` are patterns in their order with the index of an answer; ``codes`` the words for
    machines that say a class whatever else is said; ``unknown`` is the answer where nothing fits.
    """
    answers: list[dict[str, Any]] = []

    def answer(found: Classified) -> int:
        known = [rule for rule in map(find_rule, found.rules) if rule]
        made = {
            "class": found.error_class,
            "meaning": MEANING[found.error_class],
            "rules": [[rule.code, rule.name, rule.summary] for rule in known],
            "next": advice(found),
        }
        if made not in answers:
            answers.append(made)
        return answers.index(made)

    signs = [
        [sign.pattern.pattern, answer(wiremend.classify(None, "", extra_signs=[_anything(sign)]))]
        for sign in (*SIGNS, *UNNAMED_MEDIA, *UNNAMED)
    ]
    codes = {code: answer(wiremend.classify(None, {"code": code})) for code in CODES}
    return {
        "signs": signs,
        "codes": codes,
        "unknown": answer(Classified("other")),
        "answers": answers,
    }


def _anything(sign: Sign) -> Sign:
    """The sign, found in any text: what is made of it is asked of ``classify`` alone."""
    return sign._replace(pattern=re.compile(""))


def _rows(rules: Iterable[Rule]) -> Iterator[str]:
    for rule in rules:
        words = dict.fromkeys([rule.provider_error, *rule.said_by.values()])
        said = "<br>".join(map(_cell, words))
        repaired = "`fix` repairs it" if rule.fixable else "mend it where the request is made"
        yield f"| {said} | {rule.code} {rule.name} | {repaired} |"


def _class(error_class: str) -> Iterator[str]:
    if error_class in ("structure", "other"):
        return
    texts = [
        one.text
        for one in error_texts()
        if one.found.error_class == error_class and not one.found.rules
    ]
    if not texts:
        return
    step = advice(wiremend.classify(None, min(texts, key=len)))
    yield f"### {error_class}\n"
    yield f"{MEANING[error_class].capitalize()}. What to do: {step}.\n"
    for text in sorted(dict.fromkeys(texts), key=len)[:EXAMPLES]:
        yield f"- {_cell(text)}"
    yield ""


def _cell(words: str) -> str:
    """An error text in a cell of a table, what changes from one to the next as ``…``."""
    return in_code(re.sub(r"\{\w+\}", "…", words)).replace("|", "\\|")
