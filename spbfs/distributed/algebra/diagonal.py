"""Diagonals of matrices over ranks, and products with a matrix that has nothing beside one.

Such a product has the pattern of the other factor, whose rows or columns it scales: values of the
diagonal are brought to whoever has edges there, and nothing is returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.wording import counted
from spbfs.distributed.algebra.functions import guarded
from spbfs.distributed.algebra.matrix_elements import with_entries, write_matrix
from spbfs.distributed.algebra.products import brought
from spbfs.distributed.parts.build import Edges, arranged, deal, placed_edges
from spbfs.distributed.parts.storage import DistributedMatrix, DistributedVector
from spbfs.engines.protocol import Hints, MaskData
from spbfs.exceptions import NotImplementedException
from spbfs.operators.definitions import TypedSemiring
from spbfs.storage.data import VectorData
from spbfs.storage.entries import take, vector_entries

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["diag_matrix", "diag_vector", "mxm"]


def diag_matrix(engine: DistributedEngine, u: DistributedVector, k: int) -> DistributedMatrix:
    """See `Engine.diag_matrix`."""
    _check_offset(k)
    elements, values = vector_entries(engine.on_host(u.part))
    places = elements.astype(np.int64) + engine.first
    edges = Edges(places, places, np.ascontiguousarray(values))
    one = np.ones(1, u.dtype)
    return engine.matrix_on_device(arranged(engine.ranks, engine.partition, edges, one, None))


def diag_vector(engine: DistributedEngine, A: DistributedMatrix, k: int) -> DistributedVector:
    """See `Engine.diag_vector`."""
    _check_offset(k)
    on_host = engine.matrix_on_host(A)
    rows, columns, _ = placed_edges(on_host)
    at = np.flatnonzero(rows == columns)
    given = [rows[at], np.ascontiguousarray(take(on_host.part.values, at))]
    places, values = deal(engine.ranks, engine.partition.owners(rows[at]), given)
    order = np.argsort(places)
    part = VectorData(engine.own, values[order], indices=places[order] - engine.first)
    return engine.vector(engine.on_device(engine.host.choose_form(part)))


def _check_offset(k: int) -> None:
    if k:
        raise NotImplementedException(f"diag: expected k = 0 over ranks, got {k}")


def mxm(
    engine: DistributedEngine,
    A: DistributedMatrix,
    B: DistributedMatrix,
    semiring: TypedSemiring,
    *,
    mask: MaskData | None,
    hints: Hints,
) -> DistributedMatrix:
    """See `Engine.mxm`, where one of the factors has entries on its diagonal only."""
    if semiring.multiply.op.positional:
        raise NotImplementedException(
            f"semiring: {semiring.op.name!r} takes positions, which mxm over ranks does not"
        )
    if _is_diagonal(engine, A):
        scaled, factors = B, (_scale(engine, A, B, True), B.part)
    elif _is_diagonal(engine, B):
        scaled, factors = A, (A.part, _scale(engine, B, A, False))
    else:
        raise NotImplementedException(
            f"mxm: not for objects that are spread over {counted(engine.ranks.size, 'rank')} "
            "unless one is a diagonal; A.gather() brings it to one place"
        )
    part = guarded(
        engine, lambda: engine.local.mxm(*factors, semiring, mask=None, hints=hints), semiring
    )
    made = with_entries(engine, scaled, part)
    return made if mask is None else write_matrix(engine, made, made, mask, None, True)


def _is_diagonal(engine: DistributedEngine, A: DistributedMatrix) -> bool:
    """Whether no rank has an entry beside the diagonal; collective where there are few."""
    if A.nvals > A.nrows:
        return False
    rows, columns, _ = placed_edges(engine.matrix_on_host(A))
    alone = np.array([int(np.array_equal(rows, columns))])
    return bool(engine.ranks.reduce(alone, "min")[0])


def _scale(
    engine: DistributedEngine, D: DistributedMatrix, A: DistributedMatrix, rows: bool
) -> Any:
    """The part of a diagonal matrix by which rows, or columns, of this rank's part are scaled."""
    part, ends = engine.to_staging(diag_vector(engine, D, 0).part), engine.ends(A)
    everywhere = brought(engine, ends.rows if rows else ends.columns, part, True)
    return engine.local.diag_matrix(engine.from_staging(everywhere), 0)
