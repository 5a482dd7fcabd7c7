"""What ``mkdocs build`` does beside Markdown: pages made from the code, links of rule codes.

The pages here are only on the site; those that are in the repository as well are made by
``scripts/write_docs.py``.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
# mkdocs loads this file by its path, and knows nothing of what is beside it.
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from scripts.error_pages import box_data  # noqa: E402
from scripts.rule_pages import rule_page  # noqa: E402

from wiremend.rules import RULES  # noqa: E402

_FROM_THE_ROOT = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}

_REFERENCE = {
    "wiremend": "The library",
    "wiremend.model": "Messages",
    "wiremend.history": "Events and memory",
    "wiremend.service": "Sending",
    "wiremend.recovery": "Errors",
    "wiremend.stores": "Stores",
    "wiremend.proxy": "The proxy",
    "wiremend.simulator": "Simulated providers",
    "wiremend.testing": "Tests",
}

# Code, links and headings stay as they are; what is left of the alternatives is a code in a text.
_CODE_IN_A_TEXT = re.compile(
    r"```.*?^```|``.+?``|`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)|^#[^\n]*|\b(WM\d{3})\b",
    re.DOTALL | re.MULTILINE,
)
_CODES = frozenset(rule.code for rule in RULES)


def on_files(files: Files, config: Any) -> Files:
    """Add a page for each rule, those at the root of the repository, and what explain.js needs."""
    made = {f"rules/{rule.code}.md": rule_page(rule) for rule in RULES}
    for name, source in _FROM_THE_ROOT.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        made[name] = text.replace("](docs/", "](")
    for module, title in _REFERENCE.items():
        made[f"reference/{module}.md"] = f"# {title}\n\n::: {module}\n"
    data = json.dumps(box_data(), ensure_ascii=False)
    made["assets/signs.js"] = f"window.wiremendSigns = {data};\n"
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make each rule code in a text a link to its page, and let links to the root stay inside."""
    up = "../" * page.file.src_uri.count("/")
    for name, source in _FROM_THE_ROOT.items():
        markdown = markdown.replace(f"]({up}../{source}", f"]({up}{name}")

    def linked(found: re.Match[str]) -> str:
        code = found[1]
        return f"[{code}]({up}rules/{code}.md)" if code in _CODES else found[0]

    return _CODE_IN_A_TEXT.sub(linked, markdown)
