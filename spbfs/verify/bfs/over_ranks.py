"""A breadth-first search over ranks checked by the rules of Graph500, at all ranks together.

Whatever a rule compares is brought to one rank first: an edge of the tree to the rank that has it,
levels to both ends of every edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.distributed.engine import DistributedEngine
from spbfs.distributed.exchange.ranks import settled
from spbfs.distributed.parts.build import deal
from spbfs.distributed.parts.sides import Side
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.exceptions import DimensionMismatch, DomainMismatch, VerificationError
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.storage.entries import vector_entries
from spbfs.verify.arrays import edges_in_parts, first_of, is_stored

__all__ = ["check_over_ranks"]

Array = Any
Ints = npt.NDArray[np.int64]


def check_over_ranks(
    engine: DistributedEngine,
    A: DistributedMatrix,
    sources: Ints,
    parents: Any,
    levels: Any,
    max_depth: int | None,
) -> None:
    """The rules of `bfs_tree`, for vectors of the partition of a matrix; collective.

    Raises
    ------
    VerificationError
        At every rank, the first violation that the first rank with one has seen.
    """
    check = _Check(engine, A, sources, max_depth)
    if levels is None:
        raise DomainMismatch("levels: expected those of the search over ranks, got None")
    level = settled(engine.ranks, lambda: _integers(engine, levels, "levels"))
    parent = None
    if parents is not None:
        parent = settled(engine.ranks, lambda: _integers(engine, parents, "parents"))
    settled(engine.ranks, lambda: check.sources(parent, level))
    if parent is not None:
        check.tree(parent, level)
    check.edges(level, supported=parent is not None)


def _integers(engine: DistributedEngine, vector: Any, name: str) -> Ints:
    """Values of this rank's vertices, -1 where there is none."""
    if not isinstance(vector, VectorOperand) or vector.device != engine.name:
        raise DomainMismatch(f"{name}: expected a Vector on {engine.name!r}, as A is")
    if vector.size != engine.partition.n:
        raise DimensionMismatch(f"{name}: expected size {engine.partition.n}, got {vector.size}")
    values = np.full(engine.own, -1, np.int64)
    at, found = vector_entries(engine.on_host(vector._ready().part))
    values[at] = found
    return values


class _Check:
    """A search that is checked, as one rank sees it."""

    def __init__(
        self,
        engine: DistributedEngine,
        A: DistributedMatrix,
        sources: Ints,
        max_depth: int | None,
    ) -> None:
        self._engine, self._A, self._limit = engine, engine.matrix_on_host(A), max_depth
        self._ranks, self._partition = engine.ranks, engine.partition
        self._source = np.zeros(engine.own, np.bool_)
        self._source[engine.own_elements(sources)[1]] = True

    def _name(self, element: Any) -> int:
        return int(self._engine.vertices(np.array([element]))[0])

    def sources(self, parent: Ints | None, level: Ints) -> None:
        """Sources, and nothing else, have level 0 and themselves as parent."""
        k = first_of((level == 0) != self._source)
        if k is not None:
            told = "expected 0" if self._source[k] else "but is no source"
            raise VerificationError(f"levels: vertex {self._name(k)} has level {level[k]}, {told}")
        if parent is None:
            return
        k = first_of((parent >= 0) != (level >= 0))
        if k is not None:
            raise VerificationError(
                f"parents: vertex {self._name(k)} has level {level[k]} and parent {parent[k]}"
            )
        own = self._engine.vertices(np.arange(parent.shape[0]))
        k = first_of((parent == own) != self._source)
        if k is not None:
            raise VerificationError(f"parents: vertex {own[k]} has parent {parent[k]}")

    def tree(self, parent: Ints, level: Ints) -> None:
        """Every edge of the tree is stored, and leads one level deeper."""
        engine, partition = self._engine, self._partition
        child = np.flatnonzero((parent >= 0) & ~self._source)
        given = parent[child]

        def places() -> Ints:
            k = first_of(given >= partition.n)
            if k is not None:
                raise VerificationError(f"parents: {given[k]} is no vertex")
            return partition.numbering.places(given)

        above, below = settled(self._ranks, places), child + engine.first
        rank = partition.ranks_of_edges(above, below)
        rows, columns = deal(self._ranks, rank, [above, below])
        settled(self._ranks, lambda: self._stored(rows, columns))
        owners = partition.owners(above)
        above, below, depth = deal(self._ranks, owners, [above, below, level[child]])
        settled(self._ranks, lambda: self._deeper(level[above - engine.first], depth, below))

    def _stored(self, rows: Ints, columns: Ints) -> None:
        A = self._A
        referred = _referred(A.rows, rows) & _referred(A.columns, columns)
        stored = np.zeros(rows.shape[0], np.bool_)
        i, j = A.rows.numbers(rows[referred]), A.columns.numbers(columns[referred])
        stored[referred] = is_stored(A.part, i, j)
        k = first_of(~stored)
        if k is not None:
            u, v = self._partition.numbering.vertices(np.array([rows[k], columns[k]])).tolist()
            raise VerificationError(f"parents: vertex {v} has parent {u}, but there is no edge")

    def _deeper(self, above: Ints, depth: Ints, below: Ints) -> None:
        k = first_of(depth != above + 1)
        if k is not None:
            v = int(self._partition.numbering.vertices(below[k : k + 1])[0])
            raise VerificationError(
                f"levels: vertex {v} has level {depth[k]}, its parent has level {above[k]}"
            )

    def edges(self, level: Ints, *, supported: bool) -> None:
        """No edge leads from a reached vertex more than a level deeper, or out of the search; and
        where no parents vouch for levels, an edge leads into each."""
        A, engine = self._A, self._engine
        leaves, enters = _at(A.rows, level), _at(A.columns, level)
        vouched = np.zeros(A.columns.size, np.bool_)

        def look() -> None:
            for i, j in edges_in_parts(A.part):
                follows = leaves[i] >= 0
                if self._limit is not None:
                    follows &= leaves[i] != self._limit
                u, v = leaves[i[follows]], enters[j[follows]]
                k = first_of((v < 0) | (v > u + 1))
                if k is not None:
                    place = A.columns.places(j[follows][k : k + 1])
                    name = int(self._partition.numbering.vertices(place)[0])
                    raise VerificationError(
                        f"levels: an edge leads from level {u[k]} to vertex {name}, "
                        f"which has level {v[k]}"
                    )
                vouched[j[follows][v == u + 1]] = True

        settled(self._ranks, look)
        if not supported:
            own = A.columns.own
            others = own + np.flatnonzero(vouched[own:])
            for vertices, _ in A.columns.give(others, None).wait():
                vouched[vertices] = True
            settled(self._ranks, lambda: self._vouched(level, vouched[: engine.own]))

    def _vouched(self, level: Ints, vouched: Array) -> None:
        k = first_of((level > 0) & ~vouched)
        if k is not None:
            raise VerificationError(
                f"levels: vertex {self._name(k)} has level {level[k]}, "
                f"but no edge from level {level[k] - 1}"
            )


def _referred(side: Side, places: Ints) -> Array:
    """Which of some places this rank refers to."""
    own = (places >= side.first) & (places < side.first + side.own)
    if not side.foreign.shape[0]:
        return own
    at = np.minimum(np.searchsorted(side.foreign, places), side.foreign.shape[0] - 1)
    return own | (side.foreign[at] == places)


def _at(side: Side, level: Ints) -> Ints:
    """The levels of all vertices that a rank refers to; collective."""
    everywhere = np.full(side.size, -1, np.int64)
    everywhere[: side.own] = level
    found = np.flatnonzero(level >= 0)
    for subset in side.bring(found, level[found]).wait():
        told: Any = subset.values
        everywhere[subset.positions] = told
    return everywhere
