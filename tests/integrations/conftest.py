"""Every store, for what keeps conversations in one."""

from tests.stores.conftest import empty_postgres, postgres, server, url

__all__ = ["empty_postgres", "postgres", "server", "url"]
