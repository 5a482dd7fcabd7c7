"""Every store, empty, by the URL that opens it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores.server import Server, binaries, running
from wiremend.stores import Store, open_store

KINDS = ("sqlite", "jsonl", "postgres")


def without_postgres(reason: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"CI tests the PostgreSQL store, and {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    if binaries() is None:
        without_postgres("there are no PostgreSQL binaries: apt-get install postgresql")
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> str:
    try:
        import psycopg_pool  # noqa: F401
    except ImportError:
        without_postgres("psycopg is not installed: pip install 'wiremend[postgres]'")
    given = os.environ.get("WIREMEND_POSTGRES")
    if given:
        return given
    started: Server = request.getfixturevalue("server")
    return started.url


@pytest.fixture
def empty_postgres(postgres: str) -> str:
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS wiremend CASCADE")
    return postgres


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "jsonl":
        return f"jsonl:{tmp_path}/sessions"
    if request.param == "postgres":
        found: str = request.getfixturevalue("empty_postgres")
        return found
    return f"sqlite:///{tmp_path}/agent.db"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()
