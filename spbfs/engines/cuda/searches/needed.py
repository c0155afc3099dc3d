"""What searches of a matrix on the GPU take, in bytes, before any of it is asked for."""

from __future__ import annotations

from spbfs.engines.cuda.graph.build import SORT_CHUNK
from spbfs.engines.cuda.graph.layout import PINNED_VERTEX_BYTES
from spbfs.engines.cuda.graph.symmetric import is_symmetric
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData

__all__ = ["layout_bytes", "search_bytes"]

#: Outputs and workspace of a search, bytes a vertex.
VERTEX_BYTES = 24
#: Two lists of all vertices, less those that every search has.
LONG_LIST_BYTES = 24
#: What building a layout of pinned entries takes at least, bytes a vertex: keys being sorted.
PINNED_LAYOUT_BYTES = 20


def search_bytes(A: MatrixData, *, long_lists: bool = False) -> int:
    """Outputs and workspace of a search."""
    vertex = VERTEX_BYTES if memory_of(A.indices) == "device" else PINNED_VERTEX_BYTES
    return (vertex + (LONG_LIST_BYTES if long_lists else 0)) * A.nrows


def layout_bytes(A: MatrixData) -> int:
    """What building a layout takes: both directions, a vertex's share, keys being sorted; of pinned
    entries the least that a vertex does, as all else goes by what is free."""
    if memory_of(A.indices) == "pinned":
        return PINNED_LAYOUT_BYTES * A.nrows
    directions = 1 if is_symmetric(A) else 2
    return 4 * A.nvals * directions + 96 * A.nrows + 24 * min(A.nvals, SORT_CHUNK)
