"""The CUDA engine: products by our own kernels, everything else by the array engine over CuPy."""

from __future__ import annotations

from spbfs.backends.cuda.many_searches import CudaManySearches
from spbfs.backends.cuda.mxm import CudaProducts
from spbfs.backends.cuda.searches import CudaSearches
from spbfs.core.storage import MatrixData

__all__ = ["CudaBackend"]


class CudaBackend(CudaProducts):
    """Runs on CuPy's current device and stream; arrays never come to the host unasked."""

    name = "cuda"

    def searches(self, A: MatrixData) -> CudaSearches:
        """The fused searches of `A`."""
        return CudaSearches(A, self)

    def many_searches(self, A: MatrixData) -> CudaManySearches:
        """The searches of `A` that run many at once."""
        return CudaManySearches(A, self)
