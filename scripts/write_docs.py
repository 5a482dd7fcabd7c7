"""Write the pages of ``docs/`` that are made from the code: ``python scripts/write_docs.py``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from wiremend.projection import KINDS
from wiremend.rules import RULES, Rule

DOCS = Path(__file__).parents[1] / "docs"
LONGEST_VALUE = 60


def rules_page() -> str:
    """Every rule: what is refused, why, in whose words, and a conversation before and after."""
    head = (
        "# Rules\n\nWhat a provider refuses. `wiremend explain WM201` prints the same. "
        "Made by `scripts/write_docs.py`.\n"
    )
    table = ["| code | name | dialects | |", "| --- | --- | --- | --- |"]
    table.extend(
        f"| [{r.code}](#{r.code.lower()}-{r.name}) | {r.name} | {', '.join(r.dialects)} "
        f"| {r.summary} |"
        for r in RULES
    )
    return "\n".join([head, *table, "", *map(_rule, RULES)])


def anomalies_page() -> str:
    """Every kind of repair, its fields and what it means."""
    head = (
        "# Anomalies\n\nWhat a repair is reported as: in Python a value of its class, in JSON "
        '`{"kind": …, …its fields in camelCase}`. Made by `scripts/write_docs.py`.\n'
    )
    table = ["| kind | fields | meaning |", "| --- | --- | --- |"]
    for kind, cls in KINDS.items():
        fields = ", ".join(f"`{name}`" for name in cls.__struct_encode_fields__)
        meaning = " ".join((cls.__doc__ or "").split())
        table.append(f"| `{kind}` | {fields} | {meaning} |")
    return "\n".join([head, *table, ""])


PAGES = {"rules.md": rules_page, "anomalies.md": anomalies_page}


def _rule(rule: Rule) -> str:
    repaired = "`fix` repairs it." if rule.fixable else "`fix` cannot repair it."
    return (
        f"## {rule.code} {rule.name}\n\n{rule.summary} {rule.doc} {repaired}\n\n"
        f"The provider says: `{rule.provider_error}`\n\nSource: {rule.source}.\n\n"
        f"Before:\n\n```json\n{_shown(rule.before)}\n```\n\n"
        f"After:\n\n```json\n{_shown(rule.after)}\n```\n"
    )


def _shown(body: object) -> str:
    return json.dumps(_shortened(body), indent=2, ensure_ascii=True)


def _shortened(value: object) -> object:
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        return f"{value[:LONGEST_VALUE]}…"
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    return value


if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
        sys.stdout.write(f"wrote docs/{name}\n")
