"""Fields beside the messages, taken out one by one: what nobody takes is left as the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from wiremend.dialects.base import Json
from wiremend.dialects.settings import Effort

EFFORTS: tuple[Effort, ...] = get_args(Effort)
"""From none to the most."""


class Fields:
    """The fields of a request; a field is taken where its value is of the right kind."""

    def __init__(self, envelope: Mapping[str, Any], *messages: str) -> None:
        """``messages`` are the fields that hold what is said; null means that nothing is said."""
        self.rest: Json = {
            name: value
            for name, value in envelope.items()
            if name not in messages and value is not None
        }

    def text(self, name: str) -> str | None:
        """A text."""
        found: str | None = self._take(name, isinstance(self.rest.get(name), str))
        return found

    def flag(self, name: str) -> bool | None:
        """True or false."""
        found: bool | None = self._take(name, isinstance(self.rest.get(name), bool))
        return found

    def whole(self, name: str) -> int | None:
        """A whole number."""
        value = self.rest.get(name)
        found: int | None = self._take(name, isinstance(value, int) and not isinstance(value, bool))
        return found

    def number(self, name: str) -> float | None:
        """Any number."""
        value = self.rest.get(name)
        found: float | None = self._take(
            name, isinstance(value, (int, float)) and not isinstance(value, bool)
        )
        return found

    def effort(self, name: str) -> Effort | None:
        """A word for how much the model shall think."""
        found: Effort | None = self._take(name, self.rest.get(name) in EFFORTS)
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """One text or a list of them."""
        value = self.rest.get(name)
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            return ()
        del self.rest[name]
        return tuple(texts)

    def inner(self, name: str) -> Fields:
        """The fields of an object; ``put_back`` leaves there what was not taken of them."""
        value = self.rest.get(name)
        return Fields(value if isinstance(value, dict) else {})

    def put_back(self, name: str, inner: Fields) -> None:
        """Leave of an object what was not taken; nothing where all of it was."""
        if not isinstance(self.rest.get(name), dict):
            return
        if inner.rest:
            self.rest[name] = inner.rest
        else:
            del self.rest[name]

    def _take(self, name: str, fits: bool) -> Any:
        return self.rest.pop(name) if fits else None


def typed(holder: Any, **wanted: type) -> bool:
    """Whether an object has these fields, of these types, or lacks them."""
    return isinstance(holder, dict) and all(
        holder.get(name) is None or isinstance(holder[name], kind) for name, kind in wanted.items()
    )


def merged(fields: Json, rest: Json) -> Json:
    """Fields together with the rest: inside objects too, and lists one behind the other."""
    out = dict(fields)
    for name, value in rest.items():
        mine = out.get(name)
        if isinstance(mine, dict) and isinstance(value, dict):
            out[name] = merged(mine, value)
        elif isinstance(mine, list) and isinstance(value, list):
            out[name] = [*mine, *value]
        else:
            out[name] = value
    return out


def said(**fields: Any) -> Json:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value is not None}


def nearest(effort: Effort, known: tuple[Effort, ...]) -> Effort:
    """The known effort that is closest, the higher of two."""
    place = EFFORTS.index(effort)
    return min(known, key=lambda one: (abs(EFFORTS.index(one) - place), -EFFORTS.index(one)))


def effort_of(budget: int) -> Effort:
    """The effort that comes near a budget in tokens."""
    return "low" if budget < 4096 else "medium" if budget < 16384 else "high"
