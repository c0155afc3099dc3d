"""Storage that two objects hold: vectors are written in place, so that none may stay shared, and
matrices only where nobody else can tell."""

from __future__ import annotations

from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.storage.data import MatrixData, VectorData

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine
    from spbfs.objects.operands.operand import Operand
    from spbfs.operators.dtypes import DType

__all__ = ["is_read", "is_sole", "own_storage", "unshare_flags"]


def own_storage(
    data: Any, source: Operand, dtype: DType, engine: Engine, target: Operand | None = None
) -> Any:
    """What was computed for `source`, of a type, as storage for one object to hold.

    Parameters
    ----------
    data : VectorData or MatrixData
    source : Operand
        May hold `data` or some of its arrays itself, as may what it is computed from.
    dtype : DType
    engine : Engine
    target : Vector or Matrix, optional
        Gives up what it holds.
    """
    known = isinstance(data, VectorData) and data.dtype == dtype.np_type
    if known and not _is_shared(data, source, target):
        return data
    # It makes an object of its own, in which a vector has dense arrays of its own.
    return engine.cast(data, dtype)


def unshare_flags(data: Any) -> None:
    """Give a vector flags of its own; those that a search returns share one read-only array."""
    flags = getattr(data, "present", None)
    if isinstance(flags, np.ndarray) and not flags.flags.writeable:
        data.present = flags.copy()


def is_sole(C: Operand) -> bool:
    """Whether nobody but a matrix holds its storage, or an array of its values.

    Counted by references, which Python alone has of all: copies, transposes, what is derived,
    views, a kernel in another thread.  Who has one for a moment makes the answer False.
    """
    # Of each there is the object's own, and that of the call.
    if getrefcount(C._data) > 2 or type(C._data) is not MatrixData:
        return False
    if getrefcount(C._data.values) > 2 or type(C._data.values) is not np.ndarray:
        return False
    return bool(C._data.values.flags.owndata and C._data.values.flags.writeable)


def is_read(v: Operand) -> bool:
    """Whether somebody else has the storage of a vector, or its arrays: a reader in another thread.

    Counted as for `is_sole`.
    """
    if getrefcount(v._data) > 2 or getrefcount(v._data.values) > 2:
        return True
    return v._data.present is not None and getrefcount(v._data.present) > 2


def _is_shared(data: VectorData, source: Operand, target: Operand | None) -> bool:
    """Whether a vector is, or has an array of, one that `source` is or is computed from."""
    # Every statement asks, so `VectorData.arrays` is not made for it.
    values, flags = _memory_of(data)
    leaves = [source]
    for leaf in leaves:
        leaves += leaf.operands
        other = leaf._result if leaf._data is None else leaf._data
        if leaf is target or not isinstance(other, VectorData):
            continue
        if other is data:
            return True
        for array in () if other.indices is not None else (other.values, other.present):
            if array is not None:
                base = array.base
                memory = array if base is None else base
                if memory is values or memory is flags:
                    return True
    return False


def _memory_of(data: VectorData) -> tuple[Any, Any]:
    """What has the memory of `VectorData.arrays`, which may be views: of the values, the flags."""
    if data.indices is not None:
        return None, None
    values, flags = data.values, data.present
    if values.strides == (0,):
        values = None
    elif values.base is not None:
        values = values.base
    if flags is not None and flags.base is not None:
        flags = flags.base
    return values, flags
