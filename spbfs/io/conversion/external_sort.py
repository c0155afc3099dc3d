"""Entries in order, however many: runs that fit into memory, sorted into files, and merged.

An entry is one number, its row in the upper 32 bits and its column in the lower, so that the order
of numbers is that of a CSR; equal ones are one entry, of the least value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.exceptions import FileError
from spbfs.io.mapped.csr_writer import ArrayWriter

__all__ = ["LARGEST_ID", "Entries", "Run", "RunWriter", "cuts", "keys_of", "merged", "parted"]

Array = Any  # numpy.ndarray

LARGEST_ID = (1 << 32) - 1
_HALF = np.uint64(32)
_KEYS = np.dtype("<u8")
#: Samples that a run gives for each part of the merge.
_SAMPLES = 4


class Entries(NamedTuple):
    """Keys, and values or None."""

    keys: Array
    values: Array


@dataclass(frozen=True, slots=True)
class Run:
    """A sorted file of distinct keys, with values beside it or without: its name, its length, and
    the type of its values or None."""

    name: str
    length: int
    values: str | None

    def keys(self, folder: Path) -> Array:
        """Mapped from the disk."""
        return _mapped(folder / f"{self.name}.keys", _KEYS, self.length)

    def entries(self, folder: Path) -> Entries:
        """Mapped, too."""
        if self.values is None:
            return Entries(self.keys(folder), None)
        held = _mapped(folder / f"{self.name}.values", np.dtype(self.values), self.length)
        return Entries(self.keys(folder), held)

    def remove(self, folder: Path) -> None:
        """Take it from the disk."""
        for kind in ("keys", "values"):
            (folder / f"{self.name}.{kind}").unlink(missing_ok=True)


def _mapped(path: Path, dtype: np.dtype[Any], length: int) -> Array:
    if not length:
        return np.empty(0, dtype)
    try:
        return np.asarray(np.memmap(path, dtype, "r", 0, (length,)))
    except (OSError, ValueError) as error:
        raise FileError(
            f"target: {str(path)!r}, of a conversion, cannot be read: {error}"
        ) from None


def keys_of(rows: Array, columns: Array) -> Array:
    """The keys of entries.

    Examples
    --------
    >>> keys_of(np.array([0, 1]), np.array([7, 2])).tolist() == [7, (1 << 32) + 2]
    True
    """
    keys = rows.astype(np.uint64)
    keys <<= _HALF
    keys |= columns.astype(np.uint64)
    return keys


def parted(keys: Array) -> tuple[Array, Array]:
    """Rows and columns of keys."""
    return (keys >> _HALF).astype(np.int64), (keys & np.uint64(LARGEST_ID)).astype(np.int64)


def _in_order(entries: Entries) -> Entries:
    """Sorted and distinct; keys alone are sorted in their place."""
    keys, values = entries
    if values is None:
        keys.sort()
    else:
        order = np.argsort(keys)
        keys, values = keys[order], values[order]
        del order
    first = np.empty(keys.shape[0], bool)
    first[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    if first.all():
        return Entries(keys, values)
    if values is not None:
        values = np.minimum.reduceat(values, np.flatnonzero(first))
    return Entries(keys[first], values)


class RunWriter:
    """Entries as they come, written as a run whenever there are as many as memory holds.

    Parameters
    ----------
    folder : Path
    prefix : str
        Of the names of runs.
    capacity : int
        Entries that memory holds.
    runs : list of Run
        Those that are there; the writer adds to it.
    """

    def __init__(self, folder: Path, prefix: str, capacity: int, runs: list[Run]) -> None:
        self.runs = runs
        self._folder, self._prefix, self._capacity = folder, prefix, capacity
        self._keys = np.empty(capacity, np.uint64)
        self._values: list[Array] = []
        self._size = 0

    def fits(self, count: int) -> bool:
        """Whether so many more need no run to be written before."""
        return self._size + count <= self._capacity

    def add(self, keys: Array, values: Array) -> None:
        """Take entries, whose values may be None."""
        at = 0
        while at < keys.shape[0]:
            if self._size == self._capacity:
                self.flush()
            size = min(self._capacity - self._size, keys.shape[0] - at)
            self._keys[self._size : self._size + size] = keys[at : at + size]
            if values is not None:
                self._values.append(values[at : at + size])
            self._size, at = self._size + size, at + size

    def flush(self) -> None:
        """Write what is held as a run."""
        if not self._size:
            return
        values = np.concatenate(self._values) if self._values else None
        self._values.clear()
        found = _in_order(Entries(self._keys[: self._size], values))
        self._size = 0
        kind = None if found.values is None else found.values.dtype.str
        run = Run(f"{self._prefix}-{len(self.runs):05}", found.keys.shape[0], kind)
        for name, array in (("keys", found.keys), ("values", found.values)):
            if array is not None:
                path = self._folder / f"{run.name}.{name}"
                with ArrayWriter("target", path, array.dtype, run.length) as writer:
                    writer.append(array)
                    writer.close()
        self.runs.append(run)


def cuts(folder: Path, runs: list[Run], capacity: int) -> list[int]:
    """Keys between which all runs together have no more than `capacity` entries."""
    if not runs:
        return []
    # So many of a run may lie between two of its samples; that many of every run may be too much.
    step = max(1, capacity // (_SAMPLES * len(runs)))
    samples = np.sort(np.concatenate([run.keys(folder)[::step] for run in runs]))
    many = max(1, capacity // step - len(runs))
    chosen: list[int] = set_of(np, samples[many::many]).tolist()
    return chosen


def merged(folder: Path, runs: list[Run], bounds: list[int], first: int) -> Iterator[Entries]:
    """The entries of all runs between two `bounds`, sorted and distinct, from part `first` on."""
    if first > len(bounds):
        return  # all parts are there
    held = [run.entries(folder) for run in runs]
    kinds = {run.values for run in runs if run.values is not None}
    kind = max(kinds, key=lambda name: np.dtype(name).kind == "f", default=None)
    edges = [*bounds, None]
    begins = [_place(keys, bounds[first - 1] if first else 0) for keys, _ in held]
    for most in edges[first:]:
        ends = [len(e.keys) if most is None else _place(e.keys, most) for e in held]
        spans = [slice(*span) for span in zip(begins, ends, strict=True)]
        keys = np.concatenate(
            [np.empty(0, np.uint64), *(e.keys[s] for e, s in zip(held, spans, strict=True))]
        )
        values = None
        if kind is not None:
            some = [e.values[s].astype(kind, copy=False) for e, s in zip(held, spans, strict=True)]
            values = np.concatenate(some)
        yield _in_order(Entries(keys, values))
        begins = ends


def _place(keys: Array, key: int) -> int:
    return int(np.searchsorted(keys, np.uint64(key)))
