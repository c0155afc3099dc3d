"""Entries in order, however many: runs that fit into memory, sorted into files, and merged.

An entry is one number, its row in the upper 32 bits and its column in the lower, so that the order
of numbers is that of a CSR; equal ones are one entry, of the least value.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.exceptions import FileError, FormatError
from spbfs.io.mapped.csr_header import BLOCK
from spbfs.io.mapped.csr_writer import ArrayWriter

__all__ = [
    "END",
    "LARGEST_ID",
    "Entries",
    "Run",
    "RunWriter",
    "cuts",
    "keys_of",
    "merged",
    "parted",
]

Array = Any  # numpy.ndarray

LARGEST_ID = (1 << 32) - 1
#: Behind every key.
END = 1 << 64
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
    """A sorted file of distinct keys, with values beside it or without.

    Attributes
    ----------
    name : str
    length : int
    values : str or None
        The type of the values, where there are any.
    crc32 : dict
        The checksums of each file's blocks, by what it has: it may lie long before it is merged.
    """

    name: str
    length: int
    values: str | None
    crc32: dict[str, list[int]]

    def keys(self, folder: Path) -> Array:
        """Mapped from the disk."""
        return self._mapped(folder, "keys", _KEYS)

    def entries(self, folder: Path) -> Entries:
        """Mapped, too."""
        if self.values is None:
            return Entries(self.keys(folder), None)
        values = self._mapped(folder, "values", np.dtype(self.values))
        return Entries(self.keys(folder), values)

    def path(self, folder: Path, kind: str) -> Path:
        """The file of its keys, or of its values."""
        return folder / f"{self.name}.{kind}"

    def _mapped(self, folder: Path, kind: str, dtype: np.dtype[Any]) -> Array:
        if not self.length:
            return np.empty(0, dtype)
        path = self.path(folder, kind)
        try:
            size = path.stat().st_size
            if size == self.length * dtype.itemsize:
                return np.asarray(np.memmap(path, dtype, "r", 0, (self.length,)))
        except FileNotFoundError:
            size = 0
        except (OSError, ValueError) as error:
            raise FileError(
                f"target: {str(path)!r}, of a conversion, cannot be read: {error}"
            ) from None
        raise _damaged(path, f"has {size:,} bytes; expected {self.length * dtype.itemsize:,}")

    def remove(self, folder: Path) -> None:
        """Take it from the disk."""
        for kind in ("keys", "values"):
            self.path(folder, kind).unlink(missing_ok=True)


def _damaged(path: Path, what: str) -> FormatError:
    return FormatError(
        f"target: {str(path)!r}, of a conversion that was stopped, {what}; what it has left is"
        " removed, and the same call begins again"
    )


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
        run = Run(f"{self._prefix}-{len(self.runs):05}", found.keys.shape[0], kind, {})
        for name, array in (("keys", found.keys), ("values", found.values)):
            if array is not None:
                path = run.path(self._folder, name)
                with ArrayWriter("target", path, array.dtype, run.length) as writer:
                    writer.append(array)
                    run.crc32[name] = writer.close().crc32
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


class _Reader:
    """A run from some key on, a part at a time, each block's checksum compared as it is passed."""

    def __init__(self, run: Run, folder: Path, begin: int, below: int) -> None:
        self._path, self._below = run.path(folder, "keys"), below
        held = run.entries(folder)
        self._keys, self.length = held.keys, run.length
        self.at = self.place(begin)
        arrays = {"keys": held.keys} | ({} if run.values is None else {"values": held.values})
        self._files = [
            _Checked(run.path(folder, kind), array, run.crc32[kind], self.at)
            for kind, array in arrays.items()
        ]

    def place(self, key: int) -> int:
        """How many of its keys are less."""
        if key >= END:
            return self.length
        return int(np.searchsorted(self._keys, np.uint64(key)))

    def take(self, until: int) -> Entries:
        """The next entries, with keys less than this one."""
        # Keys of a damaged file are in any order: what matters is that all are looked at.
        end = max(self.at, self.place(until))
        keys, *values = [file.take(end) for file in self._files]
        # Of a row beyond the last one, rows up to it would be written before a checksum tells.
        if keys.shape[0] and int(keys.max()) >= self._below:
            raise _damaged(self._path, f"has an entry of the row {int(keys.max()) >> 32:,}")
        self.at = end
        return Entries(keys, values[0] if values else None)


class _Checked:
    """An array of a file that is read once, from its beginning to its end.

    What is read of a block is handed out before the block is known to be sound: the end comes
    before anybody believes the whole.
    """

    def __init__(self, path: Path, array: Array, sums: list[int], begin: int) -> None:
        self._path, self._array, self._sums = path, array, sums
        self._bytes = memoryview(array.view(np.uint8))
        self._at, self._seen = begin, begin * array.itemsize // BLOCK * BLOCK
        self._sum = 0

    def take(self, end: int) -> Array:
        found = self._array[self._at : end]
        self._at, last = end, end * self._array.itemsize
        while self._seen < last:
            stop = min((self._seen // BLOCK + 1) * BLOCK, last)
            self._sum = zlib.crc32(self._bytes[self._seen : stop], self._sum)
            if stop % BLOCK == 0 or stop == len(self._bytes):
                if self._sum != self._sums[(stop - 1) // BLOCK]:
                    raise _damaged(self._path, "is not what was written: another checksum")
                self._sum = 0
            self._seen = stop
        return found


def merged(
    folder: Path, runs: list[Run], bounds: list[int], begin: int, below: int = END
) -> Iterator[tuple[Entries, int]]:
    """The entries of all runs from the key `begin` on, sorted and distinct, in the parts between
    `bounds`, each with the key at which it ends; all of them are less than `below`.

    Raises
    ------
    FormatError
        When a run is not what was written.
    """
    if begin >= END:
        return  # all parts are there
    held = [_Reader(run, folder, begin, below) for run in runs]
    kinds = {run.values for run in runs if run.values is not None}
    kind = max(kinds, key=lambda name: np.dtype(name).kind == "f", default=None)
    for until in [*(bound for bound in bounds if bound > begin), END]:
        parts = [reader.take(until) for reader in held]
        keys = np.concatenate([np.empty(0, np.uint64), *(part.keys for part in parts)])
        values = None
        if kind is not None:
            values = np.concatenate([part.values.astype(kind, copy=False) for part in parts])
        del parts
        yield _in_order(Entries(keys, values)), until
