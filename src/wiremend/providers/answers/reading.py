"""A script from JSON: a list of steps, or an object with ``steps`` and ``repeat``.

A step is a text, an answer (``parts`` and what else ``Answer`` has; a part may be a bare text) or,
where it has a ``status``, a failure.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from wiremend.errors import Path, WiremendError
from wiremend.providers.answers.script import Answer, Failure, Script, Step, Text

_PLACE = re.compile(r"^(.*?)(?: - at `\$(.*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


def read_script(data: bytes | str) -> Script:
    """Read a script.

    Raises ``WiremendError``, which says where and what, for JSON that is no script.
    """
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WiremendError(f"a script is JSON: {error}") from None
    if isinstance(value, list):
        return Script(_steps(value, ()))
    if not isinstance(value, dict):
        raise WiremendError("a script is a list of steps, or an object with `steps`")
    unknown = sorted(value.keys() - {"steps", "repeat"})
    if unknown:
        raise WiremendError("a script has only `steps` and `repeat`", (unknown[0],))
    repeat = value.get("repeat", False)
    if not isinstance(repeat, bool):
        raise WiremendError("is true or false", ("repeat",))
    steps = value.get("steps")
    if not isinstance(steps, list):
        raise WiremendError("a script has a list of steps here", ("steps",))
    return Script(_steps(steps, ("steps",)), repeat)


def _steps(values: list[Any], path: Path) -> tuple[Step, ...]:
    return tuple(_step(value, (*path, index)) for index, value in enumerate(values))


def _step(value: Any, path: Path) -> Step:
    if isinstance(value, str):
        return Answer((Text(value),))
    if not isinstance(value, dict):
        raise WiremendError("a step is a text, an answer or a failure", path)
    kind: type[Answer | Failure] = Failure if "status" in value else Answer
    parts = value.get("parts")
    if isinstance(parts, list):
        pieces = [{"type": "text", "text": one} if isinstance(one, str) else one for one in parts]
        value = {**value, "parts": pieces}
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _placed(str(error), path) from None


def _placed(said: str, path: Path) -> WiremendError:
    match = _PLACE.match(said)
    assert match is not None
    reason, place = match[1], match[2] or ""
    steps = tuple(name or int(index) for name, index in _STEP.findall(place))
    return WiremendError(reason, (*path, *steps))
