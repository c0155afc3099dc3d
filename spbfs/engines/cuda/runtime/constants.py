"""Values that many iso arrays share: put on the GPU once, known to the host for good."""

from __future__ import annotations

from threading import Lock
from typing import Any

import cupy
import numpy as np

__all__ = ["Constants"]

Array = Any
#: Constants in one allocation, eight bytes each, and allocations at most.
_SLOTS = 1024
_BLOCKS = 64


class Constants:
    """Arrays of one element on the current device, the same one for the same value.

    An iso array keeps the element it is seen through, and nothing writes into one, so that any
    number of them may share it; and whether two are equal need not be asked of the GPU.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, str, bytes], Array] = {}
        self._values: dict[int, np.generic] = {}
        self._blocks: dict[int, list[Array]] = {}
        self._used: dict[int, int] = {}
        self._nothing: dict[tuple[int, str], Array] = {}
        self._lock = Lock()

    def one(self, value: np.generic) -> Array:
        """The array of one element that is `value`."""
        device = cupy.cuda.runtime.getDevice()
        key = (device, value.dtype.char, value.tobytes())
        known = self._known.get(key)
        if known is not None:
            return known
        with self._lock:  # two threads must not take one slot
            known = self._known.get(key)
            return self._made(key, value) if known is None else known

    def _made(self, key: tuple[int, str, bytes], value: np.generic) -> Array:
        made = self._slot(key[0], value.dtype)
        made.set(np.array([value]))
        # Other streams may be the next to read it.
        cupy.cuda.get_current_stream().synchronize()
        if made.base is not None:
            self._known[key] = made
            self._values[int(made.data.ptr)] = value
        return made

    def nothing(self, dtype: np.dtype[Any]) -> Array:
        """An array without elements."""
        key = cupy.cuda.runtime.getDevice(), dtype.char
        known = self._nothing.get(key)
        return self._nothing.setdefault(key, cupy.empty(0, dtype)) if known is None else known

    def value_of(self, values: Array) -> np.generic | None:
        """What an iso array repeats, None where only the GPU knows."""
        known = self._values.get(int(values.data.ptr))
        return known if known is not None and known.dtype == values.dtype else None

    def _slot(self, device: int, dtype: np.dtype[Any]) -> Array:
        """Room for one more; a place of its own once there are a great many."""
        blocks = self._blocks.setdefault(device, [])
        used = self._used.get(device, 0)
        if used == len(blocks) * _SLOTS:
            if len(blocks) == _BLOCKS:
                return cupy.empty(1, dtype)
            blocks.append(cupy.empty(8 * _SLOTS, np.uint8))
        self._used[device] = used + 1
        at = 8 * (used % _SLOTS)
        return blocks[-1][at : at + dtype.itemsize].view(dtype)
