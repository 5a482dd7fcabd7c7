"""Notifications of background tasks: a value, its text for the model, and back (spec 4).

What a task brings along cannot close its notification or pass for another: in titles, bodies and
blocks the first character of a control tag, or of a line that is nothing but a tag, is written
``&lt;``. Such a ``&lt;`` that was there before gets one more ``amp;``, so that reading gives back
exactly what was written.
"""

from __future__ import annotations

import re

from wiremend.context.markers import GAP, TAG_REST
from wiremend.errors import WiremendError
from wiremend.model import BLANK_CHARACTERS, ContextMessage, TaskOrigin, TextPart
from wiremend.model.parts import Value

UNKNOWN = "unknown"
"""What stands for an attribute that is missing."""

_CLOSE = "</notification>"
_ATTRIBUTES = ("id", "category", "type", "source_kind", "source_id")

_NAME = r"[A-Za-z][A-Za-z0-9_.-]*"
_ATTRIBUTE = re.compile(rf' ({_NAME})="([^"\n]*)"')
_OPEN_LINE = re.compile(rf'<({_NAME})((?: {_NAME}="[^"\n]*")*)>')
_TAG_NAME = re.compile(_NAME)
_CONTROL = re.compile(f"<(?={TAG_REST})", re.IGNORECASE)

# What decides stays as it is when the text around it is escaped: hence "ends with >" and no more.
_LINE_REST = rf"/?{_NAME}(?: [^\n]*)?>$"
# At the end of a text counts too: the next line might make a tag of it.
_ESCAPABLE = re.compile(
    rf"(?:<|&(?:amp;)*lt;)(?={TAG_REST}|{GAP}\Z)|^(?:<|&(?:amp;)*lt;)(?={_LINE_REST})",
    re.IGNORECASE | re.MULTILINE,
)
_BREAK = re.compile(r"\n|&(?:amp;)*#10;")
_IN_ATTRIBUTES = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "\n": "#10", "\r": "#13"}
_FROM_ENTITY = {f"&{entity};": character for character, entity in _IN_ATTRIBUTES.items()}
_FROM_ENTITY["&apos;"] = _FROM_ENTITY["&#39;"] = "'"
_ENTITY = re.compile("|".join(_FROM_ENTITY))
_TO_ENTITY = str.maketrans({key: f"&{entity};" for key, entity in _IN_ATTRIBUTES.items()})


class Block(Value, frozen=True):
    """A child of a notification: ``<tag name="value">``, the text, ``</tag>``, each on its line."""

    tag: str
    text: str = ""
    attributes: tuple[tuple[str, str], ...] = ()


class Notification(Value, frozen=True):
    """What a background task has to say. An attribute that is empty is rendered ``unknown``."""

    id: str = UNKNOWN
    category: str = UNKNOWN
    type: str = UNKNOWN
    source_kind: str = UNKNOWN
    source_id: str = UNKNOWN
    agent_id: str | None = None
    title: str = ""
    severity: str = ""
    body: str = ""
    children: tuple[Block, ...] = ()


def render(notification: Notification) -> str:
    """The text of a notification. Raises ``WiremendError`` for a child that cannot be a tag."""
    named = [(name, getattr(notification, name) or UNKNOWN) for name in _ATTRIBUTES]
    if notification.agent_id:
        named.append(("agent_id", notification.agent_id))
    lines = [
        _open_tag("notification", named),
        f"Title: {_one_line(notification.title)}",
        f"Severity: {_one_line(notification.severity)}",
    ]
    if notification.body:
        lines.append(_escaped(notification.body))
    for index, child in enumerate(notification.children):
        _check(child, index)
        lines += [_open_tag(child.tag, child.attributes), _escaped(child.text), f"</{child.tag}>"]
    return "\n".join([*lines, _CLOSE])


def parse(text: str) -> Notification | None:
    """The notification that a text holds; None where the text is not one notification."""
    head, _, rest = text.strip(BLANK_CHARACTERS).partition("\n")
    opened = _OPEN_LINE.fullmatch(head)
    if opened is None or opened[1] != "notification" or not rest.endswith(_CLOSE):
        return None
    lines = rest.split("\n")
    if lines.pop() != _CLOSE or _CLOSE in lines:
        return None
    attributes = dict(_attributes(opened[2]))
    title = _field(lines, "Title:")
    severity = _field(lines, "Severity:")
    body, children = _split(lines)
    return Notification(
        **{name: attributes.get(name, UNKNOWN) for name in _ATTRIBUTES},
        agent_id=attributes.get("agent_id"),
        title=title,
        severity=severity,
        body=body,
        children=children,
    )


def notification_message(notification: Notification, origin: TaskOrigin) -> ContextMessage:
    """The user message that brings a notification into the history."""
    return ContextMessage("user", (TextPart(render(notification)),), origin=origin)


def _check(child: Block, index: int) -> None:
    names = (child.tag, *(name for name, _ in child.attributes))
    if not all(_TAG_NAME.fullmatch(name) for name in names):
        raise WiremendError("the names of a block have to be XML names", ("children", index))
    if _CONTROL.match(f"<{child.tag}>"):
        raise WiremendError("a block cannot have a control tag's name", ("children", index))


def _open_tag(tag: str, attributes: list[tuple[str, str]] | tuple[tuple[str, str], ...]) -> str:
    written = "".join(f' {name}="{value.translate(_TO_ENTITY)}"' for name, value in attributes)
    return f"<{tag}{written}>"


def _attributes(written: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, _ENTITY.sub(lambda found: _FROM_ENTITY[found[0]], value))
        for name, value in _ATTRIBUTE.findall(written)
    )


def _field(lines: list[str], label: str) -> str:
    if not lines or not lines[0].startswith(label):
        return ""
    value = lines.pop(0).removeprefix(label).removeprefix(" ")
    return _BREAK.sub(lambda found: _without_one(found[0], "\n"), _unescaped(value))


def _split(lines: list[str]) -> tuple[str, tuple[Block, ...]]:
    """The body and the children; all is body where the rest is not made of whole blocks."""
    start = next((at for at, line in enumerate(lines) if _OPEN_LINE.fullmatch(line)), len(lines))
    children: list[Block] = []
    at = start
    while at < len(lines):
        opened = _OPEN_LINE.fullmatch(lines[at])
        try:
            end = lines.index(f"</{opened[1]}>", at + 1) if opened else -1
        except ValueError:
            end = -1
        if opened is None or end < 0:
            return _unescaped("\n".join(lines)), ()
        inner = _unescaped("\n".join(lines[at + 1 : end]))
        children.append(Block(opened[1], inner, _attributes(opened[2])))
        at = end + 1
    return _unescaped("\n".join(lines[:start])), tuple(children)


def _escaped(text: str) -> str:
    return _ESCAPABLE.sub(lambda found: _with_one_more(found[0], "&lt;"), text)


def _unescaped(text: str) -> str:
    return _ESCAPABLE.sub(lambda found: _without_one(found[0], "<"), text)


def _one_line(text: str) -> str:
    return _escaped(_BREAK.sub(lambda found: _with_one_more(found[0], "&#10;"), text))


def _with_one_more(found: str, entity: str) -> str:
    return f"&amp;{found[1:]}" if found[0] == "&" else entity


def _without_one(found: str, character: str) -> str:
    if found.startswith("&amp;"):
        return f"&{found.removeprefix('&amp;')}"
    return character if found[0] == "&" else found
