"""What the pages show without running it is well-formed: commands, their options, the extras."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.test_docs import ALL_PAGES, ROOT
from wiremend.cli.app import cli

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]


def shown_commands(page: Path) -> Iterator[str]:
    """The command lines of wiremend that a page shows and no test runs, without comments."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    for kind, body in blocks:
        if kind not in ("", "sh") and "not run: " not in kind:
            continue
        for line in body.splitlines():
            found = re.match(r"(?:\$ )?(?:[A-Z_]+=\S+ )*(wiremend .*?)(?: +#.*)?$", line)
            if found and not found[1].startswith("wiremend proxy on "):
                yield found[1]


COMMANDS = [(page.name, line) for page in ALL_PAGES for line in shown_commands(page)]


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_a_command_that_is_shown_has_options_that_there_are(page: str, line: str) -> None:
    _, *arguments = shlex.split(line)
    with click.Context(cli, info_name="wiremend") as context:
        name, command, rest = cli.resolve_command(context, arguments)
        assert command is not None, page
        command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda path: path.name)
def test_an_extra_that_is_to_be_installed_exists(page: Path) -> None:
    for extras in re.findall(r"wiremend\[([\w,-]+)\]", page.read_text(encoding="utf-8")):
        assert [one for one in extras.split(",") if one not in EXTRAS] == []


def test_the_page_of_the_command_lists_every_command() -> None:
    text = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    table = text.partition("## All commands")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^\| `wiremend ([\w-]+)", table, re.MULTILINE))
    with click.Context(cli) as context:
        assert listed == set(cli.list_commands(context))
