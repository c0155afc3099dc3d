"""The array engine over CuPy: where CuPy differs from NumPy, and what must not wait for the GPU."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from spbfs.backends.arrays import ArrayBackend
from spbfs.core.dtypes import DType
from spbfs.core.memory import UNQUESTIONED
from spbfs.core.storage import is_iso, iso_array
from spbfs.exceptions import BackendUnavailable, OutOfMemory

__all__ = ["CudaArrays", "require_device"]

Array = Any


def require_device() -> None:
    """Raise `BackendUnavailable` where there is no GPU, or no driver for it."""
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise BackendUnavailable(f"device 'cuda': {error}") from None
    if count == 0:
        raise BackendUnavailable("device 'cuda': the driver shows no GPU")


def free_bytes() -> int:
    """Bytes that an allocation on the current device can have: of the device and of the pool."""
    free, _ = cupy.cuda.runtime.memGetInfo()
    return int(free) + int(cupy.get_default_memory_pool().free_bytes())


class CudaArrays(ArrayBackend):
    """All of the protocol but the products."""

    xp = cupy

    def asarray(self, array: Any, dtype: DType | None = None) -> Array:
        """A one-dimensional array on the GPU, copied only where it must be; iso stays iso."""
        if isinstance(array, np.ndarray) and is_iso(array) and array.shape[0]:
            made = iso_array(cupy.asarray(array[:1].copy()), array.shape[0])
        else:
            made = cupy.asarray(array)
        made = made.reshape(-1) if made.ndim != 1 else made
        return made if dtype is None else self.values_as(made, dtype)

    def to_numpy(self, array: Array) -> np.ndarray[Any, Any]:
        """The array on the host; iso stays iso."""
        if isinstance(array, np.ndarray):
            return array
        if is_iso(array) and array.shape[0]:
            return iso_array(cupy.asnumpy(array[:1]), array.shape[0])
        return cupy.asnumpy(array)

    def require_bytes(self, needed: int, what: str) -> None:
        """Raise `OutOfMemory` when `what` needs more memory than the GPU has."""
        if needed >= UNQUESTIONED and needed > free_bytes():
            raise OutOfMemory(f"{what} needs {needed:,} bytes and {free_bytes():,} are free")
