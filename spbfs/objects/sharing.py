"""Arrays that two vectors hold: each is written in place, so that none may stay shared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.objects.operand import Operand
    from spbfs.objects.stored_object import StoredObject

__all__ = ["shares_array", "unshare_flags"]


def unshare_flags(data: Any) -> None:
    """Give a vector flags of its own; those that a search returns share one read-only array."""
    flags = getattr(data, "present", None)
    if isinstance(flags, np.ndarray) and not flags.flags.writeable:
        data.present = flags.copy()


def shares_array(data: VectorData, source: Operand, target: StoredObject) -> bool:
    """Whether storage shares an array with `source`, computed before, or a vector that it is of."""
    memory = _memory_of(data)
    leaves = [source]
    while leaves:
        leaf = leaves.pop()
        leaves.extend(leaf.operands)
        other = leaf._result if leaf._data is None else leaf._data
        if leaf is target or not isinstance(other, VectorData):
            continue
        if other is data or not memory.isdisjoint(_memory_of(other)):
            return True
    return False


def _memory_of(data: VectorData) -> set[int]:
    """Where the arrays of a vector are: which they are, and which they are views of."""
    found = set()
    for array in data.arrays:
        found.add(id(array))
        if array.base is not None:
            found.add(id(array.base))
    return found
