"""The files of the page, as they are in the package, and all of its script as one."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

SCRIPTS = (
    *("dom.js", "words.js", "api.js", "virtual.js", "entries.js", "notes.js", "links.js"),
    *("listing.js", "header.js", "body.js", "timeline.js", "inspector.js"),
)
"""The modules, each behind those that it imports: put behind each other they are one."""
TYPES = {
    "index.html": "text/html; charset=utf-8",
    "inspector.css": "text/css; charset=utf-8",
    "mark.svg": "image/svg+xml",
    **dict.fromkeys(SCRIPTS, "text/javascript; charset=utf-8"),
}
_IMPORT = re.compile(r"^import \{[^}]*\} from \"\./[a-z]+\.js\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


@cache
def read_asset(name: str) -> str:
    """The text of a file of the page."""
    return files("wiremend.inspector").joinpath("page", name).read_text(encoding="utf-8")


@cache
def bundled_script() -> str:
    """All modules as one, for a page that is one file: names are unique among them."""
    texts = (read_asset(name) for name in SCRIPTS)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)
