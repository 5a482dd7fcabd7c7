"""``python -m benchmarks.proxies``: the time that a proxy adds, beside nginx and LiteLLM's proxy.

All run at once, as processes of their own; requests go to each in turns over a kept connection.
The upstream is an nginx that gives the same small answer to everything.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from statistics import median, quantiles

from benchmarks.bodies import openai_chat
from benchmarks.histories import damaged, healthy
from benchmarks.measure import machine
from benchmarks.tables import Table, into_page, markdown, plain

ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-5",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Understood."},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}
PATH = "/v1/chat/completions"
# LiteLLM's proxy starts with a strong one only.
KEY = f"sk-{secrets.token_hex(32)}"
DIRECT, NGINX, OURS, LITELLM = "no proxy", "nginx", "wiremend proxy", "LiteLLM proxy"


@dataclass(frozen=True)
class Load:
    """A body that is sent, and how often to each."""

    name: str
    body: bytes
    rounds: int


@dataclass(frozen=True)
class Latency:
    """Seconds that one request took, in the middle and at the slow end."""

    median: float
    p99: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    wishes = _parser().parse_args(arguments)
    with ExitStack() as stack:
        targets = _start(stack, wishes.litellm)
        lines: list[list[str]] = []
        for load in loads(wishes.scale):
            print(f"sending: {load.name}, {len(load.body):,} bytes", file=sys.stderr)
            lines += _rows(load, measure(targets, load))
    head = ["", "median", "p99", "added: median", "p99", "× nginx"]
    table = Table(f"one request after the other, {machine()}", head, lines)
    print(plain(table))
    if wishes.markdown:
        into_page(wishes.markdown, markdown(table), "proxies")


def loads(scale: float) -> list[Load]:
    """Whole and damaged conversations, small and of about 1 MB."""
    out = []
    for name, size, rounds in (("2 KB", 4, 3000), ("1 MB", 2250, 300)):
        for kind, make in (("whole", healthy), ("damaged", damaged)):
            body = {**openai_chat(make(size)), "model": "gpt-5"}
            raw = json.dumps(body).encode()
            out.append(Load(f"{name}, {kind}", raw, max(10, int(rounds * scale))))
    return out


def measure(targets: dict[str, int], load: Load) -> dict[str, Latency]:
    """The latency of each target for a body; the targets take turns."""
    ask = {name: _asker(port, load.body) for name, port in targets.items()}
    taken: dict[str, list[float]] = {name: [] for name in targets}
    for number in range(load.rounds + 5):
        for name, send in ask.items():
            begin = time.perf_counter()
            send()
            if number >= 5:
                taken[name].append(time.perf_counter() - begin)
    return {
        name: Latency(median(times), quantiles(times, n=100)[98]) for name, times in taken.items()
    }


def _asker(port: int, body: bytes) -> Callable[[], None]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}

    def ask() -> None:
        connection.request("POST", PATH, body, headers)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"port {port} answered {answer.status}: {said[:300]!r}")

    return ask


def _rows(load: Load, taken: dict[str, Latency]) -> Iterator[list[str]]:
    direct, bare = taken[DIRECT], taken[NGINX]
    for name, latency in taken.items():
        row = [f"{load.name}: {name}", _ms(latency.median), _ms(latency.p99)]
        if name == DIRECT:
            yield [*row, "", "", ""]
        else:
            added = _ms(latency.median - direct.median), _ms(latency.p99 - direct.p99)
            yield [*row, *added, f"{latency.median / bare.median:.1f}"]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def _start(stack: ExitStack, litellm: str | None) -> dict[str, int]:
    """The ports of everything that is measured, once it answers."""
    upstream, bare, ours, theirs = (_free_port() for _ in range(4))
    stack.enter_context(_nginx(upstream, bare))
    url = f"http://127.0.0.1:{upstream}"
    command = [sys.executable, "-m", "wiremend", "proxy", "--quiet", "--upstream", url]
    stack.enter_context(_process([*command, "--port", str(ours)]))
    targets = {DIRECT: upstream, NGINX: bare, OURS: ours}
    if litellm is None:
        print("LiteLLM's proxy is not installed: left out", file=sys.stderr)
    else:
        stack.enter_context(_litellm(litellm, url, theirs))
        targets[LITELLM] = theirs
    for name, port in targets.items():
        _wait_for(name, port)
    return targets


_NGINX = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; client_max_body_size 64m; client_body_buffer_size 4m; keepalive_requests 1000000;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream up {{ server 127.0.0.1:{upstream}; keepalive 64; keepalive_requests 1000000; }}
  server {{
    listen 127.0.0.1:{upstream}; default_type application/json;
    location {path} {{ default_type application/json; return 200 '{answer}'; }}
  }}
  server {{
    listen 127.0.0.1:{bare};
    location / {{
      proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection "";
    }}
  }}
}}
"""


@contextmanager
def _nginx(upstream: int, bare: int) -> Iterator[None]:
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        raise SystemExit("nginx is not installed, and it is the upstream: apt-get install nginx")
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "nginx.conf"
        answer = json.dumps(ANSWER)
        config.write_text(
            _NGINX.format(folder=folder, upstream=upstream, bare=bare, path=PATH, answer=answer)
        )
        with _process([program, "-e", f"{folder}/error.log", "-c", str(config)]):
            yield


@contextmanager
def _litellm(program: str, upstream: str, port: int) -> Iterator[None]:
    settings = {"model": "openai/gpt-5", "api_base": f"{upstream}/v1", "api_key": "sk-any"}
    config = {"model_list": [{"model_name": "gpt-5", "litellm_params": settings}]}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "config.yaml"
        path.write_text(json.dumps(config))
        options = ["--config", str(path), "--host", "127.0.0.1", "--port", str(port)]
        quiet = {
            "LITELLM_LOG": "ERROR",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "LITELLM_MASTER_KEY": KEY,
        }
        with _process([program, *options, "--num_workers", "1"], **quiet):
            yield


@contextmanager
def _process(command: Sequence[str], **more: str) -> Iterator[None]:
    environment = {**os.environ, **more}
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdout=silent, stderr=silent) as running:
        try:
            yield
        finally:
            running.terminate()


def _wait_for(name: str, port: int) -> None:
    body = json.dumps(openai_chat(healthy(4))).encode()
    said: Exception | None = None
    for seconds in accumulate([0.5] * 240):
        try:
            _asker(port, body)()
        except (OSError, RuntimeError, http.client.HTTPException) as error:
            said = error
            time.sleep(0.5)
        else:
            print(f"{name} answers after {seconds:.1f} s", file=sys.stderr)
            return
    raise SystemExit(f"{name} does not answer: {said}")


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proxies", description=__doc__)
    beside = shutil.which("litellm", path=str(Path(sys.executable).parent))
    parser.add_argument("--litellm", default=beside or shutil.which("litellm"), help="its command")
    parser.add_argument("--scale", type=float, default=1.0, help="more or fewer requests")
    parser.add_argument("--markdown", type=Path, help="a page to put the table into")
    return parser


if __name__ == "__main__":
    main()
