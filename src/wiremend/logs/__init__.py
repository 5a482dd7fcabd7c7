"""The logs and data sets that other tools write, read as conversations that can be checked.

``LOGS`` holds every format; a new one is a module here and a line there.
"""

from __future__ import annotations

from typing import Any

from wiremend.logs import (
    claude_code,
    claude_mending,
    claude_stream,
    codex,
    data_sets,
    gemini_cli,
    gemini_mending,
    kimi_cli,
    kimi_code,
    kimi_wire,
    opencode,
    opencode_mending,
    otel,
)
from wiremend.logs.base import (
    Conversation,
    Edits,
    Fault,
    Home,
    Log,
    Piece,
    Problem,
    Reading,
    Record,
)
from wiremend.logs.faults import FAULTS

__all__ = [
    "FAULTS",
    "LOGS",
    "Conversation",
    "Edits",
    "Fault",
    "Home",
    "Log",
    "Piece",
    "Problem",
    "Reading",
    "Record",
    "recognise_log",
]

LOGS: dict[str, Log] = {
    log.name: log
    for log in (
        Log(
            name="claude-code",
            what="a session of Claude Code",
            recognise=claude_code.recognise,
            read=claude_code.read,
            write_back=claude_mending.write_back,
        ),
        Log(
            name="claude-stream",
            what="what Claude Code wrote to its caller",
            recognise=claude_stream.recognise,
            read=claude_stream.read,
            why_not="which it does not go on from: its own log is in ~/.claude/projects",
        ),
        Log(
            name="codex",
            what="a rollout of Codex",
            recognise=codex.recognise,
            read=codex.read,
            write_back=codex.write_back,
        ),
        Log(
            name="kimi-cli",
            what="a context of Kimi CLI",
            recognise=kimi_cli.recognise,
            read=kimi_cli.read,
            write_back=kimi_cli.write_back,
        ),
        Log(
            name="kimi-wire",
            what="the wire of a session of Kimi CLI",
            recognise=kimi_wire.recognise,
            read=kimi_wire.read,
            why_not="which is only shown: the session goes on from the context.jsonl beside it",
        ),
        Log(
            name="kimi-code",
            what="a session of Kimi Code",
            recognise=kimi_code.recognise,
            read=kimi_code.read,
            why_not="which mends what it sends itself: nothing in it has to be mended",
        ),
        Log(
            name="gemini-cli",
            what="a session of Gemini CLI",
            recognise=gemini_cli.recognise,
            read=gemini_cli.read,
            write_back=gemini_mending.write_back,
        ),
        Log(
            name="opencode",
            what="an exported session of opencode",
            recognise=opencode.recognise,
            read=opencode.read,
            write_back=opencode_mending.write_back,
        ),
        Log(
            name="otel",
            what="an export of OpenTelemetry",
            recognise=otel.recognise,
            read=otel.read,
            by_line=True,
        ),
        Log(
            name="preferences",
            what="a data set of prompts with answers",
            recognise=data_sets.is_preference,
            read=data_sets.read_preference,
            by_line=True,
        ),
        Log(
            name="messages",
            what="a data set of messages for training",
            recognise=data_sets.is_messages,
            read=data_sets.read_messages,
            by_line=True,
        ),
        Log(
            name="xlam",
            what="a data set of queries and calls",
            recognise=data_sets.is_query,
            read=data_sets.read_query,
            by_line=True,
        ),
        Log(
            name="sharegpt",
            what="a data set in the form of ShareGPT",
            recognise=data_sets.is_sharegpt,
            read=data_sets.read_sharegpt,
            by_line=True,
        ),
        Log(
            name="chatml",
            what="a data set of ChatML texts",
            recognise=data_sets.is_chatml,
            read=data_sets.read_chatml,
            by_line=True,
        ),
    )
}
"""Every format by its name; where two could be meant, the first is taken."""


def recognise_log(value: Any) -> Log | None:
    """The format of a log that this is one of the first values of; None: it shows none."""
    return next((log for log in LOGS.values() if log.recognise(value)), None)
