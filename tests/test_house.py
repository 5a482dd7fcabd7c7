"""The house rules: imports point inward, the core is pure, public names are what they say."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import wiremend

SOURCE = Path(wiremend.__file__).parent

MAY_IMPORT = {
    "errors": set(),
    "model": {"errors"},
    "context": {"errors", "model"},
    "history": {"errors", "model"},
    "projection": {"errors", "model", "context"},
    "limits": {"errors"},
    "dialects": {"errors", "model", "context", "projection", "limits"},
    "rules": {"errors", "limits"},
    "recovery": {"errors", "model", "projection"},
    "providers": {"errors"},
    "mend": {"errors", "model", "projection", "dialects"},
    "conversion": {"errors", "model", "context", "projection", "dialects", "mend"},
    "logs": {"errors", "model", "history", "dialects"},
    "caching": {"errors", "model", "projection", "dialects"},
    "incremental": {"errors", "model", "projection", "dialects", "mend", "caching"},
}
"""What each part of the core may import of wiremend. Rules, simulated providers and the projection
share nothing, so that each judges the others."""

SHELLS_MAY_IMPORT = {
    "bulk": {"errors", "inputs", "logs"},
    "simulator": {"errors", "providers"},
    "transit": {
        *("errors", "model", "projection", "dialects", "mend", "rules", "recovery", "inputs"),
    },
    "inspector": {
        *("errors", "model", "history", "projection", "dialects", "rules", "mend", "conversion"),
        *("stores",),
    },
}
"""The same for shells that have to stay apart from the core's other parts."""

WORLD = {
    "asyncio",
    "datetime",
    "http",
    "io",
    "logging",
    "os",
    "pathlib",
    "random",
    "secrets",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
}
SHELLS_IN_THE_CORE = {"projection/projector.py"}


def modules(part: str) -> list[Path]:
    single = SOURCE / f"{part}.py"
    return [single] if single.exists() else sorted((SOURCE / part).rglob("*.py"))


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("part", MAY_IMPORT | SHELLS_MAY_IMPORT)
def test_imports_point_inward(part: str) -> None:
    allowed = (MAY_IMPORT | SHELLS_MAY_IMPORT)[part]
    for path in modules(part):
        own = {name.split(".")[1] for name in imports(path) if name.startswith("wiremend.")}
        assert own - {part} <= allowed, path


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_the_core_knows_no_files_sockets_clocks_or_chance(part: str) -> None:
    for path in modules(part):
        if path.relative_to(SOURCE).as_posix() not in SHELLS_IN_THE_CORE:
            assert not {name.split(".")[0] for name in imports(path)} & WORLD, path


def test_the_core_needs_nothing_but_msgspec() -> None:
    for part in MAY_IMPORT:
        for path in modules(part):
            tops = {name.split(".")[0] for name in imports(path)}
            assert tops - set(sys.stdlib_module_names) <= {"msgspec", "wiremend"}, path


def test_importing_wiremend_loads_no_extra() -> None:
    code = "import sys, wiremend; print(*{'click', 'rich', 'pydantic', 'PIL'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_importing_wiremend_loads_nothing_that_is_not_used() -> None:
    code = "import sys, wiremend; print(*(m for m in sys.modules if m.startswith('wiremend.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_every_public_name_exists_and_is_sorted() -> None:
    for info in pkgutil.walk_packages([str(SOURCE)], "wiremend."):
        if ".cli" in info.name or info.name.endswith("__main__"):
            continue
        if info.name.startswith("wiremend.integrations."):
            # Their packages are loaded where each is tested, for seconds.
            continue
        module = importlib.import_module(info.name)
        names = getattr(module, "__all__", [])
        assert all(hasattr(module, name) for name in names), info.name
    assert list(wiremend.__all__) == sorted(
        wiremend.__all__, key=lambda name: (not name.isupper(), name.islower(), name)
    )


def test_modules_can_be_read_at_one_sitting() -> None:
    long = {
        path.name: count
        for path in SOURCE.rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 350
    }
    assert long == {}


def test_the_library_leaves_the_logging_of_its_program_alone() -> None:
    settings = ("setLevel", "basicConfig", "dictConfig", "fileConfig", "disable", "propagate")
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not names & {*settings}, path
