"""What the steps of a product of a matrix and a vector on the CPU know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values import values_as
from spbfs.engines.arrays.vector_masks import VectorMask
from spbfs.engines.cpu.codes import Codes
from spbfs.engines.cpu.native import kernels
from spbfs.engines.specialise import ProductKey
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData, VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["FilledRows", "Ledger", "VectorProduct", "filled_rows", "ledger_of", "matrix_operand"]

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
    mask: VectorMask | None
    key: ProductKey
    codes: Codes
    #: The value of all results where it is known, a NumPy array of one element.
    value: Array | None
    #: Entries of the vector.
    frontier: int
    threads: int
    #: Entries of the frontier's rows, -1 where they were not counted exactly.
    edges: int = -1


# -- kept with a matrix --------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class FilledRows:
    """A packed bit a row, set where it holds entries, and how many are set."""

    bits: Array
    count: int

    @property
    def nbytes(self) -> int:
        return int(self.bits.nbytes)


@dataclass(slots=True)
class Ledger:
    """What is remembered of the products of a matrix, to decide what to derive from it."""

    #: Nanoseconds that its missing transpose has cost.
    regret: float = 0.0
    #: Pulls by its rows that stopped at the first hit.
    pulls: int = 0


def ledger_of(A: MatrixData) -> Ledger:
    """What is remembered of the products of `A`."""
    known: Ledger = A.cache.setdefault("ledger", Ledger())
    return known


def filled_rows(by_rows: MatrixData) -> FilledRows:
    """Which rows hold entries, kept with the matrix."""
    known: FilledRows | None = by_rows.cache.get("filled_rows")
    if known is None:
        bits = np.empty((by_rows.nrows + 7) // 8, np.uint8)
        known = FilledRows(bits, int(kernels.filled_rows(by_rows.indptr, bits)))
        by_rows.cache["filled_rows"] = known
    return known


def matrix_operand(engine: CpuEngine, A: MatrixData, dtype: DType) -> Array:
    """The matrix's values as a kernel wants them; a cast is kept with the matrix."""
    if A.values.dtype == dtype.np_type or is_iso(A.values):
        return values_as(engine, A.values, dtype)
    key = f"values:{dtype}"
    if key not in A.cache:
        A.cache[key] = values_as(engine, A.values, dtype)
    return A.cache[key]
