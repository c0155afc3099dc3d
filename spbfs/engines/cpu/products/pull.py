"""The launcher of pull on the CPU: rows that the mask admits look for entries of the vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.value_arrays import values_as
from spbfs.engines.arrays.vectors.masks import flags_of, region_of
from spbfs.engines.cpu.graph.transpose import hubs
from spbfs.engines.cpu.matrices.csr import values_between
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.codes import pulled_by_rows
from spbfs.engines.cpu.operators.programs import Programs, built_in_programs
from spbfs.engines.cpu.products.product import VectorProduct, filled_rows, matrix_operand
from spbfs.engines.protocol import MaskData
from spbfs.operators.dtypes import DType
from spbfs.planner import products as planner
from spbfs.storage.data import MatrixData, VectorData, is_iso, iso_array
from spbfs.storage.derived import ledger_of

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["BlockProduct", "addressed", "pull", "pull_blocks"]

Array = Any


def pull(engine: CpuEngine, M: MatrixData, p: VectorProduct) -> tuple[VectorData, str, int]:
    """``w<mask> = M u``: the result, the kernel, the entries it touched."""
    u, key = p.u, p.key
    first, second, in_type = M.values[:1], u.values[:1], key.multiply.in_type
    if key.uses_first:
        first = matrix_operand(engine, M, in_type)
    if key.uses_second:
        u = addressed(engine, u)
        second = values_as(engine, u.values, in_type)
    programs = None if pulled_by_rows(p.codes) else built_in_programs(key)
    if programs is not None:
        x, y = first if key.uses_first else None, second if key.uses_second else None
        product = BlockProduct(x, y, programs, key.add.dtype, name=key.name)
        return pull_blocks(engine, M, u, p.mask, product, p.threads)
    rows = _Rows(engine, M, p.mask)
    values = None if key.is_pattern else np.empty(rows.size, key.add.dtype.np_type)
    likely = _likely(M, p) if key.stops_early and not key.uses_first else None
    filled, present = filled_rows(M).bits, rows.present
    count, touched = kernels.pull(
        M.indptr,
        M.indices,
        filled,
        first,
        u.size,
        u.indices,
        u.present,
        second,
        *p.codes,
        rows.flags,
        rows.complement,
        rows.wanted,
        likely,
        present,
        values,
        p.threads,
    )
    values = iso_array(p.value, rows.size) if values is None else values
    w = VectorData(rows.size, values, None, present, count)
    return w if rows.wanted is None else rows.listed(w), "pull", touched


@dataclass(slots=True)
class BlockProduct:
    """A product over programs, with the values that they are given."""

    #: Values of the matrix and of the vector, of the program's type; None where it reads none.
    first: Array | None
    second: Array | None
    programs: Programs
    #: Of the sums.
    dtype: DType
    #: Whether the vector's value is multiplied first.
    vector_first: bool = False
    #: That of the multiplication, where it is built in and the matrix's values come first.
    name: str = ""


def pull_blocks(
    engine: CpuEngine,
    M: MatrixData,
    u: VectorData,
    mask: MaskData | None,
    product: BlockProduct,
    threads: int,
) -> tuple[VectorData, str, int]:
    """`pull` by blocks of entries, over operators that are called for a block at a time."""
    rows = _Rows(engine, M, mask)
    values = np.empty(rows.size, product.dtype.np_type)
    operands = product.first, product.second
    x, y = (None if o is None else values_between(engine, o) for o in operands)
    multiply, add, monoid = product.programs
    count, touched = kernels.pull_blocks(
        *(M.indptr, M.indices, filled_rows(M).bits, x, u.size, u.indices, u.present, y),
        *(multiply, product.vector_first, monoid, add, product.name),
        *(rows.flags, rows.complement, rows.wanted, rows.present, values, threads),
    )
    w = VectorData(rows.size, values, None, rows.present, count)
    return w if rows.wanted is None else rows.listed(w), "pull_blocks", touched


class _Rows:
    """The rows that a mask admits, and room for what is found of them."""

    def __init__(self, engine: CpuEngine, M: MatrixData, mask: MaskData | None) -> None:
        self.engine, self.nrows = engine, M.nrows
        self.wanted = self.flags = None
        self.complement = False
        if mask is not None:
            if mask.data.indices is not None and not mask.complement:
                self.wanted = region_of(engine, mask).indices
            else:
                self.flags = flags_of(engine, mask.data, mask.structural)
                self.complement = mask.complement
        self.size = M.nrows if self.wanted is None else self.wanted.shape[0]
        self.present = np.empty(self.size, np.bool_)

    def listed(self, w: VectorData) -> VectorData:
        """What was found of the listed rows as a list of all."""
        assert self.wanted is not None
        found = self.engine.to_list(w)
        return VectorData(self.nrows, found.values, indices=self.wanted[found.indices])


def addressed(engine: CpuEngine, u: VectorData) -> VectorData:
    """A vector whose element is found by its number, or whose elements are one."""
    return u if u.indices is None or is_iso(u.values) else engine.to_bitmap(u)


def _likely(M: MatrixData, p: VectorProduct) -> Array | None:
    """The neighbour of every row to be asked first, where rows stop there and it pays."""
    if p.u.indices is None and p.u.present is None:
        return None
    ledger = ledger_of(M)
    ledger.pulls += 1
    if planner.hubs_pay(ledger.pulls) or M.derived.hubs_sought:
        return hubs(M, p.threads)
    return None
