"""The history: events and records in, the messages that an agent goes on with out."""

from wiremend.history.compaction import compacted, is_user_input, select_inputs
from wiremend.history.events import (
    ContentPart,
    LoopEvent,
    StepBegin,
    StepEnd,
    ToolCallMade,
    ToolResultGiven,
    event_from_builtins,
    event_to_builtins,
)
from wiremend.history.fold import INTERRUPTED_BEFORE_RESULT, Fold, FoldState
from wiremend.history.memory import STILL_EXECUTING, ContextMemory, Entry, inherited
from wiremend.history.records import (
    AppendLoopEvent,
    AppendMessage,
    ApplyCompaction,
    Clear,
    Record,
    UndoPrompts,
    record_from_builtins,
    record_to_builtins,
)
from wiremend.history.tokens import CountTokens, estimate_tokens, history_tokens, message_tokens
from wiremend.history.undo import Undo, plan_undo

__all__ = [
    "INTERRUPTED_BEFORE_RESULT",
    "STILL_EXECUTING",
    "AppendLoopEvent",
    "AppendMessage",
    "ApplyCompaction",
    "Clear",
    "ContentPart",
    "ContextMemory",
    "CountTokens",
    "Entry",
    "Fold",
    "FoldState",
    "LoopEvent",
    "Record",
    "StepBegin",
    "StepEnd",
    "ToolCallMade",
    "ToolResultGiven",
    "Undo",
    "UndoPrompts",
    "compacted",
    "estimate_tokens",
    "event_from_builtins",
    "event_to_builtins",
    "history_tokens",
    "inherited",
    "is_user_input",
    "message_tokens",
    "plan_undo",
    "record_from_builtins",
    "record_to_builtins",
    "select_inputs",
]
