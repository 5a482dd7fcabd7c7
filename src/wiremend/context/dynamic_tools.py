"""Tools that are announced by name and loaded when the model asks for them (spec 5).

Two kinds of message carry them: announcements, which name what can be loaded, and schema
messages, whose ``tools`` are the loaded definitions. Everything here is read from the history, so
that a replayed history is in the same state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from wiremend.context.markers import neutralise
from wiremend.context.reminders import reminder
from wiremend.model import (
    BLANK_CHARACTERS,
    ContextMessage,
    InjectionOrigin,
    SystemTriggerOrigin,
    TextPart,
)

LOADABLE_TOOLS: Final = "loadable-tools"
DYNAMIC_TOOL_SCHEMA: Final = "dynamic_tool_schema"
INSTRUCTIONS: Final = (
    "These tools are known by name only. Before you call one of them, load its definition with "
    "select_tools. A tool that was removed can no longer be loaded or called."
)

_TAG = re.compile(r"<(/?)(tools_added|tools_removed)>")
# What would end a name's line, be stripped from it, or be taken for a tag.
_UNSAFE = re.compile(rf"[&<>\n]|^[{BLANK_CHARACTERS}]|[{BLANK_CHARACTERS}]\Z")
_ESCAPED = re.compile(r"&#([0-9]{1,7});")


def announcement(
    added: Iterable[str], removed: Iterable[str] = (), instructions: str = INSTRUCTIONS
) -> ContextMessage:
    """The reminder that these tools can be loaded from now on, and those no longer.

    A name that is in both has come back: it counts as added. Odd characters in a name are
    written as ``&#N;`` (decimal code points).
    """
    names = dict.fromkeys(added)
    gone = [name for name in dict.fromkeys(removed) if name not in names]
    blocks = [
        "\n".join([f"<{tag}>", *map(_written, listed), f"</{tag}>"])
        for tag, listed in (("tools_added", list(names)), ("tools_removed", gone))
        if listed
    ]
    # The lists are found by their tags, so instructions cannot be allowed to hold any.
    text = "\n".join([*blocks, neutralise(instructions)[0]])
    return reminder(text, InjectionOrigin(variant=LOADABLE_TOOLS))


def is_announcement(message: ContextMessage) -> bool:
    """Whether a message announces tools; older logs have it as a system trigger."""
    origin = message.origin
    if type(origin) is InjectionOrigin:
        return origin.variant == LOADABLE_TOOLS
    return type(origin) is SystemTriggerOrigin and origin.name == LOADABLE_TOOLS


def announced_names(history: Sequence[ContextMessage]) -> tuple[str, ...]:
    """The tools that can be loaded, as the announcements so far tell, in order of appearance."""
    return tuple(name for name, current in announced(history).items() if current)


def announced(history: Sequence[ContextMessage]) -> dict[str, bool]:
    """Each tool ever announced, and whether it still is (False: removed since)."""
    names: dict[str, bool] = {}
    for message in history:
        if not is_announcement(message):
            continue
        for adds, name in _changes(message):
            if adds and not names.get(name):
                names.pop(name, None)
                names[name] = True
            elif not adds and name in names:
                names[name] = False
    return names


def schema_message(definitions: Iterable[Any]) -> ContextMessage:
    """The message that declares loaded tools: each a definition as the tool table holds it."""
    origin = InjectionOrigin(variant=DYNAMIC_TOOL_SCHEMA)
    return ContextMessage("system", tools=tuple(definitions), origin=origin)


def loaded_tools(history: Sequence[ContextMessage]) -> dict[str, Any]:
    """The definitions that messages declare, by name; the last one of a name counts."""
    declared = (tool for message in history for tool in message.tools or ())
    named = ((definition_name(tool), tool) for tool in declared)
    return {name: tool for name, tool in named if name is not None}


def definition_name(definition: Any) -> str | None:
    """The name in a definition, flat or in a ``function`` object."""
    if not isinstance(definition, Mapping):
        return None
    inner = definition.get("function")
    name = (inner if isinstance(inner, Mapping) else definition).get("name")
    return name if isinstance(name, str) else None


def strip_dynamic_tool_context(history: Sequence[ContextMessage]) -> Sequence[ContextMessage]:
    """The history without announcements and declared tools, as before compaction.

    Messages that hold neither are shared; a history without any comes back as the same object.
    """
    kept = [stripped for message in history if (stripped := _stripped(message)) is not None]
    same = len(kept) == len(history) and all(
        new is old for new, old in zip(kept, history, strict=True)
    )
    return history if same else kept


def reannouncement(
    before: Sequence[ContextMessage],
    available: Mapping[str, Any] | None = None,
    instructions: str = INSTRUCTIONS,
) -> tuple[ContextMessage, ...]:
    """What to append after compaction, so that the model knows again what it knew ``before``.

    An announcement of the current names, and a schema message with the loaded definitions. A tool
    that is not ``available`` (name to definition) any more is in neither; definitions are the
    available ones, which may be newer than the loaded. None: all are as they were.
    """
    current = loaded_tools(before)
    names = [name for name in announced_names(before) if available is None or name in available]
    if available is not None:
        current = {name: available[name] for name in current if name in available}
    loaded = list(current.values())
    messages: list[ContextMessage] = []
    if names:
        messages.append(announcement(names, (), instructions))
    if loaded:
        messages.append(schema_message(loaded))
    return tuple(messages)


def _stripped(message: ContextMessage) -> ContextMessage | None:
    if is_announcement(message):
        return None
    if message.tools is None:
        return message
    if not message.content and not message.tool_calls:
        return None
    return msgspec.structs.replace(message, tools=None)


def _changes(message: ContextMessage) -> Iterator[tuple[bool, str]]:
    """Each name in an announcement's lists, in order, and whether it was added."""
    text = "\n".join(part.text for part in message.content if type(part) is TextPart)
    opened: re.Match[str] | None = None
    # A list runs from the last opening tag before its end, as prose may name a tag as well.
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened = tag
        elif opened is not None and opened[2] == tag[2]:
            for line in text[opened.end() : tag.start()].split("\n"):
                if name := line.strip(BLANK_CHARACTERS):
                    yield tag[2] == "tools_added", _ESCAPED.sub(_read, name)
            opened = None


def _written(name: str) -> str:
    return _UNSAFE.sub(lambda found: f"&#{ord(found[0])};", name)


def _read(found: re.Match[str]) -> str:
    code = int(found[1])
    return chr(code) if code <= 0x10FFFF else found[0]
