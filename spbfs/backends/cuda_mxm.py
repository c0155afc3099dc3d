"""The matrix product on CUDA."""

from __future__ import annotations

from spbfs.backends.cuda_mxv import CudaVectorProducts
from spbfs.backends.expand import expand_mxm
from spbfs.backends.protocol import Hints, MaskData
from spbfs.core.operators.definitions import TypedSemiring
from spbfs.core.storage import MatrixData

__all__ = ["CudaProducts"]


class CudaProducts(CudaVectorProducts):
    """Products of two matrices."""

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
