"""Splits on Ray Data: on the cluster that there is, or on one that is started for them.

Ray chooses as it always does: the address in ``RAY_ADDRESS``, a cluster that runs on this machine,
or else a new one here, with all its cores, that ends with the program. A task that dies with its
machine is done again elsewhere: its output is the same, and is written as a whole.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from wiremend.bulk.extras import ray as needed_ray
from wiremend.bulk.partitions import Note
from wiremend.bulk.planning import Split
from wiremend.errors import WiremendError

if TYPE_CHECKING:
    from wiremend.bulk.engines import Task

_MOST_BLOCKS = 20_000
"""Ray keeps account of each block; with more splits than that, some share one."""
_RETRIES = 3
"""A split whose machine went away is worked on elsewhere; one that kills each gives up."""


@dataclass(frozen=True)
class _OnRow:
    """The task as Ray calls it: a row with a split in, a row with a note out."""

    task: Task

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        split = pickle.loads(row["split"])  # noqa: S301  (our own, from the other end)
        return {"note": msgspec.json.encode(self.task(split))}


def on_ray(task: Task, splits: Sequence[Split], jobs: int | None) -> Iterator[Note]:
    """The notes, as they come. Raises ``WiremendError``."""
    ray = needed_ray()
    started = not ray.is_initialized()
    if started:
        _join(ray)
    try:
        yield from _notes(ray, task, splits, jobs)
    except ray.exceptions.RayError as error:
        why = str(error).strip().splitlines()[-1]
        raise WiremendError(
            f"Ray gave up: {why}; what is done is kept: run the same again"
        ) from None
    finally:
        if started:
            ray.shutdown()


def _join(ray: Any) -> None:
    for handler in logging.getLogger("ray.data").handlers:
        # What Ray tells of each run stays in its own files.
        if type(handler).__name__ == "PlainRayHandler":
            handler.addFilter(lambda record: record.levelno > logging.WARNING)
    try:
        ray.init(include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise WiremendError(f"no Ray cluster: {error}") from None


def _notes(ray: Any, task: Task, splits: Sequence[Split], jobs: int | None) -> Iterator[Note]:
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    rows = [{"split": pickle.dumps(split)} for split in splits]
    blocks = min(len(rows), _MOST_BLOCKS)
    made = ray.data.from_items(rows, override_num_blocks=blocks).map(
        _OnRow(task),
        num_cpus=1,
        max_retries=_RETRIES,
        compute=ray.data.TaskPoolStrategy(size=jobs),
    )
    for row in made.iter_rows():
        yield msgspec.json.decode(row["note"], type=Note)
