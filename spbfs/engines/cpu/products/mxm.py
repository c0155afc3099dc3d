"""The launcher of the matrix product: the mask as a pattern, the method, the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.memory import available_bytes, require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.arrays.matrices.elements import empty_matrix
from spbfs.engines.arrays.matrices.masks import mask_pattern, masked_matrix
from spbfs.engines.arrays.patterns.layout import index_type, offset_type
from spbfs.engines.arrays.structure.expand import expand_mxm
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.codes import CODES, Codes, kernel_codes
from spbfs.engines.cpu.operators.programs import Programs, programs_of
from spbfs.engines.cpu.products.kronecker import scaled
from spbfs.engines.cpu.products.product import matrix_operand
from spbfs.engines.protocol import Factors, Hints, MaskData
from spbfs.engines.specialise import ProductKey, product_key, specialised
from spbfs.planner import products as planner
from spbfs.storage.data import MatrixData, iso_array
from spbfs.storage.derived import known_transpose

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["mxm"]

Array = Any
#: Results surely smaller than this, or than half of the memory there is, are not counted first.
_SMALL = 1 << 28
#: More products than there are.
_ALL = np.iinfo(np.int64).max
#: By what a product is counted that is not made.
_PATTERN: Codes = ("any", "pair", CODES["BOOL"], CODES["BOOL"])


def mxm(engine: CpuEngine, factors: Factors, mask: MaskData | None, hints: Hints) -> MatrixData:
    """``C = A B`` by rows or by dots."""
    A, B, semiring = factors
    pattern = None if mask is None else mask_pattern(engine, mask)
    complement = mask is not None and mask.complement
    if (
        A.nvals == 0
        or B.nvals == 0
        or (pattern is not None and not complement and not pattern.nvals)
    ):
        return empty_matrix(engine, A.nrows, B.ncols, semiring.out_type)
    if mask is None:
        made = scaled(engine, A, B, semiring)
        if made is not None:
            return made
    key, value = specialised(engine, product_key(semiring), A.values, B.values)
    codes = kernel_codes(key)
    programs = programs_of(semiring) if codes is None else None
    if codes is None and programs is None:
        rows, cols, values = expand_mxm(engine, A, B, semiring)
        C = engine.build_matrix(A.nrows, B.ncols, rows, cols, values, None)
        return masked_matrix(engine, C, mask)
    threads = resolve_threads(hints.threads)
    how = codes or programs
    return _by_kernel(engine, A, B, key, how, value, pattern, complement, threads)


def _by_kernel(
    engine: CpuEngine,
    A: MatrixData,
    B: MatrixData,
    key: ProductKey,
    how: Any,
    value: Array | None,
    pattern: MatrixData | None,
    complement: bool,
    threads: int,
) -> MatrixData:
    """``C<pattern> = A B`` by rows or by dots.

    `how` is what kernels know the operators by, `Codes` or `Programs`; `value` is that of all
    results where it is known.
    """
    by_programs = isinstance(how, Programs)
    others = [B] if pattern is None else [B, pattern]
    itype = A.indices.dtype
    for m in others:
        if m.indices.dtype != itype:
            itype = np.result_type(itype, m.indices)
    a_indptr, a_indices = _csr(A, itype)
    b_indptr, b_indices = _csr(B, itype)
    marks = (None, None) if pattern is None else _csr(pattern, itype)
    dots = pattern is not None and not complement and not by_programs
    Bt = known_transpose(B) if dots else None
    # Of a row that products do not read, dots mark columns with a bit each.
    inner = B.nrows if key.uses_first else B.nrows // 64
    lookups, enough = -1, None
    if Bt is not None and pattern is not None:
        lookups = kernels.mxm_lookups(a_indptr, Bt.indptr.astype(np.int64, copy=False), *marks)
        enough = planner.mxm_products_enough(
            lookups=lookups, entries=pattern.nvals, inner=inner, threads=threads
        )
    products = kernels.mxm_products(a_indptr, a_indices, b_indptr, enough or _ALL)
    threads = planner.mxm_threads(products, threads)
    method = planner.mxm_method(
        products=products,
        lookups=lookups,
        columns=B.ncols,
        inner=inner,
        threads=threads,
    )
    right = B
    if method == "dots":
        assert Bt is not None
        right = Bt
        b_indptr, b_indices = _csr(Bt, itype)
    in_type, out_type = key.multiply.in_type, key.add.dtype.np_type
    first = A.values[:1]
    if key.uses_first or by_programs:
        first = matrix_operand(engine, A, in_type)
    second = right.values[:1]
    if key.uses_second or by_programs:
        second = matrix_operand(engine, right, in_type)

    left, right_side = (a_indptr, a_indices, first), (b_indptr, b_indices, second)
    shape, region = (B.ncols, B.nrows), (*marks, complement, method)

    def run(codes: Codes, count_only: bool) -> tuple[Array, Array, Array]:
        made: tuple[Array, Array, Array] = kernels.mxm(
            *left, *right_side, *shape, *codes, *region, count_only, threads
        )
        return made

    most = products if pattern is None or complement else min(products, pattern.nvals)
    each = itype.itemsize + (0 if key.is_pattern else out_type.itemsize)
    # Every entry is held twice for a moment, in its piece and in its place.
    if 2 * most * each > _SMALL and 2 * most * each > available_bytes() // 2:
        counts, _, _ = run(_PATTERN, True)
        require_bytes(2 * int(counts[-1]) * each, "mxm: the product")
    if by_programs:
        indptr, indices, values = kernels.mxm_program(
            *left, *right_side, *shape, *how, *region, threads
        )
    else:
        indptr, indices, values = run(how, False)
    nvals = int(indptr[-1])
    values = iso_array(value, nvals) if values is None else values.view(out_type)
    tracing.record(kernel=f"mxm {method}", edges=lookups if method == "dots" else products)
    return MatrixData(
        A.nrows,
        B.ncols,
        indptr.astype(offset_type(B.ncols, nvals), copy=False),
        indices.view(itype).astype(index_type(B.ncols), copy=False),
        values,
    )


def _csr(M: MatrixData, itype: np.dtype[Any]) -> tuple[Array, Array]:
    return M.indptr.astype(np.int64, copy=False), M.indices.astype(itype, copy=False)
