"""The command ``wiremend``: one module a command, and what they share.

Needs the extra ``wiremend[cli]``. Data goes to standard output, all else to standard error.
"""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]

_EXTRA = "wiremend: the command needs an extra: pip install 'wiremend[cli]'"


def main() -> NoReturn:
    """Run the command and leave the process with its exit status."""
    try:
        from wiremend.cli.app import run
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "click":
            raise
        sys.exit(_missing())
    sys.exit(run(sys.argv[1:]))


def _missing() -> int:
    print(_EXTRA, file=sys.stderr)
    return 2
