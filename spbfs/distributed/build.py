"""From entries that lie anywhere to a matrix whose edges lie where the partition says."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs.distributed.numbering import Numbering
from spbfs.distributed.partition import Cut, Partition, balanced
from spbfs.distributed.ranks import Bytes, Ranks, everyones, settled, sums
from spbfs.distributed.sides import Side, make_side
from spbfs.distributed.storage import DistributedMatrix
from spbfs.engines import get_engine
from spbfs.engines.arrays.sets import is_first
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import MatrixData, iso_array
from spbfs.storage.entries import rows_of

__all__ = [
    "Edges",
    "arranged",
    "deal",
    "degrees_of",
    "partition_of",
    "placed_edges",
    "row_degrees",
]

Array = Any
Ints = npt.NDArray[np.int64]
#: A vertex is a hub that has more edges than this share of what a rank has on average.
HUB_SHARE = 16
#: And never one with fewer than this: to hold it everywhere would cost more than it saves.
LEAST_HUB = 64


class Edges(NamedTuple):
    """Entries by the places of their rows and columns; values are None of a pattern."""

    rows: Ints
    columns: Ints
    values: Array | None


def deal(ranks: Ranks, owners: Array, columns: list[Array]) -> list[Array]:
    """Rows of a table, given by its columns, brought to their owners: in order of who sends."""
    order = np.argsort(owners, kind="stable")
    cuts = np.searchsorted(owners[order], np.arange(ranks.size + 1)).tolist()
    sorted_columns = [column[order] for column in columns]
    parts = [
        np.concatenate([_message(column[a:b]) for column in sorted_columns])
        for a, b in pairwise(cuts)
    ]
    arrived = ranks.begin(parts).wait()
    made: list[list[Array]] = [[] for _ in columns]
    for part in arrived:
        at = 0
        for column, pieces in zip(columns, made, strict=True):
            size = int(part[at : at + 8].view(np.int64)[0])
            at += 8
            pieces.append(part[at : at + size].view(column.dtype))
            at += -(-size // 8) * 8
    return [np.concatenate(pieces) for pieces in made]


def _message(column: Array) -> Bytes:
    data = np.ascontiguousarray(column).view(np.uint8)
    room = np.zeros(8 + -(-data.shape[0] // 8) * 8, np.uint8)
    room[:8].view(np.int64)[0] = data.shape[0]
    room[8 : 8 + data.shape[0]] = data
    return room


def degrees_of(ranks: Ranks, partition: Partition, rows: Ints) -> Ints:
    """How often each vertex of this rank is named by all ranks."""
    ordered = np.sort(rows)
    first = np.flatnonzero(is_first(np, ordered))
    counts = np.diff(np.append(first, ordered.shape[0]))
    places = ordered[first]
    places, counts = deal(ranks, partition.owners(places), [places, counts])
    begin, end = partition.bounds[ranks.rank : ranks.rank + 2].tolist()
    # Sums of doubles are exact up to 2^53.
    totals = np.bincount(places - begin, weights=counts, minlength=end - begin)
    return totals.astype(np.int64)


def partition_of(
    ranks: Ranks, numbering: Numbering, edges: Edges, cut: Cut, hubs: int | None
) -> Partition:
    """Consecutive places for every rank, so that ranks have as many edges as they can alike.

    Parameters
    ----------
    hubs : int or None
        A vertex with more edges is a hub; None: that is for this to say.
    """
    n, size = numbering.n, ranks.size
    even = np.array([n * r // size for r in range(size + 1)], np.int64)
    nobody = np.empty(0, np.int64)
    first = Partition(numbering, even, cut, nobody)
    degrees = degrees_of(ranks, first, edges.rows)
    (total,) = sums(ranks, edges.rows.shape[0])
    least = max(LEAST_HUB, total // (size * HUB_SHARE)) if hubs is None else hubs
    mine = nobody
    if cut == "rows" and size > 1:
        mine = np.flatnonzero(degrees > least)
    begin = int(even[ranks.rank])
    found = np.concatenate(everyones(ranks, mine + begin))
    # A vertex weighs something, too: it has a place in every vector.
    weights = degrees + 1
    weights[mine] = 1
    totals = everyones(ranks, int(weights.sum()))
    before, whole = sum(totals[: ranks.rank]), sum(totals)
    inner = everyones(ranks, balanced(weights, before, whole, size, begin))
    ends = sorted(bound for some in inner for bound in some)
    bounds = [0] * (size - len(ends)) + ends + [n]
    return Partition(numbering, np.array(bounds, np.int64), cut, found)


def placed_edges(A: DistributedMatrix) -> Edges:
    """The entries of this rank's part."""
    part = A.part
    rows = A.rows.places(rows_of(part.indptr, part.nvals))
    return Edges(rows, A.columns.places(part.indices), None if A.iso else part.values)


def arranged(
    ranks: Ranks,
    partition: Partition,
    edges: Edges,
    value: Array,
    dup: TypedBinary | None,
) -> DistributedMatrix:
    """The matrix of entries, each brought to the rank that the partition says; collective.

    Parameters
    ----------
    value : array of one element
        Of all entries, where these have no values of their own; else of their type.
    dup : TypedBinary or None
        Combines entries in one place; None: any of them stays.
    """
    rows, columns, values = edges
    given = [rows, columns] + ([] if values is None else [values])
    owners = partition.ranks_of_edges(rows, columns)
    rows, columns, *rest = deal(ranks, owners, given)
    row_side = make_side(ranks, partition, rows)
    column_side = make_side(ranks, partition, columns)
    kept = rest[0] if rest else iso_array(value, rows.shape[0])
    part: MatrixData = settled(
        ranks,
        lambda: get_engine("cpu").build_matrix(
            row_side.size,
            column_side.size,
            row_side.numbers(rows),
            column_side.numbers(columns),
            kept,
            dup,
        ),
    )
    (nvals,) = sums(ranks, part.nvals)
    degrees = row_degrees(row_side, np.diff(part.indptr).astype(np.int64))
    return DistributedMatrix(partition, part, row_side, column_side, nvals, degrees, not rest)


def row_degrees(rows: Side, counts: Ints) -> Ints:
    """Entries of this rank's own rows, those that others have of them included; collective."""
    own = rows.own
    total = counts[:own].copy()
    others = own + np.flatnonzero(counts[own:])
    vertices: Any
    values: Any
    for vertices, values in rows.give(others, counts[others]).wait():
        total[vertices] += values
    return total
