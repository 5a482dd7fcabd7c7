"""Simulated strict providers over HTTP, for SDKs, tests and offline work.

``running_provider("anthropic")`` runs one in a thread; ``Script`` says what it answers. ``App`` is
the same for any ASGI server. Running one needs the extra ``wiremend[proxy]``.
"""

from __future__ import annotations

from wiremend.providers.answers.reading import read_script
from wiremend.providers.answers.script import (
    Answer,
    Call,
    Failure,
    Fault,
    Refusal,
    Script,
    Text,
    Thinking,
    Usage,
    says,
)
from wiremend.simulator.app import App
from wiremend.simulator.engine import Engine
from wiremend.simulator.exchange import Received
from wiremend.simulator.running import Running, running_provider, serve
from wiremend.simulator.services import DIALECTS

__all__ = [
    "DIALECTS",
    "Answer",
    "App",
    "Call",
    "Engine",
    "Failure",
    "Fault",
    "Received",
    "Refusal",
    "Running",
    "Script",
    "Text",
    "Thinking",
    "Usage",
    "read_script",
    "running_provider",
    "says",
    "serve",
]
