"""Objects that are spread over processes: the part here, the whole, and a file of all parts.

Those that lie in one process have themselves for a part and for the whole, so that a program for
ranks runs on one device as it is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidCall, NotImplementedException
from spbfs.objects.checks import as_number
from spbfs.objects.classes import classes
from spbfs.operators.casts import cast
from spbfs.operators.dtypes import DType, scalar_dtype

if TYPE_CHECKING:
    from spbfs.objects.stored_object import StoredObject
    from spbfs.objects.vector import Vector

X = TypeVar("X")

__all__ = ["check_takes_elements", "gather", "local", "to_file", "whole"]


def check_takes_elements(x: StoredObject) -> None:
    """Refuse to set or delete an element of a matrix over processes: it would wait for ever."""
    if x.ndim == 2 and x._engine.spread is not None:
        raise NotImplementedException(
            f"assign element: not for a matrix on {x.device!r}; A.gather() brings it to one place"
        )


def whole(x: X) -> X:
    """The object, its entries in one place: over ranks that gathers it, and all of them call it.

    For what is looked at as an array; an object of one process is itself.
    """
    stored: Any = x
    gathered: X = stored if stored._engine.spread is None else stored.gather()
    return gathered


@typed_refusals
def local(self: StoredObject) -> Any:
    """What of the object is in this process, by the same indices, in host memory.

    Of an object that no `spbfs.distributed` has spread over ranks that is all of it.

    Returns
    -------
    Matrix or Vector
        Of the same shape.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.Vector.from_coo([2], [5], size=3).local.to_dict()
    {2: 5}
    """
    spread = self._engine.spread
    if spread is None:
        return self.to("cpu")
    make: Any = classes.Vector if self.ndim == 1 else classes.Matrix
    return make._from_data(spread.local(self._ready()), "cpu", self.name)


def gather(self: StoredObject) -> Any:
    """The whole object in the host memory of every process: for small ones.

    All ranks call it.  Of an object that is not spread it is the object in host memory.

    Returns
    -------
    Matrix or Vector

    Raises
    ------
    OutOfMemory
        When it does not fit.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.Vector.from_coo([2], [5], size=3).gather().to_dict()
    {2: 5}
    """
    return self.to("cpu")


def to_file(self: Vector, path: Any, fill_value: Any = -1) -> None:
    """Write all elements of a vector over ranks to a ``.npy`` file, absent ones replaced.

    All ranks call it, and each writes a part.  The file appears, or replaces an older one, only
    when it is complete.

    Parameters
    ----------
    path : str or os.PathLike
    fill_value : number, optional
        Stands for absent elements; the vector's type, which the file has, holds it.

    Raises
    ------
    FileError, FileMissing
        The file cannot be written.
    DomainMismatch, OutOfRange
        `fill_value` is no number of the vector's type, as -1 is none of BOOL.
    InvalidValue
        An argument differs between ranks.
    InvalidCall
        The vector lies in one process.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.Vector.from_dense([1, 2]).to_file("levels.npy")
    Traceback (most recent call last):
        ...
    spbfs.exceptions.InvalidCall: to_file: expected a vector over ranks; numpy.save takes to_dense()
    """
    spread = self._engine.spread
    if spread is None:
        raise InvalidCall("to_file: expected a vector over ranks; numpy.save takes to_dense()")
    spread.agree({"the function": "to_file"})
    spread.write_file(self._ready(), path, spread.settle(lambda: _fill(fill_value, self.dtype)))


def _fill(fill_value: Any, dtype: DType) -> Any:
    """What stands for absent elements among those of a type, in which reals may be rounded."""
    number = as_number(fill_value, "fill_value")
    kept = cast(np, np.asarray(number, scalar_dtype(number, "fill_value").np_type), dtype.np_type)
    given, held = np.asarray(number).item(), kept.item()
    rounded = dtype.is_float and (math.isfinite(held) or not math.isfinite(given))
    if given != held and not rounded:
        raise DomainMismatch(
            f"fill_value: expected a number of {dtype}, as the vector's are, got {brief(given)}"
        )
    return kept[()]
