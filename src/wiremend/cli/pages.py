"""The pages that ``explain`` prints."""

from __future__ import annotations

import difflib
import textwrap

from wiremend.cli.base import bold, printable
from wiremend.cli.showing import coloured
from wiremend.cli.writing import pretty
from wiremend.recovery import Classified
from wiremend.rules import Rule, find_rule

_WIDTH = 88

_MEANING = {
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
    "other": "nothing in this text is known to wiremend",
}
_ADVICE = {
    "context_overflow": "shorten the conversation; no rearranging helps",
    "auth": "the request is not at fault: look at the key",
    "quota": "the request is not at fault: look at the account",
    "rate_limit": "send the same request again later",
    "overloaded": "send the same request again later",
    "server": "send the same request again later",
    "other": "run `wiremend check` on the request; it may still say what is wrong",
}


def rule_page(rule: Rule) -> str:
    """All about a rule."""
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
            _example(rule),
            "",
            bold("The provider says"),
            _wrapped(rule.provider_error, "  "),
            "",
            bold("Source"),
            _wrapped(rule.source, "  "),
            "",
        ]
    )


def error_page(found: Classified) -> str:
    """What a provider's error is about, and what to try."""
    lines = [f"{bold(found.error_class)}: {_MEANING.get(found.error_class, 'an error')}"]
    if found.pointer:
        lines.append(f"place: {printable(found.pointer)}")
    for code in found.rules:
        rule = find_rule(code)
        lines.append(f"rule: {code} {rule.name}: {rule.summary}" if rule else f"rule: {code}")
    lines.append(f"next: {_next(found)}")
    if found.rules:
        lines.append(f"more: wiremend explain {found.rules[0]}")
    return "\n".join(lines) + "\n"


def _next(found: Classified) -> str:
    policy = found.next_policy
    if policy is None:
        return _ADVICE.get(found.error_class, "sending a repaired request would not help")
    if "media" in policy:
        return f"`wiremend fix --media {policy['media']} REQUEST`, and send that"
    return "`wiremend fix REQUEST`, and send that; if it is refused again, `fix --strict`"


def _example(rule: Rule) -> str:
    before, after = pretty(rule.before).splitlines(), pretty(rule.after).splitlines()
    lines = difflib.unified_diff(before, after, lineterm="", n=max(len(before), len(after)))
    # The first three lines name files and positions, which an example has none of.
    return "\n".join("  " + coloured(line) for line in list(lines)[3:])


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        printable(text),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
