"""What a value is, in terms that two processes can compare: values, dtypes, shapes, structure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from types import ModuleType
from typing import Any

import numpy as np

__all__ = ["digest", "equal"]

#: Dictionaries and lists of more items are compared by their length.
LONGEST = 100_000


def digest(value: Any) -> Any:
    """Lists, strings and numbers that stand for a value; equal ones for equal values."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float | np.generic):
        return _number(value)
    if isinstance(value, np.ndarray):
        # Indices are unsigned there and INT64 here, wherever they come out.
        kind = "i" if value.dtype.kind == "u" and value.dtype.itemsize == 8 else value.dtype.kind
        return ["array", f"{kind}{value.dtype.itemsize}", list(value.shape), _numbers(value)]
    if isinstance(value, Mapping) and not hasattr(value, "adj"):
        pairs = [[digest(k), digest(x)] for k, x in list(value.items())[:LONGEST]]
        return ["dict", sorted(pairs, key=str)]
    if isinstance(value, list | tuple):
        return [type(value).__name__, [digest(x) for x in value[:LONGEST]]]
    if isinstance(value, Set):
        return ["set", sorted((digest(x) for x in value), key=str)]
    if isinstance(value, type):
        return ["class", value.__name__]
    if isinstance(value, BaseException):
        # By what a program catches it that knows of no library.
        kinds = (kind for kind in type(value).__mro__ if kind.__module__ == "builtins")
        return ["error", next(kinds).__name__]
    if hasattr(value, "opclass") or not callable(value) or hasattr(value, "dtype"):
        return _object(value)
    return ["named", str(getattr(value, "__name__", None) or getattr(value, "name", "?"))]


def _object(value: Any) -> Any:
    if isinstance(value, ModuleType):
        return ["module"]
    if hasattr(value, "to_coo") or hasattr(value, "tocoo"):
        return _sparse(value)
    if hasattr(value, "np_type"):
        return ["dtype", value.name]
    if hasattr(value, "opclass"):
        types = [str(t) for t in (getattr(value, x, None) for x in ("type", "return_type"))]
        return ["operator", value.opclass, value.name, types]
    if hasattr(value, "is_empty") and hasattr(value, "dtype"):
        return ["scalar", value.dtype.name, digest(value.value)]
    if hasattr(value, "parent") and hasattr(value, "complement"):
        structure = bool(getattr(value, "structure", getattr(value, "structural", False)))
        return ["mask", bool(value.complement), structure, _sparse(value.parent)]
    if hasattr(value, "adj") and hasattr(value, "nodes"):
        directed = value.is_directed()
        return ["graph", directed, digest(dict(value.nodes)), sorted(_edges(value), key=str)]
    if hasattr(value, "__next__"):
        return ["iterator", [digest(x) for x in value]]
    shown = repr(value)
    return ["named", shown] if shown.isidentifier() else ["opaque", type(value).__name__]


def _sparse(value: Any) -> Any:
    if hasattr(value, "tocoo"):  # of SciPy
        listed = value.tocoo()
        where = listed.row.tolist(), listed.col.tolist()
        entries = sorted(map(list, zip(*where, _numbers(listed.data), strict=True)))
        return ["scipy", value.dtype.name, list(value.shape), entries]
    if not hasattr(value, "nvals"):
        value = value.new()
    *where, values = value.to_coo()
    indices = zip(*(a.tolist() for a in where), strict=True)
    entries = sorted([[list(i), x] for i, x in zip(indices, _numbers(values), strict=True)])
    return ["sparse", value.dtype.name, list(value.shape), entries]


def _edges(graph: Any) -> list[Any]:
    """Edges with their attributes; a weight of 1 is what an edge without one has."""
    found = []
    for u, v, given in graph.edges(data=True):
        ends = [str(u), str(v)]
        attributes = {k: x for k, x in given.items() if k != "weight" or x != 1}
        found.append([ends if graph.is_directed() else sorted(ends), digest(attributes)])
    return found


def _numbers(array: Any) -> list[Any]:
    return [_number(x) for x in np.asarray(array).ravel().tolist()]


def _number(x: Any) -> Any:
    x = x.item() if isinstance(x, np.generic) else x
    if isinstance(x, complex):
        return ["complex", x.real, x.imag]
    if isinstance(x, float) and not math.isfinite(x):
        return ["float", repr(x)]
    return x


def equal(ours: Any, theirs: Any, *, types: bool = True, within: float = 1e-9) -> bool:
    """Whether two digests are of equal values, and types where these count.

    Reals may differ in their last digits, those of 32 bits in what are their last.
    """
    if isinstance(ours, list) and isinstance(theirs, list):
        narrow = ours[1:2] in (["FP32"], ["f4"], ["float32"])
        within = max(within, 1e-6) if narrow else within
        return len(ours) == len(theirs) and all(
            equal(x, y, types=types, within=within) for x, y in zip(ours, theirs, strict=True)
        )
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(
            equal(ours[key], theirs[key], types=types, within=within) for key in ours
        )
    if types and type(ours) is not type(theirs):
        return False
    if isinstance(ours, int | float) and isinstance(theirs, int | float):
        return math.isclose(ours, theirs, rel_tol=within, abs_tol=within)
    return bool(ours == theirs)
