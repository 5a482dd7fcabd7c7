"""What a kind of sound request is, and the pieces that their types share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Generic, Literal, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType


class Request(Protocol):
    """A request that was read as a type."""

    model: str | None


R = TypeVar("R", bound=Request)

# White space as the rules have it: Python's, and the mark at the beginning of a file.
Spoken: TypeAlias = Annotated[str, Meta(pattern=r"[^\s\ufeff]")]
"""Text that is not blank."""

Never: TypeAlias = Literal["\0never"]
"""Stands for a field whose presence alone makes a request unusual."""


class NoConverse(msgspec.Struct, gc=False, kw_only=True):
    """A request without the fields by which one of Bedrock's is known."""

    modelId: Never | UnsetType = UNSET  # noqa: N815
    toolConfig: Never | UnsetType = UNSET  # noqa: N815
    inferenceConfig: Never | UnsetType = UNSET  # noqa: N815
    guardrailConfig: Never | UnsetType = UNSET  # noqa: N815


parse_object: Callable[[str], Any] = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
"""Raises where a text is no JSON object; what is in it is verified, and not made."""


def nothing_loose(request: object) -> Iterator[Any]:  # noqa: ARG001
    """For types that take no value as it is."""
    return iter(())


class Kind(Generic[R]):
    """The usual requests of a dialect.

    ``holds`` says what the type cannot; ``is_evident`` whether a request of this type cannot be
    taken for another format's; ``loose`` gives the values in the messages that the type took as
    they were.
    """

    def __init__(
        self,
        dialect: str,
        read_as: type[R],
        holds: Callable[[R], bool],
        is_evident: Callable[[R], bool],
        loose: Callable[[R], Iterator[Any]] = nothing_loose,
    ) -> None:
        self.dialect = dialect
        self.type = read_as
        self.holds = holds
        self.is_evident = is_evident
        self.loose = loose
        self.decoder = msgspec.json.Decoder(read_as)
