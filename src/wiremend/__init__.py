"""wiremend keeps an agent's rich history and sends only what the provider accepts.

fixed = wiremend.fix(request_body, dialect="anthropic")       # Fixed(body, anomalies)
problems = wiremend.check(request_body, dialect="anthropic")  # [] means: the provider takes it
messages = wiremend.project(history, on_anomaly=seen.append)  # the core
"""

from wiremend.dialects import DIALECTS
from wiremend.errors import WiremendError
from wiremend.mend import Fixed, check, fix
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
from wiremend.recovery import classify
from wiremend.rules import RULES, Violation

__version__ = "0.1.0"

__all__ = [
    "DIALECTS",
    "RULES",
    "Anomaly",
    "ContextMessage",
    "Fixed",
    "Message",
    "ProjectionPolicy",
    "Projector",
    "Strip",
    "ToolCall",
    "Violation",
    "WiremendError",
    "check",
    "classify",
    "fix",
    "history_from_builtins",
    "history_from_json",
    "project",
    "project_strict",
    "take_snapshot",
    "to_json",
]
