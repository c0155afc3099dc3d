"""The header of a CSR folder: what `open_csr` believes of it, and how it is written.

A folder ``graph.csr`` holds ``header.json`` and arrays, each a file of little-endian numbers:

====================  ===================  =====================================================
file                  numbers              content
====================  ===================  =====================================================
offsets               int64, nrows + 1     where each row begins in ``columns``, from 0 to nvals
columns               int32 or int64       rising in every row; int64 from 2^31 columns on
values                ``dtype``, nvals     or one number where all are equal
transpose.offsets     int64, ncols + 1     the same matrix by columns
transpose.columns     int32 or int64       int64 from 2^31 rows on
transpose.values      ``dtype``, nvals     absent where all values are equal
====================  ===================  =====================================================

The second half is absent where the matrix is its own transpose, or where nobody wanted it.  The
header has the sizes, and of every file the CRC-32 of each `block` bytes; its own CRC-32 is that of
its other fields as JSON, keys sorted, as Python writes it.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import FormatError, SpbfsError
from spbfs.operators.dtypes import DType, lookup_dtype

__all__ = ["BLOCK", "HEADER", "FileRecord", "Header", "header_of", "header_text", "index_type"]

HEADER = "header.json"
#: Bytes that one checksum is of.
BLOCK = 1 << 24

_FORMAT, _VERSION = "spbfs csr", 1
#: Most rows, columns and entries: what is larger overflows before it is looked at.
_MOST = 1 << 56
_LEAST_BLOCK, _MOST_BLOCK = 1 << 12, 1 << 30
_TRANSPOSES = ("stored", "itself", "absent")


@dataclass(frozen=True, slots=True)
class FileRecord:
    """The length of a file, and the checksums of its blocks."""

    bytes: int
    crc32: list[int]


@dataclass(frozen=True, slots=True)
class Header:
    """What a folder says of its arrays.

    Attributes
    ----------
    nrows, ncols, nvals : int
    dtype : str
        The name of the values' type.
    iso : bool
        Whether one number stands for all values.
    symmetric : bool
        Whether (j, i) is stored wherever (i, j) is.
    transpose : {"stored", "itself", "absent"}
    block : int
    files : dict
        A `FileRecord` for each array, by the name of its file.
    """

    nrows: int
    ncols: int
    nvals: int
    dtype: str
    iso: bool
    symmetric: bool
    transpose: Literal["stored", "itself", "absent"]
    block: int
    files: dict[str, FileRecord]

    @property
    def kind(self) -> DType:
        """The type of the values."""
        return lookup_dtype(self.dtype)

    def arrays(self) -> dict[str, tuple[np.dtype[Any], int]]:
        """The type and the length of the array in each file that there has to be."""
        offsets, values = np.dtype("<i8"), self.kind.np_type.newbyteorder("<")
        found = {
            "offsets": (offsets, self.nrows + 1),
            "columns": (index_type(self.ncols), self.nvals),
            "values": (values, min(self.nvals, 1) if self.iso else self.nvals),
        }
        if self.transpose == "stored":
            found["transpose.offsets"] = offsets, self.ncols + 1
            found["transpose.columns"] = index_type(self.nrows), self.nvals
            if not self.iso:
                found["transpose.values"] = values, self.nvals
        return found


def index_type(size: int) -> np.dtype[Any]:
    """The type of numbers below `size`, as they lie in a folder."""
    return np.dtype("<i4" if size < 1 << 31 else "<i8")


def header_text(header: Header) -> str:
    """What is written to `HEADER`."""
    said = {"format": _FORMAT, "version": _VERSION, **asdict(header)}
    return json.dumps({**said, "crc32": _checksum(said)}, indent=1) + "\n"


def header_of(folder: Path, text: bytes) -> Header:
    """The header that a text says, every number of it plausible.

    Raises
    ------
    FormatError
    """

    def refuse(reason: str) -> FormatError:
        return FormatError(f"{folder}: its {HEADER} {reason}")

    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refuse(f"is not JSON ({brief(error)})") from None
    if not isinstance(said, dict) or said.get("format") != _FORMAT:
        raise refuse(f"is not that of a CSR folder; expected 'format': {_FORMAT!r}")
    if said.get("version") != _VERSION:
        raise refuse(f"is of version {said.get('version')!r:.40}; expected {_VERSION}")
    told = said.pop("crc32", None)
    if told != _checksum(said):
        raise refuse("was changed after it was written: its checksum is another one")
    try:
        header = _believed(said)
    except _Implausible as error:
        raise refuse(str(error)) from None
    for name, (dtype, length) in header.arrays().items():
        record = header.files.get(name)
        size = dtype.itemsize * length
        if record is None or record.bytes != size:
            told = "none" if record is None else f"{record.bytes:,}"
            raise refuse(f"has {told} bytes of {name!r}, and its sizes make {size:,}")
        if len(record.crc32) != -(-size // header.block):
            raise refuse(f"has {len(record.crc32)} checksums of {name!r}")
    return header


class _Implausible(Exception):
    """A field that no folder has."""


def _checksum(said: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(said, sort_keys=True).encode())


def _believed(said: dict[str, Any]) -> Header:
    nrows, ncols, nvals = (_number(said, name, 0, _MOST) for name in ("nrows", "ncols", "nvals"))
    dtype, transpose = said.get("dtype"), said.get("transpose")
    try:
        known = lookup_dtype(dtype).name if isinstance(dtype, str) else None
    except SpbfsError:
        known = None
    if known is None or known != dtype:
        raise _Implausible(f"names the type {dtype!r:.40}; expected one of GraphBLAS's")
    if transpose not in _TRANSPOSES:
        raise _Implausible(f"has 'transpose': {transpose!r:.40}; expected one of {_TRANSPOSES}")
    symmetric = _flag(said, "symmetric")
    if nrows != ncols and (symmetric or transpose == "itself"):
        raise _Implausible(f"calls {nrows} x {ncols} symmetric")
    files = said.get("files")
    if not isinstance(files, dict):
        raise _Implausible("has no table of files")
    return Header(
        nrows,
        ncols,
        nvals,
        str(dtype),
        _flag(said, "iso"),
        symmetric,
        transpose,
        _number(said, "block", _LEAST_BLOCK, _MOST_BLOCK),
        {name: _record(name, record) for name, record in files.items()},
    )


def _record(name: str, record: Any) -> FileRecord:
    sums = record.get("crc32") if isinstance(record, dict) else None
    if not isinstance(sums, list) or not all(type(x) is int for x in sums):
        raise _Implausible(f"has no checksums of {name!r:.40}")
    return FileRecord(_number(record, "bytes", 0, 8 * _MOST), sums)


def _number(said: dict[str, Any], name: str, least: int, most: int) -> int:
    value = said.get(name)
    if type(value) is not int or not least <= value <= most:
        raise _Implausible(f"has {name!r}: {value!r:.40}; expected {least} to {most}")
    return value


def _flag(said: dict[str, Any], name: str) -> bool:
    value = said.get(name)
    if value is not True and value is not False:
        raise _Implausible(f"has {name!r}: {value!r:.40}; expected true or false")
    return value
