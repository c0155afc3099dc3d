"""A file being written: complete under its name, or not there at all; and entries as text."""

from __future__ import annotations

import contextlib
import gzip
import os
import secrets
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse

from spbfs.base.progress import progress_bar
from spbfs.exceptions import DimensionMismatch, DomainMismatch, FileError, InvalidValue
from spbfs.io.files.refusals import unwritable
from spbfs.storage.data import MatrixData, is_iso
from spbfs.storage.hypersparse import HypersparseMatrix

_cpu: Any = import_module("spbfs._cpu")

__all__ = ["Sink", "same_transposed", "square", "text_values", "write_lines"]

#: Entries turned into text at once.
BLOCK = 1 << 18


class Sink:
    """The file `path`, written beside it and renamed at the end: readers see all or nothing.

    A name that ends in ``.gz`` is compressed, with no date inside: equal graphs, equal bytes.
    Messages begin with `argument`, which named the file.
    """

    def __init__(
        self, path: Path, entries: int, progress: bool | None = None, argument: str = "path"
    ) -> None:
        self.path = path
        self._argument = argument
        self.name = str(path)
        # A link is written through, as open() would.
        try:
            self._final = Path(os.path.realpath(path))
            if self._final.is_dir():
                raise FileError(f"{argument}: {self.name!r} is a directory; expected a file")
            if self._final.exists() and not self._final.is_file():
                raise FileError(f"{argument}: {self.name!r} is not a regular file")
        except ValueError as error:  # a NUL in the name
            raise InvalidValue(f"{argument}: {self.name!r} is not a file name ({error})") from None
        except OSError as error:
            raise unwritable(argument, path, error) from None
        # Of this call alone: another thread or process may be writing the same file.
        beside = f".{self._final.name[:50]}.{os.getpid()}.{secrets.token_hex(4)}.partial"
        self._partial = self._final.with_name(beside)
        try:
            self._file: BinaryIO = open(self._partial, "xb")  # noqa: SIM115
        except OSError as error:
            raise unwritable(argument, path, error) from None
        self.stream: Any = self._file
        if path.suffix.lower() == ".gz":
            self.stream = gzip.GzipFile("", "wb", 6, self._file, mtime=0)
        self._bar = progress_bar(entries, "entries", f"writing {path.name}", progress)

    def write(self, data: Any) -> None:
        self.stream.write(data)

    def advance(self, entries: int) -> None:
        if self._bar is not None:
            self._bar.update(entries)

    def __enter__(self) -> Sink:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()
        failed = error
        try:
            if self.stream is not self._file:
                self.stream.close()
            self._file.close()
            if failed is None:
                os.replace(self._partial, self._final)
        except OSError as late:
            failed = failed or late
        if failed is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            with contextlib.suppress(OSError):
                self._partial.unlink()
        if isinstance(failed, OSError) and not isinstance(failed, FileError):
            raise unwritable(self._argument, self.path, failed) from None


def square(sink: Sink, A: MatrixData) -> None:
    """Refuse a matrix that is no graph."""
    if A.nrows != A.ncols:
        raise DimensionMismatch(
            f"A: {A.nrows} x {A.ncols}, and {sink.path.name!r} holds graphs, which are square;"
            " .mtx and .npz hold any shape"
        )


def text_values(sink: Sink, A: MatrixData, weighted: bool | None) -> Any:
    """The values to write as text, None for a pattern.

    `weighted` is what the format asks for: True needs values, False cannot hold any, None holds
    either.
    """
    values = A.values
    held = values[:1] if is_iso(values) else values
    name = sink.path.name
    if values.dtype.kind == "b":
        if not bool(held.all()):
            raise DomainMismatch(f"A: {name!r} cannot hold a stored False; .npz can")
        if weighted:
            raise DomainMismatch(
                f"A: {name!r} needs a weight on every edge, and A (BOOL) has none; .txt, .mtx and"
                " .npz hold graphs without weights"
            )
        return None
    if weighted is False:
        kind = values.dtype.name
        raise DomainMismatch(f"A: {name!r} holds no weights, and A has {kind} values")
    if values.dtype.kind == "f" and bool(np.isnan(held).any()):
        raise InvalidValue(f"A: {name!r} cannot hold NaN; .npz can")
    if values.dtype == np.uint64 and len(held) and int(held.max()) > 2**63 - 1:
        raise InvalidValue(f"A: {name!r} cannot hold {int(held.max())}, beyond 64 signed bits")
    return values


def write_lines(
    sink: Sink, A: MatrixData, values: Any, separator: str = " ", keyword: str = "", base: int = 0
) -> None:
    """One line an entry, in row order."""
    walked = A.compact if isinstance(A, HypersparseMatrix) else A
    for start, stop, first, indptr in blocks(walked):
        rows = np.repeat(np.arange(first, first + len(indptr) - 1, dtype=np.int64), np.diff(indptr))
        part = None
        if values is not None:
            kind = np.float64 if values.dtype.kind == "f" else np.int64
            part = np.ascontiguousarray(values[start:stop], dtype=kind)
        cols = np.ascontiguousarray(walked.indices[start:stop], dtype=np.int64)
        if isinstance(A, HypersparseMatrix):
            rows, cols = A.rows[rows], A.columns[cols]
        sink.write(_cpu.format_lines(rows, cols, part, separator, keyword, base))
        sink.advance(stop - start)


def blocks(A: MatrixData) -> Iterator[tuple[int, int, int, Any]]:
    """Entries by blocks: ``(start, stop, first row, indptr of its rows within the block)``.

    Rows are cut where a block ends: one row may hold most of a matrix.
    """
    for start in range(0, A.nvals, BLOCK):
        stop = min(start + BLOCK, A.nvals)
        first = int(np.searchsorted(A.indptr, start, side="right")) - 1
        last = int(np.searchsorted(A.indptr, stop, side="left"))
        indptr = A.indptr[first : last + 1].astype(np.int64)
        yield start, stop, first, np.clip(indptr, start, stop) - start


def same_transposed(A: MatrixData) -> tuple[bool, Any]:
    """Whether `A` equals its transpose, and the transpose as a SciPy array."""
    iso = is_iso(A.values)
    data = np.ones(A.nvals, np.int8) if iso else A.values
    csr = scipy.sparse.csr_array((data, A.indices, A.indptr), shape=(A.nrows, A.ncols))
    other = csr.T.tocsr()
    same = (
        A.nrows == A.ncols
        and np.array_equal(other.indptr, csr.indptr)
        and np.array_equal(other.indices, csr.indices)
        and (iso or np.array_equal(other.data, csr.data))
    )
    return bool(same), other
