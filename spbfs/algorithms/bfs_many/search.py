"""Breadth-first searches from many sources, a bit a search: hundreds of them in one traversal.

Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the merrier: efficient
multi-source graph traversal (VLDB 2014).  Liu, Huang, Hu: iBFS: concurrent breadth-first search on
GPUs (SIGMOD 2016).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from spbfs.algorithms.bfs.arguments import Vertices
from spbfs.algorithms.bfs_many.arguments import Arguments, Output, check_arguments
from spbfs.algorithms.bfs_many.collected import search_here
from spbfs.algorithms.bfs_many.elsewhere import search_elsewhere
from spbfs.algorithms.bfs_many.numbered import named, numbered
from spbfs.algorithms.bfs_many.over_ranks import search_over_ranks
from spbfs.algorithms.bfs_many.result import BFSManyResult
from spbfs.algorithms.workers import elsewhere, workers_for
from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress
from spbfs.engines import get_engine
from spbfs.exceptions import InvalidValue

__all__ = ["bfs_many"]


@typed_refusals
def bfs_many(
    A: Any,
    sources: Vertices,
    *,
    outputs: Output | list[str] | tuple[str, ...] | Mapping[str, Any] = "levels",
    max_depth: int | None = None,
    sparse: bool = False,
    batch: int | Literal["auto"] = "auto",
    group: Literal["auto", "given"] | tuple[int, int] = "auto",
    checkpoint: str | os.PathLike[str] | None = None,
    device: str | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    scheduler: Any = None,
    devices: Sequence[str | int] | None = None,
) -> BFSManyResult:
    """Breadth-first search from every one of many sources.

    Sources are searched in batches, all of a batch in one traversal that keeps a bit a search; on
    graphs so deep that searches would hardly ever meet, one after the other.  Searches that reach
    little, by `max_depth` or in small components, take time by what they reach alone.  The first
    call makes what searches of the matrix share, and keeps it with the matrix: later calls are
    faster, most of all on CUDA, where one of as many sources begins before its outputs are made.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; stored entry (u, v) is the edge from u to v, whatever its value.
    sources : int or iterable of int
        k vertices, in any order, perhaps repeated; also an array on the GPU where the matrix is.
    outputs : str, sequence of str or mapping, optional
        Which outputs to make, attributes of the result of the same names: ``"levels"``,
        ``"per_level"``, ``"level_sizes"``, ``"sum_inverses"``, ``"counts"``, ``"level_sums"``,
        ``"parents"``; ``"sum_levels"``, ``"reached"`` and ``"eccentricity"`` always are.  For
        ``"per_level"`` all batches are held at once, of sources as given, and the searches are made
        here, without `scheduler` and `devices`.  A mapping says where
        levels go: ``{"levels": array}``, k x n in uint8, uint16 or uint32, wide enough, or
        ``{"levels": path}``, a ``.npy`` file, mapped.  Beside it a file says which searches ended:
        the same call made again goes on where an earlier one was stopped.  It takes the rows of
        those as they are: graph, sources, shape and type of the file are compared, levels are not.
        ``{"parents": path}`` likewise.
    max_depth : int, optional
        Visit no vertex deeper than this.
    sparse : bool, optional
        Levels as rows of (source, vertex, hops), one for every vertex that a source reaches, in
        host memory: a structured array of numbers, of vertices with names too, which
        ``pandas.DataFrame`` takes as it is.  By source as given, by hops, by vertex.  For searches
        that reach little of a large graph.
    batch : int or "auto", optional
        Searches at once, at most 1024; by default what suits the engine, the depth of the graph
        and the memory.  Given, so many are joined, be the graph as deep as it may.
    group : "auto", "given" or (p, q), optional
        Which sources share a batch: those next to each other as given; with (p, q), iBFS's GroupBy,
        sources of fewer than p out-neighbours that have one of more than q in common, all others at
        random, which are the same at every call; or what was measured faster on graphs of such size
        and degrees: as given, or those that share the out-neighbour of largest degree, whatever the
        degrees.
    checkpoint : str or os.PathLike, optional
        A ``.npz`` file that keeps what ended, written every few seconds: the same call made again
        goes on where an earlier one was stopped.  For outputs without levels and parents.
    device : str, optional
        Where to search; default: where `A` is.
    threads : int, optional
        Of the CPU engine.  Default: `set_threads`, else ``OMP_NUM_THREADS``, else every core.
    progress : bool or callable, optional
        True for a bar; or a function of (searches ended, searches, edges so far), called after
        every batch.
    scheduler : dask.distributed.Client, optional
        Have the workers of a Dask cluster search batches, on `device` there.  Each has a replica of
        the matrix, sent once, or mapped where A is of `open_csr` and all see its folder, and one
        batch at a time on the threads that it has from Dask.  Batches of a worker that dies are
        searched again by another one; Ctrl-C cancels those that were not begun.
    devices : sequence of str or int, optional
        Have threads of this process search batches, one for each of these devices: ``"cuda:1"``, or
        just 1, is the second GPU; several ``"cpu"`` share the cores.  A copy on another GPU is kept
        with the matrix.

    Returns
    -------
    BFSManyResult
        Where A is, whoever has searched.

    Raises
    ------
    DimensionMismatch
        When A is not square.
    IndexOutOfBound, DomainMismatch, InvalidValue
        When another argument is not what is described above; when searches of a matrix of 2^28
        rows or more would be joined on CUDA.
    OutOfMemory
        When outputs, a batch of 64 searches, or the matrix on a worker do not fit; before anything
        ran.
    WorkerError
        When workers of the scheduler are missing, lost, or of another version of spbfs or Python.
    BackendUnavailable
        When one of the devices is not there.
    FileError
        When the file of levels cannot be read or written, a FormatError when it is damaged.
    KeyboardInterrupt
        On Ctrl-C; its attribute `partial` is a result of the batches that ended.

    Notes
    -----
    Work is about that of k searches at most, k looks at m edges; memory is the outputs, and bits of
    all vertices for every search of a batch.  Loops lead nowhere new; values, zero, negative and
    NaN too, are not looked at.  A graph of no vertices has no source to begin at; from a source
    without edges nobody else is reached.  Levels and what is derived from them are the same on
    every run.

    References
    ----------
    Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the merrier: efficient
    multi-source graph traversal (VLDB 2014).  Liu, Huang, Hu: iBFS: concurrent breadth-first search
    on GPUs (SIGMOD 2016).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.path(5)
    >>> found = sb.bfs_many(A, [0, 2])
    >>> found.levels
    array([[0, 1, 2, 3, 4],
           [2, 1, 0, 1, 2]], dtype=uint8)
    >>> found.sum_levels, found.eccentricity
    (array([10,  6]), array([4, 2]))
    >>> sb.bfs_many(A, [0, 2], max_depth=1, sparse=True).levels[["source", "vertex"]].tolist()
    [(0, 0), (0, 1), (2, 2), (2, 1), (2, 3)]
    """
    away = elsewhere(scheduler, devices, device)
    call = check_arguments(
        A,
        sources,
        outputs=outputs,
        max_depth=max_depth,
        sparse=sparse,
        batch=batch,
        group=group,
        checkpoint=checkpoint,
        device=None if away else device,
        threads=threads,
    )
    if away and "per_level" in call.outputs:
        raise InvalidValue(
            "outputs: per_level is there only where searches are made; expected no scheduler and "
            "no devices with it"
        )
    if "per_level" in call.outputs and call.group not in ("auto", "given"):
        raise InvalidValue(
            f"group: expected 'auto' or 'given' with per_level, whose columns are in the order of "
            f"the sources, got {call.group}"
        )
    if away:
        call = replace(call, given=call.sources)  # refused here, not when workers are at work
    spread = get_engine(call.device).spread
    if spread is not None:
        if away:  # says that it is not for these
            workers_for(call.data, call.device, scheduler, devices, device)
        result = search_over_ranks(call, spread, progress)
        _trace(call, result)
        return result
    over, labels = numbered(call)
    if away:
        workers = workers_for(over.data, over.device, scheduler, devices, device)
        result = search_elsewhere(over, workers, progress)
    else:
        result = search_here(over, progress)
    _trace(over, result)
    return named(result, call, labels)


def _trace(call: Arguments, result: BFSManyResult) -> None:
    """The line of all searches in a trace."""
    if tracing.current() is not None:
        kernel = "bfs_many" if result.batch > 1 else "bfs"
        tracing.record(kernel=kernel, frontier=call.sources.shape[0], edges=result.edges)
        reached = int(result.reached.sum())
        tracing.finish("bfs_many", call.device, result.seconds, reached)
