"""The CUDA engine: products by our own kernels, everything else by the array engine over CuPy."""

from __future__ import annotations

from spbfs.backends.cuda_arrays import CudaArrays, require_device
from spbfs.backends.cuda_products import CudaProducts

__all__ = ["CudaBackend"]


class CudaBackend(CudaProducts, CudaArrays):
    """Runs on CuPy's current device and stream; arrays never come to the host unasked."""

    name = "cuda"

    def __init__(self) -> None:
        require_device()
