"""What a search for shortest paths found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy.typing as npt

from spbfs.algorithms.bfs.tree import path_to, tree_of
from spbfs.base.html import facts_and_table
from spbfs.exceptions import InvalidValue
from spbfs.objects.exports.arrow_tables import table_stream
from spbfs.objects.exports.tables import table
from spbfs.objects.labels import Labels
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector

__all__ = ["SSSPResult"]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class SSSPResult:
    """What a search found; unpacks as ``distances, parents``.

    The type says that there are parents, unless a search was told to leave them out: then they are
    None.

    Attributes
    ----------
    distances : Vector of INT64 or FP64
        Length of the shortest path to every vertex that has one.
    parents : Vector
        The vertex before each on such a path, a source its own.
    owners : Vector or None
        Position in `source` of the source that the path begins at, in the parents' type; None where
        there was one source, or no parents were asked for.
    """

    distances: Vector
    _parents: Vector | None
    owners: Vector | None = None

    @property
    def parents(self) -> Vector:
        """The vertex before each on a shortest path to it, a source its own; None if left out."""
        return cast(Vector, self._parents)

    @property
    def reached(self) -> int:
        """Number of vertices that have a distance, sources included."""
        return int(self.distances.nvals)

    def path_to(self, vertex: Any) -> npt.NDArray[Any]:
        """A shortest path to a vertex.

        Over ranks it is collective: all of them call it, with the same vertex, and every step of
        the path is an exchange.

        Parameters
        ----------
        vertex : int, or a name where there are `labels`

        Returns
        -------
        ndarray of int64
            The vertices from the nearest source to `vertex`, both included; their names where
            there are labels.

        Raises
        ------
        InvalidValue
            When the search did not reach the vertex, or was not asked for parents; when ranks ask
            for different vertices.
        IndexOutOfBound, DomainMismatch
            When it is no vertex.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [1, 5, 2], nrows=3, ncols=3)
        >>> sb.sssp(A, 0).path_to(2)
        array([0, 1, 2])
        """
        return path_to(self._tree(), vertex)

    @property
    def tree(self) -> Matrix:
        """The tree as a BOOL matrix: an entry (parent, child) for every vertex but sources.

        Of a search over ranks it is over them, too, and all of them ask for it.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [1, 5, 2], nrows=3, ncols=3)
        >>> sb.sssp(A, 0).tree.to_coo()[:2]
        (array([0, 1]), array([1, 2]))
        """
        return tree_of(self._tree())

    @property
    def labels(self) -> Labels | None:
        """What the vertices are called, where the matrix says."""
        return self.distances.labels

    def labelled(self, labels: Labels) -> None:
        """Vertices are called so from now on.

        Parameters
        ----------
        labels : Labels
        """
        for vector in (self.distances, self._parents, self.owners):
            if vector is not None:
                vector.labels = labels
        if self._parents is not None:
            self._parents.value_labels = labels

    def to_pandas(self) -> Any:
        """A table of the vertices reached: distance, parent and, of several sources, owner.

        Over ranks it is collective, and every rank gets the whole table: for small ones.

        Returns
        -------
        pandas.DataFrame
            Its index, called "vertex", its parents and owners, which are the sources themselves,
            are names where the matrix has labels, else numbers.

        Raises
        ------
        PackageMissing
            When pandas is not installed.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [1, 5, 2], nrows=3, ncols=3)
        >>> sb.sssp(A, 0).to_pandas()["distance"].tolist()
        [0, 1, 3]
        """
        return table(self.labels, self._columns())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table of `to_pandas` for whoever speaks Arrow, its index the column "vertex".

        What it takes, gives and raises is said at `Vector.__arrow_c_stream__`.

        Examples
        --------
        >>> import pyarrow
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [1, 5, 2], nrows=3, ncols=3)
        >>> pyarrow.table(sb.sssp(A, 0)).to_pydict()
        {'vertex': [0, 1, 2], 'distance': [0, 1, 3], 'parent': [0, 0, 1]}
        """
        return table_stream(self.labels, self._columns(), requested_schema)

    def _columns(self) -> dict[str, Vector]:
        found = {"distance": self.distances, "parent": self._parents, "owner": self.owners}
        return {name: vector for name, vector in found.items() if vector is not None}

    def __iter__(self) -> Iterator[Vector]:
        yield self.distances
        yield self.parents

    def __repr__(self) -> str:
        return f"<SSSPResult reached={self.reached} of {self.distances.size}>"

    def _repr_html_(self) -> str:
        facts = [
            ("reached", f"{self.reached:,}"),
            ("of", f"{self.distances.size:,}"),
            ("dtype", self.distances.dtype.name),
            ("device", self.distances.device),
        ]
        return facts_and_table("Shortest paths", facts)

    def _tree(self) -> Vector:
        if self._parents is None:
            raise InvalidValue("parents: expected a search with parents=True")
        return self._parents
