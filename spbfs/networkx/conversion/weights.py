"""Weights of edges: an attribute of dictionaries as an array, and which numbers come back."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from spbfs.networkx.conversion.structure import Array, Node

__all__ = ["Weights", "weights_of_adjacency"]

#: Sums of fewer weights than this, and less than it, stay within an int64.
_MOST_SUMMED = 1 << 31


@dataclass(frozen=True)
class Weights:
    """A value for every edge: int64 where all are integers, else float64."""

    values: Array
    #: Where the parallel edges of every entry begin; None where there are none.
    first: Array | None

    def combined(self, combine: np.ufunc) -> Array:
        """A value for every entry, of parallel edges by their minimum or sum, say."""
        if self.first is None or not self.values.shape[0]:
            return self.values
        return combine.reduceat(self.values, self.first)

    def ranked(self, sign: int) -> Weights:
        """The place of every edge by rising weights, or by falling ones where the sign is -1."""
        ranks = np.empty_like(self.values, np.int64)
        ranks[np.argsort(sign * self.values, kind="stable")] = np.arange(ranks.shape[0])
        return Weights(ranks, self.first)

    @cached_property
    def lengths(self) -> Array:
        """Of every entry, of parallel edges the least, as compiled searches take them."""
        return self.combined(np.minimum).astype(np.float64, copy=False)

    @cached_property
    def least(self) -> float:
        """The least of all; infinity where there is none."""
        return float(self.values.min()) if self.values.size else np.inf

    @cached_property
    def has_zeros(self) -> bool:
        """Whether one of them is 0."""
        return not self.values.all()

    @property
    def integral(self) -> bool:
        """Whether sums of them are integers."""
        return self.values.dtype == np.int64


def weights_of_adjacency(
    adjacency: Mapping[Node, Mapping[Node, Any]], attribute: Any, default: Any, *, parallel: bool
) -> Weights:
    """The attribute of every edge of a dictionary of dictionaries.

    Raises
    ------
    NotImplementedError
        Where a weight is no finite number, so that NetworkX goes on by itself where it may.
    """
    edges: Any = chain.from_iterable(row.values() for row in adjacency.values())
    first = None
    if parallel:
        several = [list(keys.values()) for keys in edges]
        counts = np.fromiter(map(len, several), np.int64, len(several))
        first = np.cumsum(counts) - counts
        edges = chain.from_iterable(several)
    values = [edge.get(attribute, default) for edge in edges]
    return Weights(_as_array(values, attribute), first)


def _as_array(values: list[Any], attribute: Any) -> Array:
    kinds = set(map(type, values))
    whole = all(issubclass(kind, (int, np.integer, np.bool_)) for kind in kinds)
    if not whole and not all(
        issubclass(kind, (int, float, np.integer, np.bool_)) for kind in kinds
    ):
        raise NotImplementedError(f"edge attribute {attribute!r} is not a number everywhere")
    try:
        made = np.array(values, np.int64 if whole else np.float64)
    except OverflowError:
        raise NotImplementedError(f"edge attribute {attribute!r} is beyond 64 bits") from None
    if not whole and not np.isfinite(made).all():
        raise NotImplementedError(f"edge attribute {attribute!r} is not finite everywhere")
    most = _MOST_SUMMED if whole else sys.float_info.max / _MOST_SUMMED
    if made.size and max(-made.min().item(), made.max().item()) >= most:
        raise NotImplementedError(f"sums of edge attribute {attribute!r} may be beyond 64 bits")
    return made
