"""Arrays mapped from files: room on the disk made sure of, and pages that get lost noticed.

A page of a mapped file that finds no room, or that somebody has cut off, ends a process by SIGBUS
unless the array is guarded.
"""

from __future__ import annotations

import errno
import mmap
import os
import stat
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from spbfs.exceptions import FileError, FormatError, SpbfsError
from spbfs.io.files.refusals import unwritable

_cpu: Any = import_module("spbfs._cpu")

__all__ = [
    "Guard",
    "allocate",
    "allocate_array",
    "is_mapped",
    "map_read_only",
    "open_at_once",
    "release_pages",
]

#: Bytes written at a time where the file system allocates nothing by itself.
_BLOCK = 1 << 24
#: What a system says that cannot allocate without writing.
_NO_ALLOCATION = (errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)


def is_mapped(array: Any) -> bool:
    """Whether the memory of an array is mapped, from a file or not."""
    return isinstance(_owner(array), mmap.mmap)


def release_pages(array: np.memmap[Any, Any]) -> None:
    """Take the pages of an array out of the process's memory.

    What was written to them goes to the file as before, and they come back when they are looked at:
    `array` is mapped as shared, modes ``"r+"`` and ``"w+"``.
    """
    if hasattr(mmap, "MADV_DONTNEED"):
        _owner(array).madvise(mmap.MADV_DONTNEED)


def _owner(array: Any) -> Any:
    """What has the memory of an array."""
    owner = _bases(array)[-1].base
    return owner.obj if isinstance(owner, memoryview) else owner


def _bases(array: Any) -> list[Any]:
    """The array, the one that it is a part of, and so on."""
    found = [array]
    while isinstance(found[-1].base, np.ndarray):
        found.append(found[-1].base)
    return found


def allocate_array(argument: str, array: Any) -> None:
    """Have an array that is mapped from a file on the disk, where its file can be told.

    Raises
    ------
    FileError
        As `allocate`.
    """
    maps = [base for base in _bases(array) if isinstance(base, np.memmap)]
    if not maps or maps[-1].filename is None or maps[-1].mode not in ("r+", "w+"):
        return
    # The name and the offset are those of the whole, which parts of it repeat.
    whole, path = maps[-1], Path(maps[-1].filename)
    begin = whole.offset + _address(array) - _address(whole)
    try:
        size = path.stat().st_size
    except OSError:
        return  # the file has lost its name, not its place
    if size >= begin + array.nbytes:  # else another file has the name now, or this one was cut
        allocate(argument, path, begin, array.nbytes)


def _address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def allocate(argument: str, path: Path, offset: int, size: int) -> None:
    """Have `size` bytes of an existing file on the disk, what they hold kept.

    Raises
    ------
    FileError
        When the disk, a quota or a limit has no room for them.
    """
    try:
        with open(path, "r+b", buffering=0) as file:
            if size <= 0:
                return
            try:
                os.posix_fallocate(file.fileno(), offset, size)
            except (AttributeError, OSError) as error:
                if isinstance(error, OSError) and error.errno not in _NO_ALLOCATION:
                    raise
                _rewrite(file.fileno(), offset, offset + size)
    except OSError as error:
        reason = error.strerror or error
        if isinstance(error, FileNotFoundError):
            raise unwritable(argument, path, error) from None
        raise FileError(
            f"{argument}: {str(path)!r} needs {size:,} bytes on the disk: {reason}"
        ) from None


def _rewrite(descriptor: int, begin: int, end: int) -> None:
    """Write what is there: a block that was never written gets its place."""
    for at in range(begin, end, _BLOCK):
        held = os.pread(descriptor, min(_BLOCK, end - at), at)
        data = held.ljust(min(_BLOCK, end - at), b"\0")
        while data:
            written = os.pwrite(descriptor, data, at)
            data, at = data[written:], at + written


#: What may become of a file in use.
_LOST = "lost pages while it was in use: the disk is full, or somebody has cut the file short"
_WRITTEN = "was written to while it was in use; expected it as it was opened"


class Guard:
    """A mapped array that calls write to, so that a page which gets lost is an error.

    Parameters
    ----------
    what : str
        Begins the message: the argument, and the file where it is known.
    array : ndarray
    changed : callable, optional
        What is known to have become of the file, whoever has looked there; "" where nothing is.
    """

    def __init__(self, what: str, array: Any, changed: Callable[[], str] = lambda: "") -> None:
        self._what, self._changed = what, changed
        self._guard: Any = _cpu.MappedGuard(_address(array), array.nbytes) if array.nbytes else None

    def check(self) -> None:
        """Raise `FileError` if a page was lost since the array is guarded, or the file is known to
        have changed."""
        lost = self._guard is not None and self._guard.lost
        changed = _LOST if lost else self._changed()
        if changed:
            raise FileError(f"{self._what} {changed}")

    def release(self) -> None:
        """Stop guarding; the memory may be unmapped from now on."""
        if self._guard is not None:
            self._guard.release()


def open_at_once(name: str | Path, within: int | None) -> BinaryIO:
    """A file to be read, in the folder of a descriptor: one that is no regular file, which the
    caller looks for, does not keep him waiting."""

    # Called by `open`, which closes what it does not return: a folder, say.
    def opened(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NONBLOCK, dir_fd=within)

    return open(name, "rb", opener=opened)


def map_read_only(
    path: Path,
    dtype: np.dtype[Any],
    length: int,
    offset: int = 0,
    whole: bool = True,
    within: int | None = None,
) -> tuple[Any, Callable[[], None]]:
    """An array of a file that belongs to somebody else, and what raises once that was written to or
    has lost pages.

    Parameters
    ----------
    path : Path
    dtype : numpy.dtype
    length : int
        Numbers.
    offset : int
        Bytes before the first.
    whole : bool
        Whether the file has to end with the last.
    within : int, optional
        The descriptor of the folder that has the file, where another may have its name by now.

    Raises
    ------
    FormatError
        When the file is shorter, or longer where it has to be the array.
    FileError
        When it cannot be mapped.
    """
    size = offset + length * dtype.itemsize
    name = path if within is None else path.name
    try:
        with open_at_once(name, within) as file:
            kind = os.fstat(file.fileno())
            if not stat.S_ISREG(kind.st_mode):
                raise FileError(f"path: {str(path)!r} is not a regular file")
            if kind.st_size < size or (whole and kind.st_size != size):
                raise FormatError(f"{path}: {kind.st_size:,} bytes; expected {size:,}")
            if not length:
                return np.empty(0, dtype), lambda: None
            file_of = kind.st_dev, kind.st_ino
            mapped: Any = np.memmap(file, dtype, "r", offset, (length,))
    except FileNotFoundError:
        raise FormatError(f"{path}: is missing") from None
    except (OSError, ValueError, OverflowError) as error:
        if isinstance(error, SpbfsError):
            raise
        raise FileError(f"path: {str(path)!r} cannot be mapped: {error}") from None

    def changed() -> str:
        try:
            now = path.stat()
        except OSError:
            return ""  # it has lost its name, not its place
        if (now.st_dev, now.st_ino) != file_of:
            return ""
        if now.st_size < size:
            return _LOST
        # What kernels have been told of the content is of another one.
        return "" if now.st_mtime_ns == kind.st_mtime_ns else _WRITTEN

    try:
        # Whoever has a part of the array keeps the guard with the memory.
        mapped.guard = Guard(str(path), mapped, changed)
    except RuntimeError:
        raise FileError(f"path: {str(path)!r}: too many files are mapped by the process") from None
    return np.asarray(mapped), mapped.guard.check
