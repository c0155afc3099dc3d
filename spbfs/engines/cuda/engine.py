"""The CUDA engine: products by our own kernels, everything else by the array engine over CuPy."""

from __future__ import annotations

from typing import Any

from spbfs.engines.cuda.bfs.searches import CudaSearches
from spbfs.engines.cuda.bfs_many.searches import CudaManySearches
from spbfs.engines.cuda.products.mxm import CudaProducts
from spbfs.engines.cuda.products.packed import join_rows
from spbfs.engines.protocol import Hints, MaskData
from spbfs.operators.definitions import TypedSemiring
from spbfs.storage.data import MatrixData

__all__ = ["CudaEngine"]


class CudaEngine(CudaProducts):
    """Runs on CuPy's current device and stream; arrays never come to the host unasked."""

    name = "cuda"

    def mxm(
        self,
        A: MatrixData,
        B: MatrixData,
        semiring: TypedSemiring,
        *,
        mask: MaskData | None,
        hints: Hints,
    ) -> MatrixData:
        """``C = A B``, by bits where B has few columns and nothing else."""
        packed = self.packed_product(A, B, semiring, mask, hints)
        if packed is not None:
            return packed
        return super().mxm(A, B, semiring, mask=mask, hints=hints)

    def packed_rows(self, A: MatrixData, bits: Any, keep: Any | None, hints: Hints) -> Any:
        """The product with bits, pulled by rows of `A`, or pushed by those of its transpose."""
        return join_rows(self, A, bits, keep, hints)

    def searches(self, A: MatrixData) -> CudaSearches:
        """The fused searches of `A`."""
        return CudaSearches(A, self)

    def many_searches(self, A: MatrixData) -> CudaManySearches:
        """The searches of `A` that run many at once."""
        return CudaManySearches(A, self)
