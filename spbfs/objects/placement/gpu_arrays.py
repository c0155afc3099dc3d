"""Arrays that other libraries keep in GPU memory: recognised and taken over without a copy."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.base.wording import brief
from spbfs.engines import get_engine
from spbfs.exceptions import InvalidValue
from spbfs.operators.casts import cast
from spbfs.storage.data import in_host_memory

__all__ = [
    "array_module",
    "as_gpu_array",
    "asked",
    "at_host",
    "fetched",
    "is_here",
    "on_gpu",
    "own_array",
]

#: ``kDLCUDA`` and ``kDLCUDAManaged`` of DLPack.
_CUDA = (2, 13)
#: As a tuple: a union made at every call costs more than the test.
_ON_HOST = (list, tuple, int, float, np.generic)


def on_gpu(value: Any) -> bool:
    """Whether `value` is an array in GPU memory: of CuPy, or of whoever speaks its protocols."""
    if type(value) is np.ndarray:  # as most are
        return False
    if isinstance(value, np.ndarray):
        return not in_host_memory(value)
    if isinstance(value, _ON_HOST):
        return False
    # Of the class: CuPy's arrays take a while to say where they are.
    if _is_cupy(value) or hasattr(value, "__cuda_array_interface__"):
        return True
    device = getattr(value, "__dlpack_device__", None)
    return device is not None and device()[0] in _CUDA


def _is_cupy(value: Any) -> bool:
    cupy = sys.modules.get("cupy")
    return cupy is not None and isinstance(value, cupy.ndarray)


def as_gpu_array(value: Any) -> Any:
    """The same memory as a CuPy array; one on the host is copied.

    Raises
    ------
    BackendUnavailable
        When CuPy, which brings arrays of other libraries to us as well, is not there.
    """
    if _is_cupy(value):
        return value
    get_engine("cuda")
    import cupy

    if on_gpu(value) and not hasattr(value, "__cuda_array_interface__"):
        return cupy.from_dlpack(value)
    return cupy.asarray(value)


def at_host(value: Any) -> Any:
    """A copy in host memory of an array in a GPU's; all else as it is."""
    return as_gpu_array(value).get() if on_gpu(value) else value


def is_here(array: Any) -> bool:
    """Whether an array of CuPy's is on the current device."""
    import cupy

    return bool(array.device.id == cupy.cuda.runtime.getDevice())


def fetched(value: Any) -> Any:
    """A copy in host memory of an array of few elements on the GPU."""
    from spbfs.engines.cuda.runtime.fetch import fetched as from_gpu

    return from_gpu(as_gpu_array(value))


def asked(array: Any) -> Any:
    """An `Asked` of few elements of CuPy's: for whoever goes on before it is read."""
    from spbfs.engines.cuda.runtime.fetch import Asked

    return Asked(array)


def array_module(array: Any) -> Any:
    """NumPy, or CuPy for an array of it."""
    if in_host_memory(array):
        return np
    import cupy

    return cupy


@typed_refusals
def own_array(engine: Any, array: Any, dtype: Any, device: str, fresh: bool = False) -> Any:
    """An array that the caller may keep, NumPy's or on the GPU CuPy's: a copy of an engine's.

    One that nobody else holds (`fresh`) is copied only where it must be.
    """
    if not isinstance(device, str) or device not in ("cpu", "cuda"):
        raise InvalidValue(f"device: expected 'cpu' or 'cuda', got {brief(device)}")
    if device == "cpu":
        made = cast(np, engine.to_numpy(array), dtype)
        # What a cast made is nobody else's.
        own = made.flags.owndata and made.flags.writeable and (fresh or made is not array)
        return made if own else np.array(made)
    made = get_engine("cuda").asarray(array)
    return made.copy() if made.dtype == dtype else cast(array_module(made), made, dtype)
