"""Where an operation may write: what masks admit, and rows and columns that indices choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from spbfs.engines.protocol import Indices, MaskData
from spbfs.engines.reference.entries import entries_of

__all__ = ["admitted_by", "inside_of", "marked_by", "places_of", "region_of"]

Array = Any


def marked_by(mask: MaskData) -> set[tuple[int, int]]:
    """What a mask admits, or leaves out when it is a complement."""
    stored = entries_of(mask.data)
    return {key for key, value in stored.items() if mask.structural or value != 0}


def admitted_by(mask: MaskData | None) -> Callable[[tuple[int, int]], bool]:
    """Says whether a mask admits a position."""
    if mask is None:
        return lambda key: True
    marked, complement = marked_by(mask), mask.complement
    return lambda key: (key in marked) != complement


def region_of(indices: Indices, size: int) -> Sequence[int]:
    """The indices chosen of a dimension of this size; None stands for all of them."""
    if indices is None or isinstance(indices, range):
        return range(size) if indices is None else indices
    return [int(i) for i in indices]


def places_of(indices: Indices) -> Callable[[int], list[int]]:
    """Says where an index stands among those given; None stands for all of them."""
    if indices is None:
        return lambda i: [i]
    if isinstance(indices, range):
        return lambda i: [indices.index(i)] if i in indices else []
    places: dict[int, list[int]] = {}
    for k, i in enumerate(indices):
        places.setdefault(int(i), []).append(k)
    return lambda i: places.get(i, [])


def inside_of(rows: Sequence[int], cols: Sequence[int]) -> Callable[[tuple[int, int]], bool]:
    """Says whether a position is in the region."""
    all_rows, all_cols = (x if isinstance(x, range) else set(x) for x in (rows, cols))
    return lambda key: key[0] in all_rows and key[1] in all_cols
