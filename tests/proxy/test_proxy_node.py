"""Agents on Node through the proxy: the official SDKs, installed from the npm registry."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.proxy.standing import before

from wiremend.simulator import Call, says

HERE = Path(__file__).parent / "node"
SORTS = {"openai": "openai-chat", "anthropic": "anthropic"}
LOOK = Call("look", {"path": "a.txt"})
STEPS = [says(LOOK), says("It says 42."), says("Looking.", LOOK), says("Welcome.")]


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The agents' program beside the packages that it needs."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("node and npm are not installed, and this is CI")
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("node")
    for name in ("package.json", "agents.mjs"):
        shutil.copy(HERE / name, folder)
    command = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return folder / "agents.mjs"


def go(program: Path, *arguments: str) -> Any:
    done = subprocess.run(
        ["node", str(program), *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=program.parent,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("how", ["whole", "streamed"])
@pytest.mark.parametrize("sort", list(SORTS))
def test_an_agent_on_node_goes_on_after_a_cancelled_turn(agents: Path, sort: str, how: str) -> None:
    with before(SORTS[sort], *STEPS) as proxy:
        alone = go(agents, sort, proxy.provider.url, how)
        assert alone["error"]["status"] == 400
        assert len(alone["said"]) == 3
    with before(SORTS[sort], *STEPS) as proxy:
        mended = go(agents, sort, proxy.url, how)
        assert mended == {"said": ["", "It says 42.", "Looking.", "Welcome."], "error": None}
        kinds = [[anomaly.kind for anomaly in entry.anomalies] for entry in proxy.entries(4)]
        assert kinds == [[], [], [], ["tool_result_synthesized"]]
        last = json.dumps(proxy.got[-1])
        assert all(kept in last for kept in ("forty-two", "It says 42.", "Never mind", "iVBORw0K"))
