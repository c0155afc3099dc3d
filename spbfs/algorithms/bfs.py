"""Breadth-first search: the whole traversal in one native call, direction-optimising.

Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).
"""

from __future__ import annotations

import sys
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from spbfs.core.checks import as_index, as_index_array
from spbfs.core.layout import is_symmetric, transposed
from spbfs.core.memory import require_bytes
from spbfs.core.storage import MatrixData, VectorData
from spbfs.core.threads import resolve_threads
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue

if TYPE_CHECKING:
    from spbfs import Vector

__all__ = ["BFSPlan", "BFSResult", "LevelTrace", "bfs"]

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]

# A frontier of more than n / 8 vertices is kept as a bitmap, which then is smaller than a list.
_LIST_SHARE = 8

_DIRECTIONS = {"auto": 0, "push": 1, "pull": 2}


def bfs(
    A: Any,
    source: int | Sequence[int] | Array,
    *,
    levels: bool = True,
    parents: bool | Literal["any", "min"] = True,
    max_depth: int | None = None,
    target: int | None = None,
    direction: Literal["auto", "push", "pull"] = "auto",
    threads: int | None = None,
    trace: bool = False,
) -> BFSResult:
    """Breadth-first search of the graph whose edge (u, v) is the stored entry A[u, v].

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter, only which entries are stored.  What a search
        derives from a `Matrix` (whether it is symmetric, its transpose, workspace) is kept with it.
    source : int or sequence of int
        Where to start.  Several sources give the distance to the nearest one, and `owners`.
    levels, parents : bool, optional
        Which outputs to compute.  ``parents="any"`` (or True) is any valid tree; with ``"min"`` the
        parent is the least vertex among those possible, whatever the direction and threads.  With
        several sources it is the least among those that have the vertex's owner.
    max_depth : int, optional
        Visit no vertex deeper than this.
    target : int, optional
        Stop at the end of the level that has this vertex.
    direction : {"auto", "push", "pull"}, optional
        Expand the frontier over out-edges, let unvisited vertices search their in-edges, or
        choose at every level what costs less.  With "push", one source and ``parents="any"`` the
        transpose of a directed graph is not needed.
    threads : int, optional
        Default: `set_threads`, else ``OMP_NUM_THREADS``, else every core.
    trace : bool, optional
        Record every level in the result's `trace`.

    Returns
    -------
    BFSResult
        Unpacks as ``levels, parents``.

    Raises
    ------
    DimensionMismatch
        When A is not square.
    IndexOutOfBound, DomainMismatch, InvalidValue
        When another argument is not what is described above.
    OutOfMemory
        When outputs and workspace (13 bytes a vertex) do not fit.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], True, nrows=4, ncols=4)
    >>> levels, parents = sb.bfs(A, 0)
    >>> levels.to_coo()
    (array([0, 1, 2]), array([0, 1, 2], dtype=int32))
    """
    return BFSPlan(A).run(
        source,
        levels=levels,
        parents=parents,
        max_depth=max_depth,
        target=target,
        direction=direction,
        threads=threads,
        trace=trace,
    )


class BFSPlan:
    """Searches of one graph, with the workspace they share.

    After the first run a search allocates nothing, except outputs while the caller still holds those
    of an earlier run: a result's arrays are its own, and come back to the plan when the result and every
    vector taken from it are gone.  Any number of threads may use a plan at once; each search
    beyond the first has workspace of its own for as long as it runs.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        Square.  The plans of one `Matrix` share their workspace, and it is counted in ``A.nbytes``.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], True, nrows=4, ncols=4)
    >>> plan = sb.BFSPlan(A)
    >>> [plan.run(s).depth for s in (0, 1)]
    [2, 1]
    """

    def __init__(self, A: Any) -> None:
        data = matrix_data(A)
        if data.nrows != data.ncols:
            raise DimensionMismatch(f"A: expected a square matrix, got {data.nrows} x {data.ncols}")
        self._matrix = data
        shared = data.cache.get("bfs")
        if not isinstance(shared, _Workspace):
            shared = data.cache.setdefault("bfs", _Workspace(data.nrows, data.indices.dtype))
        self._workspace = shared

    @property
    def nbytes(self) -> int:
        """Bytes of workspace held, and of outputs that came back; not the matrix."""
        return self._workspace.nbytes

    def run(
        self,
        source: int | Sequence[int] | Array,
        *,
        levels: bool = True,
        parents: bool | Literal["any", "min"] = True,
        max_depth: int | None = None,
        target: int | None = None,
        direction: Literal["auto", "push", "pull"] = "auto",
        threads: int | None = None,
        trace: bool = False,
    ) -> BFSResult:
        """Search from `source`; parameters, result and errors are those of `bfs`."""
        from spbfs import _cpu

        data, workspace = self._matrix, self._workspace
        n = data.nrows
        sources, positions = _distinct(source_array(source, n))
        wanted = _flag(levels, "levels")
        tree = _tree(parents)
        depth = n if max_depth is None else min(_depth(max_depth), n)
        goal = -1 if target is None else as_index(target, n, "target")
        code = _direction(direction)
        workers = resolve_threads(threads)
        traced = _flag(trace, "trace")
        several = sources.shape[0] > 1
        # Owners and least parents are settled by the levels of a vertex's in-neighbours.
        settling = several or tree == "min"
        in_edges = _in_edges(data, needed=direction != "push" or settling)
        closed = workspace.closed(in_edges)
        pattern = data if in_edges is None else in_edges
        with workspace.scratch() as (lists, bitmaps):
            level = workspace.output() if wanted or settling else None
            parent = workspace.output() if tree else None
            owner = workspace.output() if several else None
            started = time.perf_counter()
            for array in (level, parent, owner):
                if array is not None:
                    array.fill(-1)
            found = _cpu.bfs(
                data.indptr,
                data.indices,
                pattern.indptr,
                pattern.indices,
                sources.astype(data.indices.dtype),
                closed,
                level,
                parent,
                owner,
                None,
                lists,
                bitmaps,
                workspace.longest_row(data),
                depth,
                goal,
                code,
                tree == "min",
                workers,
                traced,
            )
            if owner is not None and positions is not None:
                owner[owner >= 0] = positions[owner[owner >= 0]]
            seconds = time.perf_counter() - started
        return BFSResult(
            n, found, seconds, level if wanted else None, parent, owner, traced, workspace
        )


@dataclass(frozen=True, slots=True)
class LevelTrace:
    """One step of a search: a frontier expanded.

    Attributes
    ----------
    frontier : int
        Vertices at this level.
    edges : int
        Their out-edges, the work of a push.
    direction : str
        "push" or "pull".
    seconds : float
        Time of the step.
    """

    frontier: int
    edges: int
    direction: str
    seconds: float


class BFSResult:
    """What a search found; unpacks as ``levels, parents``.

    Attributes
    ----------
    depth : int
        The largest level.
    reached : int
        Number of vertices that have a level, sources included.
    edges : int
        Stored entries in the rows of the reached vertices: every edge of an undirected graph
        counts twice.
    seconds : float
        Time of the traversal, outputs included; checks of arguments and what is made only once for a
        graph (transpose, workspace) are not.
    trace : list of LevelTrace, or None
        One item a level expanded, where asked for.
    """

    def __init__(
        self,
        n: int,
        found: tuple[int, int, int, list[tuple[int, int, bool, float]]],
        seconds: float,
        level: Array | None,
        parent: Array | None,
        owner: Array | None,
        traced: bool,
        workspace: _Workspace,
    ) -> None:
        self.depth, self.reached, self.edges, rows = found
        self.seconds = seconds
        self.trace: list[LevelTrace] | None = None
        if traced:
            self.trace = [LevelTrace(f, e, "pull" if p else "push", s) for f, e, p, s in rows]
        self._n = n
        self._arrays = {"levels": level, "parents": parent, "owners": owner}
        self._vectors: dict[str, Vector] = {}
        self._workspace = weakref.ref(workspace)

    @property
    def levels(self) -> Vector | None:
        """Distance from the source, INT32 (INT64 where n needs it); None when not asked for."""
        return self._vector("levels")

    @property
    def parents(self) -> Vector | None:
        """The vertex each was reached from, a source from itself; None when not asked for."""
        return self._vector("parents")

    @property
    def owners(self) -> Vector | None:
        """Position in `source` of the nearest source, the least where several are as near.

        None when the search had one source.
        """
        return self._vector("owners")

    def __iter__(self) -> Iterator[Vector | None]:
        yield self.levels
        yield self.parents

    def __repr__(self) -> str:
        return (
            f"<BFSResult reached={self.reached} depth={self.depth} edges={self.edges} "
            f"seconds={self.seconds:.6f}>"
        )

    def _vector(self, name: str) -> Vector | None:
        array = self._arrays[name]
        if array is None:
            return None
        if name not in self._vectors:
            self._vectors[name] = _as_vector(array, self.reached)
        return self._vectors[name]

    def __del__(self) -> None:
        arrays = getattr(self, "_arrays", None)
        workspace = self._workspace() if arrays else None
        if not arrays or workspace is None:
            return
        self._vectors.clear()
        for name in list(arrays):
            array = arrays.pop(name)
            # Anything else that refers to the array, a view or a Vector, may still be read.
            if array is not None and sys.getrefcount(array) <= _UNSHARED:
                workspace.take_back(array)


def _count_unshared() -> int:
    """What getrefcount says, on this interpreter, of an array that one local name refers to."""
    array = np.empty(0)
    return sys.getrefcount(array)


_UNSHARED = _count_unshared()


def _as_vector(array: Array, reached: int) -> Vector:
    from spbfs import Vector

    n = array.shape[0]
    full = reached == n
    data = VectorData(n, array, present=None if full else array >= 0, counted=reached)
    return Vector._from_data(data)


@dataclass
class _Workspace:
    """Arrays that the searches of one graph share; refers to no matrix, so a matrix may keep it.

    Lists are popped and appended without a lock: both are atomic, and results come back from
    finalisers, which may run at any moment, also while a lock is held.
    """

    n: int
    dtype: np.dtype[Any]
    _closed: Array | None = None
    _longest_row: int | None = None
    _idle: list[tuple[Array, Array]] = field(default_factory=list)
    _outputs: list[Array] = field(default_factory=list)

    @property
    def nbytes(self) -> int:
        held = [array for pair in list(self._idle) for array in pair] + list(self._outputs)
        return sum(a.nbytes for a in held) + (0 if self._closed is None else self._closed.nbytes)

    def longest_row(self, data: MatrixData) -> int:
        """The largest number of entries in a row."""
        if self._longest_row is None:
            self._longest_row = int(np.diff(data.indptr).max(initial=0))
        return self._longest_row

    def closed(self, in_edges: MatrixData | None) -> Array:
        """Bits of the vertices that no edge enters, and of everything past the last vertex."""
        if self._closed is not None:
            return self._closed
        bits = np.ones(-(-self.n // 64) * 64, np.bool_)
        if in_edges is None:
            bits[: self.n] = False
        else:
            np.equal(in_edges.indptr[1:], in_edges.indptr[:-1], out=bits[: self.n])
        closed = np.packbits(bits, bitorder="little").view(np.uint64)
        if in_edges is not None:
            self._closed = closed
        return closed

    @contextmanager
    def scratch(self) -> Iterator[tuple[Array, Array]]:
        """The two lists and the three bitmaps of one search."""
        try:
            pair = self._idle.pop()
        except IndexError:
            words = -(-self.n // 64)
            entries = 2 * (self.n // _LIST_SHARE + 1)
            needed = (2 * self.n + entries) * self.dtype.itemsize + 3 * 8 * words
            require_bytes(needed, "A: a search of it")
            pair = np.empty(entries, self.dtype), np.empty(3 * words, np.uint64)
        try:
            yield pair
        finally:
            if not self._idle:
                self._idle.append(pair)

    def output(self) -> Array:
        """An array of n, its contents arbitrary."""
        try:
            return self._outputs.pop()
        except IndexError:
            return np.empty(self.n, self.dtype)

    def take_back(self, array: Array) -> None:
        # Two are what the next search needs; more would only be held.
        if len(self._outputs) < 2:
            self._outputs.append(array)


def matrix_data(A: Any) -> MatrixData:
    """What `A` stores, after `Matrix.from_scipy` where it is not a Matrix."""
    from spbfs.core.matrix_operand import MatrixOperand

    if not isinstance(A, MatrixOperand):
        from spbfs import Matrix

        A = Matrix.from_scipy(A)
    # Not `_data`: elements set one at a time may be waiting to go into it.
    data: MatrixData = A._ready()
    if not isinstance(data.indices, np.ndarray):
        raise DeviceMismatch('A: expected a matrix in host memory; move it with A.to("cpu")')
    return data


def source_array(source: Any, n: int) -> Ints:
    """One or several sources, checked, as given."""
    try:
        scalar = np.ndim(source) == 0
    except ValueError:
        raise DomainMismatch("source: expected an integer or a flat sequence of them") from None
    if scalar:
        return np.array([as_index(source, n, "source")], np.int64)
    if isinstance(source, Sequence) and any(isinstance(s, bool) for s in source):
        raise DomainMismatch(f"source: expected integers, got {source!r}")
    sources = as_index_array(source, "source", n)
    if sources.size == 0:
        raise InvalidValue("source: expected at least one vertex, got none")
    return sources


def _distinct(sources: Ints) -> tuple[Ints, Ints | None]:
    """Each source once, in order of first appearance, and where that was if any came twice."""
    if sources.shape[0] == 1:
        return sources, None
    first = np.sort(np.unique(sources, return_index=True)[1])
    return sources[first], (first if first.shape[0] < sources.shape[0] else None)


def _in_edges(data: MatrixData, *, needed: bool) -> MatrixData | None:
    """A matrix with the pattern of the transpose of `data`; None where it is not at hand or needed."""
    if (needed or "symmetric" in data.cache) and is_symmetric(data):
        return data
    return transposed(data) if needed else data.transpose


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise DomainMismatch(f"{name}: expected True or False, got {value!r}")
    return bool(value)


def _tree(parents: Any) -> str | None:
    if isinstance(parents, str):
        if parents not in ("any", "min"):
            raise InvalidValue(f'parents: expected True, False, "any" or "min", got {parents!r}')
        return parents
    return "any" if _flag(parents, "parents") else None


def _depth(max_depth: Any) -> int:
    if isinstance(max_depth, bool | np.bool_):
        raise DomainMismatch(f"max_depth: expected an integer, got {max_depth!r}")
    try:
        depth = index(max_depth)
    except TypeError:
        raise DomainMismatch(f"max_depth: expected an integer, got {max_depth!r}") from None
    if depth < 0:
        raise InvalidValue(f"max_depth: expected 0 or more, got {depth}")
    return depth


def _direction(direction: Any) -> int:
    if not isinstance(direction, str) or direction not in _DIRECTIONS:
        names = ", ".join(_DIRECTIONS)
        raise InvalidValue(f"direction: expected one of {names}, got {direction!r}")
    return _DIRECTIONS[direction]
