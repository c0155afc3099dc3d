"""Breadth-first search: the whole traversal in one native call, direction-optimising.

Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from spbfs import burble
from spbfs.algorithms.bfs_result import BFSResult, LevelTrace
from spbfs.backends import get_backend
from spbfs.backends.search import DIRECTIONS, RELABELLINGS, Found, Searches, SearchRequest
from spbfs.core.checks import as_index, as_index_array
from spbfs.core.storage import MatrixData
from spbfs.core.threads import resolve_threads
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue

if TYPE_CHECKING:
    from spbfs.core.matrix_operand import MatrixOperand

__all__ = ["BFSPlan", "BFSResult", "LevelTrace", "bfs"]

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]


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
    relabel: Literal["auto", "degree"] | None = "auto",
    trace: bool = False,
) -> BFSResult:
    """Breadth-first search of the graph whose edge (u, v) is the stored entry A[u, v].

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter, only which entries are stored.  What a search
        derives from a `Matrix` (whether it is symmetric, its transpose, workspace, on CUDA also a
        copy of the graph in the order that suits a search) is kept with it.
    source : int or sequence of int
        Where to start.  Several sources give the distance to the nearest one, and `owners`.  For a
        matrix on CUDA it may be a CuPy array.
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
        Of the CPU.  Default: `set_threads`, else ``OMP_NUM_THREADS``, else every core.
    relabel : {"auto", "degree"} or None, optional
        How the GPU's copy of the graph numbers vertices: all by falling degree, as they are given,
        or as suits their degrees.  Results are in the given numbers, and the time to map them back
        is part of the search.  It changes nothing on the CPU.
    trace : bool, optional
        Record every level in the result's `trace`.

    Returns
    -------
    BFSResult
        Unpacks as ``levels, parents``.  On CUDA the search may still be under way: it runs on
        CuPy's current stream, its outputs stay on the GPU, and reading a number waits for it.

    Raises
    ------
    DimensionMismatch
        When A is not square.
    IndexOutOfBound, DomainMismatch, InvalidValue
        When another argument is not what is described above.
    OutOfMemory
        When outputs and workspace (13 bytes a vertex; on CUDA 24, and the copy of the graph) do not
        fit.

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
        relabel=relabel,
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
        """Take what A stores now and what its searches share, which is kept with it."""
        data = self._A._ready()  # not `_data`: elements may be waiting to go into it
        if data.nrows != data.ncols:
            raise DimensionMismatch(f"A: expected a square matrix, got {data.nrows} x {data.ncols}")
        self._matrix: MatrixData = data
        self._device = self._A.device
        shared = data.cache.get("bfs")
        if shared is None:
            made = get_backend(self._device).searches(data)
            shared = data.cache.setdefault("bfs", made)
        self._searches: Searches = shared

    @property
    def nbytes(self) -> int:
        """Bytes of workspace held, and of outputs that came back; not the matrix."""
        return self._searches.nbytes

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
        relabel: Literal["auto", "degree"] | None = "auto",
        trace: bool = False,
    ) -> BFSResult:
        """Search from a source; result and errors are those of `bfs`, too.

        Parameters
        ----------
        source, levels, parents, max_depth, target, direction, threads, relabel, trace : optional
            As for `bfs`.

        Returns
        -------
        BFSResult

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], True)
        >>> plan = sb.BFSPlan(A)
        >>> [plan.run(source).depth for source in range(3)]
        [2, 1, 2]
        """
        if self._A._ready() is not self._matrix:
            self._prepare()  # entries of A were changed since the last search
        n = self._matrix.nrows
        request = SearchRequest(
            source=self._source(source, n),
            levels=_flag(levels, "levels"),
            parents=_tree(parents),
            max_depth=None if max_depth is None else _depth(max_depth),
            target=None if target is None else as_index(target, n, "target"),
            direction=_direction(direction),
            threads=None if threads is None else resolve_threads(threads),
            relabel=_relabelling(relabel),
            traced=_flag(trace, "trace"),
            planned=self._planned,
        )
        found = self._searches.run(self._matrix, request)
        if burble.active():
            _note(request, found, self._device)
        return BFSResult(found, self._device)

    def _source(self, source: Any, n: int) -> int | Array:
        """The source or sources as the engine takes them."""
        if type(source) is not int and hasattr(source, "__cuda_array_interface__"):
            if self._device != "cuda":
                raise DeviceMismatch(f"source: it is on a GPU, but A is on {self._device!r}")
            from spbfs.backends.cuda_searches import device_sources

            return device_sources(source, n)
        return source_vertices(source, n)


def _note(request: SearchRequest, found: Found, device: str) -> None:
    """The line of a whole search in a trace."""
    sources = 1 if isinstance(request.source, int) else int(request.source.shape[0])
    burble.record(direction=request.direction, kernel="bfs", frontier=sources, edges=found.edges)
    burble.finish("bfs", device, found.counts.seconds, found.counts.reached)


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


def source_vertices(source: Any, n: int) -> int | Ints:
    """One source, or several as given, checked."""
    if type(source) is not int:
        try:
            scalar = np.ndim(source) == 0
        except ValueError:
            raise DomainMismatch("source: expected an integer or a flat sequence of them") from None
        if not scalar:
            return _several(source, n)
    return as_index(source, n, "source")


def _several(source: Any, n: int) -> int | Ints:
    if isinstance(source, Sequence) and any(isinstance(s, bool) for s in source):
        raise DomainMismatch(f"source: expected integers, got {source!r}")
    sources = as_index_array(source, "source", n)
    if sources.size == 0:
        raise InvalidValue("source: expected at least one vertex, got none")
    return sources


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise DomainMismatch(f"{name}: expected True or False, got {value!r}")
    return bool(value)


def _tree(parents: Any) -> Literal["any", "min"] | None:
    if parents is True:
        return "any"
    if isinstance(parents, str):
        if parents not in ("any", "min"):
            raise InvalidValue(f'parents: expected True, False, "any" or "min", got {parents!r}')
        return "min" if parents == "min" else "any"
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


def _direction(direction: Any) -> Literal["auto", "push", "pull"]:
    for known in DIRECTIONS:
        if isinstance(direction, str) and direction == known:
            return known
    names = ", ".join(DIRECTIONS)
    raise InvalidValue(f"direction: expected one of {names}, got {direction!r}")


def _relabelling(relabel: Any) -> Literal["auto", "degree"] | None:
    for known in RELABELLINGS:
        if relabel is known or (isinstance(relabel, str) and relabel == known):
            return known
    raise InvalidValue(f'relabel: expected "auto", "degree" or None, got {relabel!r}')
