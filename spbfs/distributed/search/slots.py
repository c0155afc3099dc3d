"""A part of a matrix as searches over ranks of one host have it: ends of edges are slots.

Vertices of a rank fall by degree, to half a power of two, and ranks have them in turns, 512 at a
time: what most edges lead to is at the front of all sets, and no two ranks own words of one line of
memory.  Those of about the same degree are in order, so that what was found is put in order by
going along some dozens of places at once.  Like the layouts of one process
(`spbfs.engines.cpu.graph.layout`), these are copies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spbfs.distributed.parts.partition import Partition
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.engines.cpu.native import kernels
from spbfs.storage.arrays import nbytes_of

__all__ = ["Laid", "Slots"]

Array = Any
#: Vertices of a line.
_TURN = 512


def _classes(degrees: Array) -> Array:
    """Half powers of two, -2 for none."""
    return np.floor(2 * np.log2(np.maximum(degrees, 0.5))).astype(np.int8)


class Laid(NamedTuple):
    """Rows by slot, and in each the slots of its ends, rising.

    Parameters
    ----------
    edges : tuple of arrays
        Offsets and ends; of each row its slot, what users call it, its first end, of an empty one a
        slot that nobody has, and what users call that.
    active : int
        Own rows from here on are empty.
    """

    edges: tuple[Array, ...]
    active: int

    @property
    def nbytes(self) -> int:
        """Bytes of the copy."""
        return nbytes_of(*self.edges)


class Slots:
    """The slots of the vertices of a partition.

    Parameters
    ----------
    partition : Partition
    rank : int
    degrees : int64 array
        Of this rank's vertices.
    """

    def __init__(self, partition: Partition, rank: int, degrees: Array) -> None:
        sizes = np.diff(np.asarray(partition.bounds))
        ranks, most = sizes.shape[0], int(sizes.max(initial=0))
        #: How many there are, vertices or not; nobody has one of the last line.
        self.count = (-(-most // _TURN) * ranks + 1) * _TURN
        #: This rank, all ranks, and its vertices, as the kernels want them.
        self.own = rank, ranks, int(sizes[rank])
        #: The vertices of this rank in the order of their slots.
        self.elements = np.argsort(-_classes(degrees), kind="stable").astype(np.int32)
        numbers = np.arange(self.own[2])
        mine = (numbers // _TURN * ranks + rank) * _TURN + numbers % _TURN
        #: Where each vertex of this rank is in that order, and its slot, by its element.
        self.position, self.mine = (np.empty(self.own[2], np.int32) for _ in range(2))
        self.position[self.elements] = numbers
        self.mine[self.elements] = mine

    @property
    def nbytes(self) -> int:
        """Bytes of the tables."""
        return nbytes_of(self.elements, self.position, self.mine)

    def lay_out(self, A: DistributedMatrix, by_place: Array, names: Array, threads: int) -> Laid:
        """This rank's edges of a matrix; `by_place` has the slots of all vertices, `names` what
        users call those of all slots."""
        part, own = A.part, self.own[2]
        rows, columns = (
            np.concatenate((self.mine, by_place[side.foreign])) for side in (A.rows, A.columns)
        )
        order = np.concatenate((self.elements, own + np.argsort(rows[own:]).astype(np.int32)))
        lengths = np.diff(part.indptr)[order]
        indptr = np.zeros_like(part.indptr)
        np.cumsum(lengths, out=indptr[1:])
        ends = np.empty_like(part.indices)
        kernels.relabel(part.indptr, part.indices, order, columns, None, indptr, ends, threads)
        likeliest = np.full(order.shape[0], self.count - 1, np.int32)
        full = lengths > 0
        likeliest[full] = ends[indptr[:-1][full]]
        some = np.flatnonzero(full[:own])
        active = int(some[-1]) + 1 if some.shape[0] else 0
        slots = rows[order]
        return Laid((indptr, ends, slots, names[slots], likeliest, names[likeliest]), active)
