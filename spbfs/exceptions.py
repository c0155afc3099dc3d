"""The typed errors of spbfs; each message names the argument, the value and what was expected."""

from __future__ import annotations

__all__ = [
    "BackendUnavailable",
    "DeviceMismatch",
    "DimensionMismatch",
    "DomainMismatch",
    "EmptyObject",
    "FileBusy",
    "FileError",
    "FileMissing",
    "FormatError",
    "GraphblasException",
    "IndexBeyondShape",
    "IndexOutOfBound",
    "IndexOutOfRange",
    "InvalidCall",
    "InvalidIndex",
    "InvalidObject",
    "InvalidValue",
    "KindMismatch",
    "NameTaken",
    "NotImplementedException",
    "NotIndices",
    "OperatorUndefined",
    "OutOfMemory",
    "OutOfRange",
    "OutputNotEmpty",
    "PackageMissing",
    "SpbfsError",
    "UdfParseError",
    "UnknownDtype",
    "VerificationError",
]


class SpbfsError(Exception):
    """Base of every error that spbfs raises on purpose."""


class DimensionMismatch(SpbfsError, ValueError):
    """Shapes of the operands, mask or output do not fit together."""


class DomainMismatch(SpbfsError, TypeError):
    """A dtype or operator cannot be used where it was given."""


class UnknownDtype(DomainMismatch, ValueError):
    """What should name a type names none."""


class NotIndices(DomainMismatch, ValueError):
    """What should be indices is no array of whole numbers."""


class IndexOutOfBound(SpbfsError, IndexError):
    """An index is negative or not below the dimension it addresses."""


class InvalidValue(SpbfsError, ValueError):
    """An argument has a value that is not allowed."""


class NameTaken(InvalidValue, AttributeError):
    """An operator has the name already that another was to be kept under."""


class OperatorUndefined(DomainMismatch, KeyError):
    """An operator is not defined for a type."""

    # That of a KeyError would put quotes around the message.
    __str__ = Exception.__str__


class KindMismatch(DimensionMismatch, DomainMismatch):
    """A vector stands where a matrix is expected, a number where a vector is, or the like."""


class InvalidCall(InvalidValue, DomainMismatch):
    """The arguments of a call do not go together: one is given twice, or excludes another."""


class OutOfRange(InvalidValue, OverflowError):
    """A whole number does not fit the dimension or the type that it is for."""


class IndexOutOfRange(IndexOutOfBound, OverflowError):
    """An index is negative, or too large for any dimension."""


class EmptyObject(InvalidValue):
    """A Scalar that is empty was given where a value is needed."""


class InvalidObject(SpbfsError, ValueError):
    """Arrays that should be a matrix's or a vector's storage contradict one another."""


class IndexBeyondShape(IndexOutOfBound, InvalidObject):
    """Compressed rows or columns name an index that is beyond the shape they come with."""


class OutputNotEmpty(InvalidValue):
    """What would be filled from nothing has entries already; `clear` empties it."""


class NotImplementedException(DomainMismatch, NotImplementedError):
    """The operation is known, but not for operands or operators of this kind."""


class UdfParseError(DomainMismatch):
    """A function cannot be followed, so no operator can be made of it."""


class DeviceMismatch(SpbfsError, ValueError):
    """Operands of one operation live on different devices."""


class BackendUnavailable(SpbfsError, RuntimeError):
    """The engine asked for cannot run here; the message says what is missing."""


class PackageMissing(SpbfsError, ImportError):
    """A package that is needed for this, and that not everybody has, is not installed."""


class OutOfMemory(SpbfsError, MemoryError):
    """A request does not fit; the message says bytes needed and bytes free."""


class FileError(SpbfsError, OSError):
    """A file cannot be opened, read or written; the message names it and the reason."""


class FileMissing(FileError, FileNotFoundError):
    """There is no file of the name that was given."""


class FileBusy(FileError):
    """A file that one call at a time may write is being written by another one."""


class FormatError(SpbfsError, ValueError):
    """A file is malformed; the message names the file, the line where known, and the reason."""


class VerificationError(SpbfsError, AssertionError):
    """A result breaks a rule it must keep; the message names the first violation."""


# The names that python-graphblas has for the base of all its errors and for an index that is
# beyond a dimension: programs that catch them catch ours.
GraphblasException = SpbfsError
InvalidIndex = IndexOutOfBound
