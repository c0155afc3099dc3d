"""Breadth-first search: the whole traversal in one native call, direction-optimising.

Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal

from spbfs.algorithms.bfs.arguments import Vertex, Vertices, as_matrix
from spbfs.algorithms.bfs.one_shot import arrays_of
from spbfs.algorithms.bfs.plan import searched
from spbfs.algorithms.bfs.request import as_request, noted
from spbfs.algorithms.bfs.result import BFSResult
from spbfs.base.memory import typed_refusals
from spbfs.engines import get_engine
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.planner.expansion import Expansion
from spbfs.planner.search import NeighbourOrder, Relabelling

__all__ = ["bfs"]


@typed_refusals
def bfs(
    A: Any,
    source: Vertices,
    *,
    levels: bool = True,
    parents: bool | Literal["any", "min"] = True,
    max_depth: int | None = None,
    target: Vertex | None = None,
    direction: Literal["auto", "push", "pull"] = "auto",
    threads: int | None = None,
    relabel: Relabelling = "auto",
    neighbours: NeighbourOrder = "auto",
    expansion: Expansion | str = "auto",
    strategy: str | Sequence[str] | None = None,
    interval: int = 1,
    part_edges: int | None = None,
    device: str | None = None,
    devices: Sequence[str | int] | None = None,
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
        Where to start.  Several sources give the distance to the nearest one, and `owners`.  They
        may be in GPU memory.  Of a matrix on CUDA a search does not wait to look at them there: if
        one is out of range, what waits for the search raises it (numbers, paths, tables), and the
        outputs alone are those of the others.
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
        that is on both, and directions as without a strategy.  A matrix over ranks has those of the
        device that all of them work on.
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
    devices : sequence of str or int, optional
        GPUs of this machine, all of one kind, that search together, ``[0, 1]`` or ``["cuda:0",
        "cuda:1"]``: each has the edges of its own vertices, and between levels they read each
        other's memory, so they must be peers.  For large graphs of few levels: a level takes some
        microseconds longer than on one.  Their shares are kept with the matrix, which may lie on a
        GPU or in host memory; outputs are brought to it when they are first asked for.  Several
        sources and ``parents="min"`` want it on a GPU.
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

    Notes
    -----
    Work is O(n + m) of a search that pushes; a level is pulled where that looks cheaper.  Memory is
    that of the outputs and the workspace, see OutOfMemory.  Edges are followed along their
    direction, loops lead nowhere new, and values, zero, negative and NaN too, are not looked at.  A
    graph of no vertices has no source to begin at; from a source without edges nobody else is
    reached.  Levels are the same on every run and engine; parents may be others, unless they are to
    be the least ones.

    References
    ----------
    Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).

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
    asked += relabel, neighbours, expansion, strategy, interval, part_edges, device, devices, trace
    if arrays is not None and strategy is None and devices is None:
        indptr, indices, n = arrays
        request, _ = as_request(source, n, ("cpu",), False, *asked)
        found = get_engine("cpu").search_as_given(indptr, indices, request, started)
        if found is not None:
            return noted(request, found, "cpu")
        source = request.source  # what can be gone through once has been
    result = searched(as_matrix(A), False, source, *asked)
    if not isinstance(A, MatrixOperand):
        result._found.took(time.perf_counter() - started)
    return result
