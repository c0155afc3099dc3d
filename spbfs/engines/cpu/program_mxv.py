"""Products of a matrix and a vector over operators that are programs: a user's, and rare ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.expand import expand_mxv
from spbfs.engines.cpu.csr import values_between
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.product import matrix_operand
from spbfs.engines.cpu.programs import Programs, programs_of
from spbfs.engines.cpu.transpose import transposed
from spbfs.engines.protocol import NO_HINTS, Operation
from spbfs.operators.definitions import TypedSemiring
from spbfs.planner.products import rows_pay
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import known_transpose
from spbfs.storage.entries import row_matrix

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["program_mxv"]

Array = Any


def program_mxv(engine: CpuEngine, operation: Operation, u: VectorData, threads: int) -> VectorData:
    """``w = A u`` (``A' u`` when transposed) as a list; nothing is masked."""
    A, semiring, transpose, vector_first = operation
    programs = programs_of(semiring)
    if programs is None:
        by_rows = transposed(A) if transpose else A
        return expand_mxv(engine, by_rows, u, semiring, vector_first)
    walked = A if transpose else known_transpose(A)
    if walked is not None and vector_first and u.indices is not None:
        edges = int(kernels.list_edges(walked.indptr, u.indices))
        if rows_pay(edges, A.nvals):
            return _pushed(engine, walked, u, semiring)
    by_rows = transposed(A) if transpose else A
    return _pulled(engine, by_rows, u, semiring, programs, vector_first, threads)


def _pushed(engine: CpuEngine, M: MatrixData, u: VectorData, semiring: TypedSemiring) -> VectorData:
    """The rows of M that the vector names, summed: the product of a matrix of one row."""
    product = engine.mxm(row_matrix(u), M, semiring, mask=None, hints=NO_HINTS)
    return VectorData(M.ncols, product.values, indices=product.indices.astype(np.int64))


def _pulled(
    engine: CpuEngine,
    M: MatrixData,
    u: VectorData,
    semiring: TypedSemiring,
    programs: Programs,
    vector_first: bool,
    threads: int,
) -> VectorData:
    """Every row of M with the elements of the vector that it meets."""
    in_type, out_type = semiring.multiply.in_type, semiring.out_type
    dense = engine.to_bitmap(u) if u.indices is not None else u
    values = values_between(engine, matrix_operand(engine, M, in_type))
    elements = values_between(engine, dense.values, in_type)
    made = np.empty(M.nrows, out_type.np_type)
    present = np.zeros(M.nrows, np.bool_)
    kernels.pull_program(
        *(M.indptr, M.indices, values, elements, dense.present),
        *(*programs, vector_first, made, present, threads),
    )
    return engine.to_list(VectorData(M.nrows, made, present=present))
