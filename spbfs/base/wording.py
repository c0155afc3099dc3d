"""Values in messages: numbers and names as they are, of what holds many of them what it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from typing import Any

from spbfs.exceptions import SpbfsError

__all__ = ["brief", "counted", "ruled", "said_of"]

#: Characters of a value and of another error's message, and items of a list, that one shows.
_LONGEST = 80
_LONGEST_REASON = 200
_ITEMS = 5
#: Bits of an integer that is shown in digits: of very long ones Python makes none.
_LONGEST_NUMBER = 256


def brief(value: Any) -> str:
    """A value for a message, without the entries of a matrix, an array, a table.

    Of an error it is its message, in which another library may have put a whole file.

    Examples
    --------
    >>> import numpy as np
    >>> brief(3.5), brief("plus"), brief(np.zeros((3, 4)))
    ('3.5', "'plus'", 'ndarray of shape (3, 4)')
    >>> brief([1, 2]), brief([0] * 1000)
    ('[1, 2]', 'list of 1,000 items')
    """
    kind = type(value).__name__
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER:
        return f"an integer of {value.bit_length():,} bits"
    if isinstance(value, BaseException):
        return _short(str(value), _LONGEST_REASON)
    if isinstance(value, type):
        return _short(repr(value))
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and not shape:
        return _shown(value)  # an array without dimensions has no length
    if shape is not None:
        return f"{kind} of shape {shape}" if isinstance(shape, tuple) else kind
    if isinstance(value, list | tuple):
        if len(value) > _ITEMS:
            return f"{kind} of {len(value):,} items"
        inner = ", ".join(brief(item) for item in value)
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner}{',' if len(value) == 1 else ''})"
    if isinstance(value, Sized) and not isinstance(value, str | bytes):
        return f"{kind} of {len(value):,} {'entries' if isinstance(value, Mapping) else 'items'}"
    return _shown(value)


def _shown(value: Any) -> str:
    try:
        return _short(repr(value))
    except Exception:  # of another's class: what is wrong is to be said all the same
        return f"a {type(value).__name__}"


def counted(count: int, noun: str) -> str:
    """So many of something.

    Examples
    --------
    >>> counted(1, "rank"), counted(4, "rank")
    ('1 rank', '4 ranks')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def ruled(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as text: columns as wide as their widest cell, a rule below their names.

    Examples
    --------
    >>> print(ruled(["level", "direction"], [["0", "push"]]))
    level  direction
    -----  ---------
    0      push
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


@contextmanager
def said_of(**arguments: str) -> Iterator[None]:
    """Errors of a call inside, which begin with one of its arguments, name that of the caller's.

    Parameters
    ----------
    **arguments : str
        Of the call inside, by what its callers know them as.

    Examples
    --------
    >>> from spbfs.exceptions import InvalidValue
    >>> with said_of(matrix="A"):
    ...     raise InvalidValue("matrix: expected a square one")
    Traceback (most recent call last):
    spbfs.exceptions.InvalidValue: A: expected a square one
    """
    try:
        yield
    except SpbfsError as error:
        message, *others = error.args or ("",)
        subject, colon, rest = str(message).partition(": ")
        if colon and subject in arguments:
            error.args = (f"{arguments[subject]}: {rest}", *others)
        raise


def _short(text: str, longest: int = _LONGEST) -> str:
    first, newline, _ = text.partition("\n")
    return first if len(first) <= longest and not newline else f"{first[:longest]}..."
