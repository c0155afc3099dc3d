"""Greedy algorithms, which take vertices one after the other: the calls that engines have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from spbfs.storage.data import MatrixData

__all__ = [
    "Colouring",
    "FewNeighboursFirst",
    "IndependentSet",
    "LargestFirst",
    "SmallestLast",
    "VertexOrder",
]

Array = Any  # numpy.ndarray or cupy.ndarray
Ints = npt.NDArray[np.int64]


class FewNeighboursFirst(NamedTuple):
    """By how many bits the number of a row's entries has, then by a number below a power of two.

    Of this number the vertex is made by rounds, of which each adds, multiplies by an odd number and
    folds the upper half of the bits that n - 1 has into the lower one.
    """

    rounds: tuple[tuple[int, int], ...]


class LargestFirst(Enum):
    """By falling degree, to which a loop adds two; of vertices of one degree the least first."""

    RULE = "largest_first"


@dataclass(frozen=True, slots=True)
class VertexOrder:
    """All vertices of a matrix, one after the other."""

    #: Makes a list of them, in host memory.
    listed: Callable[[], Ints]
    #: How an engine finds the same order by itself; None where there is the list alone.
    rule: FewNeighboursFirst | LargestFirst | None = None


class Colouring(Protocol):
    """Colours of a matrix with a symmetric pattern, given out greedily; loops do not matter."""

    def __call__(self, A: MatrixData, order: VertexOrder, threads: int | None) -> Array:
        """The least colour that no neighbour earlier in `order` has, int64, vertex by vertex."""


class IndependentSet(Protocol):
    """An independent set of a matrix with a symmetric pattern; loops do not matter."""

    def __call__(self, A: MatrixData, order: VertexOrder, threads: int | None) -> Array:
        """A flag a vertex: whether it is chosen if all are taken in `order` that still can be."""


class SmallestLast(Protocol):
    """How the vertices of a matrix with a symmetric pattern leave it; loops do not matter."""

    def __call__(self, A: MatrixData) -> Array:
        """The vertices round by round: all that have no more neighbours left than the least degree
        that was left in this round or one before; of a round the least first."""
