"""The plugin that pytest finds by itself: the fixture ``assert_sendable``.

Nothing of wiremend is imported before a test asks for it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def assert_sendable() -> Callable[..., None]:
    """``assert_sendable(conversation, provider)``: see ``wiremend.testing.assert_sendable``."""
    from wiremend.testing import assert_sendable as check

    return check
