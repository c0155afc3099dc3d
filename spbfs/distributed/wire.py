"""Subsets of a list that two ranks know, as they cross between them: bits, or positions.

A message is a number that says how many are in it, then a bit for every position of the list or
four bytes for every one of the subset, whichever is smaller, then their values, if any: one where
all are alike.  Nothing crosses where nothing is in a subset.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs.distributed.ranks import Bytes
from spbfs.storage.arrays import is_iso, iso_array

__all__ = ["POSITION", "Subset", "pack", "unpack"]

Array = Any
Ints = npt.NDArray[np.int64]

#: Bytes of a position in a list.
POSITION = 4
_NOTHING: Bytes = np.empty(0, np.uint8)


class Subset(NamedTuple):
    """Rising positions in a list, and their values; None where it is the positions that matter."""

    positions: Ints
    values: Array | None


def _packs_bits(length: int, count: int) -> bool:
    return POSITION * count > (length + 7) // 8


def _padded(size: int) -> int:
    return -(-size // 8) * 8


def pack(length: int, subset: Subset) -> Bytes:
    """A subset of a list of this length, as a message."""
    count = subset.positions.shape[0]
    if count == 0:
        return _NOTHING
    if _packs_bits(length, count):
        flags = np.zeros(length, np.bool_)
        flags[subset.positions] = True
        body = np.packbits(flags)
    else:
        body = subset.positions.astype(np.int32).view(np.uint8)
    values, alike = _NOTHING, 0
    if subset.values is not None:
        alike = int(is_iso(subset.values))
        kept = subset.values[:1] if alike else subset.values
        values = np.ascontiguousarray(kept).view(np.uint8)
    at = 8 + _padded(body.shape[0])
    message = np.zeros(at + _padded(values.shape[0]), np.uint8)
    message[:8].view(np.int64)[0] = 2 * count + alike
    message[8 : 8 + body.shape[0]] = body
    message[at : at + values.shape[0]] = values
    return message


def unpack(length: int, message: Bytes, dtype: np.dtype[Any] | None) -> Subset:
    """The subset in a message; `dtype` is that of values, where there are any."""
    if not message.shape[0]:
        none = np.empty(0, np.int64)
        return Subset(none, None if dtype is None else np.empty(0, dtype))
    count, alike = divmod(int(message[:8].view(np.int64)[0]), 2)
    if _packs_bits(length, count):
        size = (length + 7) // 8
        bits = np.unpackbits(message[8 : 8 + size], count=length)
        positions = bits.view(np.bool_).nonzero()[0]
    else:
        size = POSITION * count
        positions = message[8 : 8 + size].view(np.int32).astype(np.int64)
    if dtype is None:
        return Subset(positions, None)
    at = 8 + _padded(size)
    kept = 1 if alike else count
    values = message[at : at + kept * dtype.itemsize].view(dtype)
    return Subset(positions, iso_array(values, count) if alike else values)
