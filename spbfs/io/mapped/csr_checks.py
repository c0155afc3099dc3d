"""Whether mapped arrays are a matrix in CSR, block by block: little memory, whatever their size."""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np

from spbfs.base.ahead import in_order
from spbfs.base.threads import get_threads
from spbfs.exceptions import FormatError
from spbfs.io.mapped.csr_header import FileRecord

__all__ = ["agree", "check_columns", "check_offsets", "check_sums", "check_values", "entry_sum"]

Array = Any  # numpy.ndarray

#: Entries looked at at once by one thread: what is made of them stays in its cache.
_PIECE = 1 << 18
#: More threads than this would only wait for the disk.
_MOST_THREADS = 4


def _spans(length: int, step: int) -> Iterator[tuple[int, int]]:
    return ((at, min(at + step, length)) for at in range(0, length, step))


def _first_problem(
    look: Callable[[tuple[int, int]], str | None], spans: Iterator[tuple[int, int]]
) -> str | None:
    """What is wrong with the first of the spans with which something is."""
    with closing(in_order(look, spans, min(_MOST_THREADS, get_threads()))) as looked:
        return next((problem for _, problem in looked if problem), None)


def check_sums(name: str, array: Array, record: FileRecord, block: int) -> None:
    """Raise `FormatError` where a block is not what was written."""
    content = memoryview(array).cast("B")

    def look(span: tuple[int, int]) -> str | None:
        begin, end = span
        if zlib.crc32(content[begin:end]) == record.crc32[begin // block]:
            return None
        return f"bytes {begin:,} to {end:,} are not those that were written: another checksum"

    _raise(name, _first_problem(look, _spans(len(content), block)))


def check_offsets(name: str, offsets: Array, entries: int) -> None:
    """Raise unless offsets rise from 0 to the number of entries."""

    def look(span: tuple[int, int]) -> str | None:
        begin, end = span
        here = offsets[max(begin - 1, 0) : end]
        falls = np.flatnonzero(here[1:] < here[:-1])
        return f"falls behind row {max(begin - 1, 0) + falls[0]}" if falls.size else None

    ends = int(offsets[0]), int(offsets[-1])
    problem = _first_problem(look, _spans(offsets.shape[0], _PIECE))
    if ends != (0, entries):
        problem = f"begins at {ends[0]:,} and ends at {ends[1]:,}; expected 0 and {entries:,}"
    _raise(name, problem)


def check_columns(name: str, offsets: Array, columns: Array, ncols: int) -> None:
    """Raise unless columns are in range and rise in every row."""

    def look(span: tuple[int, int]) -> str | None:
        begin, end = max(span[0] - 1, 0), span[1]
        here = columns[begin:end]
        least, most = int(here.min()), int(here.max())
        if least < 0 or most >= ncols:
            wrong = least if least < 0 else most
            return f"holds the column {wrong}, which is not one of the {ncols:,}"
        falls = here[1:] <= here[:-1]
        first, last = np.searchsorted(offsets, (begin + 1, end))
        # Where a row begins it may.
        falls[offsets[first:last] - begin - 1] = False
        at = np.flatnonzero(falls)
        if not at.size:
            return None
        row = int(np.searchsorted(offsets, begin + 1 + at[0], side="right")) - 1
        return f"does not rise in row {row}"

    _raise(name, _first_problem(look, _spans(columns.shape[0], _PIECE)))


def check_values(name: str, values: Array) -> None:
    """Raise where a truth value is neither 0 nor 1; numbers may be any."""
    if values.dtype.kind != "b":
        return
    held = values.view(np.uint8)

    def look(span: tuple[int, int]) -> str | None:
        most = int(held[span[0] : span[1]].max())
        return f"holds the truth value {most}; expected 0 or 1" if most > 1 else None

    _raise(name, _first_problem(look, _spans(held.shape[0], _PIECE)))


def _raise(name: str, problem: str | None) -> None:
    if problem is not None:
        raise FormatError(f"{name}: {problem}")


def entry_sum(rows: Array, columns: Array, key: tuple[int, int], values: Array = None) -> int:
    """A number that two lists of the same entries share, in whatever order they have them.

    With a key drawn at random others share it once in 2^64.  `values` are of 8 bytes.
    """
    one, other = (np.uint64(k | 1) for k in key)
    mixed = rows.astype(np.uint64) * one + columns.astype(np.uint64) * other
    if values is not None:
        mixed ^= values.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift in (np.uint64(32), np.uint64(29)):
        mixed ^= mixed >> shift
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return int(mixed.sum(dtype=np.uint64))


def agree(
    half: tuple[Array, Array], across: tuple[Array, Array], *, key: tuple[int, int] | None = None
) -> bool:
    """Whether the entries of a half, offsets and columns, are those of the other, transposed."""
    drawn = key or (secrets.randbits(64), secrets.randbits(64))
    straight, mirrored = (
        sum(entry_sum(*((r, c) if side == 0 else (c, r)), drawn) for r, c in _entries(*h))
        for side, h in enumerate((half, across))
    )
    return (straight - mirrored) % (1 << 64) == 0


def _entries(offsets: Array, columns: Array) -> Iterator[tuple[Array, Array]]:
    for begin, end in _spans(columns.shape[0], _PIECE):
        first = int(np.searchsorted(offsets, begin, side="right")) - 1
        last = int(np.searchsorted(offsets, end))
        bounds = np.clip(offsets[first : last + 1], begin, end)
        yield np.repeat(np.arange(first, last), np.diff(bounds)), columns[begin:end]
