"""A matrix beside a vector: the vector stands for every row behind it, every column before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.protocol import NO_HINTS
from spbfs.objects.operations.delayed import delayed
from spbfs.operators.definitions import Semiring, TypedBinary, TypedSemiring
from spbfs.operators.tables.builtin import MONOID
from spbfs.storage.entries import column_matrix, row_matrix

if TYPE_CHECKING:
    pass

__all__ = ["scaled", "spread"]


def spread(left: Any, right: Any) -> tuple[Any, Any]:
    """Two operands of one shape: a vector beside a matrix is repeated for each row or column."""
    if left.ndim == right.ndim:
        return left, right
    if left.ndim == 2:
        return left, _repeated(right, left.shape, rows=True)
    return _repeated(left, right.shape, rows=False), right


def _repeated(v: Any, shape: tuple[int, ...], *, rows: bool) -> Any:
    """The matrix whose rows, or columns, are all a vector, as one extraction."""

    def run(engine: Any, x: Any) -> Any:
        times = engine.asarray(np.zeros(shape[0] if rows else shape[1], np.int64))
        if rows:
            return engine.extract_matrix(row_matrix(x), times, None)
        return engine.extract_matrix(column_matrix(x, engine), None, times)

    return delayed("broadcast", (v,), shape, v.dtype, run)


def scaled(left: Any, right: Any, typed: TypedBinary) -> Any:
    """The intersection of a matrix and a vector: a product with the vector on the diagonal."""
    monoid = MONOID["any"]
    semiring = TypedSemiring(
        Semiring(f"any_{typed.op.name}", monoid, typed.op), monoid.resolve(typed.out_type), typed
    )

    def run(engine: Any, x: Any, y: Any) -> Any:
        if left.ndim == 1:
            x = engine.diag_matrix(x, 0)
        else:
            y = engine.diag_matrix(y, 0)
        return engine.mxm(x, y, semiring, mask=None, hints=NO_HINTS)

    shape = left.shape if left.ndim == 2 else right.shape
    return delayed(f"ewise_mult {typed.op.name}", (left, right), shape, typed.out_type, run)
