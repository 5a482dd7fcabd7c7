"""Cases from files: requests as they were in reports, and the texts that have to be kept.

What may live here: the reading of those files. A file has ``request``, ``dialect`` (or
``wire_format`` and ``provider``), ``kind``, and ``keep`` or ``checks`` with ``keeps text: …``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.repairs.damage import ANTHROPIC, CHAT, Specimen
from wiremend import DIALECTS, ContextMessage, Message, WiremendError

_KEEPS = "keeps text: "


def specimens_in(folder: Path) -> Iterator[Specimen]:
    """The cases of this folder and below that are for OpenAI's chat or Anthropic, as they are.

    What wants a policy of its own (stricter, or with media left out) is no case for all tools.
    """
    for path in sorted(folder.rglob("*.json")):
        case = json.loads(path.read_bytes())
        source = case.get("dialect") or _provider(case)
        if source in (CHAT, ANTHROPIC) and case.get("policy", "default") == "default":
            yield _specimen(case, source)


def _plain(message: Message) -> ContextMessage:
    called = message.tool_call_id
    return ContextMessage(message.role, message.content, message.tool_calls, None, called)


def _provider(case: Any) -> str:
    """The provider of a report; what is for any server in this format is for its inventor."""
    provider = str(case["provider"]).replace("generic", str(case["wire_format"]))
    return {"openai": CHAT}.get(provider, provider)


def _specimen(case: Any, source: str) -> Specimen:
    body = case["request"]
    checks = [text for text in case.get("checks", ()) if text.startswith(_KEEPS)]
    keep = (*case.get("keep", ()), *(check.removeprefix(_KEEPS) for check in checks))
    try:
        said = DIALECTS[source].decode(body, lambda _: None).history
        history = [
            ContextMessage(m.role, m.content, m.tool_calls, None, m.tool_call_id) for m in said
        ]
    except WiremendError:
        history = []  # the tools that want types cannot have it
    return Specimen(str(case["kind"]), source, [], history, body, not history, keep)
