"""The memory that batches of searches share on the CPU, and how it looks before the first level."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.engines.bfs_many import Ints
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping

__all__ = ["Words", "Workspace", "begin"]

Array = npt.NDArray[Any]
Words = npt.NDArray[np.uint64]


def _aligned(count: int, dtype: Any) -> Array:
    """An array that begins with a cache line, so that a row of bits does not straddle two."""
    size = count * np.dtype(dtype).itemsize
    block = np.empty(size + 63, np.uint8)
    start = -block.ctypes.data % 64
    return block[start : start + size].view(dtype)


@dataclass
class Workspace:
    """The arrays of one batch at a time; rows of bits for a multiple of 64 vertices.

    One row at least is no vertex's: its bits stay zero in `visited`.
    """

    n: int
    words: int
    visited: Words
    rows: tuple[Words, Words]
    active: tuple[Words, Words]
    open: Words
    lists: Array
    planes: list[Words] = field(default_factory=list)
    #: Whether both frontiers are zero, as searches that ended leave them.
    clean: bool = False

    @classmethod
    def of(cls, n: int, words: int, dtype: Any) -> Workspace:
        blocks = n // 64 + 1

        def bits() -> Words:
            return _aligned(64 * blocks * words, np.uint64)

        def flags() -> Words:
            return _aligned(blocks, np.uint64)

        pair = (bits(), bits()), (flags(), flags())
        return cls(n, words, bits(), *pair, flags(), np.empty(2 * n, dtype))

    @property
    def nbytes(self) -> int:
        arrays = (self.visited, *self.rows, *self.active, self.open, self.lists, *self.planes)
        return sum(a.nbytes for a in arrays)

    def plane(self, b: int) -> Words:
        """Plane `b` of the levels, its contents arbitrary."""
        if b == len(self.planes):
            require_bytes(self.visited.nbytes, "A: levels this deep: another bit of them")
            self.planes.append(_aligned(self.visited.shape[0], np.uint64))
        return self.planes[b]


def begin(
    workspace: Workspace, out: MatrixData, into: MatrixData, sources: Ints, threads: int
) -> tuple[Any, list[Ints]]:
    """The state of the kernel at level 0, and how many vertices every search has there."""
    words, searches = workspace.words, len(sources)
    dirty = () if workspace.clean else (*workspace.rows, *workspace.active)
    kernels.bfs_many_clear([workspace.visited, *dirty], threads)
    workspace.clean = False
    search = np.arange(searches)
    bit = np.uint64(1) << (search % 64).astype(np.uint64)
    for bits in (workspace.visited, workspace.rows[0]):
        np.bitwise_or.at(bits, sources * words + search // 64, bit)
    vertices = set_of(np, sources)
    workspace.lists[: vertices.shape[0]] = vertices
    np.bitwise_or.at(
        workspace.active[0], vertices // 64, np.uint64(1) << (vertices % 64).astype(np.uint64)
    )
    known = entered(into)
    workspace.open[: known.shape[0]] = known
    workspace.open[known.shape[0] :] = 0
    progress = kernels.BfsManyProgress(
        vertices=vertices.shape[0],
        edges=int((out.indptr[vertices + 1] - out.indptr[vertices]).sum()),
        open=into.nvals,
        searches=searches,
    )
    first = np.zeros(64 * words, np.int64)
    first[:searches] = 1
    return progress, [first]


def entered(into: MatrixData) -> Words:
    """Bits of the vertices that an edge enters, whose rows are those of `into`; then kept."""
    derived = into.derived
    if derived.entered is None:
        flags = np.zeros(-(-into.nrows // 64) * 64, np.bool_)
        np.not_equal(into.indptr[1:], into.indptr[:-1], out=flags[: into.nrows])
        made = np.packbits(flags, bitorder="little").view(np.uint64)
        with keeping:
            if derived.entered is None:
                derived.entered = made
    known: Words = derived.entered
    return known
