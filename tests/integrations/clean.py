"""Runs a program as in an environment where nothing but what its page installs is there.

python -m tests.integrations.clean PROGRAM REQUIREMENT…

What else is installed here for the tests cannot be imported. Versions are those that are here.
"""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib import metadata
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def installs(text: str) -> list[str]:
    """What the lines ``pip install …`` of a page or a docstring name."""
    lines = re.findall(r"^pip install ([^#\n]+)", text, re.MULTILINE)
    return [name.strip("'\"") for line in lines for name in line.split()]


def run_clean(program: Path, requirements: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run it in a process of its own."""
    assert requirements, f"{program.name} does not say what it needs: pip install …"
    return subprocess.run(
        [sys.executable, "-m", "tests.integrations.clean", str(program), *requirements],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


class _Installed(PathFinder):
    """Finds no module of the packages that are not to be there."""

    absent: frozenset[str] = frozenset()

    @classmethod
    def find_spec(
        cls,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in cls.absent:
            return None
        return super().find_spec(fullname, path, target)


def _absent(requirements: Sequence[str]) -> frozenset[str]:
    """The modules of the distributions that these requirements do not bring."""
    brought = {name for name, _ in _closure(requirements)}
    return frozenset(
        module
        for module, distributions in metadata.packages_distributions().items()
        if module != "wiremend" and brought.isdisjoint(map(canonicalize_name, distributions))
    )


def _closure(requirements: Sequence[str]) -> set[tuple[str, str]]:
    """All that is installed for requirements: distributions, each with an extra or none."""
    waiting = [(Requirement(text), "") for text in requirements]
    seen: set[tuple[str, str]] = set()
    while waiting:
        requirement, of_extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": of_extra}):
            continue
        name = canonicalize_name(requirement.name)
        for extra in ("", *requirement.extras):
            if (name, extra) not in seen:
                seen.add((name, extra))
                waiting.extend((Requirement(text), extra) for text in _needs(name, extra))
    return seen


def _needs(name: str, extra: str) -> Iterator[str]:
    if name == "wiremend":
        # What is installed may be of an earlier day.
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        yield from project["optional-dependencies"][extra] if extra else project["dependencies"]
        return
    try:
        yield from metadata.requires(name) or ()
    except metadata.PackageNotFoundError:
        # Not wanted here by its own name; what is missed will say so.
        return


def _main(program: str, *requirements: str) -> None:
    _Installed.absent = _absent(requirements)
    sys.meta_path[:] = [_Installed if one is PathFinder else one for one in sys.meta_path]
    sys.argv[:] = [program]
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    _main(*sys.argv[1:])
