"""The right to write a file in place, which one call at a time has."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from typing import BinaryIO

from spbfs.exceptions import FileBusy
from spbfs.io.files.refusals import unwritable

__all__ = ["FileLock"]


class FileLock:
    """The right to write `path`, against other processes and threads, until `release`.

    A file beside it is locked, since the file itself may be replaced on the way; the system unlocks
    it when the process ends, however it does.

    Parameters
    ----------
    argument : str
        Begins the messages: the argument that names the file.
    path : Path

    Raises
    ------
    FileBusy
        When somebody else has the right.
    FileError, FileMissing
        When nothing can be written beside the file.
    """

    def __init__(self, argument: str, path: Path) -> None:
        self.path = path.with_name(path.name + ".lock")
        self._argument, self._wanted = argument, path
        self._file: BinaryIO | None = None
        self._marker: Path | None = None
        try:
            while self._file is None:
                self._file = self._locked()
        except OSError as error:
            raise unwritable(argument, path, error) from None

    def _locked(self) -> BinaryIO | None:
        """The lock's file, locked; None where its last owner has removed it in between."""
        file = open(self.path, "a+b")  # noqa: SIM115
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                owner = file.read(20).decode("ascii", "replace")
                raise self._busy(f"process {owner}" if owner else "another process") from None
            except OSError:
                self._mark()  # a file system without locks
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.stat(self.path), os.fstat(file.fileno())):
                    file.truncate(0)
                    file.write(str(os.getpid()).encode())
                    file.flush()
                    return file
        except BaseException:
            file.close()
            raise
        file.close()
        return None

    def _mark(self) -> None:
        """Exclusive creation instead of a lock."""
        marker = self.path.with_name(self.path.name + ".owned")
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            left = f"another process, or one that was killed and left {str(marker)!r}"
            raise self._busy(left) from None
        self._marker = marker

    def _busy(self, owner: str) -> FileBusy:
        return FileBusy(
            f"{self._argument}: {str(self._wanted)!r} is being written by {owner}; "
            "expected one call at a time"
        )

    def release(self) -> None:
        """Give up the right."""
        if self._file is None:
            return
        # Removed while it is locked: whoever waits for this file looks whether it is still there.
        for left in (self.path, self._marker):
            if left is not None:
                with contextlib.suppress(OSError):
                    left.unlink()
        with contextlib.suppress(OSError):
            # For a child that was forked meanwhile, too.
            fcntl.flock(self._file, fcntl.LOCK_UN)
        self._file.close()
        self._file = None
