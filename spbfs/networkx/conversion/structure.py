"""A NetworkX graph as arrays: vertices are numbered, rows are in the order of its dictionaries."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse

__all__ = [
    "Numbering",
    "Rows",
    "batches",
    "by_row",
    "entries_in_order",
    "numbered",
    "places_in_order",
    "places_of",
    "rows_of_adjacency",
    "sorted_rows",
]

Node = Hashable
Array = npt.NDArray[Any]

_MOST_INT32 = np.iinfo(np.int32).max


class Rows(NamedTuple):
    """Offsets and neighbours, each neighbour of a row once and in any order."""

    indptr: Array
    indices: Array


class Numbering:
    """Nodes and their numbers, which are their places in the graph's order."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.number: dict[Node, int] = dict(zip(nodes, range(len(nodes)), strict=True))
        #: Whether every node is the number that it has, so that nothing need be looked up.
        self.trivial = nodes == list(range(len(nodes))) and set(map(type, nodes)) <= {int}

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def objects(self) -> Array:
        """The nodes as an array of objects."""
        return np.fromiter(self.nodes, object, len(self.nodes))

    @cached_property
    def by_value(self) -> Array | None:
        """The numbers of nodes that are small integers, at their values, -1 elsewhere; None of
        others, and of integers far apart."""
        nodes: list[Any] = self.nodes
        if set(map(type, nodes)) != {int} or min(nodes) < 0 or max(nodes) >= 4 * len(nodes):
            return None
        table = np.full(max(nodes) + 1, -1)
        table[nodes] = np.arange(len(nodes))
        return table

    def named(self, vertices: Array) -> list[Any]:
        """The nodes of these numbers."""
        return vertices.tolist() if self.trivial else self.objects.take(vertices).tolist()

    def looked_up(self, nodes: Sequence[Any]) -> Array:
        """The numbers of some objects, which raise `KeyError` or `TypeError` where they are no
        nodes."""
        table = self.by_value
        if table is not None and set(map(type, nodes)) == {int}:
            with suppress(OverflowError, IndexError):
                values = np.fromiter(nodes, np.int64, len(nodes))
                # Below 0 an index would be one from the end.
                if values.min() >= 0 and (found := table.take(values)).min() >= 0:
                    return found
        return np.fromiter(map(self.number.__getitem__, nodes), np.int64, len(nodes))

    def numbers(self, nodes: Any, count: int) -> Array:
        """The numbers of `count` nodes; `KeyError` where one is no node of the graph."""
        width = np.int32 if len(self) <= _MOST_INT32 else np.int64
        if not self.trivial:
            return np.fromiter(map(self.number.__getitem__, nodes), width, count)
        found = np.fromiter(nodes, width, count)
        # Without a sign those below 0 are beyond all others.
        unsigned = found.view(f"u{found.itemsize}")
        if count and unsigned.max() >= len(self):
            raise KeyError(int(found[np.argmax(unsigned)]))
        return found


def batches(costs: Array, most: int) -> Iterator[Array]:
    """Positions of costs, in runs of about as much in sum as may be had at once."""
    batch = (np.cumsum(costs) // most).astype(np.int64)
    bounds = np.flatnonzero(np.diff(batch, prepend=-1, append=-1)).tolist()
    return (np.arange(a, b) for a, b in pairwise(bounds))


def numbered(nodes: Mapping[Node, Any]) -> Numbering:
    """The nodes of a graph in its order."""
    return Numbering(list(nodes))


def rows_of_adjacency(adjacency: Mapping[Node, Mapping[Node, Any]], names: Numbering) -> Rows:
    """The rows of a dictionary of dictionaries, parallel edges once."""
    rows: Any = adjacency.values()
    if not isinstance(adjacency, dict):
        # A view: its rows may say that they have more than they give.
        rows = list(map(list, rows))
    if len(rows) != len(names):
        raise RuntimeError(f"the graph has {len(names)} nodes and neighbours of {len(rows)}")
    lengths = np.fromiter(map(len, rows), np.int64, len(names))
    entries = int(lengths.sum())
    indptr = np.zeros(len(names) + 1, np.int32 if entries <= _MOST_INT32 else np.int64)
    np.cumsum(lengths, out=indptr[1:])
    indices = names.numbers(chain.from_iterable(rows), entries)
    if indices.dtype == np.int64:
        indptr = indptr.astype(np.int64)
    return Rows(indptr, indices)


def by_row(rows: Array, n: int) -> Array:
    """Places in the order of their rows, those of a row in theirs."""
    count = rows.shape[0]
    kind = np.int32 if count <= np.iinfo(np.int32).max else np.int64
    ends = np.arange(count + 1, dtype=kind)
    at = scipy.sparse.csr_array((ends[:-1], rows.astype(kind), ends), shape=(count, n))
    return at.tocsc().indices


def places_of(order: Array, n: int) -> Array:
    """Where everybody is in an order."""
    place = np.empty(n, order.dtype)
    place[order] = np.arange(order.shape[0], dtype=order.dtype)
    return place


def places_in_order(rows: Rows, order: Array) -> tuple[Array, Array]:
    """Where the entries of some rows stand, one row after another, and offsets of those rows."""
    first, kind = rows.indptr[order], rows.indptr.dtype
    offsets = np.zeros(order.shape[0] + 1, kind)
    np.cumsum(rows.indptr[order + 1] - first, out=offsets[1:])
    # The distance from a place in the result to that in the rows is one number a row.
    places = np.repeat(first - offsets[:-1], np.diff(offsets))
    places += np.arange(offsets[-1], dtype=kind)
    return places, offsets


def entries_in_order(rows: Rows, order: Array) -> tuple[Array, Array]:
    """The entries of some rows, one row after another: whose it is, and where it stands."""
    places, begins = places_in_order(rows, order)
    return np.repeat(order, np.diff(begins)), places


def sorted_rows(rows: Rows, *, symmetric: bool) -> tuple[Rows, Array]:
    """The same with neighbours in order, and which entry each was.

    Of a symmetric pattern the entry may be that of the edge's other direction.
    """
    n = rows.indptr.shape[0] - 1
    places = np.arange(rows.indices.shape[0], dtype=rows.indptr.dtype)
    made = scipy.sparse.csr_array((places, rows.indices, rows.indptr), shape=(n, n))
    # By columns a row's entries are in order, and those of a symmetric pattern are its rows.
    turned = made.tocsc()
    if not symmetric:
        turned = turned.tocsr()
    return Rows(turned.indptr, turned.indices), turned.data
