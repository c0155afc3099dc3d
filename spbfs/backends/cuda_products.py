"""The products of the CUDA engine."""

from __future__ import annotations

from spbfs.backends.arrays import ArrayBackend
from spbfs.backends.expand import expand_mxm, expand_mxv
from spbfs.backends.protocol import Hints, MaskData
from spbfs.core.operators.definitions import TypedSemiring
from spbfs.core.storage import MatrixData, VectorData

__all__ = ["CudaProducts"]


class CudaProducts(ArrayBackend):
    """Products of matrices and vectors."""

    def mxv(
        self,
        A: MatrixData,
        u: VectorData,
        semiring: TypedSemiring,
        *,
        transpose: bool,
        vector_first: bool,
        mask: MaskData | None,
        hints: Hints,
    ) -> VectorData:
        """``w = A u`` (``A' u`` when `transpose`)."""
        by_rows = self.transposed(A) if transpose else A
        w = expand_mxv(self, by_rows, u, semiring, vector_first)
        return self.settle(self.masked(w, mask), shrink=True)

    def mxm(
        self,
        A: MatrixData,
        B: MatrixData,
        semiring: TypedSemiring,
        *,
        mask: MaskData | None,
        hints: Hints,
    ) -> MatrixData:
        """``C = A B``."""
        rows, cols, values = expand_mxm(self, A, B, semiring)
        C = self.build_matrix(A.nrows, B.ncols, rows, cols, values, None)
        return self.masked_matrix(C, mask)
