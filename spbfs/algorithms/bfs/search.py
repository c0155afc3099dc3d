"""Breadth-first search: the whole traversal in one native call, direction-optimising.

Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from operator import is_
from typing import Any, Literal

from spbfs.algorithms.bfs.arguments import (
    Vertices,
    as_depth,
    as_direction,
    as_expansion,
    as_matrix,
    as_neighbour_order,
    as_part_edges,
    as_relabelling,
    as_searching_device,
    as_source,
    as_strategies,
    as_tree,
    check_square,
)
from spbfs.algorithms.bfs.one_shot import arrays_of
from spbfs.algorithms.bfs.result import BFSResult
from spbfs.algorithms.bfs.strategies import search_by
from spbfs.base import tracing
from spbfs.base.threads import resolve_threads
from spbfs.engines import get_engine
from spbfs.engines.bfs import Searches, SearchRequest, SearchResult, searches_elsewhere, searches_of
from spbfs.objects.checks import as_flag, as_index
from spbfs.objects.matrix_operand import MatrixOperand
from spbfs.objects.residences import residences_of
from spbfs.planner.expansion import Expansion
from spbfs.planner.lanes import total_use
from spbfs.planner.search import NeighbourOrder, Relabelling
from spbfs.planner.strategies import Chooser
from spbfs.storage.data import MatrixData

__all__ = ["BFSPlan", "bfs"]


def bfs(
    A: Any,
    source: Vertices,
    *,
    levels: bool = True,
    parents: bool | Literal["any", "min"] = True,
    max_depth: int | None = None,
    target: int | None = None,
    direction: Literal["auto", "push", "pull"] = "auto",
    threads: int | None = None,
    relabel: Relabelling = "auto",
    neighbours: NeighbourOrder = "auto",
    expansion: Expansion | str = "auto",
    strategy: str | Sequence[str] | None = None,
    interval: int = 1,
    part_edges: int | None = None,
    device: str | None = None,
    trace: bool = False,
) -> BFSResult:
    """Breadth-first search of the graph whose edge (u, v) is the stored entry A[u, v].

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter, only which entries are stored.  What a search
        derives from a `Matrix` (whether it is symmetric, its transpose, workspace, on CUDA also a
        copy of the graph in the order that suits a search) is kept with it.  It makes later calls
        faster and changes none of their results: searches, products, and on CUDA loops of products,
        which are then computed ahead one step sooner.
    source : int or iterable of int
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
    relabel : {"auto", "compact", "degree"} or None, optional
        Which vertices the copy of the graph that is searched numbers, and how: those with entries
        in their order (zero-degree remapping), or by falling degree; None: all, as they are given;
        "auto": as suits their degrees on CUDA, as they are given on the CPU.  Results are in the
        given numbers, and the time to map them back is part of the search.
    neighbours : {"auto", "degree"} or None, optional
        In which order a row of that copy has its neighbours: by falling degree (on CUDA in classes
        of a factor of four), which is what "auto" is on CUDA and with ``relabel="degree"``; or as
        they are given.  On the CPU rows stay as given where least parents or owners are sought.
    expansion : Expansion or str, optional
        ``"auto"`` is the fused search, which decides at every level who works and how.  For study,
        on CUDA: push alone, level by level, in one of the ways that papers give, all of them in
        `spbfs.planner.expansion`; a name is that of a strategy.  Kernels that count what the lanes
        of warps do are asked for by ``Expansion(..., count_lanes=True)``.
    strategy : str or sequence of str, optional
        How each level is expanded, the last name for all deeper ones: for study.  ``"TC"`` and
        ``"TG"`` are top-down on the CPU and on the GPU, ``"BC"`` and ``"BG"`` bottom-up, ``"BGC"``
        on the GPU with the hot part of the status in shared memory.  It takes the place of
        `direction` and `expansion`.  A matrix on one device has the strategies of that device; one
        on both, ``A.to("cpu+cuda")``, has all five: where the device changes, the frontier and the
        visited set move, each as a list or as bits, whichever is smaller, through pinned memory.
        ``"auto"`` chooses by the rates in use, see `set_rates`: between the devices of a matrix
        that is on both, and directions as without a strategy.
    interval : int, optional
        With ``strategy="auto"``, after how many levels a device is chosen again, or later where the
        way to the other one costs more than a level.
    part_edges : int, optional
        Look at the edges in parts of at most so many, one at a time, and of a level only at those
        parts that it needs: for graphs whose edges exceed one buffer.  Such a search copies no
        graph: beside a part it holds the offsets of rows and about 28 bytes a vertex.
    device : {"cpu", "cuda"}, optional
        Who searches; where A is by default.  With `part_edges`, ``"cuda"`` searches a matrix that
        stays in host memory, for graphs larger than the GPU's: its parts are copied to pinned
        memory once, which is kept with the matrix, and brought as they are needed, so that the GPU
        holds two.  The outputs are on the GPU.
    trace : bool, optional
        Record every level in the result's `trace`, with the time of each change of device.

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
    started = time.perf_counter()
    arrays = None if isinstance(A, MatrixOperand) else arrays_of(A)
    asked: tuple[Any, ...] = levels, parents, max_depth, target, direction, threads
    asked += relabel, neighbours, expansion, strategy, interval, part_edges, device, trace
    if arrays is not None and strategy is None:
        indptr, indices, n = arrays
        if all(map(is_, asked, _DEFAULTS)):
            at = as_source(source, n, "cpu")
            request = SearchRequest(at, True, "any", None, None, "auto", None, "auto", False, False)
        else:
            request, _ = _request(source, n, ("cpu",), False, *asked)
        found = get_engine("cpu").search_as_given(indptr, indices, request, started)
        if found is not None:
            return _noted(request, found, "cpu")
    result = _unplanned(A)._run(source, *asked)
    if not isinstance(A, MatrixOperand):
        result._found.took(time.perf_counter() - started)
    return result


#: What need not be checked, as nobody gave it: of a small graph a search takes no longer.
_DEFAULTS = tuple((bfs.__kwdefaults__ or {}).values())


def _unplanned(A: Any) -> BFSPlan:
    """A plan of which nothing says that there will be many searches."""
    plan = BFSPlan(A)
    plan._planned = False
    return plan


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
        check_square(data.nrows, data.ncols)
        self._matrix: MatrixData = data
        self._device = self._A.device
        self._searches: Searches = searches_of(data, get_engine(self._device).searches)

    def __reduce__(self) -> Any:
        # Workspace is made again, as what a matrix keeps is.
        return BFSPlan, (self._A,)

    @property
    def nbytes(self) -> int:
        """Bytes of workspace held, and of outputs that came back; not the matrix.

        On CUDA the copies of the graph that searches read are workspace, too.
        """
        return self._searches.nbytes

    def run(
        self,
        source: Vertices,
        *,
        levels: bool = True,
        parents: bool | Literal["any", "min"] = True,
        max_depth: int | None = None,
        target: int | None = None,
        direction: Literal["auto", "push", "pull"] = "auto",
        threads: int | None = None,
        relabel: Relabelling = "auto",
        neighbours: NeighbourOrder = "auto",
        expansion: Expansion | str = "auto",
        strategy: str | Sequence[str] | None = None,
        interval: int = 1,
        part_edges: int | None = None,
        device: str | None = None,
        trace: bool = False,
    ) -> BFSResult:
        """Search from a source; result and errors are those of `bfs`, too.

        Parameters
        ----------
        source : int or iterable of int
        levels, parents, max_depth, target, direction, threads : optional
        relabel, neighbours, expansion, strategy, interval, part_edges, device, trace : optional
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
        asked: tuple[Any, ...] = levels, parents, max_depth, target, direction, threads
        asked += relabel, neighbours, expansion, strategy, interval, part_edges, device, trace
        return self._run(source, *asked)

    def _run(self, source: Any, *asked: Any) -> BFSResult:
        if self._A._ready() is not self._matrix:
            self._prepare()  # entries of A were changed since the last search
        n, devices = self._matrix.nrows, residences_of(self._A)
        request, chooser = _request(source, n, devices, self._planned, *asked)
        if chooser is not None:
            found, where = search_by(chooser, self._A, request)
            return _noted(request, found, self._device, where)
        searches = self._searches
        if request.device != self._device:
            searches = self._elsewhere(request.device)
        return _noted(request, searches.run(self._matrix, request), request.device)

    def _elsewhere(self, device: str) -> Searches:
        """The searches of the matrix on a device to which it is brought part by part."""
        home, engine = get_engine(self._device), get_engine(device)
        return searches_elsewhere(
            self._matrix, lambda A: engine.searches_from_host(A, home.in_edges)
        )


def _request(
    source: Any,
    n: int,
    devices: tuple[str, ...],
    planned: bool,
    levels: Any,
    parents: Any,
    max_depth: Any,
    target: Any,
    direction: Any,
    threads: Any,
    relabel: Any,
    neighbours: Any,
    expansion: Any,
    strategy: Any,
    interval: Any,
    part_edges: Any,
    device: Any,
    trace: Any,
) -> tuple[SearchRequest, Chooser | None]:
    """The arguments of a search of n vertices of a matrix on these devices, checked, and who
    chooses its strategies."""
    others = {
        "direction": (direction, "auto"),
        "expansion": (expansion, "auto"),
        "part_edges": (part_edges, None),
        "device": (device, None),
    }
    chooser = as_strategies(strategy, interval, devices, others)
    where = as_searching_device(device, devices[0], part_edges)
    request = SearchRequest(
        as_source(source, n, where),
        as_flag(levels, "levels"),
        as_tree(parents),
        None if max_depth is None else as_depth(max_depth),
        None if target is None else as_index(target, n, "target"),
        as_direction(direction),
        None if threads is None else resolve_threads(threads),
        as_relabelling(relabel),
        as_flag(trace, "trace"),
        planned,
        as_expansion(expansion, where, direction, target),
        as_neighbour_order(neighbours),
        as_part_edges(part_edges, relabel, neighbours, expansion),
        where,
    )
    return request, chooser


def _noted(
    request: SearchRequest, found: SearchResult, device: str, where: str | None = None
) -> BFSResult:
    """The result, told to a trace where there is one; its arrays may be on another device yet."""
    if tracing.current() is not None:
        _note(request, found, where or device)
    return BFSResult(found, device, where)


def _note(request: SearchRequest, found: SearchResult, device: str) -> None:
    """The line of a whole search in a trace."""
    sources = 1 if isinstance(request.source, int) else int(request.source.shape[0])
    tracing.record(direction=request.direction, kernel="bfs", frontier=sources, edges=found.edges)
    if request.expansion is not None and request.expansion.count_lanes:
        used = total_use(step.lanes for step in found.counts.trace or ())
        tracing.record(me=used.me, ua=used.ua, ur=used.ur)
    tracing.finish("bfs", device, found.counts.seconds, found.counts.reached)
