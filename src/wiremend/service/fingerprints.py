"""What stays the same between requests, by its hash: the system prompt and the tool table.

For logs alone: the projection and the provider's cache know nothing of it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

_SYSTEM = ("system", "systemInstruction", "instructions")
_TOOLS = ("tools", "toolConfig")
_LEADING = frozenset(("system", "developer"))
_SECRET = re.compile(
    r"auth|token$|secret|password|passwd|credential|cookie|api[-_]?key|^headers$|signature$",
    re.IGNORECASE,
)
HIDDEN = "***"


class Fingerprints(msgspec.Struct, frozen=True):
    """SHA-256 of the system prompt and of the tool table, in hex; None where there is none."""

    system: str | None = None
    tools: str | None = None


def fingerprint(body: Mapping[str, Any]) -> Fingerprints:
    """The fingerprints of a request body, of any dialect."""
    system = {name: body[name] for name in _SYSTEM if body.get(name)}
    for name in ("messages", "input"):
        leading = _leading(body.get(name))
        if leading:
            system[name] = leading
    return Fingerprints(_hashed(system), _hashed(tool_table(body)))


def tool_table(body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a body that define tools."""
    return {name: body[name] for name in _TOOLS if body.get(name)}


def without_secrets(value: Any) -> Any:
    """The value with ``***`` where a field's name says that it holds a secret."""
    if isinstance(value, dict):
        return {
            name: HIDDEN if _SECRET.search(name) and _holds_text(inner) else without_secrets(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_secrets(item) for item in value]
    return value


class ConfigurationLog:
    """Logs a configuration when it changes, and gives each distinct tool table out once.

    ``record`` gets ``{"type": "llm.configuration", …}`` and ``{"type": "llm.tools", …}``; the log
    itself has no more than names, counts and hashes.
    """

    def __init__(
        self,
        *,
        logger: logging.Logger | None = None,
        record: Callable[[dict[str, Any]], object] | None = None,
    ) -> None:
        self._logger = logger or logging.getLogger("wiremend")
        self._record = record
        self._last: tuple[Any, ...] | None = None
        self._tables: set[str] = set()
        self._lock = threading.Lock()

    def saw(self, dialect: str, body: Mapping[str, Any]) -> Fingerprints:
        """Note what a request is sent with."""
        found = fingerprint(body)
        now = (dialect, body.get("model"), found.system, found.tools)
        with self._lock:
            changed, self._last = now != self._last, now
            is_new_table = found.tools is not None and found.tools not in self._tables
            if found.tools is not None:
                self._tables.add(found.tools)
        if changed:
            self._changed(*now)
        if is_new_table and self._record is not None:
            table = without_secrets(tool_table(body))
            self._record({"type": "llm.tools", "fingerprint": found.tools, **table})
        return found

    def _changed(self, dialect: str, model: Any, system: str | None, tools: str | None) -> None:
        fields = {"dialect": dialect, "model": model, "system": system, "tools": tools}
        said = ", ".join(f"{name}={str(value)[:16]}" for name, value in fields.items() if value)
        self._logger.info("configuration: %s", said, extra={"configuration": fields})
        if self._record is not None:
            self._record({"type": "llm.configuration", **fields})


def _leading(messages: Any) -> list[Any]:
    """The system messages in front of all others."""
    out: list[Any] = []
    for message in messages if isinstance(messages, list) else []:
        if not isinstance(message, dict) or message.get("role") not in _LEADING:
            break
        out.append(message)
    return out


def _hashed(value: dict[str, Any]) -> str | None:
    if not value:
        return None
    text = json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=repr
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _holds_text(value: Any) -> bool:
    """A secret is a text, or fields with texts; a schema that describes one has a type."""
    return not (isinstance(value, dict) and ("type" in value or "$ref" in value)) and bool(value)
