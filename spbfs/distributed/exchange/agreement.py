"""What ranks tell one another of the arguments of a call, to see that all of them make the same.

A call whose arguments differ between ranks would not end: each would exchange what the others do
not expect.  So every call over ranks begins with one exchange of what it was asked for.
"""

from __future__ import annotations

import os
from collections.abc import Set
from hashlib import blake2b
from typing import Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.objects.placement.gpu_arrays import fetched, on_gpu
from spbfs.objects.stored_object import StoredObject
from spbfs.storage.entries import on_host

__all__ = ["key_of", "shown"]

_GREATEST = np.iinfo(np.int64).max
#: What tells by its type and how it is written that it is the same.
_PLAIN = (type(None), bool, int, float, complex, str, bytes)


def shown(value: Any) -> str:
    """What a message shows of an argument.

    Examples
    --------
    >>> shown(range(1000))
    'range of 1,000 items'
    """
    if isinstance(value, MatrixOperand | VectorOperand):
        size, entries = " x ".join(map(str, value.shape)), _entries(value)
        counted = "" if entries is None else f" with {entries:,} entries"
        kind = "Matrix" if isinstance(value, MatrixOperand) else "Vector"
        if _turned(value):
            kind = "transposed Matrix"
        return f"a {kind} of {size}, {value.dtype.name},{counted}".removesuffix(",")
    return brief(value)


def _entries(x: MatrixOperand | VectorOperand) -> int | None:
    """How many a matrix has; of a vector over ranks that is to be exchanged first."""
    if not isinstance(x, MatrixOperand):
        return None
    stored = x.T if x._is_transposed else x
    return stored._ready().nvals if isinstance(stored, StoredObject) else None


def _turned(x: MatrixOperand | VectorOperand) -> bool:
    return isinstance(x, MatrixOperand) and x._is_transposed


def key_of(value: Any) -> Any:
    """A small value that is equal where arguments are.

    Numbers are equal whatever holds them; of a matrix over ranks shape, entries and type count, and
    which of the graphs it was made of that ranks have made together.

    Examples
    --------
    >>> import numpy as np
    >>> key_of([1, 2]) == key_of(np.array([1, 2])) == key_of((1, np.int8(2)))
    True
    """
    if type(value) in _PLAIN:  # nearly all
        return type(value).__name__, repr(value)
    if isinstance(value, MatrixOperand | VectorOperand):
        return _key_of_object(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, _PLAIN):
        return type(value).__name__, repr(value)
    if isinstance(value, os.PathLike):
        return "path", os.fspath(value)
    if hasattr(value, "keys") and hasattr(value, "items"):  # a pandas Series, too
        return "mapping", [(key_of(name), key_of(given)) for name, given in value.items()]
    if isinstance(value, Set):
        return "set", sorted(repr(key_of(item)) for item in value)
    if isinstance(value, list | tuple) and not _are_numbers(value):
        return "list", [key_of(item) for item in value]
    if isinstance(value, list | tuple | range) or hasattr(value, "dtype"):
        return _key_of_array(np.asarray(fetched(value) if on_gpu(value) else value))
    # What a rank cannot tell of it in few bytes: its kind alone.
    return "object", f"{type(value).__module__}.{type(value).__qualname__}"


def _key_of_object(x: MatrixOperand | VectorOperand) -> Any:
    facts = x.shape, x.dtype.name, _entries(x), _turned(x)
    spread = x._engine.spread
    if spread is not None:
        return facts, spread.serial
    if not isinstance(x, StoredObject):
        return facts
    return facts, [_key_of_array(on_host(array)) for array in x.to_coo()]


def _key_of_array(values: Any) -> Any:
    if values.dtype.kind == "O":
        return "list", [key_of(item) for item in values.reshape(-1).tolist()]
    if values.dtype.kind in "iu" and (not values.size or int(values.max()) <= _GREATEST):
        values = values.astype(np.int64)
    elif values.dtype.kind == "f" and values.dtype.itemsize < 8:
        values = values.astype(np.float64)
    data = np.ascontiguousarray(values)
    return "array", data.dtype.str, data.shape, blake2b(data.tobytes(), digest_size=8).hexdigest()


def _are_numbers(values: list[Any] | tuple[Any, ...]) -> bool:
    return bool(values) and all(
        isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in values
    )
