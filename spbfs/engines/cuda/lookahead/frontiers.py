"""Vectors that are steps of a search computed ahead: their arrays are written for who looks.

They are `CudaVector` in all but that, and become plain ones when it happens: the same object, so
that whoever holds it need not know.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from weakref import ref

import numpy as np

from spbfs.engines.cuda.vectors.data import CudaVector
from spbfs.storage.data import VectorData

__all__ = ["Frontier", "Visited", "Written", "frontier"]

Array = Any
#: Where a plain vector keeps its arrays.
_PRESENT: Any = vars(VectorData)["present"]
_VALUES: Any = vars(VectorData)["values"]


class Written:
    """What the frontiers of a search wrote into a vector.

    Parameters
    ----------
    run : Run
        The search; kept weakly, since whoever needs it has one of its frontiers.
    first : int
        The level from which on nothing is in the arrays yet.
    table : list or None
        The value of each level from there on; None where every vertex gets its parent.
    dtype : numpy.dtype
        Of the vector.
    whole : bool
        Whether the vector has just what was visited when the search began and the levels since.
    list : VectorData or None
        The list that the vector was when it was first written; it has no arrays of its own then.
    """

    __slots__ = ("dtype", "first", "list", "run", "table", "whole")

    def __init__(
        self,
        run: Any,
        first: int,
        table: list[Any] | None,
        dtype: np.dtype[Any],
        whole: bool,
        listed: VectorData | None = None,
    ) -> None:
        self.run = ref(run)
        self.first, self.table, self.dtype, self.whole = first, table, dtype, whole
        self.list = listed


def _looked_at(name: str) -> property:
    def look(self: Any) -> Any:
        run = self.run
        if run is not None:  # else another thread has just looked
            run.settle(self)
        return getattr(self, name)

    return property(look, partial(_set, name=name))


def _set(step: Any, array: Array, name: str) -> None:
    """Who gives a step an array of its own writes to it, too."""
    step.run.settle(step)
    setattr(step, name, array)


class _Step(CudaVector):
    """A bitmap whose arrays are not there yet."""

    __slots__ = ()

    present = _looked_at("present")
    form = "bitmap"
    arrays = ()  # none that anybody else has

    def become(self, values: Array, present: Array) -> None:
        """A plain vector with these arrays."""
        _PRESENT.__set__(self, present)
        _VALUES.__set__(self, values)
        self.__class__ = CudaVector  # type: ignore[assignment]


class Frontier(_Step):
    """The vertices of one level of a search."""

    __slots__ = ()

    __init__ = object.__init__  # made by `frontier`

    # What every frontier has alike need not be stored in each.
    indices = held = room = box = degrees = habit = written = None
    queue = totals = work = 0
    ticket = edges = at_most = -1

    @property
    def size(self) -> int:  # type: ignore[override]
        """Number of elements."""
        return int(self.run.size)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        made: np.dtype[Any] = self.run.dtype
        return made

    @property
    def values(self) -> Array:
        known = self.run.values
        if known is None:
            self.run.settle(self)
            known = self.values  # of a plain vector now
        return known

    @values.setter
    def values(self, array: Array) -> None:
        _set(self, array, "values")

    def become(self, values: Array, present: Array) -> None:
        for name in _ALIKE:
            getattr(CudaVector, name).__set__(self, getattr(self, name))
        super().become(values, present)


def frontier(run: Any, depth: int, count: int) -> Frontier:
    """The `count` vertices `depth` steps from where a search began."""
    made = Frontier()
    made.run = run
    made.depth = depth
    made.counted = count
    return made


_ALIKE = tuple(
    name for name in vars(Frontier) if name in CudaVector.__dataclass_fields__ and name != "values"
)


class Visited(_Step):
    """A vector and the levels of a search that were written into it."""

    __slots__ = ()

    indices = None
    values = _looked_at("values")

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.written.dtype

    @classmethod
    def of(cls, w: VectorData, run: Any, depth: int, written: Written, counted: int) -> Visited:
        """`w` written under the frontier of `depth`: itself, where it has arrays to write into."""
        if isinstance(w, CudaVector):
            made: Any = w
        else:
            values = None if written.list is not None else w.values
            made = CudaVector(w.size, values, present=w.present)
        made.run, made.depth, made.written, made.counted = run, depth, written, counted
        made.__class__ = cls
        return made

    def before(self) -> VectorData:
        """The arrays as they are, to be written."""
        return VectorData(self.size, _VALUES.__get__(self), present=_PRESENT.__get__(self))

    def become(self, values: Array, present: Array) -> None:
        written = self.written
        written.first, written.list = self.depth + 1, None
        written.table = None if written.table is None else []
        super().become(values, present)
        self.run = None
