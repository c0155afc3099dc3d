"""What rounds change in vectors, by ``cuda/vectors/changes.cu``: a launch each and one wait."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.value_arrays import dtype_of
from spbfs.engines.arrays.vectors.forms import as_dense
from spbfs.engines.cuda.operators.literals import C_TYPE
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, pointer
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.rounds import Change
from spbfs.operators.dtypes import BOOL, FP64, INT64, DType
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine
    from spbfs.engines.rounds import HeldVector

__all__ = ["CHANGES", "CudaWatch", "specialisations"]

Array = Any

#: CTAs of a multiprocessor.
_RESIDENT = 8
_TO_HOST, _ON_DEVICE = 2, 3
#: ``struct Changes``.
CHANGES = np.dtype([("elements", "u8"), ("changes", "f8"), ("values", "f8")])


def _specialisation(dtype: DType) -> Specialisation:
    return Specialisation("changes", (f"changes<{C_TYPE[dtype.name]}>",))


@cache
def _kernel(dtype: DType) -> Kernel:
    return Kernel(_specialisation(dtype))


class CudaWatch:
    """See `spbfs.engines.rounds.Watch`.

    Copies and counts lie in the same memory at every look, and nothing is allocated: while the host
    looks, the GPU has nothing to do.
    """

    def __init__(self, engine: CudaEngine, held: list[HeldVector]) -> None:
        import cupy

        self._engine, self._held = engine, held
        self._kept: list[VectorData | None] = [None] * len(held)
        self._bytes = len(held) * CHANGES.itemsize
        self._counts = cupy.empty(self._bytes, np.uint8)
        self._told = engine.pinned(self._bytes)

    def keep(self) -> None:
        """Remember the vectors as they are."""
        import cupy

        for k, one in enumerate(self._held):
            u = one.data()
            # What is listed is spelled out, which is a copy.
            dense = as_dense(self._engine, u)
            self._kept[k] = dense if dense is not u else _kept(u, self._kept[k])
        stream = cupy.cuda.get_current_stream().ptr
        cupy.cuda.runtime.memsetAsync(pointer(self._counts), 0, self._bytes, stream)

    def changes(self) -> list[Change]:
        """How each differs from what was remembered; it waits for that."""
        import cupy

        at = pointer(self._counts)
        for one, before in zip(self._held, self._kept, strict=True):
            x = as_dense(self._engine, one.data())
            assert before is not None
            _kernel(dtype_of(x))(
                min(-(-x.size // THREADS) or 1, _RESIDENT * limits().sms),
                (*_words(x), *_words(before), x.size, at),
            )
            at += CHANGES.itemsize
        stream = cupy.cuda.get_current_stream()
        cupy.cuda.runtime.memcpyAsync(
            *(self._told.ctypes.data, pointer(self._counts), self._bytes, _TO_HOST, stream.ptr)
        )
        stream.synchronize()
        return [Change(*told) for told in self._told.view(CHANGES).tolist()]


def _kept(u: VectorData, room: VectorData | None) -> VectorData:
    """A copy of a dense vector, in the arrays of an earlier one where they fit."""
    before = (None, None) if room is None else (room.values, room.present)
    values = u.values if is_iso(u.values) else _array_kept(u.values, before[0])
    return VectorData(u.size, values, present=_array_kept(u.present, before[1]))


def _array_kept(array: Array | None, room: Array | None) -> Array | None:
    import cupy

    if array is None:
        return None
    fits = room is not None and room.shape == array.shape and room.dtype == array.dtype
    if not fits or is_iso(room):
        return array.copy()
    stream = cupy.cuda.get_current_stream().ptr
    cupy.cuda.runtime.memcpyAsync(pointer(room), pointer(array), array.nbytes, _ON_DEVICE, stream)
    return room


def _words(u: VectorData) -> tuple[int, int, int]:
    return pointer(u.values), int(not is_iso(u.values)), pointer(u.present)


def specialisations() -> Iterator[Specialisation]:
    """A selection of types."""
    yield from map(_specialisation, (BOOL, INT64, FP64))
