"""What a rule is, what it finds, and how rules walk a request body.

The rules read plain dicts and nothing else of wiremend, so that they can judge what the
projection made. Whatever has the wrong type is the business of ``WM003`` alone; every other
rule passes over it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, TypeGuard, TypeVar

import msgspec

from wiremend.errors import Path, pointer

Body: TypeAlias = dict[str, Any]

OPENAI_CHAT = ("openai-chat",)
ANTHROPIC = ("anthropic",)
KIMI = ("kimi",)
DEEPSEEK = ("deepseek",)
MISTRAL = ("mistral",)
QWEN = ("qwen",)
OPENROUTER = ("openrouter",)
GENERIC = ("generic",)
CHAT = OPENAI_CHAT + KIMI + DEEPSEEK + MISTRAL + QWEN + OPENROUTER + GENERIC
"""Those that speak Chat Completions."""
OPENAI_RESPONSES = ("openai-responses",)
GEMINI = ("gemini",)
BEDROCK = ("bedrock",)
EVERY = OPENAI_CHAT + OPENAI_RESPONSES + ANTHROPIC + GEMINI + BEDROCK + CHAT[1:]

_BLANK = "\t\n\v\f\r \u00a0\ufeff\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


T = TypeVar("T")


class Reading(dict[str, Any]):
    """A body while it is checked, with what several rules need to know of it."""

    def __init__(self, body: Body, dialect: str = "") -> None:
        super().__init__(body)
        self.dialect = dialect
        self.known: dict[object, list[Any]] = {}


def is_blank(value: Any) -> bool:
    """Whether a value is text of nothing but white space; empty text is."""
    return isinstance(value, str) and not value.strip(_BLANK)


def dialect_of(body: Body) -> str:
    """For whom a body is checked, where a rule of several dialects has to know it."""
    return body.dialect if isinstance(body, Reading) else OPENAI_CHAT[0]


def once(work: Callable[[Body], Iterator[T]]) -> Callable[[Body], Iterable[T]]:
    """Make a walk remember what it found for as long as one body is checked.

    Most rules go through the same blocks: this is most of the time that a check takes.
    """

    def found(body: Body) -> Iterable[T]:
        if not isinstance(body, Reading):
            return work(body)
        if work not in body.known:
            body.known[work] = list(work(body))
        return body.known[work]

    return found


class Finding(msgspec.Struct, frozen=True):
    """One place that breaks a rule.

    ``words`` fill the rule's ``provider_error``, whose ``{place}`` is the path unless given;
    ``said`` stands in for it where the provider words this form of the fault otherwise.
    """

    path: Path
    message: str
    words: dict[str, str | int] = {}
    said: str = ""


Check: TypeAlias = Callable[[Body], Iterator[Finding]]


class Violation(msgspec.Struct, frozen=True):
    """A broken rule as the caller sees it; ``pointer`` is a JSON pointer into the body."""

    code: str
    rule: str
    pointer: str
    message: str
    provider_error: str
    fixable: bool


class Rule(msgspec.Struct, frozen=True):
    """Something that a provider rejects.

    ``before`` breaks this rule and no other, ``after`` is its mended form; ``elsewhere`` has both
    for the dialects whose bodies have another shape. ``provider_error`` is a template: names in
    braces are filled in for each finding. ``source`` says how we know.
    """

    code: str
    name: str
    dialects: tuple[str, ...]
    summary: str
    doc: str
    before: Body
    after: Body
    provider_error: str
    source: str
    fixable: bool
    check: Check
    elsewhere: dict[str, tuple[Body, Body]] = {}
    """Before and after in dialects that word the example otherwise."""
    said_by: dict[str, str] = {}
    """What providers of other dialects say instead of ``provider_error``."""

    def examples(self, dialect: str) -> tuple[Body, Body]:
        """A request of this dialect that breaks the rule, and its mended form."""
        return self.elsewhere.get(dialect, (self.before, self.after))

    def violations(self, body: Body) -> Iterator[tuple[Path, Violation]]:
        """Each place that breaks this rule, with its path."""
        said = self.said_by.get(dialect_of(body), self.provider_error)
        for found in self.check(body):
            yield found.path, self._violation(found, said)

    def _violation(self, found: Finding, said: str) -> Violation:
        words = {"place": dotted(found.path), **found.words}
        return Violation(
            code=self.code,
            rule=self.name,
            pointer=_printable(pointer(found.path)),
            message=found.message,
            provider_error=fill(found.said or said, words),
            fixable=self.fixable,
        )


def rule(
    *,
    code: str,
    name: str,
    dialects: tuple[str, ...],
    summary: str,
    doc: str,
    before: Body,
    after: Body,
    provider_error: str,
    source: str,
    fixable: bool = True,
    elsewhere: dict[str, tuple[Body, Body]] | None = None,
    said_by: dict[str, str] | None = None,
) -> Callable[[Check], Rule]:
    """Turn a check, a generator of findings, into the rule that it decides."""

    def made(check: Check) -> Rule:
        return Rule(
            code=code,
            name=name,
            dialects=dialects,
            summary=summary,
            doc=" ".join(doc.split()),
            before=before,
            after=after,
            provider_error=provider_error,
            source=source,
            fixable=fixable,
            check=check,
            elsewhere=elsewhere or {},
            said_by=said_by or {},
        )

    return made


def fill(template: str, words: dict[str, str | int]) -> str:
    """Put words into a template; braces that hold no known word stay as they are."""

    def word(match: re.Match[str]) -> str:
        return str(words.get(match[1], match[0]))

    return re.sub(r"\{([a-z_]+)\}", word, template)


def objects(value: Any) -> Iterator[tuple[int, Body]]:
    """The objects of a list with their indexes; nothing where there is no list."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict):
                yield index, item


def messages(body: Body) -> Iterator[tuple[int, Body]]:
    """The messages that are objects, with their indexes."""
    return objects(body.get("messages"))


def last_message(body: Body) -> tuple[int, Body] | None:
    """The final message with its index, if there is one and it is an object."""
    found = body.get("messages")
    if isinstance(found, list) and found and isinstance(found[-1], dict):
        return len(found) - 1, found[-1]
    return None


def is_id(value: Any) -> TypeGuard[str]:
    """Whether this can pair a call with its result."""
    return isinstance(value, str) and value != ""


def has_non_finite(root: Any) -> bool:
    """Whether a value holds a number that JSON has no word for."""
    stack: list[Any] = [[root]]
    while stack:
        value = stack.pop()
        for item in value.values() if isinstance(value, dict) else value:
            kind = type(item)
            if kind is str:
                continue
            if kind is dict or kind is list or isinstance(item, (dict, list)):
                stack.append(item)
            elif isinstance(item, float) and not math.isfinite(item):
                return True
    return False


def one_of(value: Any, known: frozenset[str]) -> bool:
    """Whether this is one of the known strings, whatever it is."""
    return isinstance(value, str) and value in known


def shown(value: Any) -> str:
    """An id or a name for a message: short, printable, never a whole content."""
    if not isinstance(value, str):
        return "null" if value is None else f"({type(value).__name__})"
    return _printable(value if len(value) <= 64 else value[:61] + "...")


def dotted(path: Path) -> str:
    """A path in the notation of Anthropic's errors: ``messages.1.content.0``."""
    steps = [str(step) for step in path]
    # A list inside a block can only be that of a tool result; a document's is under `source`.
    if len(steps) > 4 and steps[4] == "content":
        steps.insert(4, "tool_result")
    return _printable(".".join(steps))


def _printable(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
