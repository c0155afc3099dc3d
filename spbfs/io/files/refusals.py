"""What the system says when a file cannot be written, as a typed error that names the file."""

from __future__ import annotations

from pathlib import Path

from spbfs.exceptions import FileError, FileMissing

__all__ = ["unwritable"]


def unwritable(argument: str, path: Path, error: OSError) -> FileError:
    """The error to raise when writing the file that an argument names was refused."""
    if isinstance(error, FileError):
        return error
    if isinstance(error, FileNotFoundError) and not path.parent.is_dir():
        return FileMissing(f"{argument}: {str(path.parent)!r} is not a directory")
    return FileError(f"{argument}: {str(path)!r} cannot be written: {error.strerror or error}")
