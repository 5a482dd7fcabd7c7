"""What the environment of the process says about ways out to the network."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable


def proxy_for(scheme: str, host: str) -> str | None:
    """The proxy that the environment names for a URL of this scheme at this host; None: none."""
    bypass: Callable[[str], object] = urllib.request.proxy_bypass
    if bypass(host):
        return None
    named = urllib.request.getproxies()
    return named.get(scheme) or named.get("all")
