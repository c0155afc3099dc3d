"""Which rank has which vertices, and which edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from spbfs.distributed.parts.numbering import Numbering
from spbfs.engines.arrays.patterns.sets import member
from spbfs.storage.entries import array_module

__all__ = ["Cut", "Partition", "balanced", "grid_of"]

Array = Any
Ints = npt.NDArray[np.int64]
Cut = Literal["rows", "grid"]


@dataclass(frozen=True, eq=False, slots=True)
class Partition:
    """The vertices of a graph over ranks, and by which rule its edges follow them.

    A vertex has a *place* among all, which `numbering` says, and a rank has consecutive places.

    Parameters
    ----------
    numbering : Numbering
    bounds : int64 array
        The first place of every rank, and n.
    cut : {"rows", "grid"}
        An edge is with the rank of the vertex that it leaves; or ranks are a grid, and it is in the
        row of that one's rank and in the column of that of the vertex it enters.
    hubs : int64 array
        Places, rising, of vertices whose edges lie with the ranks of their neighbours instead.
    """

    numbering: Numbering
    bounds: Ints
    cut: Cut
    hubs: Ints

    @property
    def n(self) -> int:
        """Vertices of the whole graph."""
        return self.numbering.n

    @property
    def size(self) -> int:
        """Ranks."""
        return self.bounds.shape[0] - 1

    def owners(self, places: Array) -> Array:
        """The rank of each place."""
        xp = array_module(places)
        return xp.searchsorted(xp.asarray(self.bounds), places, side="right") - 1

    def ranks_of_edges(self, sources: Array, targets: Array) -> Array:
        """The rank of every edge, by the places of its two vertices."""
        xp = array_module(sources)
        leaves, enters = self.owners(sources), self.owners(targets)
        if self.cut == "grid":
            columns = grid_of(self.size)[1]
            return leaves // columns * columns + enters % columns
        if not self.hubs.shape[0]:
            return leaves
        hubs = xp.asarray(self.hubs)
        from_hub, to_hub = member(xp, sources, hubs), member(xp, targets, hubs)
        between = (sources ^ (targets * 31)) % self.size
        return xp.where(from_hub, xp.where(to_hub, between, enters), leaves)


def grid_of(size: int) -> tuple[int, int]:
    """The rows and columns of the squarest grid of so many ranks.

    Examples
    --------
    >>> grid_of(4), grid_of(6), grid_of(7)
    ((2, 2), (2, 3), (1, 7))
    """
    rows = max(r for r in range(1, int(size**0.5) + 1) if size % r == 0)
    return rows, size // rows


def balanced(weights: Ints, before: int, total: int, size: int, first: int) -> list[int]:
    """Which bounds between ranks fall among the vertices of this one, for equal weights.

    Parameters
    ----------
    weights : int64 array
        Of the vertices that this rank has for now.
    before, total : int
        The weight of all vertices of earlier ranks, and of all.
    size : int
        Ranks.
    first : int
        The place of the first vertex here.

    Examples
    --------
    >>> import numpy as np
    >>> balanced(np.array([5, 1, 1, 1]), 0, 8, 2, 0)
    [1]
    """
    ends = before + np.cumsum(weights)
    shares = [total * k // size for k in range(1, size)]
    after = int(ends[-1]) if ends.shape[0] else before
    mine = [share for share in shares if before < share <= after]
    return (first + np.searchsorted(ends, mine, side="left") + 1).tolist() if mine else []
