"""The typed errors of spbfs; each message names the argument, the value and what was expected."""

from __future__ import annotations

__all__ = [
    "BackendUnavailable",
    "DeviceMismatch",
    "DimensionMismatch",
    "DomainMismatch",
    "FileError",
    "FileMissing",
    "FormatError",
    "IndexOutOfBound",
    "InvalidValue",
    "OutOfMemory",
    "SpbfsError",
    "VerificationError",
]


class SpbfsError(Exception):
    """Base of every error that spbfs raises on purpose."""


class DimensionMismatch(SpbfsError, ValueError):
    """Shapes of the operands, mask or output do not fit together."""


class DomainMismatch(SpbfsError, TypeError):
    """A dtype or operator cannot be used where it was given."""


class IndexOutOfBound(SpbfsError, IndexError):
    """An index is negative or not below the dimension it addresses."""


class InvalidValue(SpbfsError, ValueError):
    """An argument has a value that is not allowed."""


class DeviceMismatch(SpbfsError, ValueError):
    """Operands of one operation live on different devices."""


class BackendUnavailable(SpbfsError, RuntimeError):
    """The engine asked for cannot run here; the message says what is missing."""


class OutOfMemory(SpbfsError, MemoryError):
    """A request does not fit; the message says bytes needed and bytes free."""


class FileError(SpbfsError, OSError):
    """A file cannot be opened, read or written; the message names it and the reason."""


class FileMissing(FileError, FileNotFoundError):
    """There is no file of the name that was given."""


class FormatError(SpbfsError, ValueError):
    """A file is malformed; the message names the file, the line where known, and the reason."""


class VerificationError(SpbfsError, AssertionError):
    """A result breaks a rule it must keep; the message names the first violation."""
