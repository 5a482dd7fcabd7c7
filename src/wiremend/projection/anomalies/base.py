"""What every anomaly is: a small typed value with a sentence for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeAlias

import msgspec


class Anomaly(
    msgspec.Struct, frozen=True, tag_field="kind", rename="camel", omit_defaults=True, gc=False
):
    """Base of all anomalies."""

    said: ClassVar[str] = ""

    @property
    def kind(self) -> str:
        """The name of this kind of repair, such as ``tool_result_reordered``."""
        return str(self.__struct_config__.tag)

    def describe(self) -> str:
        """What was repaired, in one sentence and without message contents."""
        return self.said.format(**msgspec.structs.asdict(self))


OnAnomaly: TypeAlias = Callable[[Anomaly], object]


def ignore(_: Anomaly) -> None:
    """The callback of those who do not want to know."""
