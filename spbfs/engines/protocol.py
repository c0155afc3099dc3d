"""The protocol that every engine implements: storage in, storage out, operators already typed.

The core has checked shapes, types and devices before it calls any of these, so nothing here
raises for bad input; an engine raises only `OutOfMemory` and what the machine does to it.
Except where a method says that it writes into an argument, arguments are never changed.

Casting: an operator's operands are cast to its ``in_type`` first (floats to integers truncate and
saturate, NaN to 0, integers wrap, anything to BOOL is ``!= 0``), the result is of ``out_type``.
Results need not be of the dtype of the output they end in; `write_*` casts.

Masks: ``admits(i)`` is (entry stored at i, and for a valued mask true) xor ``complement``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from spbfs.engines.bfs import Searches, SearchRequest, SearchResult
from spbfs.engines.bfs_many import FoundSpread, ManyRequest, ManySearches
from spbfs.engines.fused import Fused
from spbfs.operators.definitions import (
    TypedBinary,
    TypedIndexUnary,
    TypedMonoid,
    TypedSemiring,
    TypedUnary,
)
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData, VectorData

__all__ = ["NO_HINTS", "Engine", "Hints", "Indices", "MaskData", "Spread"]

Array = Any
#: Indices of one dimension: an array, None for all of them, or the range of a slice, which may be
#: far longer than what is stored.
Indices = Array | range | None
Data = VectorData | MatrixData
D = TypeVar("D", VectorData, MatrixData)


class MaskData(NamedTuple):
    """A mask over all of an output: where entries may be written."""

    #: That of a vector or a matrix, as the output is.
    data: Any
    structural: bool
    complement: bool = False


#: What is done to a vector: a matrix, a semiring, whether the matrix is transposed, and whether the
#: vector is the multiplication's first operand.
Operation = tuple[MatrixData, TypedSemiring, bool, bool]
#: Two matrices, and the semiring that multiplies them.
Factors = tuple[MatrixData, MatrixData, TypedSemiring]


@dataclass(frozen=True, slots=True)
class Hints:
    """What the caller asked of the engine in the call; results never depend on it."""

    direction: str = "auto"  # "auto" | "push" | "pull"
    threads: int | None = None


#: Of a call that asked for nothing.
NO_HINTS = Hints()


class Spread(Protocol):
    """How storage gets to and from an engine whose objects are spread over many processes.

    All of them make the same calls in the same order.  What is *whole* is in host memory, as the
    CPU's engine has it.
    """

    @property
    def devices(self) -> tuple[str, ...]:
        """Who works on the parts, every device once."""

    @property
    def exchange(self) -> str:
        """How GPUs among them exchange, in words; "" where there are none."""

    @property
    def serial(self) -> int:
        """Which of the graphs that the processes have made this is: the same in all of them."""

    def agree(self, values: dict[str, Any]) -> None:
        """Raise `InvalidValue` in every process unless each of the values is the same in all."""

    def settle(self, work: Callable[[], Any]) -> Any:
        """What `work` returns here once it has ended in all processes; where it raised in one, all
        raise."""

    def any_of(self, here: bool) -> bool:
        """Whether something is so in any process."""

    def scatter(self, x: Any) -> Any:
        """Storage of the engine from the whole of it, which every process has; refused in all where
        theirs differ."""

    def keep(self, x: Any) -> Any:
        """The same of a vector, not compared: nobody waits for another process."""

    def gather(self, x: Any) -> Any:
        """The whole of what is spread, in every process."""

    def local(self, x: Any) -> Any:
        """The entries that are in this process, as whole storage of the same shape."""

    def search_many(
        self,
        A: Any,
        sources: Any,
        request: ManyRequest,
        outputs: frozenset[str],
        batch: int,
        report: Callable[[int, int], None],
    ) -> FoundSpread:
        """Searches of a matrix from many sources, so many of them at once; `report` is told after
        each batch how many have ended, and the edges that were followed."""

    def element(self, x: Any, index: int) -> Any:
        """One element of a vector as a host scalar, or None, in every process."""

    def path(self, x: Any, index: int) -> list[int]:
        """An element, the one that its value names, and so on to one that names itself; none at
        all where one that was named is not there."""

    def assembled(self, rows: Any, columns: Any, values: Any) -> Any:
        """A matrix of entries, of which every process gives some, by the numbers that a user
        knows."""

    def compare(self, x: Any, y: Any, same: Callable[[Any, Any], Any]) -> bool:
        """Whether entries lie in the same places, and `same` says so of the arrays of their values;
        the same answer in every process."""

    def write_file(self, x: Any, path: Any, fill: Any) -> None:
        """A vector as a dense ``.npy`` file, each process writing a part of it."""


class Engine(Protocol):
    """One engine.  `name` is the device string users write: "cpu", "cuda", "reference"."""

    name: str

    @property
    def spread(self) -> Spread | None:
        """How objects get to it; None where whatever it holds is in this process."""

    #: Algorithms that it has a call of its own for.
    fused: Fused
    #: Whether what a statement writes into few places of a matrix is kept beside its storage, for
    #: one `edited` when that is needed: where a statement of its own takes time by all entries.
    keeps_edits: bool

    # -- arrays ------------------------------------------------------------------------------
    def asarray(self, array: Any, dtype: DType | None = None) -> Array:
        """A one-dimensional array of this engine, copied only where it must be."""

    def to_numpy(self, array: Array) -> np.ndarray[Any, Any]:
        """The array on the host."""

    # -- construction ------------------------------------------------------------------------
    def build_vector(
        self, size: int, indices: Array, values: Array, dup: TypedBinary | None
    ) -> VectorData:
        """From unordered int64 indices within range; `values` is as long, perhaps iso.

        Entries with equal index are combined by `dup` in the order given; with None the last
        one wins.  The dtype of the result is that of `values`.
        """

    def build_matrix(
        self,
        nrows: int,
        ncols: int,
        rows: Array,
        cols: Array,
        values: Array,
        dup: TypedBinary | None,
    ) -> MatrixData:
        """As `build_vector`, for (row, column) pairs."""

    # -- products ----------------------------------------------------------------------------
    def mxv(
        self, operation: Operation, u: VectorData, mask: MaskData | None, hints: Hints
    ) -> VectorData:
        """``w = A u`` (``A' u`` when transposed): w[i] = sum over k of  A[i, k] * u[k].

        ``u' A`` is transposed with the vector first.  Where `mask` is given, entries of w that it
        does not admit are absent; the engine may use it to skip work.  Positional multiplications
        see the vector as a row when it comes first, as a column when second (see `BinaryOp`).
        """

    def mxm(
        self,
        A: MatrixData,
        B: MatrixData,
        semiring: TypedSemiring,
        *,
        mask: MaskData | None,
        hints: Hints,
    ) -> MatrixData:
        """``C = A B``, entries outside of `mask` absent."""

    # -- element-wise ------------------------------------------------------------------------
    def ewise_add(self, x: D, y: D, op: TypedBinary) -> D:
        """Union of the patterns; where only one has an entry it is taken as it is (cast)."""

    def ewise_mult(self, x: D, y: D, op: TypedBinary) -> D:
        """Intersection of the patterns."""

    def ewise_union(
        self, x: D, x_default: np.generic, y: D, y_default: np.generic, op: TypedBinary
    ) -> D:
        """Union of the patterns; an absent operand is replaced by its default."""

    def apply(self, x: D, op: TypedUnary) -> D:
        """`op` of every stored value (of its position where ``op.op.positional``)."""

    def apply_bind(
        self, x: D, op: TypedBinary, *, left: np.generic | None, right: np.generic | None
    ) -> D:
        """`op` with one operand bound to a scalar, exactly one of `left` and `right`."""

    def apply_index(self, x: D, op: TypedIndexUnary, thunk: np.generic) -> D:
        """`op` of (value, row, column, thunk) for every entry; a vector's column is 0."""

    def select(self, x: D, op: TypedIndexUnary, thunk: np.generic) -> D:
        """The entries for which `op` is true, values unchanged."""

    def cast(self, x: D, dtype: DType) -> D:
        """The same entries as another type."""

    # -- reductions --------------------------------------------------------------------------
    def nvals(self, x: Data) -> int:
        """Number of stored entries."""

    def reduce(self, x: Data, monoid: TypedMonoid) -> np.generic | None:
        """All stored values summed by the monoid; None when there are none."""

    def reduce_rowwise(self, A: MatrixData, monoid: TypedMonoid) -> VectorData:
        """Every row summed; rows without entries give none."""

    def row_ends(self, A: MatrixData, last: bool) -> VectorData:
        """The column of every row's first or last entry, INT64; rows without entries give none."""

    # -- structure ---------------------------------------------------------------------------
    def entry_rows(self, A: MatrixData) -> Array:
        """The row of every stored entry, int64, an array of the caller's own."""

    def transpose(self, A: MatrixData) -> MatrixData:
        """The transpose, kept with `A` so that the second call is free."""

    def kronecker(self, A: MatrixData, B: MatrixData, op: TypedBinary) -> MatrixData:
        """Every pair of entries multiplied, blocks of `B` in the pattern of `A`."""

    def extract_vector(self, u: VectorData, indices: Indices) -> VectorData:
        """``w[k] = u[indices[k]]``.  Indices may repeat, in any order."""

    def extract_matrix(self, A: MatrixData, rows: Indices, cols: Indices) -> MatrixData:
        """``C[i, j] = A[rows[i], cols[j]]``.  Indices may repeat."""

    def diag_matrix(self, u: VectorData, k: int) -> MatrixData:
        """The square matrix with `u` on its k-th diagonal."""

    def diag_vector(self, A: MatrixData, k: int) -> VectorData:
        """The k-th diagonal of `A`."""

    # -- output ------------------------------------------------------------------------------
    def assign_vector(
        self, w: VectorData, t: VectorData, indices: Indices, accum: TypedBinary | None
    ) -> VectorData:
        """`w` with the region `indices` (no repeats) replaced by `t`; may write into a dense `w`.

        Inside the region: with `accum`, union of w and t; without, exactly t (entries of w that t
        lacks are deleted).  Outside: w.  The dtype is that of `w`.
        """

    def assign_matrix(
        self,
        C: MatrixData,
        T: MatrixData,
        rows: Indices,
        cols: Indices,
        accum: TypedBinary | None,
    ) -> MatrixData:
        """As `assign_vector` for the region ``rows x cols``, a new matrix."""

    def assign_scalar_vector(
        self,
        w: VectorData,
        value: np.generic,
        indices: Indices,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> VectorData:
        """``w<mask, replace>(indices) accum= value``; the mask is as long as w.

        May write into `w`'s own arrays and return it: the caller gives `w` up.
        """

    def assign_scalar_matrix(
        self,
        C: MatrixData,
        value: np.generic,
        rows: Indices,
        cols: Indices,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> MatrixData:
        """As `assign_scalar_vector`; the mask has the shape of C."""

    def edited(
        self, C: MatrixData, rows: Array, cols: Array, values: Array, gone: Array | None, sole: bool
    ) -> MatrixData:
        """`C` with single entries set, or deleted where `gone` has true; None deletes none.

        The arrays are in host memory, places rise row by row, none twice; `values` are of the type
        of `C`.  With `sole` nobody else holds `C` or its values, which may be written into: the
        caller gives C up.
        """

    def write(
        self,
        C: D,
        T: D,
        mask: MaskData | None,
        accum: TypedBinary | None,
        replace: bool,
    ) -> D:
        """``C<mask, replace> accum= T``, the last step of every GraphBLAS operation.

        Z = T, or the union of C and T by `accum`.  Where the mask admits, the result is Z's entry
        (absent where Z has none); elsewhere C's entry, or none with `replace`.  The dtype of the
        result is that of C.

        May write into the arrays of a vector C and return it: the caller gives C up.  The result
        may share arrays with T, but neither T nor the mask is changed.
        """

    # -- traversal ---------------------------------------------------------------------------
    def in_edges(self, A: MatrixData) -> MatrixData:
        """A matrix with the pattern of the transpose of a square one, kept with it."""

    def searches(self, A: MatrixData) -> Searches:
        """What runs the breadth-first searches of a square matrix; the caller keeps it with `A`."""

    def searches_from_host(
        self, A: MatrixData, in_edges: Callable[[MatrixData], MatrixData]
    ) -> Searches:
        """The same of a matrix in host memory that stays there, its edges in parts; `in_edges`
        gives one with the pattern of its transpose."""

    def search_as_given(
        self, indptr: Array, indices: Array, request: SearchRequest, started: float
    ) -> SearchResult | None:
        """One search along host arrays that nobody has checked, as long as they are a CSR.

        Its time counts from `started`, by ``time.perf_counter``.

        None where they are not, an entry is in a row twice, or the engine has no such way: then
        the search needs a matrix.
        """

    def many_searches(self, A: MatrixData) -> ManySearches:
        """What runs batches of searches of a square matrix; the caller keeps it with `A`."""

    # -- memory ------------------------------------------------------------------------------
    def copy(self, x: D) -> D:
        """A deep copy that shares no array."""
