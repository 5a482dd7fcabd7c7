"""The same folders on Ray: what comes out is what comes out on one machine, to the byte."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray

from tests.cli.running import run
from tests.cli.test_cli_folders import COMMANDS, content, killed_under_way, mixed_folder
from wiremend.bulk.engines import ENGINES
from wiremend.bulk.partitions import Note
from wiremend.bulk.planning import Split
from wiremend.cli import folders
from wiremend.errors import WiremendError

# Ray warns of its own parts.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        ray.init(
            num_cpus=2,
            object_store_memory=100 << 20,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="ERROR",
        )
        yield
        ray.shutdown()


@pytest.fixture(autouse=True)
def _small_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_MB", 128)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mixed_folder(tmp_path_factory.mktemp("ray") / "in")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_ray_changes_no_byte(command: tuple[str, ...], mixed: Path, tmp_path: Path) -> None:
    here = run(*command, mixed, "-o", tmp_path / "here", "-j", "1")
    there = run(*command, mixed, "-o", tmp_path / "there", "--engine", "ray", "-j", "2")
    # What runs in a cluster of its own hears from that too.
    assert there.stderr.endswith(here.stderr.replace("here", "there"))
    assert here.exit_code == there.exit_code == 2
    assert content(tmp_path / "here") == content(tmp_path / "there")
    assert len(list((tmp_path / "there").glob("part-*"))) > 4


def test_ray_goes_on_where_this_machine_was_killed(mixed: Path, tmp_path: Path) -> None:
    run("fix", mixed, "-o", tmp_path / "whole")
    out = tmp_path / "out"
    killed_under_way(["fix", str(mixed), "-o", str(out)], out)
    done = len(list(out.glob("_done/*")))
    result = run("fix", mixed, "-o", out, "--engine", "ray")
    assert done
    assert f"goes on behind {done} partitions" in result.stderr
    assert content(out) == content(tmp_path / "whole")


def _die(split: Split) -> Note:
    os._exit(split.number)


def test_a_split_that_kills_every_worker_is_given_up() -> None:
    split: Any = Split(1, (), is_parquet=False, size=0)
    with pytest.raises(WiremendError, match=r"Ray gave up: .*; what is done is kept"):
        list(ENGINES["ray"](_die, [split], None))
