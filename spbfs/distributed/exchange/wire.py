"""Subsets of a list that two ranks know, as they cross between them: bits, or positions.

A message is a bit for every position of the list or four bytes for every one of the subset,
whichever is smaller, then their values, if any: one where all are alike.  Its head, a number that
goes ahead of it, says how many are in it and whether they are alike.  Nothing crosses where nothing
is in a subset.  Arrays are of the module `xp`, NumPy or CuPy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spbfs.storage.arrays import is_iso, iso_array

__all__ = ["POSITION", "Subset", "pack", "packs_bits", "padded", "unpack"]

Array = Any

#: Bytes of a position in a list.
POSITION = 4


class Subset(NamedTuple):
    """Rising positions in a list, and their values; None where it is the positions that matter."""

    positions: Array
    values: Array | None


def packs_bits(length: int, count: int) -> bool:
    """Whether so many of a list of this length cross as bits."""
    return POSITION * count > (length + 7) // 8


def _padded(size: int) -> int:
    return -(-size // 8) * 8


def padded(xp: Any, *pieces: Array) -> Array:
    """The bytes of arrays one after the other, each filled up to a multiple of 8."""
    data = [xp.ascontiguousarray(piece).view(np.uint8) for piece in pieces]
    if len(data) == 1 and data[0].shape[0] % 8 == 0:
        return data[0]
    message = xp.zeros(sum(_padded(piece.shape[0]) for piece in data), np.uint8)
    at = 0
    for piece in data:
        message[at : at + piece.shape[0]] = piece
        at += _padded(piece.shape[0])
    return message


def pack(xp: Any, length: int, subset: Subset) -> tuple[int, Array]:
    """A subset of a list of this length: the head, and the message."""
    count = subset.positions.shape[0]
    if count == 0:
        return 0, xp.empty(0, np.uint8)
    if packs_bits(length, count):
        flags = xp.zeros(length, np.bool_)
        flags[subset.positions] = True
        body = xp.packbits(flags)
    else:
        body = subset.positions.astype(np.int32)
    if subset.values is None:
        return 2 * count, padded(xp, body)
    alike = is_iso(subset.values)
    kept = subset.values[:1] if alike else subset.values
    return 2 * count + int(alike), padded(xp, body, kept)


def unpack(xp: Any, length: int, head: int, message: Array, dtype: np.dtype[Any] | None) -> Subset:
    """The subset in a message; `dtype` is that of values, where there are any."""
    count, alike = divmod(head, 2)
    if not count:
        none = xp.empty(0, np.int64)
        return Subset(none, None if dtype is None else xp.empty(0, dtype))
    if packs_bits(length, count):
        size = (length + 7) // 8
        bits = xp.unpackbits(message[:size])[:length]
        positions = bits.view(np.bool_).nonzero()[0]
    else:
        size = POSITION * count
        positions = message[:size].view(np.int32).astype(np.int64)
    if dtype is None:
        return Subset(positions, None)
    at = _padded(size)
    kept = 1 if alike else count
    values = message[at : at + kept * dtype.itemsize].view(dtype)
    return Subset(positions, iso_array(values, count) if alike else values)
