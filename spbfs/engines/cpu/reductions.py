"""Sums of rows on the CPU: a pull of a vector that has every element, whose values nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spbfs.base.threads import get_threads
from spbfs.engines.arrays import reductions
from spbfs.engines.cpu.codes import CODES
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.product import filled_rows, matrix_operand
from spbfs.operators.definitions import TypedMonoid
from spbfs.storage.data import MatrixData, VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["row_sums"]


def row_sums(engine: CpuEngine, A: MatrixData, monoid: TypedMonoid) -> VectorData:
    """Every row summed; rows without entries give none."""
    op, dtype = monoid.op, monoid.dtype
    code = CODES.get(dtype.name, -1)
    names = op.name, "first", code, code
    known = op.binaryop.function is None and op.name != "any" and code >= 0
    if is_iso(A.values) or not (known and kernels.has_product(*names)):
        return reductions.row_sums(engine, A, monoid)
    values = matrix_operand(engine, A, dtype)
    present = np.empty(A.nrows, np.bool_)
    sums = np.empty(A.nrows, dtype.np_type)
    count, _ = kernels.pull(
        *(A.indptr, A.indices, filled_rows(A).bits, values, A.ncols, None, None, values[:1]),
        *names,
        *(None, False, None, None, present, sums, get_threads()),
    )
    w = VectorData(A.nrows, sums, present=present, counted=count)
    return engine.choose_form(w, shrink=True)
