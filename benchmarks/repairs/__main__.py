"""The command: ``python -m benchmarks.repairs``."""

from __future__ import annotations

import argparse
import logging
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import machine
from benchmarks.repairs.cases import specimens_in
from benchmarks.repairs.listening import listening
from benchmarks.repairs.report import tables
from benchmarks.repairs.run import TASKS, Outcome, outcomes, repaired, specimens
from benchmarks.repairs.tools import peers
from benchmarks.repairs.tools.base import Tool
from benchmarks.repairs.tools.wiremend import Wiremend
from benchmarks.tables import into_page, markdown, plain


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare, and print the tables."""
    wishes = _parser().parse_args(arguments)
    tasks = [task for task in TASKS if not wishes.tasks or task.target in wishes.tasks]
    cases = [*specimens_in(wishes.cases)] if wishes.cases else None
    with listening() as listener:
        tools: list[Tool] = [Wiremend()]
        for name in wishes.peers:
            if not peers.is_installed(name):
                print(f"left out: {name}, which is not installed", file=sys.stderr)
                continue
            tools.append(peers.peer(name, listener))
        found: list[Outcome] = []
        for task in tasks:
            given = specimens(task, wishes.seeds) if cases is None else repaired(cases, task)
            with _hushed():
                found += outcomes(tools, task, given)
            print(f"done: {task.name}", file=sys.stderr)
    made = [*tables(found, each=wishes.each, forgiving=wishes.forgive)]
    versions = [f"{tool.name} {tool.version}: {tool.called}" for tool in tools]
    print("\n".join([machine(), *versions, "", *map(plain, made)]))
    if wishes.markdown:
        listed = "\n".join(f"- {line}" for line in versions)
        text = "\n".join([f"Run on {machine()}.", "", listed, "", *map(markdown, made)])
        into_page(wishes.markdown, text, "repairs")


@contextmanager
def _hushed() -> Iterator[None]:
    """Peers log and warn that they were refused, which they all are."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        logging.disable(before)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.repairs", description=__doc__)
    add = parser.add_argument
    add("--peers", nargs="*", default=peers.NAMES, choices=peers.NAMES, metavar="PEER")
    add("--tasks", nargs="+", choices=[task.target for task in TASKS], metavar="DIALECT")
    add("--seeds", type=int, default=10, help="how many conversations of each kind")
    add("--cases", type=Path, metavar="FOLDER", help="the cases in these files, repaired, instead")
    add("--each", action="store_true", help="a table of each task as well")
    add("--forgive", action="store_true", help="count only what each tool claims to mend")
    add("--markdown", type=Path, metavar="PAGE", help="put the tables into this page")
    return parser


if __name__ == "__main__":
    main()
