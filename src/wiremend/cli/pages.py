"""The pages that ``explain`` prints."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Sequence

from wiremend.cli.base import bold, printable
from wiremend.cli.showing import coloured
from wiremend.cli.writing import pretty
from wiremend.dialects import DIALECTS
from wiremend.logs import Fault
from wiremend.recovery import Classified
from wiremend.recovery.thinking import BETA, BETA_HEADER
from wiremend.rules import Rule, find_rule

_WIDTH = 88

MEANING = {
    "structure": "the messages are not in the form or order that the provider takes",
    "media_format": "the provider cannot read a picture, a sound or a video",
    "media_too_large": "a picture, a sound or a video is too large",
    "request_too_large": "the request as a whole is too large to be received",
    "context_overflow": "the conversation is longer than the model's context",
    "auth": "the key or its permissions",
    "quota": "the account has no credit left",
    "rate_limit": "too many requests in a short time",
    "overloaded": "the provider has more to do than it can",
    "server": "the provider failed",
    "network": "the request got no answer, or lost it on the way",
    "aborted": "the request was given up before its answer came",
    "other": "nothing in this text is known to wiremend",
}
BY_THEMSELVES = frozenset(dialect.family for dialect in DIALECTS.values())
"""Formats that a request is known by; what else a request is for, its model may tell or nothing."""
_ADVICE = {
    "context_overflow": "shorten the conversation; no rearranging helps",
    "auth": "the request is not at fault: look at the key",
    "quota": "the request is not at fault: look at the account",
    "rate_limit": "send the same request again later",
    "overloaded": "send the same request again later",
    "server": "send the same request again later",
    "network": "send the same request again",
    "other": "run `wiremend check` on the request; it may still say what is wrong",
}


def fault_page(fault: Fault) -> str:
    """All about a fault of a log."""
    title = f"{bold(f'{fault.code} {fault.name}')}  (session logs; repaired by `wiremend fix`)"
    return "\n".join([title, "", _wrapped(fault.doc), "", _wrapped(fault.consequence), ""])


LONGEST_VALUE = 120
"""How much of a text in an example is shown: one of them is an image that is too large."""


def rule_page(rule: Rule, dialect: str | None = None) -> str:
    """All about a rule, in the words of a dialect of its own if one is named."""
    mine = dialect if dialect in rule.dialects else rule.dialects[0]
    repaired = "repaired by `wiremend fix`" if rule.fixable else "not repaired by `wiremend fix`"
    return "\n".join(
        [
            f"{bold(f'{rule.code} {rule.name}')}  ({', '.join(rule.dialects)}; {repaired})",
            "",
            _wrapped(rule.summary),
            "",
            _wrapped(rule.doc),
            "",
            bold("Example (- what is refused, + what is taken)"),
            "\n".join("  " + coloured(line) for line in example_lines(rule, mine)),
            "",
            bold("The provider says"),
            _wrapped(rule.said_by.get(mine, rule.provider_error), "  "),
            "",
            bold("Source"),
            _wrapped(rule.source, "  "),
            "",
        ]
    )


def error_page(found: Classified, provider: str | None = None) -> str:
    """What a provider's error is about, and what to try."""
    lines = [f"{bold(found.error_class)}: {MEANING.get(found.error_class, 'an error')}"]
    if found.pointer:
        lines.append(f"place: {printable(found.pointer)}")
    for code in found.rules:
        rule = find_rule(code)
        lines.append(f"rule: {code} {rule.name}: {rule.summary}" if rule else f"rule: {code}")
    lines.append(f"next: {advice(found, provider)}")
    if found.error_class == "structure":
        lines.append(
            "or:   `wiremend fix --in-place SESSION`, if it is a coding agent's session log"
        )
    if found.rules:
        lines.append(f"more: wiremend explain {found.rules[0]}")
    return "\n".join(lines) + "\n"


def advice(found: Classified, provider: str | None = None) -> str:
    """What to do about a provider's error, in a line; ``provider`` is whose it is, where known."""
    policy = found.next_policy
    rules = [rule for rule in map(find_rule, found.rules) if rule]
    target = _target(rules, provider)
    if policy is None:
        return _ADVICE.get(found.error_class, "sending a repaired request would not help")
    if "thinking" in policy:
        return (
            "set thinking.block_binding.prefix_mismatch_behavior to drop_block, with the header "
            f"{BETA_HEADER}: {BETA}, in this and every later request of the conversation"
        )
    if "media" in policy:
        media = f" --media {policy['media']}"
        return f"`wiremend fix{target}{media} request.json -o mended.json`, and send that"
    if rules and not any(rule.fixable for rule in rules):
        return (
            f"nothing invented would be right: `wiremend check{target} request.json` says where, "
            "mend it where the request is made"
        )
    return (
        f"`wiremend fix{target} request.json -o mended.json`, and send that; "
        "refused again: add `--strict`"
    )


def _target(rules: Sequence[Rule], provider: str | None) -> str:
    """The option that names the provider, where a request alone may not tell whose it is."""
    if provider is None and rules and not BY_THEMSELVES & set(rules[0].dialects):
        provider = rules[0].dialects[0]
    return f" --for {provider}" if provider and provider not in BY_THEMSELVES else ""


def example_lines(rule: Rule, dialect: str) -> list[str]:
    """The request that breaks a rule and its mended form, as a diff without its head."""
    return difference(*rule.examples(dialect))


def difference(older: object, newer: object) -> list[str]:
    """All of two requests as a diff without its head; texts that are very long are cut."""
    before, after = (pretty(_shortened(body)).splitlines() for body in (older, newer))
    lines = difflib.unified_diff(before, after, lineterm="", n=max(len(before), len(after)))
    # The first three lines name files and positions, which an example has none of.
    return list(lines)[3:]


def _shortened(value: object) -> object:
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        return f"{value[:LONGEST_VALUE]}…"
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    return value


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        printable(text),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
