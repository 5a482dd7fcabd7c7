"""Amazon Bedrock Converse: documents have names of few characters, each its own, and words beside.

Sources: the documentation of ``DocumentBlock.name`` and ``Message.content``; vercel/ai#20365,
maximhq/bifrost#7003 (duplicates), archestra-ai/archestra#4220 (no text beside a document).
"""

from __future__ import annotations

import re
from typing import Any

from wiremend.dialects.base import Json
from wiremend.dialects.bedrock.media import DOCUMENTS, UNNAMED
from wiremend.projection.anomalies import DocumentAnnounced, DocumentRenamed, OnAnomaly

LONGEST = 200
_NAME = re.compile(r"(?!.*  )[a-zA-Z0-9 _()\[\]-]{1,200}")
_ILLEGAL = re.compile(r"[^a-zA-Z0-9_()\[\]-]+")
_EXTENSION = re.compile(rf"\.(?:{'|'.join(DOCUMENTS)})$", re.IGNORECASE)


def mend_documents(body: Json, report: OnAnomaly) -> Json:
    """The body with documents under names that are taken, and words beside each."""
    names = _Names(report)
    messages: list[Json] = []
    for message in body["messages"]:
        content = [names.block(block) for block in message["content"]]
        documents = [b["document"] for b in content if isinstance(b, dict) and "document" in b]
        worded = any(isinstance(block, dict) and "text" in block for block in content)
        if documents and not worded and message["role"] == "user":
            first = documents[0]
            name = str(first.get("name") if isinstance(first, dict) else UNNAMED)
            report(DocumentAnnounced(name))
            content.append({"text": f"[Attached: {name}]"})
        changed = len(content) > len(message["content"]) or any(
            new is not old for new, old in zip(content, message["content"], strict=True)
        )
        messages.append({**message, "content": content} if changed else message)
    return {**body, "messages": messages}


class _Names:
    """Gives documents their names, in the order in which they stand."""

    def __init__(self, report: OnAnomaly) -> None:
        self._used: set[str] = set()
        self._report = report

    def block(self, block: Any) -> Any:
        """The block with the documents in it named."""
        if not isinstance(block, dict):
            return block
        document, result = block.get("document"), block.get("toolResult")
        if isinstance(document, dict) and isinstance(document.get("name"), str):
            name = self._name(document["name"])
            if name != document["name"]:
                self._report(DocumentRenamed(document["name"], name))
                return {**block, "document": {**document, "name": name}}
        if isinstance(result, dict) and isinstance(result.get("content"), list):
            content = [self.block(inner) for inner in result["content"]]
            if any(new is not old for new, old in zip(content, result["content"], strict=True)):
                return {**block, "toolResult": {**result, "content": content}}
        return block

    def _name(self, name: str) -> str:
        legal = name
        if not _NAME.fullmatch(name):
            plain = _ILLEGAL.sub(" ", _EXTENSION.sub("", name)).strip()
            legal = plain[:LONGEST].strip() or UNNAMED
        number, unused = 1, legal
        while unused in self._used:
            number += 1
            unused = f"{legal[: LONGEST - 8]} {number}"
        self._used.add(unused)
        return unused
