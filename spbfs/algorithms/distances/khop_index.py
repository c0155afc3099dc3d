"""An index of who is within k hops of whom, which answers pairs in bulk.

Cheng, Shang, Cheng, Wang, Yu: K-reach: who is in your small world (VLDB 2012); built by many
searches at once as in Liu, Huang, Hu: iBFS (SIGMOD 2016).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.arguments import Vertices, chosen_vertices, vertices_of
from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.bfs_many.arguments import square
from spbfs.algorithms.distances.khop_file import LANES, KeptIndex, read_index, room, write_index
from spbfs.algorithms.named import labels_of, numbers
from spbfs.algorithms.workers import results, workers_for
from spbfs.base.html import facts_and_table, size
from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.base.wording import brief
from spbfs.exceptions import DimensionMismatch, InvalidValue, NotImplementedException
from spbfs.objects.checks import as_size
from spbfs.objects.labels import each_of

__all__ = ["KHopIndex"]

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class _Block:
    """The bits of some sources and the edges that were followed for them; see `Work`."""

    hops: int

    def __call__(self, matrix: Any, sources: Array, threads: int | None) -> tuple[Array, int]:
        found = bfs_many(matrix, sources, outputs="per_level", max_depth=self.hops, threads=threads)
        assert found.per_level is not None
        levels = (level.to_packed_bits() for _, level in found.per_level)
        return reduce(np.bitwise_or, levels), found.edges


class KHopIndex:
    """Whether one vertex reaches another within k hops, a bit a pair.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter.
    sources : int or iterable of int, optional
        Distinct vertices from which pairs can be asked: hubs, say; all of them by default.
    k : int
        Hops.
    threads, progress : optional
        As for `bfs_many`.
    scheduler, devices : optional
        Who searches, as for `bfs_many`, with its errors.

    Attributes
    ----------
    labels : Labels or None
        What the vertices are called, as `A` says; then names do for their numbers.

    Raises
    ------
    OutOfMemory
        When the index, an eighth of a byte a pair, does not fit.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        As for `bfs_many`.

    Examples
    --------
    >>> import spbfs as sb
    >>> index = sb.KHopIndex(sb.generate.path(6), k=2)
    >>> index.query([0, 0, 5], [2, 3, 3])
    array([ True, False,  True])
    """

    @typed_refusals
    def __init__(
        self,
        A: Any,
        sources: Vertices | None = None,
        *,
        k: int,
        threads: int | None = None,
        progress: bool | Progress | None = None,
        scheduler: Any = None,
        devices: Sequence[str | int] | None = None,
    ) -> None:
        matrix = square(A)
        if matrix._engine.spread is not None:
            raise NotImplementedException(
                "KHopIndex: not for a matrix over ranks, which A is; KHopIndex(A.gather(), k=...) "
                "is made of one that fits each of them"
            )
        n = matrix.nrows
        self.labels = labels_of(A)
        chosen = chosen_vertices(self._numbers(sources, "sources"), "sources", n)
        hops = as_size(k, "k")
        blocks, words = room(chosen.shape[0])
        require_bytes(blocks * n * words * 8, "sources: the index")
        self._keep(n, hops, chosen, np.zeros((blocks, n, words), np.uint64))
        workers = workers_for(matrix._ready(), matrix.device, scheduler, devices)
        parts = [chosen[b * LANES : (b + 1) * LANES] for b in range(blocks)]
        edges = ended = 0
        with (
            Report(progress, chosen.shape[0], "KHopIndex") as report,
            closing(results(workers, _Block(hops), parts, threads)) as made,
        ):
            for b, (part, (bits, followed)) in enumerate(made):
                self._bits[b, :, : bits.shape[1]] = bits
                edges, ended = edges + followed, ended + part.shape[0]
                report(ended, edges)

    def _keep(self, n: int, k: int, sources: Array, bits: Array) -> None:
        self.n, self.k, self.sources, self._bits = n, k, sources, bits
        self._position = np.full(n, -1, np.int64)
        self._position[sources] = places = np.arange(sources.shape[0])
        again = self._position[sources] != places
        if again.any():
            repeated = sources[np.argmax(again)]
            raise InvalidValue(
                f"sources: expected distinct vertices, got {self._called(repeated)} twice"
            )

    def _called(self, vertex: int) -> str:
        """A vertex as a message names it."""
        labels = self.labels
        return str(vertex) if labels is None else brief(each_of(labels.names([vertex]))[0])

    def _numbers(self, vertices: Any, what: str) -> Any:
        return vertices if self.labels is None else numbers(vertices, self.labels, what)

    def __repr__(self) -> str:
        return f"<KHopIndex n={self.n} sources={self.sources.shape[0]} k={self.k}>"

    def _repr_html_(self) -> str:
        facts = [
            ("vertices", f"{self.n:,}"),
            ("sources", f"{self.sources.shape[0]:,}"),
            ("hops", f"{self.k:,}"),
            ("format", "packed bits"),
            ("device", "cpu"),
            ("bytes", size(self.nbytes)),
        ]
        return facts_and_table("Who is within some hops", facts)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return int(self._bits.nbytes + self._position.nbytes + self.sources.nbytes)

    def query(self, u: Any, v: Any) -> npt.NDArray[np.bool_]:
        """Whether u[i] reaches v[i] within k hops.

        Parameters
        ----------
        u, v : int, or sequence of int
            Vertices, by name where there are labels; those in `u` must be sources of the index.
            Both are equally long, or one is a single vertex, which goes with all of the other's.

        Returns
        -------
        ndarray of bool

        Raises
        ------
        InvalidValue
            When a vertex of `u` is not a source.
        DimensionMismatch, DomainMismatch, IndexOutOfBound

        Examples
        --------
        >>> import spbfs as sb
        >>> sb.KHopIndex(sb.generate.path(4), [1], k=1).query([1, 1], [0, 3])
        array([ True, False])
        >>> sb.KHopIndex(sb.generate.path(4), [1], k=1).query(1, [0, 3])
        array([ True, False])
        """
        start = vertices_of(self._numbers(u, "u"), "u", self.n)
        end = vertices_of(self._numbers(v, "v"), "v", self.n)
        if _is_one(u) or _is_one(v):
            start, end = np.broadcast_arrays(start, end)
        if start.shape != end.shape:
            raise DimensionMismatch(f"v: expected {start.shape[0]} vertices, got {end.shape[0]}")
        at = self._position[start]
        if (at < 0).any():
            missing = int(start[np.argmax(at < 0)])
            raise InvalidValue(f"u: {self._called(missing)} is not a source of the index")
        lane = at % LANES
        word = self._bits[at // LANES, end, lane // 64]
        return (word >> (lane % 64).astype(np.uint64)) & np.uint64(1) != 0

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to a ``.npz`` file, with the names of vertices if they have some.

        Parameters
        ----------
        path : str or os.PathLike
            The file appears, or replaces an older one, when it is complete.

        Raises
        ------
        DimensionMismatch, DomainMismatch
            When there are not as many names as vertices, or one is neither a number, a string nor a
            date, nor a tuple of such.
        FileError, FileMissing
            When it cannot be written.

        Examples
        --------
        >>> import spbfs as sb, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "index.npz"
        >>> sb.KHopIndex(sb.generate.path(4), k=1).save(path)
        >>> sb.KHopIndex.load(path).query([0], [1])
        array([ True])
        """
        from spbfs.io.arguments import path_of

        kept = KeptIndex(self.n, self.k, self.sources, self._bits, self.labels)
        write_index(path_of(path), kept)

    @classmethod
    @typed_refusals
    def load(cls, path: str | os.PathLike[str]) -> KHopIndex:
        """An index that `save` wrote, this release's or an earlier one's.

        Parameters
        ----------
        path : str or os.PathLike

        Returns
        -------
        KHopIndex

        Raises
        ------
        FormatError
            When the file is something else, or damaged.
        FileError, FileMissing
            When it cannot be read.

        Examples
        --------
        >>> import spbfs as sb, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "index.npz"
        >>> sb.KHopIndex(sb.generate.path(4), k=2).save(path)
        >>> sb.KHopIndex.load(path)
        <KHopIndex n=4 sources=4 k=2>
        """
        from spbfs.io.arguments import path_of

        kept = read_index(path_of(path))
        index = cls.__new__(cls)
        index.labels = kept.labels
        index._keep(kept.n, kept.k, kept.sources, kept.bits)
        return index


def _is_one(vertices: Any) -> bool:
    """Whether a vertex alone was given, and no sequence of them."""
    if isinstance(vertices, str | bytes) or getattr(vertices, "ndim", None) == 0:
        return True
    return not hasattr(vertices, "__iter__")
