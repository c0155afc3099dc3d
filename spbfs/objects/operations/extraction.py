"""Reading rows, columns and single entries: ``u[I]``, ``A[I, J]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.exceptions import InvalidCall
from spbfs.objects.checks import as_index, check_covers
from spbfs.objects.indexing import Index
from spbfs.objects.mask import Mask, as_mask
from spbfs.objects.operations.delayed import delayed
from spbfs.objects.scalars.expression import ScalarExpression
from spbfs.objects.waiting import is_looked_into
from spbfs.storage.entries import entry_at, vector_entries

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.objects.operands.vector_operand import VectorOperand
    from spbfs.operators.dtypes import DType

__all__ = ["extract", "matrix_element", "through_input_mask", "vector_element"]


def vector_element(u: VectorOperand, index: int) -> Any:
    """The value at `index` as a host scalar, or None."""
    engine = u._engine
    if engine.spread is not None:
        return engine.spread.element(u._ready(), index)
    waiting = u._pending
    if waiting is not True and index in waiting:
        return _as_stored(waiting[index], u.dtype)
    data = u._ready() if waiting is True else u._data
    found = engine.extract_vector(data, engine.asarray(np.array([index])))
    _, values = vector_entries(found)
    return engine.to_numpy(values)[0] if values.shape[0] else None


def matrix_element(A: MatrixOperand, row: int, column: int) -> Any:
    """The value at one position as a host scalar, or None."""
    lines = A._pending
    if lines is True:
        data = A._ready()
    else:
        waiting = lines.get(row) if lines else None
        if waiting and column in waiting:
            return _as_stored(waiting[column], A.dtype)
        data = A._data
    if is_looked_into(data):
        return entry_at(data, row, column)
    engine = A._engine
    found = engine.extract_matrix(
        data, engine.asarray(np.array([row])), engine.asarray(np.array([column]))
    )
    return engine.to_numpy(found.values)[0] if found.nvals else None


def _as_stored(waiting: Any, dtype: DType) -> Any:
    """What waits to be set, of its type; None where a deletion waits."""
    return None if waiting is None else dtype.np_type.type(waiting)


def extract(operand: Any, indices: tuple[Index, ...]) -> Any:
    """``u[I]`` or ``A[I, J]``, delayed: an integer takes its dimension away."""
    of = _from_vector if operand.ndim == 1 else _from_matrix
    expression = of(operand, *indices)
    expression._extracted = operand, indices
    return expression


def through_input_mask(expression: Any, input_mask: Any) -> Mask:
    """The mask of the result that admits what `input_mask` does of what it is extracted from.

    As long as the row or column where that is what it is extracted from.
    """
    extracted = getattr(expression, "_extracted", None)
    if extracted is None:
        raise InvalidCall("input_mask: for what is extracted only, as in w(input_mask=m) << v[I]")
    operand, indices = extracted
    mask = as_mask(input_mask)
    shape = operand.shape
    if mask.parent.ndim == 1 < operand.ndim:
        lines = [(i, n) for i, n in zip(indices, shape, strict=True) if not i.is_int]
        if len(lines) == 1:
            indices, shape = (lines[0][:1], lines[0][1:])
    check_covers(mask.parent.shape, shape, "input_mask")
    return type(mask)(extract(mask.parent, indices).new())


def _from_vector(u: VectorOperand, index: Index) -> Any:
    if index.is_int:
        at = int(index.chosen[0])

        def element(_: Any) -> Any:
            as_index(at, u.shape[0], "index")
            return vector_element(u, at)

        return ScalarExpression("extract element", u, u.dtype, element)

    def run(engine: Any, data: Any) -> Any:
        return engine.extract_vector(data, index.on(engine))

    return delayed("extract", (u,), (index.length,), u.dtype, run)


def _from_matrix(A: MatrixOperand, rows: Index, columns: Index) -> Any:
    if rows.is_int and columns.is_int:
        i, j = int(rows.chosen[0]), int(columns.chosen[0])

        def element(_: Any) -> Any:
            as_index(i, A.shape[0], "row")
            as_index(j, A.shape[1], "column")
            return matrix_element(A, i, j)

        return ScalarExpression("extract element", A, A.dtype, element)

    def run(engine: Any, data: Any) -> Any:
        if not (rows.is_int or columns.is_int):
            return engine.extract_matrix(data, rows.on(engine), columns.on(engine))
        # A column is a row of the transpose, which the matrix keeps.
        one, many = (rows, columns) if rows.is_int else (columns, rows)
        data = data if rows.is_int else engine.transpose(data)
        line = engine.extract_matrix(data, one.on(engine), many.on(engine))
        return engine.build_vector(many.length, line.indices.astype(np.int64), line.values, None)

    shape = tuple([x.length for x in (rows, columns) if not x.is_int])
    return delayed("extract", (A,), shape, A.dtype, run)
