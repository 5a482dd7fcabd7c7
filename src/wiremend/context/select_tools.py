"""``select_tools``: the tool by which the model loads announced tools, ready to use (spec 5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import msgspec

from wiremend.context.dynamic_tools import announced, loaded_tools, schema_message
from wiremend.context.markers import neutralise
from wiremend.model import ContextMessage, tool_result
from wiremend.model.parts import Value

NAME: Final = "select_tools"
SELECT_TOOLS: Final[dict[str, Any]] = {
    "name": NAME,
    "description": (
        "Load the full definitions of tools that were announced by name only. "
        "Loaded tools can be called from the next step on."
    ),
    "parameters": {
        "type": "object",
        "properties": {
            "names": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "description": "The names of the tools to load, exactly as they were announced.",
            }
        },
        "required": ["names"],
        "additionalProperties": False,
    },
}
"""The definition for the tool table."""

_USAGE = 'Call select_tools with {"names": ["…"]}: a list of announced tool names.'


class Selection(Value, frozen=True):
    """What a call of ``select_tools`` did: the names by outcome, the answer for the model.

    ``messages`` go into the history behind the result of the call.
    """

    answer: str
    loaded: tuple[str, ...] = ()
    already_available: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    is_error: bool | None = None
    messages: tuple[ContextMessage, ...] = ()

    def result(self, tool_call_id: str) -> ContextMessage:
        """The tool message that answers the call."""
        return tool_result(tool_call_id, self.answer, is_error=self.is_error)


def select_tools(
    history: Sequence[ContextMessage], arguments: Any, available: Mapping[str, Any]
) -> Selection:
    """Load tools: ``arguments`` as the model wrote them (JSON text) or already read.

    ``available`` has every tool that can be loaded now, name to definition. A tool whose
    definition has changed since it was loaded is loaded again. Arguments that cannot be used give
    a selection that is an error; nothing is raised.
    """
    names = _names(arguments)
    if isinstance(names, str):
        return Selection(names, is_error=True)
    before = loaded_tools(history)
    known = [name for name in names if name in available]
    current = {name for name in known if name in before and before[name] == available[name]}
    already = tuple(name for name in known if name in current)
    loaded = tuple(name for name in known if name not in current)
    unknown = tuple(name for name in names if name not in available)
    return Selection(
        _answer(loaded, already, unknown),
        loaded,
        already,
        unknown,
        is_error=None if known else True,
        messages=(schema_message(available[name] for name in loaded),) if loaded else (),
    )


def call_error(
    name: str,
    history: Sequence[ContextMessage],
    available: Mapping[str, Any],
    active: Collection[str],
) -> str | None:
    """Why a tool cannot be called now, in words for the model; None where it can be.

    ``available`` as for ``select_tools``; ``active`` has the names of all tools that the agent
    may use now, ``select_tools`` and the loadable ones included.
    """
    loaded = loaded_tools(history)
    shown = neutralise(name)[0]
    if name in available:
        if name not in active:
            return f'Tool "{shown}" is inactive: it cannot be used now.'
        if name not in loaded:
            return (
                f'Tool "{shown}" is not loaded. Load it first by calling select_tools '
                "with its name, then call it."
            )
        return None
    if name in loaded or name in announced(history):
        return f'Tool "{shown}" is gone: it was removed and can no longer be called.'
    if name in active:
        return None
    return f'Tool "{shown}" is unknown: there is no tool of that name.'


def _names(arguments: Any) -> list[str] | str:
    """The names asked for, each once; or what is wrong with the arguments."""
    if isinstance(arguments, (str, bytes)):
        try:
            arguments = msgspec.json.decode(arguments)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return f"The arguments are not valid JSON. {_USAGE}"
    names = arguments.get("names") if isinstance(arguments, Mapping) else None
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        return f"The arguments have no list of names. {_USAGE}"
    if not names:
        return f"The list of names is empty. {_USAGE}"
    return list(dict.fromkeys(names))


def _answer(loaded: Sequence[str], already: Sequence[str], unknown: Sequence[str]) -> str:
    outcomes = (("Loaded", loaded), ("Already available", already), ("Unknown", unknown))
    lines = [f"{outcome}: {', '.join(names)}" for outcome, names in outcomes if names]
    if unknown:
        lines.append("Only tools that are announced at present can be loaded.")
    # Names come from the model and from tool servers.
    return neutralise("\n".join(lines))[0]
