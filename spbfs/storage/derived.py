"""What is worked out from a matrix and kept with it: all of it is declared here.

The arrays of a `MatrixData` are never written, so what follows from them is valid for its life;
another matrix, made when entries change, begins with nothing.  What is kept decides how fast later
calls are, never what they find.  Every field has one owner, the function that makes it when it is
first asked for and that everybody else calls; nobody else writes it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from spbfs.base.flags import any_true
from spbfs.base.forks import fork_safe_lock
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.dtypes import DType
from spbfs.storage.arrays import is_iso, nbytes_of

if TYPE_CHECKING:
    from spbfs.storage.data import MatrixData

__all__ = [
    "Derived",
    "FilledRows",
    "Held",
    "HubsFirst",
    "Ledger",
    "Replicas",
    "RowFacts",
    "carry_over",
    "has_whole_values",
    "keeping",
    "known_symmetry",
    "known_transpose",
    "launches_of",
    "ledger_of",
    "remember_hubs_first",
    "remember_loops",
    "remember_symmetry",
    "remember_transpose",
    "replicas_of",
]

Array = Any  # numpy.ndarray or cupy.ndarray

#: Held while a field is set, never while what it is set to is made: of two threads that make the
#: same thing, both end up with that of the first.  A finaliser or a signal may come in between and
#: want it, too, so a thread may take it twice.
keeping = fork_safe_lock()


class Held(Protocol):
    """What takes memory, which a room above this one makes and knows more of."""

    @property
    def nbytes(self) -> int:
        """Bytes held now."""


class Keeps(Protocol):
    """A matrix of any storage, with which things are kept."""

    derived: Derived


@dataclass(frozen=True, slots=True)
class RowFacts:
    """The longest row, and how many rows have entries."""

    longest: int
    filled: int


@dataclass(frozen=True, slots=True)
class HubsFirst:
    """The columns of all entries by their new numbers, and these by the old; both None where it
    does not pay."""

    indices: Array | None = None
    rank: Array | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of both."""
        return sum(int(a.nbytes) for a in (self.indices, self.rank) if a is not None)


@dataclass(frozen=True, slots=True)
class FilledRows:
    """A packed bit a row, set where it holds entries, and how many are set."""

    bits: Array
    count: int

    @property
    def nbytes(self) -> int:
        """Bytes of the bits."""
        return int(self.bits.nbytes)


@dataclass(slots=True)
class Ledger:
    """What is remembered of the products of a matrix, to decide what to derive from it."""

    #: Nanoseconds that its missing transpose has cost; written by `_direction` of each engine.
    regret: float = 0.0
    #: Products of all rows and a vector that has every element, and rounds of PageRank; written by
    #: `cuda.products.pull`, `cuda.algorithms.pagerank` and `cpu.graph.hubs_first`.
    sums: int = 0
    #: Pulls by its rows that stopped at the first hit; written by `VectorProducts._pull`.
    pulls: int = 0


@dataclass(frozen=True, slots=True)
class Replicas:
    """The same matrix where others search it for the caller."""

    #: In the memory of this process's other GPUs, by their numbers.
    on_gpus: dict[int, MatrixData] = field(default_factory=dict)
    #: On the workers of clusters, by the client's name (`Copies`): they give it up when the matrix
    #: does, and what a client lost is sent again.
    on_clusters: dict[str, Any] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """Bytes on GPUs, what searches keep there included."""
        return sum(matrix.nbytes for matrix in list(self.on_gpus.values()))


@dataclass(init=False, eq=False)  # nothing is set: a statement makes several matrices
class Derived:
    """What is kept with one matrix; a field is the class's, None, until somebody needs it."""

    @classmethod
    def of(cls, **known: Any) -> Derived:
        """With some of it known."""
        vars(made := cls()).update(known)
        return made

    #: The same matrix by columns, as the CSR of the transpose; None, too, for a matrix with a
    #: symmetric pattern and iso values, which is its own transpose.
    #: Owner: `remember_transpose`.  Size: counted by the matrix, since the two may share arrays.
    #: Valid for the life of the matrix.
    transpose: MatrixData | None = None

    #: The matrix that this one is the transpose of.  Weak: a cycle would keep both until the next
    #: garbage collection, which counts objects and knows nothing of gigabytes.
    #: Owner: `remember_transpose`, and `PackedTranspose`, which is born with it.  Size: none.
    #: Valid while that matrix lives; then it refers to None.
    transpose_of: weakref.ref[MatrixData] | None = None

    #: Whether (j, i) is stored wherever (i, j) is.
    #: Owner: `known_symmetry`, `remember_symmetry`, and `carry_over` to a copy.  Size: none.
    #: Valid for the life of the matrix, and for its copies on other devices and in files.
    symmetric: bool | None = None

    #: Whether nothing is stored on the diagonal.
    #: Owner: `remember_loops`.  Size: none.  Valid for the life of the matrix.
    loopless: bool | None = None

    #: Whether (j, i) is stored wherever (i, j) is, with the same bits, on CUDA.
    #: Owner: `cuda.graph.symmetric.is_own_transpose`, which does not ask where values are iso.
    #: Size: none.  Valid for the life of the matrix.
    own_transpose: bool | None = None

    #: The same matrix in host memory, of one on the GPU that is resident on both.
    #: Owner: `objects.placement.residences`.  Size: that of the matrix, with what is kept with it.
    #: Valid for the life of the matrix.
    host: MatrixData | None = None

    #: The longest row and the number of rows with entries, on CUDA.
    #: Owner: `cuda.graph.row_facts.row_facts`.  Size: none.  Valid for the life of the matrix.
    row_facts: RowFacts | None = None

    #: The first entries of every pinned row on a line of its own (`Lines`).
    #: Owner: `cuda.graph.lines.lines_of`.  Size: its own.  Valid for the life of the matrix.
    lines: Held | None = None

    #: Which rows have entries, on the CPU.
    #: Owner: `VectorProducts._filled_rows`.  Size: its bits.  Valid for the life of the matrix.
    filled_rows: FilledRows | None = None

    #: Bits of the vertices that an edge enters, in words, for joined searches on the CPU.
    #: Owner: `cpu.bfs_many.workspace.entered`.  Size: the array.  Valid for the life of the matrix.
    entered: Array | None = None

    #: Rows that take a warp too long in a product with packed bits, on CUDA.
    #: Owner: `cuda.products.packed._long_rows`.  Size: the array.
    #: Valid for the life of the matrix.
    long_rows: Array | None = None

    #: The columns renumbered with hubs first (`HubsFirst`).
    #: Owner: `remember_hubs_first`.  Size: a copy of the columns, or nothing where that does not
    #: pay.  Valid for the life of the matrix.
    hubs_first: HubsFirst | None = None

    #: In every row the vertex of largest degree; None where degrees are much alike, too.  Pulls and
    #: searches look there first once it is known, whoever made it.
    #: Owner: `cpu.graph.transpose.hubs`.  Size: the array.  Valid for the life of the matrix.
    hubs: Array | None = None

    #: Whether `hubs` has been worked out, be it to None.
    #: Owner: `cpu.graph.transpose.hubs`.  Size: none.  Valid for the life of the matrix.
    hubs_sought: bool = False

    #: A copy of the graph numbered by falling degree (`ByDegree`), which joined searches on the CPU
    #: use once it is there.
    #: Owner: `cpu.graph.degree_order.by_degree`.  Size: that of the copy.
    #: Valid for the life of the matrix.
    by_degree: Held | None = None

    #: The values in other types, for products that compute in these.
    #: Owner: `VectorProducts.operand`.  Size: the arrays.  Valid for the life of the matrix.
    cast_values: dict[DType, Array] | None = None

    #: How products are made on CUDA (`Plan`), by semiring, transpose, vector_first, the type of the
    #: vector's values and the bytes of the one value that they all have.
    #: Owner: `CudaVectorProducts._plan`.  Size: not counted, values are one element each.
    #: Valid for the life of the matrix.
    plans: dict[tuple[TypedSemiring, bool, bool, Any, Any], Any] | None = None

    #: Kernels over all rows on CUDA with their parameters (`Launch`), by the function that prepares
    #: one and what of a call it depends on.
    #: Owner: `cuda.algorithms.prepared.prepared`.  Size: not counted, a few numbers each.
    #: Valid for the life of the matrix, whose arrays they name.
    launches: dict[tuple[Any, ...], Any] | None = None

    #: What is remembered of loops over products (`LoopHistory`), by semiring and sides:
    #: a loop that is known from before is computed ahead from its first step, on CUDA.
    #: Owner: `cuda.lookahead.history`.  Size: not counted, a few numbers.
    #: It describes loops, not the matrix: every product brings it up to date.
    loop_histories: dict[tuple[TypedSemiring, bool, bool], Any] | None = None

    #: What products have cost so far: after enough of them a transpose or hubs are made.
    #: Owner: `ledger_of`; see `Ledger` for who writes into it.  Size: none.
    #: It describes calls, not the matrix: every product brings it up to date.
    ledger: Ledger | None = None

    #: What the searches of the matrix share (`Searches`): workspace, on CUDA also copies of the
    #: graph.  Once it is there, a loop of products on CUDA is computed ahead one step sooner.
    #: Owner: `engines.bfs.searches_of`.  Size: what it holds, which changes from call to call.
    #: Valid for the life of the matrix.
    searches: Held | None = None

    #: What searches elsewhere of a matrix in host memory share (`Searches`): the parts of its edges
    #: in pinned memory, two of them on the GPU.
    #: Owner: `engines.bfs.searches_elsewhere`.  Size: as of `searches`.  Valid as long.
    searches_elsewhere: Held | None = None

    #: What joined searches of the matrix share (`ManySearches`).
    #: Owner: `engines.bfs_many.many_searches_of`.  Size: as of `searches`.  Valid as long.
    many_searches: Held | None = None

    #: Memory for levels of many searches that nobody refers to any more (`LevelPool`).
    #: Owner: `algorithms.bfs_many.outputs.level_arrays`.  Size: what it holds, which changes from
    #: call to call.  Given up where a call needs the memory.
    level_pool: Held | None = None

    #: Vertices of every level of one search, which says whether searches are better joined.
    #: Owner: `algorithms.bfs_many.prepare`.  Size: the array.  Valid for the life of the matrix.
    frontier_sizes: Array | None = None

    #: What these say of so many searches: whether they are better joined.
    #: Owner: `algorithms.bfs_many.prepare`.  Size: none.  Valid for the life of the matrix.
    joint_pays: dict[int, bool] | None = None

    #: Replicas on other GPUs and on clusters.
    #: Owner: `replicas_of`; `algorithms.workers` makes them.  Size: those on GPUs.
    #: Valid for the life of the matrix.
    replicas: Replicas | None = None

    #: The rows as searches for shortest paths read them (`PathRows`), on the CPU.
    #: Owner: `cpu.algorithms.sssp._rows_of`.  Size: its own.  Valid for the life of the matrix.
    path_rows: Held | None = None

    #: The least, the greatest and the mean value, as Python's numbers; NaN where one is.
    #: Owner: `algorithms.paths.weights.value_range`.  Size: none.
    #: Valid for the life of the matrix.
    value_range: tuple[Any, Any, float] | None = None

    #: Whether all values are whole numbers, of whatever type.
    #: Owner: `has_whole_values`.  Size: none.  Valid for the life of the matrix.
    whole_values: bool | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of all of it but the transpose."""
        held = (
            self.host,
            self.filled_rows,
            self.entered,
            self.long_rows,
            self.lines,
            self.hubs_first,
            self.hubs,
            self.by_degree,
            self.searches,
            self.searches_elsewhere,
            self.many_searches,
            self.level_pool,
            self.frontier_sizes,
            self.path_rows,
            self.replicas,
        )
        # Others may add to it meanwhile.
        values = [] if self.cast_values is None else list(self.cast_values.values())
        return sum(int(h.nbytes) for h in held if h is not None) + nbytes_of(*values)


def known_transpose(data: MatrixData) -> MatrixData | None:
    """The transpose where it is there already, else None."""
    derived = data.derived
    if derived.transpose is not None:
        return derived.transpose
    back = derived.transpose_of
    original = None if back is None else back()
    if original is None and derived.symmetric and is_iso(data.values):
        return data
    return original


def remember_transpose(data: MatrixData, made: MatrixData) -> MatrixData:
    """Keep `made`, the transpose of `data`, with it; returns the one that is kept."""
    made.derived.transpose_of = weakref.ref(data)
    kept: MatrixData = _kept(data, "transpose", lambda: made)
    return kept


def has_whole_values(data: MatrixData) -> bool:
    """Whether all values are whole numbers; looked up once."""
    known = data.derived.whole_values
    if known is None:
        values = data.values[:1] if is_iso(data.values) else data.values
        known = values.dtype.kind != "f" or not any_true(values % 1 != 0)
        with keeping:
            data.derived.whole_values = known
    return known


def known_symmetry(data: MatrixData, look_up: Callable[[MatrixData], bool]) -> bool:
    """Whether the pattern of `data` is symmetric, which `look_up` finds out where it is square."""
    if data.nrows != data.ncols:
        return False
    known = data.derived.symmetric
    if known is None:
        # Whoever looks it up finds the same.
        known = data.derived.symmetric = look_up(data)
    return known


def remember_hubs_first(data: MatrixData, made: HubsFirst) -> HubsFirst:
    """Keep the columns by their new numbers; returns those of whoever was first."""
    kept: HubsFirst = _kept(data, "hubs_first", lambda: made)
    return kept


def remember_loops(data: Keeps, loops: bool) -> None:
    """Keep whether there are entries on the diagonal, which who looked at all entries knows."""
    data.derived.loopless = not loops


def remember_symmetry(data: Keeps, symmetric: bool = True) -> None:
    """Keep whether the pattern is symmetric, which who made it knows."""
    data.derived.symmetric = symmetric


def ledger_of(data: MatrixData) -> Ledger:
    """What is remembered of the products of a matrix, to be written into."""
    # Each product asks: what is there is found without one more call.
    return data.derived.ledger or _kept(data, "ledger", Ledger)


def launches_of(data: MatrixData) -> dict[tuple[Any, ...], Any]:
    """The launches that are prepared for a matrix, to be added to."""
    return data.derived.launches or _kept(data, "launches", dict)


def replicas_of(data: MatrixData) -> Replicas:
    """The replicas of a matrix, to be written into."""
    return data.derived.replicas or _kept(data, "replicas", Replicas)


def _kept(data: MatrixData, name: str, make: Callable[[], Any]) -> Any:
    """What is kept with a matrix under a name; of several who make it the first keeps his."""
    derived = data.derived
    kept = getattr(derived, name)
    if kept is None:
        with keeping:
            kept = getattr(derived, name)
            if kept is None:
                setattr(derived, name, kept := make())
    return kept


def carry_over(data: MatrixData, copy: MatrixData) -> None:
    """Tell a copy of `data` in other memory what is known of both."""
    copy.derived.symmetric = data.derived.symmetric
