"""``.npz`` archives and ``.npy`` files from strangers, and archives written all or not at all.

They are opened by hand instead of by `numpy.load`: NumPy allocates what an array's header claims
before it looks for the data, and makes a mapped file longer that is too short.
"""

from __future__ import annotations

import math
import os
import re
import struct
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue, SpbfsError
from spbfs.io.files.sink import Sink
from spbfs.io.files.source import PIECE, Source

__all__ = ["Archive", "map_array", "read_arrays", "write_arrays"]

#: What `zipfile` is known to raise for archives that are damaged, encrypted or from the future.
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    IndexError,
    KeyError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
_LONGEST_HEADER = 10_000


class Archive:
    """The arrays of an archive by name; what is wrong with it is said as `Source.error` does.

    Parameters
    ----------
    source : Source
        Where it comes from.
    file : binary file
        Its content, seekable.
    """

    def __init__(self, source: Source, file: IO[bytes]) -> None:
        self._source, self._file = source, file
        try:
            self._archive = zipfile.ZipFile(file)
        except _ZIP_ERRORS as error:
            raise self._damaged(error) from None
        entries = self._archive.infolist()
        self._members = {i.filename.removesuffix(".npy"): i for i in entries}
        source.check_expansion(sum(i.file_size for i in entries))

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._archive.close()

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def _damaged(self, error: BaseException) -> SpbfsError:
        return self._source.error(f"not a readable .npz archive ({brief(error)})")

    def array(self, name: str) -> Any:
        """One array, whose header agrees with the length of its data."""
        if name not in self._members:
            raise self._source.error(f"has no array {name!r}: it was written by something else")
        try:
            return self._read(self._members[name], name)
        except SpbfsError:
            raise
        except _ZIP_ERRORS as error:
            raise self._damaged(error) from None

    def place(self, name: str) -> tuple[int, np.dtype[Any], int]:
        """Where a list of numbers that is not compressed begins in the file, its type and length.

        Raises
        ------
        InvalidValue
            When the array is compressed.
        FormatError
            When it is damaged, missing, or no list of numbers as this machine has them.
        """
        if name not in self._members:
            raise self._source.error(f"has no array {name!r}: it was written by something else")
        member = self._members[name]
        if member.compress_type != zipfile.ZIP_STORED:
            raise InvalidValue(
                f"mmap: {self._source.path.name!r} is compressed; expected one that is not, as "
                "scipy.sparse.save_npz(..., compressed=False) writes it"
            )
        try:
            with self._archive.open(member) as stream:
                shape, _, dtype = _read_header(self._source, stream, name)
                header = stream.tell()
        except _ZIP_ERRORS as error:
            raise self._damaged(error) from None
        size = math.prod(shape) * dtype.itemsize
        if len(shape) != 1 or dtype.byteorder == ">" or header + size != member.file_size:
            raise self._source.error(f"array {name!r} is not a list of numbers that can be mapped")
        # Behind a header of its own in the file, with a name and a field of any length.
        self._file.seek(member.header_offset + 26)
        lengths = np.frombuffer(self._file.read(4), "<u2")
        if lengths.shape[0] != 2:
            raise self._source.error(f"array {name!r} is not where the archive says")
        start = member.header_offset + 30 + int(lengths.sum()) + header
        return start, dtype, shape[0]

    def _read(self, member: zipfile.ZipInfo, name: str) -> Any:
        source = self._source
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise source.error(f"array {name!r} is compressed in a way that NumPy does not use")
        with self._archive.open(member) as stream:
            shape, by_column, dtype = _read_header(source, stream, name)
            size = math.prod(shape) * dtype.itemsize
            left = member.file_size - stream.tell()
            if size != left:
                raise source.error(f"array {name!r} promises {size:,} bytes and holds {left:,}")
            room = 2 * size if member.compress_type else size
            require_bytes(room, f"reading {source.name}")
            data = bytearray()
            while piece := stream.read(PIECE):
                data += piece
            if len(data) != size:
                raise source.error(
                    f"array {name!r} promises {size:,} bytes and holds {len(data):,}"
                )
        array: Any = np.frombuffer(data, dtype).reshape(shape, order="F" if by_column else "C")
        return array.astype(dtype.newbyteorder("="), copy=False)


def _read_header(source: Source, stream: IO[bytes], name: str) -> tuple[Any, bool, np.dtype[Any]]:
    """Shape, column order and type of an array, from what `numpy.save` writes and nothing else.

    NumPy's own function evaluates the header as Python, and fails in Python's many ways.
    """
    start = stream.read(8)
    width = {b"\x01\x00": 2, b"\x02\x00": 4}.get(start[6:8])
    if start[:6] != b"\x93NUMPY" or width is None:
        raise source.error(f"array {name!r} does not start like an .npy file")
    length = int.from_bytes(stream.read(width), "little")
    header = stream.read(min(length, _LONGEST_HEADER)).decode("latin-1")
    kind = re.search(r"'descr': *'([<>|=]?[a-zA-Z]\d{0,6})'", header)
    order = re.search(r"'fortran_order': *(True|False)", header)
    # A comma behind every number but the last: digits can be read in one way only.
    sides = re.search(r"'shape': *\(((?:\d{1,18}, *)*(?:\d{1,18} *)?)\)", header)
    if length > _LONGEST_HEADER or not (kind and order and sides):
        described = header[:80].strip()
        raise source.error(f"array {name!r} is not one of numbers, or damaged: {described!r}")
    shape = tuple(int(side) for side in sides[1].split(",") if side.strip())
    try:
        dtype = np.dtype(kind[1])
    except TypeError:
        raise source.error(f"array {name!r} has the unknown type {kind[1]!r}") from None
    if dtype.hasobject or dtype.itemsize == 0 or len(shape) > 8:
        raise source.error(f"array {name!r} is not one of numbers: {kind[1]!r}, {len(shape)} axes")
    return shape, order[1] == "True", dtype


def read_arrays(path: Path, names: tuple[str, ...], optional: tuple[str, ...] = ()) -> list[Any]:
    """The arrays of these names in an archive; of `optional` ones that are not there None."""
    with Source(path) as source, open(path, "rb") as file, Archive(source, file) as archive:
        found = [archive.array(name) for name in names]
        return found + [archive.array(name) if name in archive else None for name in optional]


def write_arrays(path: Path, **arrays: Any) -> None:
    """An archive of arrays; on any error a file of that name stays what it was."""
    with Sink(path, 0) as sink:
        np.savez(sink.stream, **arrays)


def map_array(path: Path) -> Any:
    """A ``.npy`` file as an array in which what is written goes to the file."""
    with Source(path) as source, open(path, "rb") as file:
        shape, by_column, dtype = _read_header(source, file, "levels")
        start = file.tell()
        size = math.prod(shape) * dtype.itemsize
        left = os.fstat(file.fileno()).st_size - start
        if size != left:
            raise source.error(f"promises {size:,} bytes and holds {left:,}")
        order = "F" if by_column else "C"
        return np.memmap(path, dtype, "r+", start, shape, order)  # type: ignore[call-overload]
