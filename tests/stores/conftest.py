"""Every store, empty, by the URL that opens it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from wiremend.stores import Store, open_store

KINDS = ("sqlite",)


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/agent.db"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()
