"""Products of a matrix and a vector over operators that are programs: a user's, and rare ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spbfs.base import tracing
from spbfs.engines.arrays.structure.expand import expand_mxv
from spbfs.engines.arrays.values.value_arrays import values_as
from spbfs.engines.arrays.vectors.masks import masked_vector
from spbfs.engines.cpu.graph.transpose import transposed
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.programs import programs_of
from spbfs.engines.cpu.products.product import matrix_operand
from spbfs.engines.cpu.products.pull import BlockProduct, addressed, pull_blocks
from spbfs.engines.protocol import NO_HINTS, MaskData, Operation
from spbfs.operators.definitions import TypedSemiring
from spbfs.planner.products import rows_pay
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import known_transpose
from spbfs.storage.entries import row_matrix
from spbfs.storage.on_disk import OnDiskMatrix

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["program_mxv"]


def program_mxv(
    engine: CpuEngine, operation: Operation, u: VectorData, mask: MaskData | None, threads: int
) -> VectorData:
    """``w<mask> = A u`` (``A' u`` when transposed)."""
    A, semiring, transpose, vector_first = operation
    programs = programs_of(semiring)
    if programs is None:
        by_rows = transposed(A) if transpose else A
        w = expand_mxv(engine, by_rows, u, semiring, vector_first)
        return masked_vector(engine, w, mask)
    walked = A if transpose else known_transpose(A)
    if walked is not None and vector_first and u.indices is not None:
        edges = int(kernels.list_edges(walked.indptr, u.indices))
        if rows_pay(edges, A.nvals):
            return masked_vector(engine, _pushed(engine, walked, u, semiring), mask)
    M, in_type = transposed(A) if transpose else A, semiring.multiply.in_type
    u = addressed(engine, u)
    first, second = matrix_operand(engine, M, in_type), values_as(engine, u.values, in_type)
    product = BlockProduct(first, second, programs, semiring.out_type, vector_first)
    w, kernel, edges = pull_blocks(engine, M, u, mask, product, threads)
    if isinstance(A, OnDiskMatrix):
        A.check_pages()
    if tracing.current() is not None:
        tracing.record(direction="pull", kernel=kernel, frontier=engine.count(u), edges=edges)
    return engine.choose_form(w, shrink=True)


def _pushed(engine: CpuEngine, M: MatrixData, u: VectorData, semiring: TypedSemiring) -> VectorData:
    """The rows of M that the vector names, summed: the product of a matrix of one row."""
    product = engine.mxm(row_matrix(u), M, semiring, mask=None, hints=NO_HINTS)
    return VectorData(M.ncols, product.values, indices=product.indices.astype(np.int64))
