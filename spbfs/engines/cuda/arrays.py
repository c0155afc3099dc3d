"""The array engine over CuPy: where CuPy differs from NumPy, and what must not wait for the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cupy
import numpy as np

from spbfs.base import gpu_memory
from spbfs.base.memory import UNQUESTIONED
from spbfs.engines.arrays.patterns.layout import index_type
from spbfs.engines.arrays.structure import moves
from spbfs.engines.arrays.values import value_arrays as array_values
from spbfs.engines.arrays.values.value_arrays import values_as
from spbfs.engines.cuda.graph.host_side import transposed_by_host
from spbfs.engines.cuda.graph.symmetric import is_symmetric
from spbfs.engines.cuda.graph.transpose import transposed_pattern
from spbfs.engines.cuda.runtime import recording
from spbfs.engines.cuda.runtime.pinned import host_view, is_pinned, pinned_copy
from spbfs.exceptions import BackendUnavailable
from spbfs.operators.casts import cast
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData, in_host_memory, is_iso, iso_array
from spbfs.storage.derived import known_transpose, remember_transpose

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = [
    "asarray",
    "constant",
    "in_pinned_memory",
    "iso_value",
    "known_value",
    "pinned",
    "require_bytes",
    "require_device",
    "resized",
    "to_numpy",
    "transposed",
]

Array = Any
#: Bytes up to which the driver stages a copy from pageable memory itself.
_STAGED = 1 << 16
_TO_DEVICE = 1


def require_device() -> None:
    """Raise `BackendUnavailable` where there is no GPU, or no driver for it."""
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise BackendUnavailable(f"device 'cuda': {error}") from None
    if count == 0:
        raise BackendUnavailable("device 'cuda': the driver shows no GPU")


def pinned(nbytes: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Host memory that the GPU reads and writes without a copy of the driver's."""
    memory = cupy.cuda.alloc_pinned_memory(max(nbytes, 1))
    return np.frombuffer(memory, np.uint8, nbytes)


def _staged(array: np.ndarray[Any, Any]) -> Array:
    """A small array on the GPU: the driver has read it when the call returns, and CuPy's own
    staging, which takes three times as long, is not needed."""
    made = cupy.empty(array.shape, array.dtype)
    if array.size:
        stream = cupy.cuda.get_current_stream().ptr
        cupy.cuda.runtime.memcpyAsync(
            made.data.ptr, array.ctypes.data, array.nbytes, _TO_DEVICE, stream
        )
    return made


# -- arrays ----------------------------------------------------------------------------------
def asarray(engine: CudaEngine, array: Any, dtype: DType | None = None) -> Array:
    """A contiguous array on the GPU, copied only where it must be; iso stays iso."""
    if in_host_memory(array) and is_iso(array) and array.shape[0]:
        made = iso_array(engine.constants.one(array[0]), array.shape[0])
    elif isinstance(array, np.ndarray) and in_host_memory(array) and array.nbytes <= _STAGED:
        recording.brought()
        made = _staged(np.ascontiguousarray(array))
    else:
        if in_host_memory(array):
            recording.brought()
        made = cupy.asarray(array)
    made = made.reshape(-1) if made.ndim != 1 else made
    # Kernels are handed the pointer: a view's elements must lie side by side.
    made = made if is_iso(made) else cupy.ascontiguousarray(made)
    return made if dtype is None else values_as(engine, made, dtype)


def in_pinned_memory(engine: CudaEngine, array: Array) -> Array:
    """A copy, of the GPU's or of the host's array, that the GPU reads over the bus; iso ones are
    one element, and therefore on the GPU."""
    if is_iso(array) and array.shape[0]:
        return engine.asarray(array)
    return pinned_copy(array)


def to_numpy(engine: CudaEngine, array: Array) -> np.ndarray[Any, Any]:
    """The array on the host; iso stays iso."""
    if in_host_memory(array):
        return array
    if is_pinned(array):
        return host_view(array)
    if is_iso(array) and array.shape[0]:
        return iso_array(np.array([engine.iso_value(array)]), array.shape[0])
    return cupy.asnumpy(array)


def require_bytes(engine: CudaEngine, needed: int, what: str) -> None:
    """Raise `OutOfMemory` when `what` needs more memory than the GPU has."""
    if needed >= UNQUESTIONED:
        gpu_memory.require_bytes(needed, what)


# -- values ----------------------------------------------------------------------------------
def constant(engine: CudaEngine, value: Any, dtype: np.dtype[Any], size: int) -> Array:
    """An iso array of `size` elements."""
    if isinstance(value, cupy.ndarray):
        known = engine.constants.value_of(value)
        if known is None:
            return iso_array(cast(cupy, value, dtype), size)
        value = known
    scalar = cast(np, np.asarray(value), dtype).reshape(-1)[0]
    recording.used(scalar)
    return iso_array(engine.constants.one(scalar), size)


def iso_value(engine: CudaEngine, values: Array) -> Any:
    """The one value of an iso array that is not empty, as a number of the host."""
    known = engine.constants.value_of(values)
    return cupy.asnumpy(values[:1])[0] if known is None else known


def known_value(engine: CudaEngine, values: Array) -> np.generic | None:
    """The value of an iso array, where the host knows it."""
    return engine.constants.value_of(values)


def resized(engine: CudaEngine, values: Array, size: int) -> Array:
    """An iso array of another length."""
    if values.shape[0] == 0:
        return engine.constant(0, values.dtype, size)
    return array_values.resized(engine, values, size)


# -- matrices --------------------------------------------------------------------------------
def transposed(engine: CudaEngine, A: MatrixData) -> MatrixData:
    """The transpose, kept with `A`; `A` itself where pattern and (iso) values are symmetric."""
    if is_pinned(A.indices):
        return transposed_by_host(A)
    known = known_transpose(A)
    if known is not None:
        return known
    if is_iso(A.values) and A.indices.dtype == index_type(A.nrows) == np.int32:
        if is_symmetric(A):
            return A
        made = MatrixData(A.ncols, A.nrows, *transposed_pattern(A), A.values)
        return remember_transpose(A, made)
    return moves.transposed(engine, A)
