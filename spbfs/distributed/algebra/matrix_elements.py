"""Work on elements of matrices over ranks.

Entries in the same place are with the same rank, whichever matrix of a partition they are of, so
that nothing but counts has to be exchanged.  What does is the numbering: matrices that refer to
other vertices of others have other numbers for the same row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.algebra.functions import guarded
from spbfs.distributed.exchange.ranks import settled, sums
from spbfs.distributed.parts.build import placed_edges, row_degrees
from spbfs.distributed.parts.sides import Side, make_side
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.engines.arrays.patterns.sets import same
from spbfs.engines.protocol import MaskData
from spbfs.exceptions import NotImplementedException
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["aligned", "assign_scalar_matrix", "positions_of", "with_entries", "write_matrix"]

Array = Any


def with_entries(
    engine: DistributedEngine, A: DistributedMatrix, part: MatrixData, *, iso: bool = False
) -> DistributedMatrix:
    """A matrix with this part, in the numbers of `A`; collective, as entries are counted."""
    (nvals,) = sums(engine.ranks, engine.local.nvals(part))
    offsets = engine.to_numpy(engine.on_host(part).indptr)
    degrees = row_degrees(A.rows, np.diff(offsets).astype(np.int64))
    return DistributedMatrix(A.partition, part, A.rows, A.columns, nvals, degrees, iso)


def aligned(
    engine: DistributedEngine, *matrices: DistributedMatrix
) -> tuple[DistributedMatrix, list[MatrixData]]:
    """Parts of matrices in one numbering, and a matrix that has it; collective."""
    first = matrices[0]
    alike = all(
        same(A.rows.foreign, first.rows.foreign) and same(A.columns.foreign, first.columns.foreign)
        for A in matrices
    )
    if engine.ranks.reduce(np.array([int(alike)]), "min")[0]:
        return first, [A.part for A in matrices]
    placed = [placed_edges(engine.matrix_on_host(A)) for A in matrices]
    rows, columns = (
        make_side(engine.ranks, first.partition, np.concatenate([edges[end] for edges in placed]))
        for end in (0, 1)
    )

    def renumbered() -> list[MatrixData]:
        return [
            engine.host.build_matrix(
                rows.size,
                columns.size,
                rows.numbers(edges.rows),
                columns.numbers(edges.columns),
                engine.on_host(A.part).values,
                None,
            )
            for A, edges in zip(matrices, placed, strict=True)
        ]

    parts = [engine.on_device(part) for part in settled(engine.ranks, renumbered)]
    return _over(first, parts[0], rows, columns), parts


def _over(A: DistributedMatrix, part: MatrixData, rows: Side, columns: Side) -> DistributedMatrix:
    return DistributedMatrix(A.partition, part, rows, columns, A.nvals, A.degrees, A.iso)


def positions_of(engine: DistributedEngine, A: DistributedMatrix) -> tuple[Array, Array]:
    """Row and column of this rank's entries, by the numbers that a user knows."""
    edges = placed_edges(engine.matrix_on_host(A))
    named = engine.partition.numbering.vertices
    return named(edges.rows), named(edges.columns)


def write_matrix(
    engine: DistributedEngine,
    C: DistributedMatrix,
    T: DistributedMatrix,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> DistributedMatrix:
    """See `Engine.write`."""
    like, (old, new, *masks) = aligned(engine, C, T, *([] if mask is None else [mask.data]))
    admitted = None if mask is None else mask._replace(data=masks[0])
    part = guarded(engine, lambda: engine.local.write(old, new, admitted, accum, replace), accum)
    return with_entries(engine, like, part)


def assign_scalar_matrix(
    engine: DistributedEngine,
    C: DistributedMatrix,
    value: np.generic,
    rows: Array | None,
    cols: Array | None,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> DistributedMatrix:
    """See `Engine.assign_scalar_matrix`, where a mask says which entries: others would be all."""
    if mask is None or mask.complement or rows is not None or cols is not None:
        raise NotImplementedException(
            "assign to a matrix: expected a mask that is not complemented, and no rows or columns, "
            "of a matrix over ranks; .gather() brings one to one place"
        )
    like, (old, admits) = aligned(engine, C, mask.data)
    here = mask._replace(data=admits)
    part = guarded(
        engine,
        lambda: engine.local.assign_scalar_matrix(old, value, None, None, here, accum, replace),
        accum,
    )
    return with_entries(engine, like, part)
