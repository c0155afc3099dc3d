"""The CUDA engine: products by our own kernels, everything else by the array engine over CuPy."""

from __future__ import annotations

from spbfs.backends.cuda_mxm import CudaProducts

__all__ = ["CudaBackend"]


class CudaBackend(CudaProducts):
    """Runs on CuPy's current device and stream; arrays never come to the host unasked."""

    name = "cuda"
