"""The typed errors of spbfs; each message names the argument, the value and what was expected."""

from __future__ import annotations

from typing import Any

__all__ = [
    "BackendUnavailable",
    "ConvergenceFailure",
    "DeviceMismatch",
    "DimensionMismatch",
    "DomainMismatch",
    "EmptyObject",
    "FileBusy",
    "FileError",
    "FileMissing",
    "FormatError",
    "GraphCyclic",
    "GraphblasException",
    "IndexBeyondShape",
    "IndexOutOfBound",
    "IndexOutOfRange",
    "InvalidCall",
    "InvalidEntry",
    "InvalidIndex",
    "InvalidObject",
    "InvalidOffsets",
    "InvalidValue",
    "KindMismatch",
    "NameTaken",
    "NegativeCycle",
    "NotImplementedException",
    "NotIndices",
    "OperatorUndefined",
    "OutOfMemory",
    "OutOfRange",
    "OutputNotEmpty",
    "PackageMissing",
    "RankFailed",
    "SpbfsError",
    "UdfParseError",
    "UnknownDtype",
    "UnknownLabel",
    "VerificationError",
    "VertexError",
    "WorkerError",
    "WrongOperator",
]


#: Characters of a vertex's name that a message shows.
_LONGEST = 80


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


class WrongOperator(InvalidValue, DomainMismatch, AttributeError):
    """What should name an operator is no name, or names one of another kind."""


class VertexError(SpbfsError):
    """An error at vertices: those that its message names, by their names where a graph has such.

    Parameters
    ----------
    message : str
        With ``{}`` for each of the vertices, as `str.format` has it.
    *vertices : int
        Numbers, which become names on the way out of an algorithm over a graph that has names.
    """

    def __init__(self, message: str, *vertices: Any) -> None:
        # Integers of NumPy and CuPy as Python's own; True and members of an IntEnum are names.
        super().__init__(message, *(v.item() if _is_array_s(v) else v for v in vertices))

    @property
    def vertices(self) -> list[Any]:
        """The vertices, each an integer or a name."""
        return list(self.args[1:])

    def __str__(self) -> str:
        message, *vertices = self.args
        return str(message.format(*map(_shown, vertices)) if vertices else message)


def _is_array_s(vertex: Any) -> bool:
    # One of CuPy is an array without dimensions, which has no `__index__`.
    return getattr(getattr(vertex, "dtype", None), "kind", "") in ("i", "u")


def _shown(vertex: Any) -> str:
    """A number, or a name that may be long."""
    text = repr(vertex)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


class GraphCyclic(VertexError, InvalidValue):
    """A graph that may have no cycle has one, on which its attribute `vertex` is."""

    @property
    def vertex(self) -> Any:
        """A vertex of the cycle, by its name where the graph has names."""
        return self.vertices[0]


class NegativeCycle(VertexError, InvalidValue):
    """Paths become shorter for ever along a cycle, whose vertices are its attribute `vertices`."""


class InvalidEntry(VertexError, InvalidValue):
    """An entry has a value that it may not have, or occurs twice; its row and its column are its
    attribute `vertices`."""


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


class UnknownLabel(IndexOutOfBound, KeyError):
    """No vertex has the name that was given."""

    # That of a KeyError would put quotes around the message.
    __str__ = Exception.__str__


class IndexOutOfRange(IndexOutOfBound, OverflowError):
    """An index is negative, or too large for any dimension."""


class EmptyObject(InvalidValue):
    """A Scalar that is empty was given where a value is needed."""


class InvalidObject(SpbfsError, ValueError):
    """Arrays that should be a matrix's or a vector's storage contradict one another."""


class InvalidOffsets(InvalidValue, InvalidObject):
    """Offsets of compressed rows or columns decrease, or begin or end where they should not."""


class IndexBeyondShape(IndexOutOfBound, InvalidObject):
    """Compressed rows or columns name an index that is beyond the shape they come with."""


class OutputNotEmpty(InvalidValue):
    """What would be filled from nothing has entries already; `clear` empties it."""


class NotImplementedException(DomainMismatch, NotImplementedError):
    """The operation is known, but not for operands or operators of this kind."""


class UdfParseError(DomainMismatch, ValueError):
    """A function cannot be followed, or gives no number, so no operator can be made of it."""


class DeviceMismatch(SpbfsError, ValueError):
    """Operands of one operation live on different devices."""


class BackendUnavailable(SpbfsError, RuntimeError):
    """The engine asked for cannot run here; the message says what is missing."""


class WorkerError(SpbfsError, RuntimeError):
    """Workers of a cluster are missing, lost or of other versions; the message says which."""


class PackageMissing(SpbfsError, ImportError):
    """A package that is needed for this, and that not everybody has, is not installed."""


class RankFailed(SpbfsError, RuntimeError):
    """One of the processes that run a program together has failed; the message says which, why."""


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


class VerificationError(VertexError, AssertionError):
    """A result breaks a rule it must keep; the message names the first violation."""


class ConvergenceFailure(SpbfsError, ArithmeticError):
    """Rounds that should come to rest did not in as many as they were allowed.

    Parameters
    ----------
    iterations : int
        Rounds that were made.
    change : float or None
        What the last of them changed, as a share of all values; None where values were to stay
        as they are, or no number was asked for, or there was none.
    tolerance : float or None
        What was expected of it at most.
    """

    def __init__(
        self, iterations: int, change: float | None = None, tolerance: float | None = None
    ) -> None:
        self.iterations, self.change, self.tolerance = iterations, change, tolerance
        last = "the last still changed something; more of them may help"
        if iterations == 0:
            last = "expected at least 1 for values to come to rest in"
        elif change is not None:
            last = f"the last change is {change:.3g}, expected at most {tolerance:.3g}"
            if change == change:  # nothing helps where it is NaN
                last += "; more iterations or a larger tolerance may help"
        super().__init__(f"no convergence in {iterations} iterations: {last}")

    def __reduce__(self) -> tuple[type[ConvergenceFailure], tuple[object, ...]]:
        return type(self), (self.iterations, self.change, self.tolerance)


# The names that python-graphblas has for the base of all its errors and for an index that is
# beyond a dimension: programs that catch them catch ours.
GraphblasException = SpbfsError
InvalidIndex = IndexOutOfBound


def __dir__() -> list[str]:
    return sorted(__all__)  # by itself: nothing of ours is below
