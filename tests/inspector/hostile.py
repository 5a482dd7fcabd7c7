"""A transcript of somebody who wants the page to run what it shows."""

from __future__ import annotations

import base64
from typing import Any

from tests.inspector.serving import PNG

SCRIPT = "window.hacked=1"
EVIL = (
    f"<script>{SCRIPT}</script><img src=x onerror='{SCRIPT}'></script><!--<script>"
    f"<svg/onload={SCRIPT}><iframe srcdoc='<script>parent.{SCRIPT}</script>'>\u2028\u202e"
    "</title></textarea></style>"
)
_SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{SCRIPT}"><script>{SCRIPT}</script></svg>'


def hostile_body() -> dict[str, Any]:
    """A request with hostile text in every place that the page shows."""
    images = [
        {"type": "base64", "media_type": "image/svg+xml", "data": _base64(_SVG)},
        {"type": "base64", "media_type": "image/png", "data": _base64(EVIL)},
        {"type": "base64", "media_type": f"image/png' onerror='{SCRIPT}", "data": PNG},
        {"type": "url", "url": "https://attacker.test/beacon.png"},
        {"type": "url", "url": f"javascript:{SCRIPT}"},
        {"type": "url", "url": f"data:text/html,{EVIL}"},
    ]
    blocks = [
        {"type": "text", "text": EVIL + "half \ud83d"},
        *({"type": "image", "source": source} for source in images),
        {"type": EVIL, EVIL: EVIL},
        {"type": "document", "title": EVIL, "source": {"type": "text", "data": EVIL}},
    ]
    call = {"type": "tool_use", "id": EVIL, "name": EVIL, "input": {EVIL: EVIL, "__proto__": 1}}
    return {
        "model": EVIL,
        "max_tokens": 9,
        "system": EVIL,
        EVIL: EVIL,
        "messages": [
            {"role": "user", "content": blocks},
            {"role": "assistant", "content": [call, {"type": "thinking", "thinking": EVIL}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": EVIL + "2"}]},
            {"role": "user", "content": EVIL},
        ],
    }


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
