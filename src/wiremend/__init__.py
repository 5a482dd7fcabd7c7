"""wiremend keeps an agent's rich history and sends only what the provider accepts.

    fixed = wiremend.fix(request_body, dialect="anthropic")       # Fixed(body, anomalies)
    problems = wiremend.check(request_body, dialect="anthropic")  # [] means: the provider takes it
    messages = wiremend.project(history, on_anomaly=seen.append)  # the core

Each name is loaded when it is first used, so that a program pays for no more than it needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wiremend.async_session import AsyncSession
    from wiremend.caching import Prefix, compare_prefix, mark_cache
    from wiremend.conversion import Converted, Lost, convert
    from wiremend.dialects import DIALECTS
    from wiremend.errors import WiremendError
    from wiremend.history import ContextMemory
    from wiremend.incremental import IncrementalProjection, RequestBuilder
    from wiremend.mend import Fixed, fix, request
    from wiremend.model import (
        ContextMessage,
        Message,
        ToolCall,
        history_from_builtins,
        history_from_json,
        to_json,
    )
    from wiremend.projection import (
        Anomaly,
        ProjectionPolicy,
        Strip,
        project,
        project_strict,
        take_snapshot,
    )
    from wiremend.projection.projector import Projector
    from wiremend.recovery import classify, classify_exception
    from wiremend.rules import RULES, Violation, check
    from wiremend.session import Session

__version__ = "0.1.0"

_HOMES = {
    "async_session": ("AsyncSession",),
    "caching": ("Prefix", "compare_prefix", "mark_cache"),
    "conversion": ("Converted", "Lost", "convert"),
    "dialects": ("DIALECTS",),
    "errors": ("WiremendError",),
    "history": ("ContextMemory",),
    "incremental": ("IncrementalProjection", "RequestBuilder"),
    "mend": ("Fixed", "fix", "request"),
    "model": (
        "ContextMessage",
        "Message",
        "ToolCall",
        "history_from_builtins",
        "history_from_json",
        "to_json",
    ),
    "projection": (
        "Anomaly",
        "ProjectionPolicy",
        "Strip",
        "project",
        "project_strict",
        "take_snapshot",
    ),
    "projection.projector": ("Projector",),
    "recovery": ("classify", "classify_exception"),
    "rules": ("RULES", "Violation", "check"),
    "session": ("Session",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "DIALECTS",
    "RULES",
    "Anomaly",
    "AsyncSession",
    "ContextMemory",
    "ContextMessage",
    "Converted",
    "Fixed",
    "IncrementalProjection",
    "Lost",
    "Message",
    "Prefix",
    "ProjectionPolicy",
    "Projector",
    "RequestBuilder",
    "Session",
    "Strip",
    "ToolCall",
    "Violation",
    "WiremendError",
    "check",
    "classify",
    "classify_exception",
    "compare_prefix",
    "convert",
    "fix",
    "history_from_builtins",
    "history_from_json",
    "mark_cache",
    "project",
    "project_strict",
    "request",
    "take_snapshot",
    "to_json",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
