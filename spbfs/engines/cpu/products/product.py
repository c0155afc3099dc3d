"""What the steps of a product of a matrix and a vector on the CPU know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.value_arrays import values_as
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.codes import Codes
from spbfs.engines.protocol import MaskData
from spbfs.engines.specialise import ProductKey
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData, VectorData, is_iso
from spbfs.storage.derived import FilledRows, keeping

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["VectorProduct", "filled_rows", "matrix_operand"]

Array = Any


@dataclass(slots=True)
class VectorProduct:
    """``w<mask> = A u``, asked of its operands once."""

    A: MatrixData
    #: Its transpose, where it is there.
    across: MatrixData | None
    u: VectorData
    transpose: bool
    #: None where it admits everything; its data is a field, not looked up.
    mask: MaskData | None
    key: ProductKey
    codes: Codes
    #: The value of all results where it is known, a NumPy array of one element.
    value: Array | None
    #: Entries of the vector.
    frontier: int
    threads: int
    #: Entries of the frontier's rows, -1 where they were not counted exactly.
    edges: int = -1


# -- derived from a matrix -----------------------------------------------------------------------
def filled_rows(by_rows: MatrixData) -> FilledRows:
    """Which rows hold entries, kept with the matrix."""
    derived = by_rows.derived
    if derived.filled_rows is None:
        bits = np.empty((by_rows.nrows + 7) // 8, np.uint8)
        made = FilledRows(bits, int(kernels.filled_rows(by_rows.indptr, bits)))
        with keeping:
            if derived.filled_rows is None:
                derived.filled_rows = made
    return derived.filled_rows


def matrix_operand(engine: CpuEngine, A: MatrixData, dtype: DType) -> Array:
    """The matrix's values as a kernel wants them; a cast is kept with the matrix."""
    if A.values.dtype == dtype.np_type or is_iso(A.values):
        return values_as(engine, A.values, dtype)
    derived = A.derived
    if derived.cast_values is None:
        with keeping:
            if derived.cast_values is None:
                derived.cast_values = {}
    known = derived.cast_values
    if dtype not in known:
        known.setdefault(dtype, values_as(engine, A.values, dtype))
    return known[dtype]
