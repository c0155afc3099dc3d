"""The transpose of a distributed matrix, kept with it, and whether it is the matrix itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.parts.build import Edges, arranged, has_room, placed_edges
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.engines.arrays.patterns.sets import same
from spbfs.storage.derived import remember_symmetry, remember_transpose

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["across_of", "in_edges", "transposed"]


def across_of(A: DistributedMatrix) -> DistributedMatrix | None:
    """The transpose where it is there already, else None."""
    derived = A.derived
    if derived.symmetric and A.iso:
        return A
    made: Any = derived.transpose
    back: Any = derived.transpose_of
    return made if made is not None or back is None else back()


def transposed(engine: DistributedEngine, A: DistributedMatrix) -> DistributedMatrix:
    """The transpose, its edges where the partition says; the matrix itself where that equals it."""
    known = across_of(A)
    if known is not None:
        return known
    value = engine.host.asarray(engine.one_value(A))
    there = has_room(engine.exchange, A.part.nvals, None if A.iso else A.part.values)
    given = A if there else engine.matrix_on_host(A)
    rows, columns, values = placed_edges(given, engine.ends(A) if there else None)
    by = engine.exchange if there else engine.ranks
    made = arranged(by, A.partition, Edges(columns, rows, values), value, None)
    if A.iso and _alike(engine, given, made):
        remember_symmetry(A)
        return A
    # What is kept is of the same storage as what it is kept with.
    remember: Any = remember_transpose
    kept: DistributedMatrix = remember(A, made if there else engine.matrix_on_device(made))
    return kept


def in_edges(engine: DistributedEngine, A: DistributedMatrix) -> DistributedMatrix:
    """A matrix with the pattern of the transpose."""
    return A if A.derived.symmetric else transposed(engine, A)


def _alike(engine: DistributedEngine, A: DistributedMatrix, B: DistributedMatrix) -> bool:
    """Whether two matrices, in one memory, have the same pattern, at every rank."""
    a, b = A.part, B.part
    equal = (
        same(A.rows.foreign, B.rows.foreign)
        and same(A.columns.foreign, B.columns.foreign)
        and same(a.indptr, b.indptr)
        and same(a.indices, b.indices)
    )
    return bool(engine.ranks.reduce(np.array([int(equal)]), "min")[0])
