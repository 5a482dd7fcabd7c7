"""A list as what others share of it and an end of one's own, without a copy of either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, TypeVar, overload

T = TypeVar("T")


class Joined(Sequence[T]):
    """The first ``size`` items of a list that only ever grows, and then those of ``tail``.

    Making one costs nothing, however long the list is; ``list(joined)`` copies.
    """

    __slots__ = ("_shared", "_size", "_tail")

    def __init__(self, shared: list[T], size: int, tail: Sequence[T]) -> None:
        self._shared = shared
        self._size = size
        self._tail = tail

    def __len__(self) -> int:
        return self._size + len(self._tail)

    def __iter__(self) -> Iterator[T]:
        return chain(islice(self._shared, self._size), self._tail)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError("index out of range")
        return self._shared[at] if at < self._size else self._tail[at - self._size]

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, (Joined, list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # like a list

    def __repr__(self) -> str:
        return f"Joined({list(self)!r})"
