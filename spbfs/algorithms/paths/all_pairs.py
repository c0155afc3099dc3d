"""Lengths of shortest paths from every vertex, or from chosen ones, in memory or in a file."""

from __future__ import annotations

import math
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.arguments import Vertices, chosen_vertices, square
from spbfs.algorithms.bfs_many.arguments import count
from spbfs.algorithms.paths.reweighted import reweighted, reweights_exactly
from spbfs.algorithms.paths.single_source import search, sssp
from spbfs.algorithms.paths.weights import check_weights, usable_edges, weights_of
from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.base.progress import Report
from spbfs.base.threads import resolve_threads
from spbfs.base.wording import brief
from spbfs.engines.paths import PathRequest
from spbfs.exceptions import DomainMismatch, FileError, InvalidValue
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.waiting import as_it_is
from spbfs.operators.dtypes import FP64
from spbfs.planner.paths import searches_apart
from spbfs.storage.hypersparse import HypersparseMatrix

if TYPE_CHECKING:
    from spbfs.base.progress import Progress

__all__ = ["apsp"]

Array = npt.NDArray[Any]
#: Bytes of the rows that are found between two looks at the progress.
_BATCH_BYTES = 1 << 26
#: The most searches between them.
_MOST_SEARCHES = 1024


@typed_refusals
def apsp(
    A: Any,
    sources: Vertices | None = None,
    *,
    output: str | os.PathLike[str] | None = None,
    batch: int | Literal["auto"] = "auto",
    progress: bool | Progress | None = None,
    threads: int | None = None,
) -> Array:
    """Lengths of shortest paths from every vertex, or from some, to every vertex.

    A search of `sssp` from each of the sources: by delta-stepping where the engine has it, else by
    the program of products of Bellman and Ford.  Where lengths are negative, and are so few bits
    from the greatest to the least that no sum is rounded, as integers are, that program runs once,
    from the nearest of all sources, and its distances h make edges of the length
    ``A[u, v] + h[u] - h[v]``, along which the same paths are shortest and none is negative.  Where
    sums are rounded, h is on the CPU the order of searches over the lengths as they are; on a GPU,
    and of a hypersparse matrix, each source then takes the program of Bellman and Ford.  From k
    sources it takes k times the work of one; memory of one for each thread, beside the distances in
    memory or a batch of them where they go to a file.

    Johnson: Efficient algorithms for shortest paths in sparse networks (1977).

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, with lengths as for `sssp`: the edge (u, v) has the length A[u, v], of a BOOL matrix
        1 for True.  Where no path leads has no number, a vertex is as far from itself as nothing:
        loops change that no more than edges of length 0 do.
    sources : int or iterable of int, optional
        Where paths begin, a row of the result each; all vertices by default.
    output : str or os.PathLike, optional
        A ``.npy`` file that the distances are written to as they are found.  It has its name when
        it is complete, and then replaces what had it; a call that was stopped leaves nothing.
    batch : int, optional
        Searches between two reports of the progress, and rows that are written together.
    progress : bool or callable, optional
        True shows a bar; a function is called with the searches that ended, the searches there are,
        and the edges out of vertices that they reached.
    threads : int, optional
        Of the CPU: each takes searches of its own where these are enough, else all take each.

    Returns
    -------
    ndarray
        Distances of shape (sources, n) in host memory, or mapped from the file to be read.  They
        are INT64 where lengths are integers or BOOL, else FP64.  Where no path leads, they are the
        identity of min: infinity, of INT64 the greatest number.  A row is what `sssp` finds, the
        same whatever the other sources and the threads.

    Raises
    ------
    NegativeCycle
        When a cycle of negative length can be reached from a source.
    OutOfMemory
        When the distances do not fit into memory; the message says how many bytes they have.
    FileError, FileMissing
        When the file cannot be written, or the disk has no room for it.
    InvalidValue
        When lengths are none, as for `sssp`, or the file is not a ``.npy``.
    DimensionMismatch, DomainMismatch, IndexOutOfBound
        As for `bfs_many`.

    Notes
    -----
    A directed graph is searched along its edges, weights of zero are lengths like others, and NaN
    is refused.  A graph of no vertices has no rows.

    References
    ----------
    Johnson: Efficient algorithms for shortest paths in sparse networks (1977).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 0], [7.0, 2, 1, 3], nrows=3, ncols=3)
    >>> sb.apsp(A)
    array([[ 0.,  7.,  2.],
           [ 4.,  0.,  1.],
           [ 3., 10.,  0.]])
    >>> sb.apsp(A, 2)
    array([[ 3., 10.,  0.]])
    """
    matrix = as_it_is(square(A))
    n = matrix.nrows
    chosen = np.asarray(chosen_vertices(sources, "sources", n), np.int64)
    path = None if output is None else _as_file(output)
    together = max(1, min(_MOST_SEARCHES, _BATCH_BYTES // (8 * n + 1)))
    if not (isinstance(batch, str) and batch == "auto"):
        together = count(batch, "batch", 1)
    number = None if threads is None else resolve_threads(threads)
    dtype = check_weights(matrix).dtype.np_type
    needed = chosen.shape[0] * n * dtype.itemsize
    if path is None:
        what = f"sources: distances from {chosen.shape[0]:,} to {n:,} vertices"
        require_bytes(needed, what, "; output= writes them to a file")
    with Report(progress, chosen.shape[0], "apsp") as report:
        searches = _Searches(matrix, chosen, number, report)
        if path is not None:
            return _written(path, needed, searches, together)
        found = np.empty(searches.shape, dtype)
        for first in range(0, chosen.shape[0], together):
            searches.find(first, found[first : first + together])
        return found


class _Searches:
    """A search from each of the sources."""

    def __init__(
        self, A: MatrixOperand, sources: Array, threads: int | None, report: Report
    ) -> None:
        A, weights = usable_edges(A)
        self._sources, self._threads, self._report = sources, threads, report
        self.shape, self.dtype = (sources.shape[0], A.nrows), weights.dtype.np_type
        self._none = math.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).max
        self._degrees = A.reduce_rowwise("count").new().to("cpu").to_dense(0)
        self._edges = 0
        #: What a path is longer by: its end's minus its begin's.
        self._potential: Array | None = None
        #: Distances from the nearest source, by which searches over lengths below 0 are in order.
        self._nearest: Array | None = None
        if weights.negative and sources.shape[0] > 1:
            if reweights_exactly(A, weights):
                A, nearest = reweighted(A, sources)
                self._potential = nearest.to("cpu").to_dense(0)
                # A path of as many edges as there are, all of the longest, is not among these.
                weights = weights_of(A)
            elif weights.dtype is FP64 and A._engine.fused.distances_by_potential is not None:
                A = weights.of(A)
                self._nearest = sssp(A, sources, parents=False).distances.to_dense(0)
        self._A, self._weights = A, weights

    def find(self, first: int, rows: Array) -> None:
        """The distances from the sources from the `first` on, a row each."""
        sources = self._sources[first : first + len(rows)]
        if not self._at_once(sources, rows):
            for i in range(len(sources)):
                begin = sources[i : i + 1]
                distances = search(self._A, self._weights, begin, threads=self._threads).distances
                rows[i] = distances.to("cpu").to_dense(self._none)
        for source, row in zip(sources.tolist(), rows, strict=True):
            reached = row != self._none
            if self._potential is not None:
                longer = self._potential - self._potential[source]
                np.add(row, longer, out=row, where=reached)
            self._edges += int(self._degrees.sum(where=reached))
        self._report(first + len(rows), self._edges)

    def _at_once(self, sources: Array, rows: Array) -> bool:
        """Find them by one call, where the engine has that and it pays."""
        fused, data, w = self._A._engine.fused, self._A._ready(), self._weights
        if isinstance(data, HypersparseMatrix):
            return False
        if self._nearest is not None and fused.distances_by_potential is not None:
            threads = self._threads
            return fused.distances_by_potential(data, self._nearest, sources, rows, threads)
        call = fused.distances_from_each
        if call is None or w.negative:
            return False
        if not searches_apart(len(sources), resolve_threads(self._threads)):
            return False
        call(
            data,
            PathRequest(sources, None, None, False, self._threads, w.mean, w.greatest),
            self._none,
            rows,
        )
        return True


def _as_file(output: Any) -> Path:
    from spbfs.io.arguments import path_of

    if not isinstance(output, str | os.PathLike):
        raise DomainMismatch(f"output: expected the name of a file, got {brief(output)}")
    path = path_of(output, "output")
    if path.suffix != ".npy":
        raise InvalidValue(f"output: expected the name of a .npy file, got {str(path)!r}")
    return path


def _written(path: Path, needed: int, searches: _Searches, together: int) -> Array:
    """The file of distances, batch by batch, mapped when it is complete."""
    from spbfs.io.files.sink import Sink

    k, n = searches.shape
    with Sink(path, 0, progress=False, argument="output") as sink:
        free = shutil.disk_usage(path.parent).free
        if needed > free:
            raise FileError(
                f"output: {str(path)!r} needs {needed:,} bytes and {free:,} are free there"
            )
        descr = np.lib.format.dtype_to_descr(searches.dtype)
        header = {"descr": descr, "fortran_order": False, "shape": searches.shape}
        np.lib.format.write_array_header_1_0(sink.stream, header)
        require_bytes(min(together, k) * n * 8, "batch: distances that are written together")
        block = np.empty((min(together, k), n), searches.dtype)
        for first in range(0, k, together):
            rows = block[: min(together, k - first)]
            searches.find(first, rows)
            sink.write(rows.reshape(-1).view(np.uint8))
    # A file of no bytes cannot be mapped.
    return np.asanyarray(np.load(path, mmap_mode="r" if needed else None))
