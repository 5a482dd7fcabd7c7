"""Which format an input is read in, and for whom: what was said, or else how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from wiremend.dialects import DIALECTS
from wiremend.inputs.envelopes import enclosed, field_of_request
from wiremend.inputs.parsing import Unusable
from wiremend.inputs.recognise import Recognised, recognise
from wiremend.rules import Violation
from wiremend.rules.sound import KINDS, read_sound

BESIDE_MESSAGES = "tools-undefined"
"""The rule about what stands beside the messages, where an array of messages has no place."""


class Wanted(NamedTuple):
    """What the options say: the format of the input and the provider; None: look at the input."""

    format: str | None = None
    provider: str | None = None


class Choice(NamedTuple):
    """What an input was taken for.

    ``guessed`` says that nobody named the format, ``doubt`` holds another one that the input
    looks like.
    """

    format: str
    dialect: str
    is_bare: bool
    guessed: bool
    doubt: str | None = None


class Chosen(NamedTuple):
    """The body of an input as the library takes it, and what it was taken for.

    ``line`` is the line of a batch that it is in, in the field ``field``.
    """

    body: dict[str, Any]
    source: str
    dialect: str
    is_bare: bool
    guessed: bool
    doubt: str | None = None
    line: dict[str, Any] | None = None
    field: str = ""

    @property
    def holds(self) -> str:
        """The field of the body with the messages."""
        return DIALECTS[self.source].holds

    @property
    def format(self) -> str:
        """The wire format of the input, whichever of the servers that speak it was meant."""
        return DIALECTS[self.source].family

    @property
    def is_foreign(self) -> bool:
        """Whether the provider speaks another format than the input's."""
        return DIALECTS[self.source].family != DIALECTS[self.dialect].family

    @property
    def choice(self) -> Choice:
        """What the input was taken for, without the input."""
        return Choice(self.format, self.dialect, self.is_bare, self.guessed, self.doubt)

    def placed(self, found: Sequence[Violation]) -> list[Violation]:
        """Violations in the body with their pointers into the input.

        What an array of messages cannot hold is not missed in it.
        """
        if self.line is not None:
            start = f"/{self.field}"
            return [msgspec.structs.replace(one, pointer=start + one.pointer) for one in found]
        if not self.is_bare:
            return list(found)
        return [self._in_array(one) for one in found if one.rule != BESIDE_MESSAGES]

    def written(self, body: dict[str, Any], target: str) -> dict[str, Any]:
        """The input with another request in it, which is for this provider."""
        if self.line is None:
            return body
        return enclosed(self.line, self.field, body, self.source, target)

    def _in_array(self, found: Violation) -> Violation:
        start = f"/{self.holds}"
        pointer = found.pointer.removeprefix(start) if found.pointer.startswith(start) else ""
        return msgspec.structs.replace(found, pointer=pointer)


def choose(value: Any, asked: Wanted) -> Chosen:
    """The body, its format and its provider. Raises ``Unusable``."""
    field = field_of_request(value)
    if field is not None:
        return choose(value[field], asked)._replace(line=value, field=field)
    found = recognise(value)
    source = _source(found, value, asked)
    model = value.get("model") if isinstance(value, dict) else None
    target = asked.provider or _by_model(model, source)
    if DIALECTS[source].family == DIALECTS[target].family:
        # Servers of one family read the same body: only the provider matters.
        source = target
    named = asked.format or asked.provider
    same = DIALECTS[found.format].family == DIALECTS[source].family
    return Chosen(
        found.body(value, DIALECTS[source].holds),
        source,
        target,
        found.is_bare,
        guessed=named is None,
        doubt=None if named is None or same or found.is_default else found.format,
    )


def choose_sound(data: bytes, asked: Wanted) -> Choice | None:
    """What JSON that was not read yet is, if it is sound, and `choose` would take it for that."""
    for dialect in _QUICK:
        if asked.format in (None, dialect) and asked.provider in (None, dialect):
            request = read_sound(data, dialect)
            if request is not None and _by_model(request.model, dialect) == dialect:
                return _CHOICES[dialect, asked == _NOBODY]
    return None


def _source(found: Recognised, value: Any, asked: Wanted) -> str:
    """The format of the input: as was said, or else as it looks."""
    if asked.format is not None:
        if not _can_be(found, value, asked.format):
            raise Unusable(
                f'is no request in the format {asked.format}: it has no "'
                f'{DIALECTS[asked.format].holds}" and looks like {found.format}'
            )
        return asked.format
    if asked.provider is not None and _can_be(found, value, asked.provider):
        return asked.provider
    return found.format


def _can_be(found: Recognised, value: Any, name: str) -> bool:
    """Whether the value can be read in this format: it has the list, or is one of the kind."""
    holds = DIALECTS[name].holds
    return holds == DIALECTS[found.format].holds if found.is_bare else holds in value


_MODELS = (
    ("kimi", ("kimi-", "moonshot-")),
    ("deepseek", ("deepseek-",)),
    ("mistral", ("mistral-", "ministral-", "magistral-", "codestral-", "pixtral-", "devstral-")),
)
"""Model names by which a request in the format of OpenAI shows whom it is for."""


def _by_model(model: Any, source: str) -> str:
    if source != "openai-chat" or not isinstance(model, str):
        return source
    return next((name for name, starts in _MODELS if model.startswith(starts)), source)


_NOBODY = Wanted()
_QUICK = tuple(KINDS)
_CHOICES = {
    (dialect, guessed): Choice(DIALECTS[dialect].family, dialect, is_bare=False, guessed=guessed)
    for dialect in _QUICK
    for guessed in (True, False)
}
