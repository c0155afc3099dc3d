"""The engine of objects that are spread over ranks.

A device is a partition of vertices over the ranks of a communicator.  Work on elements is that of
the rank's own engine on its part; products, sums and what changes a part's place are functions.
Whatever has no such function raises `NotImplementedException` and says its name.  From below,

- `exchange`: ranks, whatever they are: how they exchange, agree, and end together;
- `parts`: which rank has which vertices and edges, and how edges get there;
- `algebra`: a file a kind of operation;
- `search`: breadth-first searches, and what each rank knows of its vertices in one;
- `transfer`: objects to ranks and back, and into one file;
- this engine;
- `constructors`: matrices made of what each rank has, with an engine for their partition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from spbfs.base.wording import counted
from spbfs.distributed.algebra import (
    diagonal,
    elements,
    matrix_elements,
    products,
    reductions,
    transpose,
)
from spbfs.distributed.algebra.calls import entered
from spbfs.distributed.exchange.gpus import Exchange
from spbfs.distributed.exchange.ranks import Ranks, everyones, sums, within
from spbfs.distributed.parts.partition import Partition
from spbfs.distributed.parts.sides import Side
from spbfs.distributed.parts.storage import DistributedMatrix, DistributedVector, Ends
from spbfs.distributed.search.flagged import FlagLists
from spbfs.distributed.search.found import level_type
from spbfs.distributed.search.searches import DistributedSearches
from spbfs.distributed.transfer import spread
from spbfs.engines import get_engine
from spbfs.engines.fused import Fused
from spbfs.exceptions import NotImplementedException
from spbfs.objects.placement.devices import transfer
from spbfs.operators.dtypes import DType
from spbfs.storage.data import VectorData, in_host_memory
from spbfs.storage.derived import remember_symmetry
from spbfs.storage.entries import on_host

__all__ = ["DistributedEngine"]

Array = Any


def refused(
    operation: str, advice: str = "A.gather() brings it to one place"
) -> Callable[..., Any]:
    """The method of an operation that objects over ranks do not have."""

    def method(self: DistributedEngine, *args: Any, **options: Any) -> NoReturn:
        raise NotImplementedException(
            f"{operation}: not for objects that are spread over "
            f"{counted(self.ranks.size, 'rank')}; {advice}"
        )

    return method


class DistributedEngine:
    """The engine of one partition; see `spbfs.engines.protocol.Engine`.

    Parameters
    ----------
    name : str
        Its device.
    ranks : Ranks
    partition : Partition
    devices : tuple of str
        Who works on each rank's parts: "cpu", or "cuda" where the rank has a GPU of its own.
    exchange : Exchange
        How subsets of vertices and their values cross: between GPUs, or through host memory.
    """

    fused = Fused()

    def __init__(
        self,
        name: str,
        ranks: Ranks,
        partition: Partition,
        devices: tuple[str, ...],
        exchange: Exchange,
    ) -> None:
        self.name, self.ranks, self.partition = name, ranks, partition
        self.device = devices[ranks.rank]
        #: Whether all ranks work on CPUs.
        self.on_cpus = set(devices) == {"cpu"}
        #: The engine of this rank's parts, and the one of what lies in host memory for a while.
        self.local: Any = get_engine(self.device)
        self.host: Any = get_engine("cpu")
        #: By which subsets of vertices and their values cross, and the engine of these.
        self.exchange = exchange.ranks
        self.staging: Any = self.host if self.exchange.xp is np else self.local
        self.spread = spread.SpreadOver(self, devices, exchange.by)
        #: The vertices of this rank by the numbers that a user knows, where ranks exchange.
        self._names: Array | None = None

    # -- this rank ---------------------------------------------------------------------------
    @property
    def first(self) -> int:
        """The place of this rank's first vertex."""
        return int(self.partition.bounds[self.ranks.rank])

    @property
    def own(self) -> int:
        """How many vertices it has."""
        return int(self.partition.bounds[self.ranks.rank + 1]) - self.first

    def vertices(self, elements: Array) -> Array:
        """The vertices, by the numbers that a user knows, that some of its elements stand for."""
        if in_host_memory(elements):
            return self.partition.numbering.vertices(elements + self.first)
        if self._names is None:
            self._names = self.staging.asarray(self.vertices(np.arange(self.own)))
        return self._names[elements]

    def names(self, side: Side) -> Array:
        """The vertices, by those numbers, that the rows or columns of a side stand for."""
        if side.names is None:
            own = np.arange(self.first, self.first + side.own)
            places = np.concatenate((own, on_host(side.foreign)))
            named = self.partition.numbering.vertices(places).astype(level_type(self.partition.n))
            side.names = side.ranks.xp.asarray(named)
        return side.names

    def own_elements(self, vertices: Array) -> tuple[Array, Array]:
        """Which of some vertices are this rank's, by position, and its elements for these."""
        elements = self.partition.numbering.places(vertices) - self.first
        mine = np.flatnonzero((elements >= 0) & (elements < self.own))
        return mine, elements[mine]

    # -- to and from the rank's own device ---------------------------------------------------
    def on_host(self, x: Any) -> Any:
        """A part in host memory: nothing else is handed to other ranks."""
        return x if self.local is self.host else transfer(x, self.local, "cpu")

    def on_device(self, x: Any) -> Any:
        """A part where the rank's engine works."""
        return x if self.local is self.host else transfer(x, self.host, self.device)

    # -- to and from where ranks exchange -----------------------------------------------------
    def to_staging(self, x: Any) -> Any:
        """A part in the memory from which this rank exchanges."""
        return x if self.local is self.staging else self.on_host(x)

    def from_staging(self, x: Any) -> Any:
        """A part, from there, where the rank's engine works."""
        return x if self.local is self.staging else self.on_device(x)

    def ends(self, A: DistributedMatrix) -> DistributedMatrix | Ends:
        """What has both ends of a matrix's edges and its degrees there."""
        if self.staging is self.host:
            return A
        if A.on_gpu is None:
            rows, columns = A.rows.on(self.exchange), A.columns.on(self.exchange)
            A.on_gpu = Ends(rows, columns, self.staging.asarray(A.degrees))
        return A.on_gpu

    def flag_lists(self, side: Side) -> FlagLists:
        """The lists of a side there, for flags to cross."""
        if side.flag_lists is None:
            side.flag_lists = FlagLists(side)
        return side.flag_lists

    def matrix_on_host(self, A: DistributedMatrix) -> DistributedMatrix:
        """A matrix whose part is in host memory."""
        if self.local is self.host:
            return A
        return elements.with_part(A, self.on_host(A.part), iso=A.iso)

    def matrix_on_device(self, A: DistributedMatrix) -> DistributedMatrix:
        """A matrix whose part is where the rank's engine works."""
        if self.local is self.host:
            return A
        made = elements.with_part(A, self.on_device(A.part), iso=A.iso)
        if A.derived.symmetric:
            remember_symmetry(made)
        return made

    def one_value(self, A: DistributedMatrix) -> Array:
        """The one value of an iso matrix, or one of its type, in host memory; collective, as a rank
        without entries does not know it."""
        mine = on_host(A.part.values[:1]) if A.part.nvals else np.empty(0, A.dtype)
        known = [values for values in everyones(self.ranks, mine) if values.shape[0]]
        return known[0] if known else np.ones(1, A.dtype)

    # -- arrays ------------------------------------------------------------------------------
    def asarray(self, array: Array, dtype: DType | None = None) -> Array:
        """An array that every rank has: in host memory."""
        return self.host.asarray(array, dtype)

    def to_numpy(self, array: Array) -> np.ndarray[Any, Any]:
        return self.host.to_numpy(array)

    # -- construction ------------------------------------------------------------------------
    def build_vector(self, size: int, indices: Array, values: Array, dup: Any) -> DistributedVector:
        return self.spread.scatter(self.host.build_vector(size, indices, values, dup))

    def build_matrix(
        self, nrows: int, ncols: int, rows: Array, cols: Array, values: Array, dup: Any
    ) -> DistributedMatrix:
        return self.spread.scatter(self.host.build_matrix(nrows, ncols, rows, cols, values, dup))

    # -- operations --------------------------------------------------------------------------
    mxv = products.mxv
    ewise_add = entered(elements.ewise_add)
    ewise_mult = entered(elements.ewise_mult)
    ewise_union = entered(elements.ewise_union)
    apply = entered(elements.apply)
    apply_bind = entered(elements.apply_bind)
    apply_index = entered(elements.apply_index)
    select = entered(elements.select)
    cast = entered(elements.cast)
    copy = entered(elements.copy)
    write = entered(elements.write)
    assign_scalar_vector = entered(elements.assign_scalar_vector)
    assign_scalar_matrix = entered(matrix_elements.assign_scalar_matrix)
    extract_vector = elements.extract_vector
    assign_vector = entered(elements.assign_vector)
    reduce = entered(reductions.reduce, always=True)
    reduce_rowwise = entered(reductions.reduce_rowwise)
    row_ends = reductions.row_ends
    in_edges = entered(transpose.in_edges)
    transpose = entered(transpose.transposed)

    diag_matrix = entered(diagonal.diag_matrix, always=True)
    diag_vector = entered(diagonal.diag_vector)
    mxm = entered(diagonal.mxm)

    kronecker = refused("kronecker")
    extract_matrix = refused("extract of rows and columns")
    assign_matrix = refused("assign to rows and columns")
    edited = refused("assign element")
    keeps_edits = False

    def entry_rows(self, A: DistributedMatrix) -> Array:
        """What all entries are asked for: the matrix refuses, as no rank has them."""
        return self.host.entry_rows(A)

    def nvals(self, x: DistributedVector | DistributedMatrix) -> int:
        """Entries at all ranks; collective where they were not counted yet."""
        if isinstance(x, DistributedMatrix):
            return x.nvals
        if x.counted < 0:
            with within(self.ranks, "nvals"):
                (x.counted,) = sums(self.ranks, self.local.nvals(x.part))
        return x.counted

    # -- traversal ---------------------------------------------------------------------------
    def searches(self, A: Any) -> DistributedSearches:
        """The fused searches of a matrix."""
        return DistributedSearches(self, A)

    many_searches = refused("searches in batches", "spbfs.bfs_many is there")
    searches_from_host = refused("part_edges", "the edges of a rank are not cut")
    search_as_given = refused("bfs of arrays")

    def vector(self, part: VectorData) -> DistributedVector:
        """A vector with this part at this rank."""
        return DistributedVector(self.partition, part)
