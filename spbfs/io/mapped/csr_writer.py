"""A CSR folder being written: array by array, and under its name when it is complete."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from spbfs.engines.cpu.graph.transpose import is_symmetric, transposed
from spbfs.exceptions import FileError, FormatError, InvalidValue
from spbfs.io.files.refusals import unwritable
from spbfs.io.mapped.arrays import allocate
from spbfs.io.mapped.csr_header import BLOCK, HEADER, FileRecord, Header, header_text
from spbfs.operators.dtypes import lookup_dtype
from spbfs.storage.data import MatrixData, is_iso
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["ArrayWriter", "Written", "check_target", "finish_folder", "write_csr"]

Array = Any  # numpy.ndarray

#: Numbers written at a time.
_PIECE = 1 << 18
#: Of Linux: names are relative to the working directory, and two of them are exchanged.
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2
#: What is said of a name that a folder with something in it has.
_TAKEN = (errno.ENOTEMPTY, errno.EEXIST)


@dataclass(frozen=True, slots=True)
class Written:
    """How far a file is: its bytes, the checksums of whole blocks, that of the begun one."""

    bytes: int = 0
    crc32: tuple[int, ...] = ()
    begun: int = 0


_NOTHING_YET = Written()


class ArrayWriter:
    """One array of a folder, appended to; its room on the disk is made sure of first.

    Parameters
    ----------
    argument : str
        Begins messages: what named the folder.
    path : Path
    dtype : numpy.dtype
        As the file has it.
    room : int
        Most numbers that will be written.
    done : Written
        What is there already, of a writer that was stopped.
    """

    def __init__(
        self,
        argument: str,
        path: Path,
        dtype: np.dtype[Any],
        room: int,
        done: Written = _NOTHING_YET,
    ) -> None:
        self._argument, self._path, self._dtype = argument, path, dtype
        self._sums, self._begun, self._bytes = list(done.crc32), done.begun, done.bytes
        try:
            path.touch()
            allocate(argument, path, 0, room * dtype.itemsize)
            self._file = open(path, "r+b", buffering=0)  # noqa: SIM115
            self._file.seek(done.bytes)
        except OSError as error:
            raise unwritable(argument, path, error) from None

    def __enter__(self) -> ArrayWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def append(self, numbers: Array) -> None:
        """Write numbers behind those that are there."""
        for at in range(0, len(numbers), _PIECE):
            piece = np.ascontiguousarray(numbers[at : at + _PIECE], self._dtype)
            self._write(memoryview(piece).cast("B"))

    def _write(self, data: memoryview) -> None:
        while data:
            part = data[: BLOCK - self._bytes % BLOCK]
            try:
                size = self._file.write(part)
            except OSError as error:
                raise unwritable(self._argument, self._path, error) from None
            self._begun = zlib.crc32(part[:size], self._begun)
            self._bytes += size
            data = data[size:]
            if self._bytes % BLOCK == 0:
                self._sums.append(self._begun)
                self._begun = 0

    @property
    def written(self) -> Written:
        """How far it is."""
        return Written(self._bytes, tuple(self._sums), self._begun)

    def close(self) -> FileRecord:
        """The array is complete: room that was not needed is given back."""
        try:
            self._file.truncate(self._bytes)
            self._file.close()
        except OSError as error:
            raise unwritable(self._argument, self._path, error) from None
        rest = [self._begun] if self._bytes % BLOCK else []
        return FileRecord(self._bytes, [*self._sums, *rest])


def check_target(argument: str, folder: Path) -> Path:
    """Where a folder of this name is to lie, which is free or has a CSR folder to be replaced."""
    try:
        final = Path(os.path.realpath(folder))
        if final.exists() and not (final / HEADER).is_file():
            raise _not_ours(argument, folder)
        if not final.parent.is_dir():
            raise unwritable(argument, folder, FileNotFoundError())
    except ValueError as error:  # a NUL in the name
        raise InvalidValue(f"{argument}: {str(folder)!r} is not a name ({error})") from None
    return final


def finish_folder(argument: str, partial: Path, final: Path, header: Header) -> None:
    """Write the header of a folder whose arrays are there, and give it its name.

    Raises
    ------
    FormatError
        When an array has not the length that the header makes of its sizes.
    FileError
        When it cannot be written, or something else has got its name meanwhile.
    """
    _check_whole(argument, partial, header)
    try:
        (partial / HEADER).write_text(header_text(header), encoding="ascii")
        replaced = _give_name(argument, partial, final)
    except OSError as error:
        raise unwritable(argument, final, error) from None
    for folder in replaced:
        shutil.rmtree(folder, ignore_errors=True)


def _give_name(argument: str, partial: Path, final: Path) -> list[Path]:
    """Have a folder under its final name; where what had that name is now.

    Whoever looks there, and whenever this process is killed, there is the one or the other, if the
    file system can exchange names.  Of several writers at a time the last one's stays.
    """
    replaced: list[Path] = []
    try:
        while True:
            try:
                os.rename(partial, final)
                return replaced
            except OSError as error:
                if error.errno not in _TAKEN:
                    raise
            exchanged = _exchange(partial, final)
            before = partial if exchanged else final
            # A signal may come as soon as it is there.
            replaced.append(aside := _beside(final, "old"))
            # Another writer may just have taken it away.
            with contextlib.suppress(FileNotFoundError):
                os.rename(before, aside)
            if aside.exists() and not (aside / HEADER).is_file():
                if exchanged:
                    os.rename(final, partial)
                raise _not_ours(argument, final)
            if exchanged:
                return replaced
    except BaseException:
        # Nothing may have the name now; where something has it, that stays.
        for aside in reversed(replaced):
            with contextlib.suppress(OSError):
                os.rename(aside, final)
        raise


def _not_ours(argument: str, folder: Path) -> FileError:
    return FileError(
        f"{argument}: {str(folder)!r} exists and is no CSR folder; expected another name"
    )


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders have each other's names at once; False where that is not to be had."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError):
        return False
    names = os.fsencode(one), os.fsencode(other)
    return bool(rename(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0)


def _beside(final: Path, kind: str) -> Path:
    """A name in the same folder that nobody else takes."""
    return final.with_name(f".{final.name[:50]}.{os.getpid()}.{secrets.token_hex(4)}.{kind}")


def _check_whole(argument: str, partial: Path, header: Header) -> None:
    """Nobody opens a folder under its name that is not all there: both halves, every entry."""
    for name, (dtype, length) in header.arrays().items():
        path, expected = partial / name, dtype.itemsize * length
        told, size = header.files.get(name), 0
        with contextlib.suppress(OSError):
            size = path.stat().st_size
        written = 0 if told is None else told.bytes
        if not written == size == expected:
            raise FormatError(
                f"{argument}: {str(path)!r} has {size:,} bytes, of which {written:,} were written;"
                f" expected {expected:,}"
            )


def write_csr(folder: Path, A: MatrixData) -> None:
    """Write a matrix and its transpose to a folder, which is complete or not there."""
    if isinstance(A, HypersparseMatrix):
        raise InvalidValue(
            f"A: {A.nrows} x {A.ncols} with {A.nvals} entries; a CSR folder has an offset for"
            " every row, .mtx and .npz have none"
        )
    symmetric, across = is_symmetric(A), transposed(A)
    iso = is_iso(A.values) or A.nvals == 0
    own = across is not A and not (symmetric and np.array_equal(across.values, A.values))
    files = {"offsets": A.indptr, "columns": A.indices, "values": A.values[:1] if iso else A.values}
    if own:
        files |= {"transpose.offsets": across.indptr, "transpose.columns": across.indices}
        files |= {} if iso else {"transpose.values": across.values}
    kept: Literal["stored", "itself"] = "stored" if own else "itself"
    dtype = lookup_dtype(A.dtype).name
    header = Header(A.nrows, A.ncols, A.nvals, dtype, iso, symmetric, kept, BLOCK, {})
    final = check_target("path", folder)
    with _partial_folder(final) as partial:
        for name, (kind, length) in header.arrays().items():
            with ArrayWriter("path", partial / name, kind, length) as writer:
                writer.append(files[name])
                header.files[name] = writer.close()
        finish_folder("path", partial, final, header)


@contextmanager
def _partial_folder(final: Path) -> Iterator[Path]:
    """A folder beside the final one, gone where it did not become that."""
    partial = _beside(final, "partial")
    try:
        partial.mkdir()
    except OSError as error:
        raise unwritable("path", final, error) from None
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)
