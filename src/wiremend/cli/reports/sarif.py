"""SARIF 2.1.0, for code scanning services and editors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import wiremend
from wiremend.cli.base import put
from wiremend.cli.locating import Position
from wiremend.cli.reports.base import Checked
from wiremend.cli.writing import compact
from wiremend.inputs import STDIN
from wiremend.logs import FAULTS, Fault
from wiremend.rules import RULES, Rule, Violation

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class SarifReport:
    """One run whose results are written as they come."""

    def __init__(self) -> None:
        codes = (*(one.code for one in RULES), *(one.code for one in FAULTS))
        self._index = {code: index for index, code in enumerate(codes)}
        self._unusable: list[dict[str, Any]] = []
        driver = {
            "name": "wiremend",
            "version": wiremend.__version__,
            "semanticVersion": wiremend.__version__,
            "rules": [*map(_rule, RULES), *map(_fault, FAULTS)],
        }
        # Pointers and columns count characters, as Python does.
        put(f'{{"$schema": "{_SCHEMA}",\n"version": "2.1.0",\n"runs": [{{')
        put(f'"tool": {{"driver": {compact(driver)}}},\n"columnKind": "unicodeCodePoints",\n')
        self._before = '"results": ['

    def add(self, checked: Checked) -> None:
        """Report a conversation."""
        for found, place in zip(checked.violations, checked.positions(), strict=True):
            put(f"{self._before}\n{compact(self._result(checked.path, found, place))}")
            self._before = ","

    def add_unusable(self, path: str, line: int | None, said: str) -> None:
        """Keep what could not be checked for the end of the report."""
        place = None if line is None else Position(line, 1)
        self._unusable.append(
            {
                "level": "error",
                "message": {"text": said},
                "locations": [{"physicalLocation": _physical(path, place)}],
            }
        )

    def end(self) -> None:
        """Close the results and the run."""
        put("\n" if self._before == "," else self._before)
        invocation: dict[str, Any] = {"executionSuccessful": not self._unusable}
        if self._unusable:
            invocation["toolExecutionNotifications"] = self._unusable
        put(f'],\n"invocations": [{compact(invocation)}]}}]}}\n')

    def _result(self, path: str, found: Violation, place: Position) -> dict[str, Any]:
        location = {
            "physicalLocation": _physical(path, place),
            "logicalLocations": [{"fullyQualifiedName": found.pointer or "/", "kind": "element"}],
        }
        return {
            "ruleId": found.code,
            "ruleIndex": self._index[found.code],
            "level": "error",
            "message": {"text": found.message},
            "locations": [location],
            "properties": {
                "pointer": found.pointer,
                "providerError": found.provider_error,
                "fixable": found.fixable,
            },
        }


def _rule(one: Rule) -> dict[str, Any]:
    return {
        "id": one.code,
        "name": _name(one.name),
        "shortDescription": {"text": one.summary},
        "fullDescription": {"text": one.doc},
        "help": {"text": f"{one.doc}\n\nThe provider says: {one.provider_error}"},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": list(one.dialects), "fixable": one.fixable, "source": one.source},
    }


def _fault(one: Fault) -> dict[str, Any]:
    return {
        "id": one.code,
        "name": _name(one.name),
        "shortDescription": {"text": one.consequence},
        "fullDescription": {"text": one.doc},
        "help": {"text": one.doc},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["log"], "fixable": True},
    }


def _name(words: str) -> str:
    return "".join(word.capitalize() for word in words.split("-"))


def _physical(path: str, place: Position | None) -> dict[str, Any]:
    where: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
    if place is not None:
        where["region"] = {"startLine": place.line, "startColumn": place.column}
    return where


def _uri(path: str) -> str:
    if path == STDIN:
        return "stdin"
    if Path(path).is_absolute():
        return "file://" + quote(os.fsencode(Path(path).as_posix()))
    return quote(os.fsencode(Path(path).as_posix()))
