"""One view as one file: the page, its data and its looks, to attach to a bug report.

Nothing in it is loaded from anywhere; its policy allows the script and the style that are in it,
by their hashes, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

from wiremend.inspector.assets import bundled_script, read_asset
from wiremend.inspector.masking import masked, masked_body
from wiremend.inspector.presenting import Presented
from wiremend.inspector.view import View

MOST_ROWS = 20_000
"""A file with more rows than these is too large for a browser to open in comfort.

What is left out is said at the top of the page.
"""
_MOST_PICTURE = 4 << 20


def static_page(view: View, title: str, *, placeholders: bool = False) -> str:
    """The page as one HTML text; ``placeholders`` puts letters of the same number for all texts."""
    # Where a file is on its owner's disk is nobody else's business.
    name = re.split(r"[\\/]", title)[-1]
    data = _data(view, "conversation" if placeholders else name, placeholders=placeholders)
    # In a script no text may look like the end of it; JSON has an escape for every character.
    written = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c")
    script, style = bundled_script(), read_asset("inspector.css")
    policy = (
        "default-src 'none'; img-src data:; "
        f"script-src '{_hash(script)}'; style-src '{_hash(style)}'"
    )
    icon = '<link rel="icon" type="image/svg+xml" href="mark.svg">\n'
    page = read_asset("index.html").replace(icon, "")
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    head += f"<style>{style}</style>"
    page = page.replace('<link rel="stylesheet" href="inspector.css">', head)
    body = f'<script type="application/json" id="data">{written}</script>\n'
    body += f'<script type="module">{script}</script>'
    return page.replace('<script type="module" src="inspector.js"></script>', body)


def _data(view: View, title: str, *, placeholders: bool) -> dict[str, Any]:
    shown = Presented(view, cut=None, shown=masked_body if placeholders else None)
    data: dict[str, Any] = {
        "source": {
            "kind": "file",
            "title": title,
            "items": [{"title": title, "dialect": view.options.dialect, "hasContent": True}],
            "masked": placeholders,
        },
        "summary": shown.summary(),
        "rows": shown.rows(0, MOST_ROWS),
        "chunks": shown.lines.chunks(0, MOST_ROWS + 2),
    }
    _cut(data)
    if placeholders:
        return masked(data)
    _put_pictures(shown, data["rows"])
    return data


def _cut(data: dict[str, Any]) -> None:
    """Say what is not in the file, and let nothing lead there."""
    summary, there = data["summary"], len(data["rows"])
    total, summary["rows"] = summary["rows"], there
    summary["bodyChunks"] = len(data["chunks"])
    summary["bodyChanged"] = [one for one in summary["bodyChanged"] if one < len(data["chunks"])]
    marked = {*summary["repairRows"], *summary["problemRows"]}
    for name in ("repairRows", "problemRows"):
        summary[name] = [row for row in summary[name] if row < there]
    for name in ("repairs", "problems", "remaining"):
        summary[name] = [one for one in summary[name] if one["row"] < there]
    if there < total:
        beyond = sum(row >= there for row in marked)
        data["source"]["leftOut"] = {"rows": total, "there": there, "places": beyond}


def _put_pictures(shown: Presented, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        for side in ("left", "right"):
            for entry in row[side]:
                for index, block in enumerate(entry["blocks"]):
                    _put_picture(shown, side, entry["number"], [index], block)
                    for inner, part in enumerate(block.get("parts", ())):
                        _put_picture(shown, side, entry["number"], [index, inner], part)


def _put_picture(
    shown: Presented, side: str, entry: int, path: list[int], written: dict[str, Any]
) -> None:
    block = shown.block(side, entry, path)
    if block is None or "picture" not in written or len(block.source) > _MOST_PICTURE:
        return
    data = block.source.partition(",")[2]
    written["url"] = f"data:image/{written['picture']};base64,{data}"


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
