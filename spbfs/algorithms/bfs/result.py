"""What a breadth-first search found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.steps import SearchTrace
from spbfs.algorithms.bfs.tree import order_of, path_to, tree_of
from spbfs.base.html import facts_and_table
from spbfs.engines import get_engine
from spbfs.engines.bfs import Counts, LevelTrace, SearchResult
from spbfs.exceptions import InvalidValue
from spbfs.objects.exports.arrow_tables import table_stream
from spbfs.objects.exports.tables import table
from spbfs.objects.labels import Labels
from spbfs.objects.matrix import Matrix
from spbfs.objects.placement.devices import transfer
from spbfs.objects.vector import Vector

__all__ = ["BFSResult", "LevelTrace"]


class BFSResult:
    """What a search found; unpacks as ``levels, parents``.

    The types say what there is unless a search was told to leave it out: then it is None.

    If a source in GPU memory is out of range, what waits for the search raises it: numbers, paths,
    the order, the tree and tables.  The vectors do not wait, and are those of the other sources.
    """

    def __init__(self, found: SearchResult, device: str, where: str | None = None) -> None:
        self._found = found
        self._device = device
        #: The device of the outputs until they are asked for.
        self._where = where or device
        self._vectors: dict[str, Vector] = {}
        #: What the vertices are called, where the matrix says.
        self.labels: Labels | None = None

    @property
    def depth(self) -> int:
        """The largest level."""
        return self._found.counts.depth

    @property
    def reached(self) -> int:
        """Number of vertices that have a level, sources included."""
        return self._found.counts.reached

    @property
    def edges(self) -> int:
        """Stored entries in the rows of the reached vertices.

        Every edge of an undirected graph counts twice.
        """
        return self._found.edges

    @property
    def seconds(self) -> float:
        """Time of the traversal, outputs included.

        Checks of arguments and what is made only once for a graph (transpose, workspace) are not;
        where `bfs` was given what is not a Matrix, its conversion, or its check, is.  Of several
        GPUs it is that of the first, and outputs stay where they were found.
        """
        return self._found.counts.seconds

    @property
    def trace(self) -> SearchTrace | None:
        """One item a level expanded; None when not asked for."""
        steps = self._found.counts.trace
        return None if steps is None else SearchTrace(steps)

    @property
    def levels(self) -> Vector:
        """Distance from the source, INT32 (INT64 where n needs it); None when not asked for."""
        return cast(Vector, self._vector("levels"))

    @property
    def parents(self) -> Vector:
        """The vertex each was reached from, a source from itself; None when not asked for."""
        return cast(Vector, self._vector("parents"))

    @property
    def owners(self) -> Vector | None:
        """Position in `source` of the nearest source, the least where several are as near.

        In the type of levels and parents.  None when one source was given.
        """
        return self._vector("owners")

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
        >>> sb.bfs(sb.generate.path(5), 1).path_to(4)
        array([1, 2, 3, 4])
        """
        return path_to(self._asked_for("parents"), vertex)

    @property
    def order(self) -> npt.NDArray[np.int64]:
        """The vertices reached, sources first, in the order of their levels.

        Numbers, of vertices with names too: ``labels.names(order)`` are these.  Of one level in
        the order of their numbers.  Over ranks it is collective, and every rank
        gets all of them.

        Examples
        --------
        >>> import spbfs as sb
        >>> sb.bfs(sb.generate.path(5), 3).order
        array([3, 2, 4, 1, 0])
        """
        return order_of(self._asked_for("levels"))

    @property
    def tree(self) -> Matrix:
        """The tree as a BOOL matrix: an entry (parent, child) for every vertex but sources.

        Of a search over ranks it is over them, too, and all of them ask for it.

        Examples
        --------
        >>> import spbfs as sb
        >>> sb.bfs(sb.generate.path(4), 1).tree.to_coo()[:2]
        (array([1, 1, 2]), array([0, 2, 3]))
        """
        return tree_of(self._asked_for("parents"))

    def to_pandas(self) -> Any:
        """A table of the vertices reached: level, parent and, of several sources, owner.

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
        >>> A = sb.generate.path(3)
        >>> A.labels = ["ann", "bob", "eve"]
        >>> sb.bfs(A, "bob").to_pandas().to_dict("index")["eve"]
        {'level': 1, 'parent': 'bob'}
        """
        return table(self.labels, self._columns())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table of `to_pandas` for whoever speaks Arrow, its index the column "vertex".

        What it takes, gives and raises is said at `Vector.__arrow_c_stream__`.

        Examples
        --------
        >>> import pyarrow
        >>> import spbfs as sb
        >>> pyarrow.table(sb.bfs(sb.generate.path(3), 1)).to_pydict()
        {'vertex': [0, 1, 2], 'level': [1, 0, 1], 'parent': [1, 1, 1]}
        """
        return table_stream(self.labels, self._columns(), requested_schema)

    def _columns(self) -> dict[str, Vector]:
        found = {"level": self.levels, "parent": self.parents, "owner": self.owners}
        self._wait()
        return {name: vector for name, vector in found.items() if vector is not None}

    def labelled(self, labels: Labels) -> None:
        """Vertices are called so from now on.

        Parameters
        ----------
        labels : Labels
        """
        self.labels = labels
        for name in self._vectors:
            self._name(name)

    def __iter__(self) -> Iterator[Vector]:
        yield self.levels
        yield self.parents

    def __repr__(self) -> str:
        return (
            f"<BFSResult reached={self.reached} depth={self.depth} edges={self.edges} "
            f"seconds={self.seconds:.6f}>"
        )

    def _repr_html_(self) -> str:
        facts = [
            ("reached", f"{self.reached:,}"),
            ("depth", f"{self.depth:,}"),
            ("edges", f"{self.edges:,}"),
            ("seconds", f"{self.seconds:.6f}"),
            ("device", self._device),
        ]
        return facts_and_table("Breadth-first search", facts)

    def _vector(self, name: str) -> Vector | None:
        if name not in self._vectors:
            data = self._found.vector(name)
            if data is None:
                return None
            if self._where != self._device:
                data = transfer(data, get_engine(self._where), self._device)
            self._vectors[name] = Vector._from_data(data, self._device)
            self._name(name)
        return self._vectors[name]

    def _name(self, name: str) -> None:
        """Vertices of an output are called as they are here."""
        vector = self._vectors[name]
        vector.labels = self.labels
        if name == "parents":
            vector.value_labels = self.labels

    def _asked_for(self, name: str) -> Vector:
        vector = self._vector(name)
        if vector is None:
            raise InvalidValue(f"{name}: expected a search with {name}=True")
        self._wait()
        return vector

    def _wait(self) -> Counts:
        """The numbers, before what a search has found is read on the host."""
        return self._found.counts

    def __reduce__(self) -> Any:
        """For copies and other processes, which give nothing back."""
        vectors = {name: self._vector(name) for name in ("levels", "parents", "owners")}
        found = self._found
        return _restored, (vectors, found.counts, found.edges, self._device, self.labels)

    def __del__(self) -> None:
        found = getattr(self, "_found", None)
        if found is not None:
            self._vectors.clear()
            found.give_back()


def _restored(
    vectors: dict[str, Vector | None],
    counts: Counts,
    edges: int,
    device: str,
    labels: Labels | None,
) -> BFSResult:
    result = BFSResult(SearchResult(0, dict.fromkeys(vectors), counts, edges), device)
    result._vectors.update({name: v for name, v in vectors.items() if v is not None})
    result.labels = labels
    return result
