"""Breadth-first search: the whole traversal in one native call, direction-optimising.

Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from spbfs import burble
from spbfs.algorithms.bfs_result import BFSResult, LevelTrace
from spbfs.algorithms.bfs_workspace import Workspace
from spbfs.core.checks import as_index, as_index_array
from spbfs.core.layout import is_symmetric, transposed
from spbfs.core.storage import MatrixData
from spbfs.core.threads import resolve_threads
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue

if TYPE_CHECKING:
    from spbfs.core.matrix_operand import MatrixOperand

__all__ = ["BFSPlan", "BFSResult", "LevelTrace", "bfs"]

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]

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
    plan = BFSPlan(A)
    plan._planned = False
    return plan.run(
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

    The first run derives what searches of the graph share; after it a search allocates nothing,
    except outputs while the caller still holds those of an earlier run: a result's arrays are its
    own, and come back to the plan when the result and every vector taken from it are gone.  Any
    number of threads may use a plan at once; each search beyond the first has workspace of its own
    for as long as it runs.

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
        self._A = as_matrix(A)
        self._planned = True
        self._prepare()

    def _prepare(self) -> None:
        """Take what A stores now and the workspace that is kept with it."""
        data = matrix_data(self._A)
        if data.nrows != data.ncols:
            raise DimensionMismatch(f"A: expected a square matrix, got {data.nrows} x {data.ncols}")
        self._matrix = data
        self._device = self._A.device
        shared = data.cache.get("bfs")
        if not isinstance(shared, Workspace):
            shared = data.cache.setdefault("bfs", Workspace(data.nrows, data.indices.dtype))
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

        if self._A._ready() is not self._matrix:
            self._prepare()  # entries of A were changed since the last search
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
        if self._device == "reference":
            return self._run_reference(sources, positions, wanted, tree, depth, goal, traced)
        # Owners and least parents are settled by the levels of a vertex's in-neighbours.
        settling = several or tree == "min"
        in_edges = _in_edges(data, needed=direction != "push" or settling)
        closed = workspace.closed(in_edges)
        pattern = data if in_edges is None else in_edges
        longest_row = workspace.longest_row(data)
        # Settled parents are not those found first, and a push looks for nobody.
        hubs = None
        if code != _DIRECTIONS["push"] and not settling:
            hubs = workspace.hubs(pattern, workers, planned=self._planned)
        with workspace.scratch(workers) as (lists, bitmaps):
            level = workspace.output() if wanted or settling else None
            parent = workspace.output() if tree else None
            owner = workspace.output() if several else None
            started = time.perf_counter()
            if settling:
                for array in (level, owner):
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
                hubs,
                lists,
                bitmaps,
                longest_row,
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
        _note(direction, len(sources), found, self._device, seconds)
        return BFSResult(
            n, found, seconds, level if wanted else None, parent, owner, traced, workspace
        )

    def _run_reference(
        self,
        sources: Ints,
        positions: Ints | None,
        wanted: bool,
        tree: str | None,
        depth: int,
        goal: int,
        traced: bool,
    ) -> BFSResult:
        """The search of the engine that judges the others; its parents are always the least."""
        from spbfs.backends.reference_bfs import search

        data = self._matrix
        started = time.perf_counter()
        level, parent, owner, steps = search(data, sources.tolist(), depth, goal)
        if positions is not None:
            owner[owner >= 0] = positions[owner[owner >= 0]]
        seconds = time.perf_counter() - started
        reached = level >= 0
        edges = int(np.diff(data.indptr)[reached].sum())
        rows = [(frontier, out, False, spent) for frontier, out, spent in steps]
        found = (int(level.max()), int(np.count_nonzero(reached)), edges, rows)
        level, parent, owner = (a.astype(data.indices.dtype) for a in (level, parent, owner))
        _note("push", len(sources), found, self._device, seconds)
        return BFSResult(
            data.nrows,
            found,
            seconds,
            level if wanted else None,
            parent if tree else None,
            owner if sources.shape[0] > 1 else None,
            traced,
            self._workspace,
            self._device,
        )


def _note(direction: str, sources: int, found: Any, device: str, seconds: float) -> None:
    """The line of a whole search in a trace."""
    if burble.active():
        burble.record(direction=direction, kernel="bfs", frontier=sources, edges=found[2])
        burble.finish("bfs", device, seconds, found[1])


def as_matrix(A: Any) -> MatrixOperand:
    """`A`, after `Matrix.from_scipy` where it is not a Matrix."""
    from spbfs.core.matrix_operand import MatrixOperand

    if isinstance(A, MatrixOperand):
        return A
    from spbfs import Matrix

    return Matrix.from_scipy(A)


def matrix_data(A: MatrixOperand) -> MatrixData:
    """What a matrix stores, in host memory."""
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
    """A matrix with the pattern of the transpose of `data`; None where it need not be made."""
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
