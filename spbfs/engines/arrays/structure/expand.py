"""Products spelled out: every product of a pair of entries, sorted by where it goes, then summed.

The way for operators that no compiled kernel knows (those that users define).  It needs memory for
every product at once, so the rows of the result are taken in blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.value_arrays import binary_values, group_of, take, values_as
from spbfs.operators.definitions import TypedSemiring
from spbfs.storage.data import MatrixData, VectorData

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["expand_mxm", "expand_mxv"]

Array = Any

#: Products held at a time; each takes about a hundred bytes while it is sorted and summed.
BLOCK = 1 << 22


def _blocks(xp: Any, work: Array) -> Iterator[tuple[int, int]]:
    """Consecutive slices of about `BLOCK` products each."""
    ends = xp.cumsum(work)
    begin = 0
    while begin < work.shape[0]:
        done = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(xp.searchsorted(ends, done + BLOCK, side="right")))
        yield begin, end
        begin = end


def _products(
    engine: ArrayEngine,
    semiring: TypedSemiring,
    x: Array,
    y: Array,
    row: Array,
    inner: Array,
    col: Array,
) -> Array:
    """The products of pairs of entries, or of their positions, as the monoid's type."""
    op = semiring.multiply
    if op.op.positional:
        position = {"firsti": row, "firstj": inner, "secondi": inner, "secondj": col}[op.op.name]
        values = values_as(engine, position, op.out_type)
    else:
        values = binary_values(engine, op, x, y)
    return values_as(engine, values, semiring.add.dtype)


def _summed(
    engine: ArrayEngine, semiring: TypedSemiring, keys: Array, products: Array
) -> tuple[Array, Array]:
    """Keys in order and once each, with the sums of their products."""
    xp = engine.xp
    order = xp.argsort(keys, kind="stable")
    keys = keys[order]
    starts = xp.flatnonzero(xp.concatenate((xp.ones(1, np.bool_), keys[1:] != keys[:-1])))
    if keys.shape[0] == 0:
        return keys, engine.constant(0, semiring.out_type.np_type, 0)
    sums = engine.segment_reduce(take(engine, products, order), starts, semiring.add)
    return keys[starts], sums


def expand_mxv(
    engine: ArrayEngine,
    P: MatrixData,
    u: VectorData,
    semiring: TypedSemiring,
    vector_first: bool,
) -> VectorData:
    """``w = P u`` by the rows of `P`; nothing is masked."""
    xp = engine.xp
    present = engine.present(u)
    dense = engine.to_bitmap(u) if u.indices is not None else u
    lengths = xp.diff(P.indptr).astype(np.int64)
    at: list[Array] = []
    sums: list[Array] = []
    for begin, end in _blocks(xp, lengths):
        positions = xp.arange(int(P.indptr[begin]), int(P.indptr[end]), dtype=np.int64)
        rows = begin + group_of(engine, lengths[begin:end], positions.shape[0])
        hit = present[P.indices[positions]]
        positions, rows = positions[hit], rows[hit]
        inner = P.indices[positions].astype(np.int64)
        a, v = take(engine, P.values, positions), take(engine, dense.values, inner)
        nought = xp.zeros_like(rows)
        if vector_first:
            products = _products(engine, semiring, v, a, nought, inner, rows)
        else:
            products = _products(engine, semiring, a, v, rows, inner, nought)
        keys, values = _summed(engine, semiring, rows, products)
        at.append(keys)
        sums.append(values)
    indices, values = _joined(engine, semiring, at, sums)
    return VectorData(P.nrows, values, indices=indices)


def expand_mxm(
    engine: ArrayEngine, A: MatrixData, B: MatrixData, semiring: TypedSemiring
) -> tuple[Array, Array, Array]:
    """``C = A B`` as (rows, columns, values) in order; nothing is masked."""
    xp = engine.xp
    degrees = xp.diff(B.indptr).astype(np.int64)
    work = degrees[A.indices]
    through = xp.concatenate((xp.zeros(1, np.int64), xp.cumsum(work)))
    row_work = xp.diff(through[A.indptr])
    row_parts: list[Array] = []
    col_parts: list[Array] = []
    sums: list[Array] = []
    for begin, end in _blocks(xp, row_work):
        first, last = int(A.indptr[begin]), int(A.indptr[end])
        before = int(through[first])
        total = int(through[last]) - before
        left = first + group_of(engine, work[first:last], total)
        inner = A.indices[left].astype(np.int64)
        # The first product of an entry is with the first entry of the row of B.
        start = B.indptr[A.indices[first:last]] - (through[first:last] - before)
        right = xp.arange(total, dtype=np.int64) + start[left - first]
        of_entry = group_of(engine, xp.diff(A.indptr[begin : end + 1]), last - first)
        rows = begin + of_entry[left - first]
        cols = B.indices[right].astype(np.int64)
        products = _products(
            engine,
            semiring,
            take(engine, A.values, left),
            take(engine, B.values, right),
            rows,
            inner,
            cols,
        )
        if rows.shape[0] == 0:
            continue
        order = _by_place(xp, rows, cols, begin, end, B.ncols)
        rows, cols = rows[order], cols[order]
        new = xp.concatenate(
            (xp.ones(1, np.bool_), (rows[1:] != rows[:-1]) | (cols[1:] != cols[:-1]))
        )
        starts = xp.flatnonzero(new)
        sums.append(engine.segment_reduce(take(engine, products, order), starts, semiring.add))
        row_parts.append(rows[starts])
        col_parts.append(cols[starts])
    rows, values = _joined(engine, semiring, row_parts, sums)
    cols, _ = _joined(engine, semiring, col_parts, [])
    return rows, cols, values


def _by_place(xp: Any, rows: Array, cols: Array, begin: int, end: int, ncols: int) -> Array:
    """The order by row, then column, equal ones as they are; rows from `begin` to `end` rise.

    By counting twice, which takes a tenth of a sort, where there is room for all columns.  Row and
    column in one key would overflow for very wide results.
    """
    if xp is not np or ncols > 4 * rows.shape[0] + 1024:
        order: Array = xp.lexsort(xp.stack((cols, rows)))
        return order
    from scipy.sparse import csr_array

    ends = np.searchsorted(rows, np.arange(begin, end + 1))
    given = csr_array((np.arange(rows.shape[0]), cols, ends), shape=(end - begin, ncols))
    return given.tocsc().tocsr().data


def _joined(
    engine: ArrayEngine, semiring: TypedSemiring, at: list[Array], sums: list[Array]
) -> tuple[Array, Array]:
    xp = engine.xp
    keys = xp.concatenate(at) if at else xp.zeros(0, np.int64)
    values = xp.concatenate(sums) if sums else engine.constant(0, semiring.out_type.np_type, 0)
    return keys, values
