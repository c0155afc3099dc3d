"""How many entries a vector on a GPU has: as the product that made it counted, or at most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines.arrays.vectors import forms as array_forms
from spbfs.engines.cuda.runtime import counting
from spbfs.engines.cuda.vectors.data import CudaVector
from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine


__all__ = ["about", "count", "count_true", "edges_counted"]

Array = Any


def count(engine: CudaEngine, u: VectorData) -> int:
    """Number of stored entries; what a product counted is fetched once."""
    if u.counted >= 0:
        return u.counted
    if isinstance(u, CudaVector) and u.totals:
        counts = None if u.box is None else u.box.read(u.ticket)
        u.counted, u.edges = counts or (int(c) for c in u.counts[:2].get())
    return array_forms.count(engine, u)


def count_true(_: CudaEngine, flags: Array) -> int:
    """How many flags are set."""
    return counting.count_true(flags)


def about(u: VectorData) -> int:
    """At most this many entries, without asking the GPU."""
    if u.counted >= 0:
        return u.counted
    if u.indices is not None:
        return int(u.indices.shape[0])
    if u.present is None:
        return u.size
    known = u.at_most if isinstance(u, CudaVector) else -1
    return u.size if known < 0 else min(known, u.size)


def edges_counted(u: VectorData, offsets: Array, otherwise: int) -> int:
    """Entries of the rows of `u`, where the product that made it counted them for a matrix
    with these offsets."""
    if isinstance(u, CudaVector) and u.degrees is offsets and u.edges >= 0:
        return u.edges
    return otherwise
