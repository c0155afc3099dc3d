"""What searches from many sources found."""

from __future__ import annotations

import sys
import weakref
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.html import facts_and_table
from spbfs.base.packages import package
from spbfs.engines.bfs import UNSHARED, ArrayPool
from spbfs.exceptions import InvalidValue
from spbfs.objects.exports.arrow_tables import stream
from spbfs.objects.exports.tables import only_text
from spbfs.objects.labels import Labels
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = ["BFSManyResult", "inverses_summed", "level_rows", "nothing_found", "vertex_values"]

Array = Any
Ints = npt.NDArray[np.int64]

#: Sources that a notebook shows; the rest is counted.
_LISTED = 10
#: Numbers that are summed together.
_SUMMED = 1 << 20


@dataclass(slots=True, weakref_slot=True)
class BFSManyResult:
    """What the searches found; arrays are on the device of the matrix, those of k on the host.

    Attributes
    ----------
    sources : int64 array of k
    done : bool array of k
        Which searches ended: all of them, except in what an interruption leaves behind.
    reached, sum_levels, eccentricity : int64 array of k
        Vertices that a source reaches, itself included; the sum of their levels; the largest.
    level_sizes : int64 array, k x (depth + 1), or None
        How many vertices every source has at every level.
    sum_inverses : float64 array of k, or None
        The sum of 1 / level over the vertices that a source reaches, itself left out.
    levels : array, k x n, or None
        uint8, or what `depth` asks for; the dtype's maximum stands for unreached.  With ``sparse``
        a structured array of source, vertex and hops, a row a vertex reached.  Of a matrix over
        ranks a list of k vectors, and `counts` and `level_sums` are vectors, too.
    parents : array, k x n, of the matrix's index type, or None
        Any valid tree a source; sources are their own, -1 stands for unreached.  Of a matrix over
        ranks a list of k vectors without entries there.
    counts, level_sums : int64 array of n, or None
        How many of the sources reach a vertex, and the sum of their levels there.
    per_level : iterator of (int, Matrix), or None
        Every level once, with the vertices at it as a BOOL matrix, n x k, in packed bits where one
        batch had all sources.
    depth : int
        The largest level.
    edges : int
        Stored entries in the rows of reached vertices, summed over sources.
    seconds : float
        Time of the searches, outputs included; what is made once for a graph is not.
    searches_before, edges_before : int
        How many of the searches, with how many of the edges, an earlier call had made where this
        one went on; `seconds` are those of the others.
    batch : int
        Sources searched at once; 1 where they were searched one after the other.
    joint : int
        Vertices of all joint frontiers; 0 where the engine does not count them.
    labels : Labels or None
        What the vertices are called, where the matrix says; `sources` are numbers all the same.
    """

    sources: Ints
    done: npt.NDArray[np.bool_]
    reached: Ints
    sum_levels: Ints
    eccentricity: Ints
    level_sizes: Ints | None = None
    sum_inverses: npt.NDArray[np.float64] | None = None
    levels: Array = None
    parents: Array = None
    counts: Array = None
    level_sums: Array = None
    per_level: Any = field(default=None, repr=False)
    depth: int = 0
    edges: int = 0
    seconds: float = 0.0
    searches_before: int = 0
    edges_before: int = 0
    batch: int = 1
    joint: int = 0
    labels: Labels | None = None
    #: Who made `levels`, and may use them again, and what was made.
    _made: tuple[weakref.ref[ArrayPool], weakref.ref[Any]] | None = field(
        default=None, repr=False, compare=False
    )

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """For copies and other processes, which give nothing back."""
        state = {f.name: getattr(self, f.name) for f in fields(self)}
        return None, state | {"_made": None}

    def __del__(self) -> None:
        if self._made is None:
            return
        pool, made = self._made[0](), self._made[1]()
        levels, self.levels = self.levels, None
        ours = levels is made  # not what somebody else has put there
        del made
        if pool is None or levels is None or not ours:
            return
        # Anything else that refers to the array, or to a part of it, may still be read.
        if sys.getrefcount(levels) <= UNSHARED and levels.flags.writeable:
            pool.take_back(levels)

    @property
    def sharing(self) -> float:
        """Vertices of all frontiers over those of the joint frontiers: how many share one."""
        return float(self.reached[self.done].sum()) / self.joint if self.joint else float("nan")

    def labelled(self, labels: Labels) -> None:
        """Vertices are called so from now on.

        Parameters
        ----------
        labels : Labels
        """
        self.labels = labels

    def to_pandas(self) -> Any:
        """The levels as a table: a row a vertex that is reached, a column a source.

        Over ranks it is collective, and every rank gets the whole table: for small ones.

        Returns
        -------
        pandas.DataFrame
            Its index, called "vertex", and its columns are names where the matrix has labels, else
            numbers; who is not reached from a source has ``<NA>`` there.  With ``sparse`` a row a
            vertex reached from a source, with columns "source", "vertex" and "level".

        Raises
        ------
        InvalidValue
            When the searches were not asked for levels.
        PackageMissing
            When pandas is not installed.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
        >>> A.labels = ["ann", "bob", "eve"]
        >>> sb.bfs_many(A, ["bob", "ann"]).to_pandas().loc["eve"].to_dict()
        {'bob': 1, 'ann': 2}
        """
        levels = self._level_rows()
        pandas = package("pandas", "to_pandas")
        if levels.dtype.names:
            with only_text("pandas"):
                return pandas.DataFrame(self._listed(levels))
        vertices, sources, columns = self._by_source(levels)
        arrays = (pandas.arrays.IntegerArray(*column) for column in columns)
        frame = pandas.DataFrame(dict(enumerate(arrays)), copy=False)
        with only_text("pandas"):
            frame.index = pandas.Index(vertices, name="vertex")
            frame.columns = pandas.Index(sources, name="source")
        return frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table of `to_pandas` for whoever speaks Arrow, its index the column "vertex".

        What it takes, gives and raises is said at `Vector.__arrow_c_stream__`.

        Examples
        --------
        >>> import pyarrow
        >>> import spbfs as sb
        >>> A = sb.generate.path(3)
        >>> pyarrow.table(sb.bfs_many(A, [1, 0])).to_pydict()
        {'vertex': [0, 1, 2], '1': [1, 0, 1], '0': [0, 1, 2]}
        """
        levels = self._level_rows()
        if levels.dtype.names:
            listed = self._listed(levels)
            return stream(list(listed), list(listed.values()), requested_schema)
        vertices, sources, columns = self._by_source(levels)
        arrays = [np.ma.array(of_one, mask=none) for of_one, none in columns]
        return stream(["vertex", *map(str, sources)], [vertices, *arrays], requested_schema)

    def _level_rows(self) -> Array:
        if self.levels is None:
            raise InvalidValue('levels: expected searches with outputs=["levels"], got none')
        return level_rows(self.levels)

    def _listed(self, levels: Array) -> dict[str, Array]:
        """Sources, vertices and levels, an element a vertex that is reached from a source."""
        ends = {name: self._names(levels[name]) for name in ("source", "vertex")}
        return ends | {"level": levels["hops"]}

    def _by_source(self, levels: Array) -> tuple[Array, Array, list[tuple[Array, Array]]]:
        """Vertices that are reached, sources, and of every source levels and who has none."""
        levels, sources = levels[self.done], self.sources[self.done]
        unreached = levels == np.iinfo(levels.dtype).max
        rows = np.flatnonzero(~unreached.all(axis=0))
        columns = [
            (of_one[rows], none[rows]) for of_one, none in zip(levels, unreached, strict=True)
        ]
        return self._names(rows), self._names(sources), columns

    def _names(self, vertices: Array) -> Array:
        return vertices if self.labels is None else self.labels.names(vertices)

    def __repr__(self) -> str:
        return (
            f"<BFSManyResult sources={self.sources.shape[0]} depth={self.depth} "
            f"edges={self.edges} batch={self.batch} sharing={self.sharing:.1f} "
            f"seconds={self.seconds:.6f}>"
        )

    def _repr_html_(self) -> str:
        facts = [
            ("sources", f"{self.sources.shape[0]:,}"),
            ("depth", f"{self.depth:,}"),
            ("edges", f"{self.edges:,}"),
            ("seconds", f"{self.seconds:.6f}"),
        ]
        sources = self.sources[:_LISTED].tolist()
        names = [f"{v:,}" for v in sources] if self.labels is None else self._names(sources)
        columns = self.reached, self.sum_levels, self.eccentricity
        rows = [
            [str(name), *(f"{int(x):,}" for x in row)]
            for name, *row in zip(names, *(column[:_LISTED] for column in columns), strict=True)
        ]
        if self.sources.shape[0] > _LISTED:
            rows.append([f"... {self.sources.shape[0] - _LISTED:,} more", "", "", ""])
        header = ["source", "reached", "sum of levels", "eccentricity"]
        return facts_and_table("Breadth-first searches", facts, header, rows)


def vertex_values(values: Array) -> Array:
    """An output that has a number a vertex, as an array in host memory; gathered over ranks."""
    return whole(values).to_dense(0) if isinstance(values, Vector) else on_host(values)


def level_rows(levels: Array) -> Array:
    """A row a source in host memory, the greatest number where it does not reach: of vectors over
    ranks gathered from them."""
    if not isinstance(levels, list):
        return on_host(levels)
    width = levels[0].dtype.np_type if levels else np.dtype(np.int32)
    rows = [whole(of_one).to_dense(np.iinfo(width).max) for of_one in levels]
    return np.array(rows, width) if rows else np.empty((0, 0), width)


def inverses_summed(sizes: Ints) -> npt.NDArray[np.float64]:
    """The sum of 1 / level over what every search has at every level, whatever stands behind its
    last one: in the order of the levels."""
    total = np.zeros(sizes.shape[0])
    each = 1 / np.arange(1, sizes.shape[1])
    if each.shape[0]:
        rows = max(1, _SUMMED // each.shape[0])
        for first in range(0, total.shape[0], rows):
            terms = sizes[first : first + rows, 1:] * each
            total[first : first + rows] = np.cumsum(terms, axis=1, out=terms)[:, -1]
    return total


def nothing_found(sources: Ints) -> BFSManyResult:
    """The result before any search has ended."""
    k = sources.shape[0]
    return BFSManyResult(sources, np.zeros(k, bool), *np.zeros((3, k), np.int64))
