"""The command group, and what may go wrong around every command."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

import wiremend
from wiremend.cli.base import FINE, UNUSABLE, complain

INTERRUPTED = 130
PIPE_CLOSED = 141

_COMMANDS = (
    "check",
    "fix",
    "show",
    "inspect",
    "export-html",
    "convert",
    "explain",
    "prefix",
    "project",
    "replay",
    "session",
    "schema",
    "provider",
    "proxy",
    "demo",
)


class _Commands(click.Group):
    """Imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(
            f"wiremend.cli.{cmd_name.replace('-', '_')}"
        ).command
        return command


@click.group(
    "wiremend",
    cls=_Commands,
    epilog="Exit status: 0 fine, 1 violations found or left, 2 unusable input or usage. "
    "`wiremend COMMAND --help` has examples.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(wiremend.__version__, prog_name="wiremend", message="%(prog)s %(version)s")
def cli() -> None:
    """Mend the conversations that LLM providers refuse, and say what was wrong.

    \b
    wiremend check request.json             what would the provider refuse?
    wiremend fix request.json -o mended.json
    wiremend convert request.json --to anthropic
    wiremend explain "tool_use ids were found without tool_result blocks"
    wiremend demo                           see it at work
    """


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit status; nothing is raised."""
    if sys.stdout is None:
        complain(None, "standard output is closed")
        return UNUSABLE
    if "_WIREMEND_COMPLETE" in os.environ:
        cli.main(prog_name="wiremend")
    try:
        # Not `cli.main`, which prints on an interruption and on a closed pipe.
        with cli.make_context("wiremend", list(arguments)) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as ended:
        return _flushed(ended.exit_code)
    except click.ClickException as error:
        error.show()
        return UNUSABLE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return _pipe_closed()
    except OSError as error:
        complain(None, f"cannot write: {error.strerror or error}")
        return UNUSABLE
    return FINE


def _flushed(status: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _pipe_closed()
    return status


def _pipe_closed() -> int:
    # What is still buffered would make the interpreter complain at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED
