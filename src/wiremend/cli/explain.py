"""``wiremend explain``: a rule's page, or what a provider's error is about."""

from __future__ import annotations

import difflib
import re
import sys

import click

import wiremend
from wiremend.cli.base import Command, complain, printable, put
from wiremend.cli.pages import error_page, fault_page, rule_page
from wiremend.cli.writing import compact
from wiremend.dialects import DIALECTS
from wiremend.inputs import STDIN, Unusable
from wiremend.logs import FAULTS
from wiremend.rules import RULES, Rule, find_rule

_EPILOG = """\b
Examples:
  wiremend explain WM101
  wiremend explain orphan-tool-result --for anthropic
  wiremend explain "messages.3: all messages must have non-empty content" --status 400
  wiremend explain                        and paste the error
  ./call-the-api 2>&1 | wiremend explain - --output json

Exit status: 0 fine, 2 unusable input or usage.
"""

_CODE = re.compile(r"wm\d+", re.IGNORECASE)
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_NEXT_FOR_STRUCTURE = {"structure": "strict"}


@click.command(
    "explain", cls=Command, epilog=_EPILOG, short_help="Explain a rule or a provider's error."
)
@click.argument("words", metavar='CODE|"ERROR TEXT"', nargs=-1)
@click.option(
    "--status",
    type=click.IntRange(100, 999),
    metavar="N",
    help="The HTTP status that the error came with.",
)
@click.option("--for", "provider", type=click.Choice(list(DIALECTS)), help="Whose error it is.")
@click.option(
    "--output",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the answer.",
)
def command(words: tuple[str, ...], status: int | None, provider: str | None, form: str) -> None:
    """Explain a rule, or which rule a provider's error is about and what mends it.

    The error may be the message alone, the whole JSON body, or what an SDK printed. Without it, or
    with -, it is read from standard input: quotes and backticks mean nothing to the shell there.
    """
    text = " ".join(words).strip()
    if not words or text == STDIN:
        text = _typed_in()
    if not text:
        raise Unusable("nothing to explain: give a rule's code or an error's text")
    fault = next((one for one in FAULTS if text.lower() in (one.code.lower(), one.name)), None)
    if fault is not None:
        if form == "json":
            _put_json("log", (fault.code,), "", None)
        else:
            put(fault_page(fault))
        return
    rule = _rule(text, provider)
    if rule is not None:
        if form == "json":
            _put_json("structure", (rule.code,), "", _NEXT_FOR_STRUCTURE)
        else:
            put(rule_page(rule, provider))
        return
    found = wiremend.classify(status, text, provider)
    if form == "json":
        _put_json(found.error_class, found.rules, found.pointer, found.next_policy)
    else:
        put(error_page(found, provider))


def _typed_in() -> str:
    """What comes on standard input; a person is told that it is waited for."""
    if sys.stdin.isatty():
        complain(None, "paste the error, then press Ctrl-D on a line of its own")
    return sys.stdin.buffer.read().decode("utf-8", "replace").strip()


def _put_json(
    error_class: str, rules: tuple[str, ...], pointer: str, next_policy: dict[str, str] | None
) -> None:
    found = {
        "class": error_class,
        "rules": list(rules),
        "pointer": pointer,
        "next_policy": next_policy,
    }
    put(compact(found) + "\n")


def _rule(text: str, provider: str | None) -> Rule | None:
    """The rule that is named; None where the text is an error. Raises ``Unusable``."""
    named = [one for one in RULES if one.name == text.lower()]
    mine = next((one for one in named if provider in one.dialects), None)
    rule = mine or find_rule(text)
    if rule is None and _CODE.fullmatch(text):
        raise Unusable(f"no rule {printable(text.upper())}; near it: {_near_codes(text)}")
    if rule is None and _NAME.fullmatch(text.lower()):
        near = difflib.get_close_matches(text.lower(), {one.name for one in RULES})
        if near:
            raise Unusable(f"no rule {printable(text)}; near it: {', '.join(near)}")
    return rule


def _near_codes(text: str) -> str:
    wanted = int(text[2:12])
    near = sorted(RULES, key=lambda one: abs(int(one.code[2:]) - wanted))[:3]
    return ", ".join(f"{one.code} {one.name}" for one in sorted(near, key=lambda one: one.code))
