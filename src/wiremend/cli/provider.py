"""``wiremend provider``: a simulated strict provider on a port, for SDKs and offline work."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from wiremend.cli.base import Command, complain, printable, put, usable
from wiremend.inputs import STDIN, Unusable
from wiremend.recovery import classify
from wiremend.simulator import DIALECTS, Received, Script, read_script, serve

_EPILOG = """\b
Examples:
  wiremend provider anthropic --port 8080 --log
  wiremend provider openai-chat --script answers.json

\b
A script is a list of steps: "a text", {"parts": ["text", {"type": "call", "name": "look",
"arguments": {}}]} or {"status": 429, "retry_after": 1}. Without one, a prompt that comes with
tools is answered by a call of the first, and everything else by a text.

Needs pip install 'wiremend[cli,proxy]'. Exit status: 0 stopped, 2 unusable input or usage.
"""
_LONGEST = 300

_OPENAI = {"OPENAI_BASE_URL": "{url}/v1", "OPENAI_API_KEY": "any"}
_VARIABLES = {
    "anthropic": {"ANTHROPIC_BASE_URL": "{url}", "ANTHROPIC_API_KEY": "any"},
    "gemini": {"GOOGLE_GEMINI_BASE_URL": "{url}", "GEMINI_API_KEY": "any"},
    # No bearer token: AWS's SDKs send none without TLS.
    "bedrock": {
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "{url}",
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
        "AWS_DEFAULT_REGION": "us-east-1",
    },
    "openrouter": _OPENAI | {"OPENAI_BASE_URL": "{url}/api/v1"},
    "qwen": _OPENAI | {"OPENAI_BASE_URL": "{url}/compatible-mode/v1"},
}
"""What the SDKs that speak to a provider read."""


@click.command(
    "provider",
    cls=Command,
    epilog=_EPILOG,
    short_help="Run a simulated strict provider.",
)
@click.argument("dialect", metavar="DIALECT", type=click.Choice(sorted(DIALECTS)))
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port to listen on; the default is a free one.",
)
@click.option("--script", "path", metavar="FILE", help="What the model answers, as JSON.")
@click.option("--log", is_flag=True, help="A line on standard error for each request.")
def command(dialect: str, host: str, port: int, path: str | None, *, log: bool) -> None:
    """Run a simulated provider that refuses what the real one refuses, in its words.

    It serves all APIs at their real paths; DIALECT says whose Chat Completions these are.
    """
    script = None if path is None else _script(path)
    with usable():
        serve(
            dialect,
            script,
            host=host,
            port=port,
            on_start=lambda url: _greet(dialect, url),
            on_request=_log if log else None,
        )


def _script(path: str) -> Script:
    try:
        data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}") from None
    try:
        with usable():
            return read_script(data)
    except Unusable as error:
        raise Unusable(f"{path}: {error}") from None


def _greet(dialect: str, url: str) -> None:
    complain(None, f"{dialect}, simulated, at {url}; Ctrl-C stops it")
    for name, value in _VARIABLES.get(dialect, _OPENAI).items():
        put(f"{name}={value.format(url=url)}\n")
    if dialect == "mistral":
        complain(None, f"Mistral's own SDK takes Mistral(server_url={url!r})")
    sys.stdout.flush()


def _log(received: Received) -> None:
    """Write a line for a request: no keys, no contents."""
    # Words about a body that is no JSON look like those about a call's arguments.
    judged = received.why and received.json is not None
    rules = classify(received.status, received.why).rules if judged else ()
    words = [received.method, received.path, str(received.status), *rules]
    said = f" {received.why[:_LONGEST]}" if received.why else ""
    click.echo(printable(" ".join(words) + said), err=True)
