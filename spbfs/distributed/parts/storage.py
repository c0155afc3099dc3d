"""What a distributed Matrix or Vector holds: this rank's part, and how parts fit together.

Whoever reads arrays that would hold the whole gets a typed error instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from spbfs.base.wording import counted
from spbfs.distributed.parts.partition import Partition
from spbfs.distributed.parts.sides import Side
from spbfs.exceptions import NotImplementedException
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.derived import Derived

__all__ = ["DistributedMatrix", "DistributedVector", "Ends"]

Array = Any
Ints = npt.NDArray[np.int64]


def _whole(self: Any) -> NoReturn:
    raise NotImplementedException(
        f"this needs all entries of {self.kind} in one place, and they are spread over "
        f"{counted(self.partition.size, 'rank')}; .gather() brings them there, "
        ".local has those of this rank"
    )


@dataclass(eq=False, slots=True)
class DistributedVector:
    """A vector over the vertices of a partition: this rank's elements, by their places."""

    partition: Partition
    part: VectorData
    #: Entries at all ranks where known, else -1.
    counted: int = -1

    kind = "a vector"
    values = indices = form = property(_whole)
    #: There are no flags of the whole.
    present = None

    @property
    def size(self) -> int:
        """Elements of the whole."""
        return self.partition.n

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.size,)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.part.dtype

    @property
    def nbytes(self) -> int:
        """Bytes held by this rank."""
        return self.part.nbytes


@dataclass(frozen=True, eq=False, slots=True)
class Ends:
    """Both ends of a matrix's edges, and its degrees, on the GPU from which ranks exchange."""

    rows: Side
    columns: Side
    degrees: Array

    @property
    def nbytes(self) -> int:
        """Bytes held there."""
        return self.rows.nbytes + self.columns.nbytes + int(self.degrees.nbytes)


@dataclass(eq=False, slots=True, weakref_slot=True)
class DistributedMatrix:
    """A matrix over the vertices of a partition: this rank's edges, and both their ends."""

    partition: Partition
    part: MatrixData
    rows: Side
    columns: Side
    #: Entries at all ranks.
    nvals: int
    #: Entries of each of this rank's own rows, wherever they lie.
    degrees: Ints
    #: Whether all values, at all ranks, are one that is stored once.
    iso: bool
    derived: Derived = field(default_factory=Derived, repr=False)
    #: Made and kept by `DistributedEngine.ends`; true as long as rows, columns and degrees are.
    on_gpu: Ends | None = field(default=None, repr=False)
    #: How often its rows were pulled, and the column that every row asks first once that was often;
    #: kept by `Compiled`.
    pulls: int = 0
    likeliest: Array | None = field(default=None, repr=False)
    #: Arrays that a search leaves to the next one; likewise.
    room: Any = field(default=None, repr=False)

    kind = "a matrix"
    values = indices = indptr = property(_whole)

    @property
    def nrows(self) -> int:
        """Rows of the whole."""
        return self.partition.n

    ncols = nrows

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.nrows, self.nrows)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.part.dtype

    @property
    def nbytes(self) -> int:
        """Bytes held by this rank, what is derived included."""
        sides = {id(side): side.nbytes for side in (self.rows, self.columns)}
        held = self.part.nbytes + sum(sides.values()) + self.degrees.nbytes + self.derived.nbytes
        kept: tuple[Any, ...] = self.derived.transpose, self.on_gpu, self.likeliest
        kept += (self.room,)
        return held + sum(int(x.nbytes) for x in kept if x is not None)
