"""wiremend: ``fix`` for the same provider, ``convert`` for another."""

from __future__ import annotations

import wiremend
from benchmarks.bodies import Body
from benchmarks.repairs.damage import DAMAGES, Specimen
from benchmarks.repairs.tools.base import MODELS


class Wiremend:
    """The body as it is."""

    name = "wiremend"
    version = wiremend.__version__
    called = "wiremend.fix, wiremend.convert"
    claims = frozenset(kind.name for kind in DAMAGES)

    def takes(self, specimen: Specimen, target: str) -> bool:  # noqa: ARG002
        """Everything."""
        return True

    def send(self, specimen: Specimen, target: str) -> Body:
        """The mended or converted body."""
        if specimen.source == target:
            return wiremend.fix(specimen.body, target).body
        model = MODELS[target]
        return wiremend.convert(specimen.body, specimen.source, target, model=model).body
