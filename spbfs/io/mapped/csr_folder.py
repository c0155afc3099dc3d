"""CSR folders: a graph on the disk that is mapped, not read, for what is larger than memory."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.base.wording import brief
from spbfs.exceptions import FileError, FileMissing, FormatError, InvalidValue, SpbfsError
from spbfs.io.files.source import Source
from spbfs.io.formats.entries import Entries, ReadOptions, assemble
from spbfs.io.mapped.arrays import map_read_only, open_at_once
from spbfs.io.mapped.csr_checks import agree, check_columns, check_offsets, check_sums, check_values
from spbfs.io.mapped.csr_header import HEADER, Header, header_of, header_text
from spbfs.storage.data import MatrixData, is_iso, iso_array
from spbfs.storage.derived import remember_symmetry, remember_transpose
from spbfs.storage.on_disk import MappedArray, OnDiskMatrix, Origin

__all__ = ["is_there", "map_again", "map_folder", "read_folder", "verify_folder"]

Array = Any  # numpy.ndarray

#: Longest header that is looked at: one of a petabyte.
_LONGEST_HEADER = 1 << 30
#: How a folder is opened whose files are opened by it: without a right to list them, where the
#: system has that.
_FOLDER = os.O_DIRECTORY | getattr(os, "O_PATH", os.O_RDONLY)


@typed_refusals
def read_folder(path: Path, options: ReadOptions) -> tuple[MatrixData, Any]:
    """The matrix in a folder, in memory, with the options of `read`; and what `assemble` tells."""
    data = _mapped_for(path, options)
    require_bytes(data.nvals * (data.index_type.itemsize + data.dtype.itemsize), f"reading {path}")
    values = None if _is_pattern(data) else np.array(data.values)
    shape = data.nrows, data.ncols
    entries = Entries(None, np.array(data.indices), values, np.array(data.indptr), shape=shape)
    with Source(path / HEADER) as source:
        return assemble(entries, options, source)


def _mapped_for(path: Path, options: ReadOptions) -> OnDiskMatrix:
    """The matrix in a folder, which has what the options ask for."""
    if options.one_based is not None:
        raise InvalidValue(
            f"one_based: {path.name!r} is of a format that says itself where ids start;"
            " expected None"
        )
    data = map_folder(path)
    if options.weights and _is_pattern(data):
        raise FormatError(f"{path}: has no weights to read")
    return data


def _is_pattern(data: OnDiskMatrix) -> bool:
    one = is_iso(data.values) and data.dtype == np.bool_
    return bool(one and data.nvals and data.values[0])


def map_folder(folder: Path) -> OnDiskMatrix:
    """The matrix in a folder, its arrays mapped: all of one, also where another one replaces it."""
    while True:
        with _opened(folder) as here:
            try:
                return _mapped(folder, here)
            except SpbfsError:
                # What is removed once it is replaced misses files.
                if _is_still(folder, here):
                    raise


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """The descriptor of a folder, which stays with it whatever has its name."""
    try:
        here = os.open(folder, _FOLDER)
    except FileNotFoundError:
        raise FileMissing(f"folder: there is no folder {str(folder)!r}") from None
    except NotADirectoryError:
        raise FormatError(
            f"{folder}: is a file; expected a CSR folder, as `convert` makes it"
        ) from None
    except OSError as error:
        raise _unreadable(folder, error) from None
    except ValueError as error:
        raise InvalidValue(f"folder: {brief(str(folder))} is not a name ({error})") from None
    try:
        yield here
    finally:
        os.close(here)


def _is_still(folder: Path, here: int) -> bool:
    """Whether the name is that of the folder that was opened by it."""
    try:
        return os.path.samestat(os.stat(folder), os.fstat(here))
    except OSError:
        return False


def _mapped(folder: Path, here: int) -> OnDiskMatrix:
    header = _read_header(folder, here)
    arrays = {
        name: map_read_only(folder / name, dtype, length, within=here)
        for name, (dtype, length) in header.arrays().items()
    }
    data = _half(folder, header, arrays, "")
    remember_symmetry(data, header.symmetric)
    if header.transpose == "stored":
        across = _half(folder, header, arrays, "transpose.")
        remember_symmetry(across, header.symmetric)
        remember_transpose(data, across)
    elif header.transpose == "itself" and not header.iso:
        # With one value for all, symmetry says it.
        remember_transpose(data, data.twin())
    return data


def _read_header(folder: Path, here: int) -> Header:
    try:
        with open_at_once(HEADER, here) as file:
            kind = os.fstat(file.fileno())
            if not stat.S_ISREG(kind.st_mode) or kind.st_size > _LONGEST_HEADER:
                raise FormatError(f"{folder}: its {HEADER} is not one of a CSR folder")
            text = file.read()
    except FileNotFoundError:
        raise FormatError(f"{folder}: has no {HEADER}; expected a CSR folder") from None
    except OSError as error:
        raise _unreadable(folder, error) from None
    return header_of(folder, text)


def _unreadable(folder: Path, error: OSError) -> FileError:
    return FileError(f"folder: {str(folder)!r} cannot be read: {error.strerror or error}")


def _half(
    folder: Path, header: Header, arrays: dict[str, tuple[Array, Any]], prefix: str
) -> OnDiskMatrix:
    """The matrix, or with a prefix its transpose; each array with what it has to be."""
    shape = (header.ncols, header.nrows) if prefix else (header.nrows, header.ncols)
    offsets, columns = (arrays[prefix + name] for name in ("offsets", "columns"))
    own = prefix + "values" if prefix + "values" in arrays else "values"
    values = arrays[own]

    def sums(name: str) -> None:
        check_sums(f"{folder}/{name}", arrays[name][0], header.files[name], header.block)

    def sound_offsets() -> None:
        sums(prefix + "offsets")
        check_offsets(f"{folder}/{prefix}offsets", offsets[0], header.nvals)

    def sound_columns() -> None:
        sums(prefix + "columns")
        check_columns(f"{folder}/{prefix}columns", offsets[0], columns[0], shape[1])

    def sound_values() -> None:
        sums(own)
        check_values(f"{folder}/{own}", values[0])

    held = iso_array(values[0], header.nvals) if header.iso and header.nvals else values[0]
    return OnDiskMatrix(
        str(folder),
        *shape,
        MappedArray(offsets[0], sound_offsets, offsets[1]),
        MappedArray(columns[0], sound_columns, columns[1]),
        MappedArray(held, sound_values, values[1]),
        _origin(folder, header, transposed=bool(prefix)),
    )


def _origin(folder: Path, header: Header, *, transposed: bool) -> Origin:
    checksum = zlib.crc32(header_text(header).encode())
    return Origin(os.path.realpath(folder), checksum, transposed)


def is_there(origin: Origin) -> bool:
    """Whether this process sees the folder as it was when a matrix of it was mapped."""
    folder = Path(origin.folder)
    try:
        with _opened(folder) as here:
            header = _read_header(folder, here)
    except SpbfsError:
        return False
    return _origin(folder, header, transposed=origin.transposed) == origin


def map_again(origin: Origin) -> OnDiskMatrix:
    """The matrix of the folder that another process has mapped, not by columns in any case.

    Raises
    ------
    FileError
        When the folder is not there, or is another one.
    """
    if is_there(origin):
        data = map_folder(Path(origin.folder))
        if data.origin == replace(origin, transposed=False):
            return data
    raise FileError(f"A: {origin.folder!r} is not here what it was where it was mapped")


def verify_folder(data: OnDiskMatrix) -> None:
    """Check all arrays, and that the halves agree."""
    data.check()
    half, across = (data.indptr, data.indices), data.derived.transpose
    if isinstance(across, OnDiskMatrix):
        across.check()
        if not agree(half, (across.indptr, across.indices)):
            raise FormatError(f"{data.name}: its second half is not the transpose of the first")
    if data.derived.symmetric and not agree(half, half):
        raise FormatError(f"{data.name}: is called symmetric, and is not")
    data.check_pages()
