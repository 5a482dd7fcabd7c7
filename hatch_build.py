"""Compiles the one C module when the package is built, where there is a compiler.

The package is whole without it: ``wiremend/projection/ordinary.py`` then does the same in Python.
``WIREMEND_PURE=1`` leaves it out, ``WIREMEND_PURE=0`` makes a build fail that cannot compile it.
"""

from __future__ import annotations

import os
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULE = "wiremend.projection._ordinary"
SOURCE = "src/wiremend/projection/_ordinary.c"


class CompileHook(BuildHookInterface[Any]):
    """Compiles ``_ordinary.c`` beside its source, for wheels and for editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile, and say that the wheel is for this Python on this kind of machine alone."""
        if self.target_name != "wheel":
            return
        wish = os.environ.get("WIREMEND_PURE", "")
        root = Path(self.root)
        # What was compiled before may be of an older source. That of another Python stays.
        compiled = root / (SOURCE.removesuffix(".c") + sysconfig.get_config_var("EXT_SUFFIX"))
        compiled.unlink(missing_ok=True)
        if wish == "1":
            return
        try:
            _compile(root)
        except Exception as error:
            if wish == "0":
                raise
            self.app.display_warning(f"{SOURCE} was not compiled, Python does the same: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"].append(compiled.relative_to(root).as_posix())


def _compile(root: Path) -> None:
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    extension = Extension(MODULE, [str(root / SOURCE)])
    command = build_ext(Distribution({"name": "wiremend", "ext_modules": [extension]}))
    with tempfile.TemporaryDirectory() as objects:
        command.build_lib, command.build_temp = str(root / "src"), objects
        command.ensure_finalized()
        command.run()
