"""Running the command inside of the test process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from wiremend.cli.app import cli

if TYPE_CHECKING:
    from click.testing import Result

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

HELLO = {"messages": [{"role": "user", "content": "hello"}]}
_CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
OPEN_CALL = {
    "model": "gpt-4o",
    "messages": [
        {"role": "user", "content": "look, please"},
        {"role": "assistant", "content": None, "tool_calls": [_CALL]},
        {"role": "user", "content": "well?"},
    ],
}
ANTHROPIC_BLANK = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 64,
    "messages": [
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": [{"type": "text", "text": ""}]},
        {"role": "user", "content": "again"},
    ],
}


def run(*arguments: str | Path, stdin: bytes | str | None = None) -> Result:
    """Run the command; whatever else than an exit comes out of it is raised."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def write(path: Path, *values: Any, indent: int | None = None) -> Path:
    """Write JSON, one value a line where there are several or the name says so."""
    texts = [json.dumps(value, indent=indent, ensure_ascii=False) + "\n" for value in values]
    # Half of a surrogate pair is written as its escape.
    path.write_bytes("".join(texts).encode("utf-8", "backslashreplace"))
    return path
