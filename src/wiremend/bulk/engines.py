"""Who works on splits: the processes of this machine, or a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from wiremend.bulk.partitions import Note
from wiremend.bulk.planning import Split
from wiremend.bulk.pool import cores, in_order

Task: TypeAlias = Callable[[Split], Note]
Engine: TypeAlias = Callable[[Task, Sequence[Split], int | None], Iterator[Note]]
"""Takes a task that is picklable, the splits, and how many are worked on at the same time (None:
as many as there are cores). Gives the notes as they come. Raises ``WiremendError``."""


def _local(task: Task, splits: Sequence[Split], jobs: int | None) -> Iterator[Note]:
    return (note for _, note in in_order(task, splits, jobs or cores()))


def _ray(task: Task, splits: Sequence[Split], jobs: int | None) -> Iterator[Note]:
    from wiremend.bulk.on_ray import on_ray

    return on_ray(task, splits, jobs)


ENGINES: dict[str, Engine] = {"local": _local, "ray": _ray}
