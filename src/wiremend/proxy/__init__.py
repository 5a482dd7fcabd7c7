"""A reverse proxy that mends requests on their way to a provider. Needs the extra ``proxy``.

An agent sets its base URL and nothing else. What a provider takes passes byte for byte; what it
would refuse is mended; what it refuses all the same is sent again under the next policy.
"""

from __future__ import annotations

from importlib.util import find_spec

from wiremend.errors import WiremendError

if find_spec("aiohttp") is None or find_spec("prometheus_client") is None:
    raise WiremendError("the proxy needs aiohttp and more: pip install 'wiremend[proxy]'")

from wiremend.proxy.journal import Entry
from wiremend.proxy.server import running
from wiremend.proxy.settings import Settings
from wiremend.proxy.upstreams import Upstream, parse_upstream

__all__ = ["Entry", "Settings", "Upstream", "parse_upstream", "running"]
