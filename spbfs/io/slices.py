"""One of several slices of a file, each read by another process: no one reads the whole.

Lists of edges are cut between lines, serialized graphs and CSR folders between entries.  Compressed
files have no slices, and other formats are read whole.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.exceptions import FormatError, InvalidValue
from spbfs.io.files.source import LONGEST_LINE, Source, Text
from spbfs.io.formats.edge_list import edge_grammar, listed_edges
from spbfs.io.formats.entries import Entries, ReadOptions
from spbfs.io.formats.gap import HEADER, gap_header, gap_record
from spbfs.io.formats.registry import CSR_FOLDER, is_csr_folder
from spbfs.io.mapped.csr_folder import map_folder
from spbfs.io.mapped.csr_header import HEADER as CSR_HEADER
from spbfs.storage.arrays import is_iso

__all__ = ["LineSlice", "file_print", "read_slice"]

#: Offsets that are looked at together.
_OFFSETS = 1 << 20
#: The size of what is compared at either end of a file to tell it from another.
_SAMPLE = 1 << 16


def read_slice(path: Path, options: ReadOptions, part: int, parts: int) -> Entries:
    """The entries in one of `parts` slices of about the same size.

    Raises
    ------
    InvalidValue
        When files of that name have no slices.
    FormatError, FileError
        As `spbfs.read`; of what is wrong with the file only what this slice has of it.
    """
    readers: dict[str, Callable[[Source, ReadOptions, int, int], Entries]] = {
        ".sg": _gap_slice,
        ".wsg": _weighted_gap_slice,
        ".txt": _edge_slice,
        ".el": _edge_slice,
        ".edges": _edge_slice,
        ".wel": _weighted_edge_slice,
    }
    if is_csr_folder(path):
        return _folder_slice(path, options, part, parts)
    kind = path.suffix.lower()
    if kind not in readers:
        known = " ".join((*readers, CSR_FOLDER))
        raise InvalidValue(
            f"path: {str(path)!r} cannot be read in slices; expected one of {known}, not "
            'compressed ("spbfs convert" makes one)'
        )
    if options.one_based is not None and kind in (".sg", ".wsg"):
        raise InvalidValue("one_based: expected None for a serialized graph, whose ids are from 0")
    with Source(path, False) as source:
        return readers[kind](source, options, part, parts)


def file_print(path: Path) -> tuple[int, bytes, bytes]:
    """The size of a file and its ends, by which processes know that they read the same one."""
    path = path / CSR_HEADER if is_csr_folder(path) else path
    with Source(path, False) as source, open(path, "rb") as file:
        first = file.read(_SAMPLE)
        file.seek(max(0, source.size - _SAMPLE))
        return source.size, first, file.read(_SAMPLE)


# -- lines ---------------------------------------------------------------------------------------
class LineSlice:
    """The lines of a text file that begin between two bytes, to be read as a `Source` is."""

    def __init__(self, source: Source, begin: int, end: int) -> None:
        self.path, self.name, self.size = source.path, source.name, source.size
        self._source, self._begin, self._end, self._at = source, begin, end, max(begin - 1, 0)
        self._rest = b""
        source.seek(self._at)
        if begin:
            self._pass_line()
        #: Whether the next line is another slice's, or there is none.
        self._ended = self._at >= end

    def _pass_line(self) -> None:
        """The line that began before is another slice's."""
        while piece := self._source.read(LONGEST_LINE):
            cut = piece.find(b"\n") + 1
            if cut:
                self._at += cut
                self._rest = piece[cut:]
                return
            self._at += len(piece)

    def read(self, size: int) -> bytes:
        """Between 1 and `size` bytes; none where the next line begins behind the slice."""
        if self._ended:
            return b""
        piece, self._rest = (self._rest or self._source.read(size)), b""
        last = self._end - self._at
        if len(piece) >= last:
            # The line that is there when the slice ends is this slice's to its end.
            cut = piece.find(b"\n", max(last - 1, 0)) + 1
            if cut:
                piece, self._ended = piece[:cut], True
        self._at += len(piece)
        return piece

    def error(self, reason: str, line: int | None = None) -> FormatError:
        """The error that says `reason` of this slice, at its `line` (counted from 1)."""
        where = self.name if line is None else f"{self.name}, line {line}"
        if line is not None and self._begin:
            where += f" behind byte {self._begin:,}"
        return FormatError(f"{where}: {reason}")


def _edge_slice(source: Source, options: ReadOptions, part: int, parts: int) -> Entries:
    return _lines(source, options, part, parts, None)


def _weighted_edge_slice(source: Source, options: ReadOptions, part: int, parts: int) -> Entries:
    return _lines(source, options, part, parts, True)


def _lines(
    source: Source, options: ReadOptions, part: int, parts: int, weighted: bool | None
) -> Entries:
    # What the file begins with says of all slices how their lines read.
    grammar, at_least = edge_grammar(Text(source), options, weighted)
    begin, end = source.size * part // parts, source.size * (part + 1) // parts
    lines: Any = LineSlice(source, begin, end)
    return listed_edges(Text(lines), grammar, at_least)


# -- CSR folders -----------------------------------------------------------------------------------
def _folder_slice(path: Path, options: ReadOptions, part: int, parts: int) -> Entries:
    if options.one_based is not None:
        raise InvalidValue("one_based: expected None for a CSR folder, whose ids are from 0")
    data = map_folder(path)
    if data.nrows != data.ncols:
        raise FormatError(f"{path}: {data.nrows:,} x {data.ncols:,}, and a graph is square")
    begin, end = data.nvals * part // parts, data.nvals * (part + 1) // parts
    first = int(np.searchsorted(data.indptr, begin, side="right")) - 1
    last = max(first, int(np.searchsorted(data.indptr, end, side="left")))
    require_bytes(8 * (last - first + 1) + 24 * (end - begin), f"reading {path}")
    offsets: Any = np.array(data.indptr[first : last + 1], np.int64)
    rows = first + np.repeat(np.arange(last - first), np.diff(np.clip(offsets, begin, end)))
    pattern = data.dtype == np.bool_ and is_iso(data.values)
    values = None if pattern else np.array(data.values[begin:end])
    cols = np.array(data.indices[begin:end], np.int64)
    return Entries(rows, cols, values, shape=(data.nrows, data.ncols))


# -- serialized graphs ---------------------------------------------------------------------------
def _gap_slice(source: Source, options: ReadOptions, part: int, parts: int) -> Entries:
    return _gap(source, options, part, parts, False)


def _weighted_gap_slice(source: Source, options: ReadOptions, part: int, parts: int) -> Entries:
    return _gap(source, options, part, parts, True)


def _gap(source: Source, options: ReadOptions, part: int, parts: int, weighted: bool) -> Entries:
    if options.weights and not weighted:
        raise source.error("a .sg graph has no weights to read; .wsg has")
    _, count, n = gap_header(source, weighted)
    record = gap_record(weighted)
    begin, end = count * part // parts, count * (part + 1) // parts
    _check_offsets(source, n, count, part, parts)
    first, last = (_row_of(source, n, entry) for entry in (begin, end))
    last = min(last + 1, n)
    require_bytes(8 * (last - first + 1) + 24 * (end - begin), f"reading {source.name}")
    offsets = np.clip(_offsets(source, first, last), begin, end)
    if offsets[0] != begin or offsets[-1] != end or bool((np.diff(offsets) < 0).any()):
        # Another slice has the offset that is wrong, and does not say so here.
        raise source.error(f"its offsets do not rise from 0 to {count:,}")
    source.seek(HEADER + 8 * (n + 1) + record.itemsize * begin)
    listed: Any = np.frombuffer(
        source.read_exactly(record.itemsize * (end - begin), "the neighbours"), record
    )
    cols = (listed["id"] if weighted else listed).astype(np.int64)
    wrong = cols[(cols < 0) | (cols >= n)]
    if wrong.shape[0]:
        raise source.error(f"neighbour {wrong[0]} is not one of the {n:,} vertices")
    rows = first + np.repeat(np.arange(last - first), np.diff(offsets))
    values = listed["weight"].astype(np.int64) if weighted else None
    return Entries(rows, cols, values, shape=(n, n))


def _offsets(source: Source, first: int, last: int) -> Any:
    """The offsets of some rows, the end of the last one included."""
    source.seek(HEADER + 8 * first)
    return np.frombuffer(source.read_exactly(8 * (last - first + 1), "the offsets"), "<i8")


def _check_offsets(source: Source, n: int, count: int, part: int, parts: int) -> None:
    """Refuse offsets that do not rise: a share of them, which begins where another one ends.

    Where all shares are sound, so is what bisection finds among them.
    """
    begin, end = n * part // parts, n * (part + 1) // parts
    for first in range(begin, max(end, begin + 1), _OFFSETS):
        offsets = _offsets(source, first, min(first + _OFFSETS, end))
        rises = bool((np.diff(offsets) >= 0).all()) and offsets[0] >= 0 and offsets[-1] <= count
        starts = first > 0 or offsets[0] == 0
        ends = end < n or first + _OFFSETS < end or offsets[-1] == count
        if not (rises and starts and ends):
            raise source.error(f"its offsets do not rise from 0 to {count:,}")


def _row_of(source: Source, n: int, entry: int) -> int:
    """The last row whose entries begin at `entry` or before, by bisection in the file."""
    low, high = 0, n
    while low < high:
        middle = (low + high + 1) // 2
        source.seek(HEADER + 8 * middle)
        offset = int.from_bytes(source.read_exactly(8, "the offsets"), "little", signed=True)
        low, high = (middle, high) if offset <= entry else (low, middle - 1)
    return low
