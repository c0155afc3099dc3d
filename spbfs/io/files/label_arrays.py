"""Names of vertices as arrays of an archive: numbers and dates as they are, all else as JSON.

Nothing of it is pickled, as what is read may be a stranger's.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, FormatError, SpbfsError
from spbfs.objects.labels import Labels, each_of, objects

__all__ = ["NAMES", "arrays_of", "labels_of_arrays"]

#: Arrays that may be there: numbers, the unit of those that are dates, a text of JSON.
NAMES = ("labels", "labels_unit", "labels_text")
#: What an `np.dtype` of dates or of times between them is written as.
_UNIT = re.compile(rb"m8|[mM]8\[([1-9]\d{0,5})?([YMWDhms]|[munpfa]s)\]")
#: Bytes that a byte of JSON may become: a tuple of none is two characters and a comma.
_EXPANSION = 64


def arrays_of(labels: Labels | None) -> dict[str, Any]:
    """The arrays that hold names.

    Raises
    ------
    DomainMismatch
        When one is neither a number, a string nor a date, nor a tuple of such.
    """
    if labels is None:
        return {}
    names = labels.names()
    if names.dtype.kind in "mM":
        unit = np.frombuffer(names.dtype.str.lstrip("<>=|").encode(), np.uint8)
        return {"labels": names.view(np.int64), "labels_unit": unit}
    if names.dtype != object:
        return {"labels": names}
    try:
        text = json.dumps(each_of(names), default=_number, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise DomainMismatch(
            f"labels: {brief(error)}; expected names that are strings, numbers, tuples of these, "
            "or dates in an array of theirs, or None to leave them out of the file"
        ) from None
    return {"labels_text": np.frombuffer(text.encode(), np.uint8)}


def labels_of_arrays(path: Path, n: int, numbers: Any, unit: Any, text: Any) -> Labels | None:
    """The names of n vertices, of the arrays that are there; None where none is.

    Raises
    ------
    FormatError
        When they are not n names, each another one.
    """
    if numbers is None and text is None:
        return None
    try:
        labels = Labels(_names(numbers, unit) if text is None else _parsed(path, text))
        if len(labels) != n:
            raise ValueError(f"{len(labels):,} names")
    except (SpbfsError, ArithmeticError, RecursionError, TypeError, ValueError) as error:
        raise FormatError(f"{path}: expected the names of {n:,} vertices: {brief(error)}") from None
    return labels


def _number(name: Any) -> Any:
    """One of NumPy's numbers as Python's; its dates are none."""
    if isinstance(name, np.number | np.bool_):
        return name.item()
    raise TypeError(f"a name is a {type(name).__name__}")


def _names(numbers: Any, unit: Any) -> Any:
    if numbers.ndim != 1 or numbers.dtype.kind not in "biufc":
        raise ValueError(f"labels: {numbers.dtype} of shape {numbers.shape}")
    if unit is None:
        return numbers
    written = unit.tobytes()
    if numbers.dtype != np.int64 or not _UNIT.fullmatch(written):
        raise ValueError(f"labels: {numbers.dtype} in {brief(written)}")
    return numbers.view(np.dtype(written.decode()))


def _parsed(path: Path, text: Any) -> Any:
    if text.ndim != 1 or text.dtype != np.uint8:
        raise ValueError(f"labels_text: {text.dtype} of shape {text.shape}")
    require_bytes(_EXPANSION * text.shape[0], f"reading {path.name}")
    names = json.loads(text.tobytes())
    if not isinstance(names, list):
        raise ValueError("labels_text: no list")
    return objects([_hashable(name) for name in names])


def _hashable(name: Any) -> Any:
    """What was a tuple is one again; nothing else that JSON has lists for can be a name."""
    return tuple(map(_hashable, name)) if isinstance(name, list) else name
