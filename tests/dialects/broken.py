"""Broken requests in tables: what each breaks, how it is mended, and who judges the outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

import wiremend
from tests.dialects.blocks import Body
from tests.judges import sdk_objections
from wiremend.providers import simulated


class Broken(NamedTuple):
    """A request, the rules that it breaks, the repairs, and what has to be true afterwards."""

    messages: list[Body]
    rules: set[str]
    repairs: list[str]
    holds: Callable[[Body], bool] = lambda body: bool(body["messages"])
    more: Mapping[str, Any] = MappingProxyType({})


def roles(body: Body) -> str:
    return "".join(message["role"][0] for message in body["messages"])


def kinds(message: Body) -> list[str]:
    return [block["type"] for block in message["content"]]


def cases(table: dict[str, Broken], dialect: str, **defaults: Any) -> list[Any]:
    return [
        pytest.param(
            dialect, broken, {**defaults, "messages": broken.messages, **broken.more}, id=name
        )
        for name, broken in table.items()
    ]


def is_found_and_mended(dialect: str, broken: Broken, body: Body) -> None:
    """Assert that the rules are broken, the repairs made and the promise held; the input stays."""
    before = repr(body)
    assert {v.code for v in wiremend.check(body, dialect)} >= broken.rules
    fixed = wiremend.fix(body, dialect)
    assert [anomaly.kind for anomaly in fixed.anomalies] == broken.repairs
    assert broken.holds(fixed.body)
    assert repr(body) == before


def is_taken_once_mended(dialect: str, body: Body) -> None:
    """Assert that every judge takes what comes out, and that nothing more is done to it."""
    fixed = wiremend.fix(body, dialect)
    assert wiremend.check(fixed.body, dialect) == []
    assert simulated(dialect).post(fixed.body).error == ""
    assert sdk_objections(fixed.body, dialect) == []
    assert wiremend.fix(fixed.body, dialect) == wiremend.Fixed(fixed.body, ())
