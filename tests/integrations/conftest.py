"""What adapters need: every store, and frameworks as they come."""

from __future__ import annotations

import sys

import pytest

from tests.stores.conftest import empty_postgres, postgres, server, url

__all__ = ["empty_postgres", "postgres", "server", "url"]


@pytest.fixture(autouse=True)
def _litellm_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison of tools, which may have run before, lets LiteLLM change messages."""
    litellm = sys.modules.get("litellm")
    for switch in ("modify_params", "drop_params") if litellm is not None else ():
        monkeypatch.setattr(litellm, switch, False)
