"""From entries that lie anywhere to a matrix whose edges lie where the partition says."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs.distributed.exchange.ranks import Ranks, everyones, settled, sums
from spbfs.distributed.exchange.wire import padded
from spbfs.distributed.parts.numbering import Numbering
from spbfs.distributed.parts.partition import Cut, Partition, balanced
from spbfs.distributed.parts.sides import Side, make_side
from spbfs.distributed.parts.storage import DistributedMatrix, Ends
from spbfs.engines import get_engine
from spbfs.engines.arrays.patterns.sets import is_first, true_at
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import bincount, on_host, rows_of

__all__ = [
    "Edges",
    "arranged",
    "deal",
    "degrees_of",
    "has_room",
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
#: Bytes on a GPU for every entry, given or its own, while these are dealt out and sorted there.
_SORTED = 120


class Edges(NamedTuple):
    """Entries by the places of their rows and columns; values are None of a pattern."""

    rows: Array
    columns: Array
    values: Array | None


def deal(ranks: Ranks, owners: Array, columns: list[Array]) -> list[Array]:
    """Rows of a table, given by its columns, brought to their owners: in order of who sends."""
    xp = ranks.xp
    order = xp.argsort(owners, kind="stable")
    cuts = xp.searchsorted(owners[order], xp.arange(ranks.size + 1)).tolist()
    chosen = [order[a:b] for a, b in pairwise(cuts)]
    parts = [padded(xp, *(column[some] for column in columns)) for some in chosen]
    pending = ranks.begin(parts, [some.shape[0] for some in chosen])
    made: list[list[Array]] = [[] for _ in columns]
    for part, count in zip(pending.wait(), pending.heads, strict=True):
        at = 0
        for column, pieces in zip(columns, made, strict=True):
            size = count * column.itemsize
            pieces.append(part[at : at + size].view(column.dtype))
            at += -(-size // 8) * 8
    return [xp.concatenate(pieces) for pieces in made]


def has_room(ranks: Ranks, entries: int, values: Array | None) -> bool:
    """Whether all have the memory, on the GPUs between which they exchange, to deal out and to sort
    so many entries there; collective, unless they exchange from host memory."""
    if ranks.xp is np:
        return False
    from spbfs.base.gpu_memory import free_bytes

    (total,) = sums(ranks, entries)
    width = 0 if values is None else values.itemsize
    needed = max(entries, total // ranks.size) * (_SORTED + 4 * width)
    return bool(ranks.reduce(np.array([int(needed < free_bytes())]), "min")[0])


def degrees_of(ranks: Ranks, partition: Partition, rows: Array) -> Ints:
    """How often each vertex of this rank is named by all ranks; in host memory."""
    xp = ranks.xp
    ordered = xp.sort(rows)
    first = true_at(is_first(xp, ordered))
    counts = xp.diff(xp.concatenate((first, xp.asarray([ordered.shape[0]]))))
    places = ordered[first]
    places, counts = deal(ranks, partition.owners(places), [places, counts])
    begin, end = partition.bounds[ranks.rank : ranks.rank + 2].tolist()
    # Sums of doubles are exact up to 2^53.
    totals = bincount(places - begin, end - begin, counts)
    found: Ints = on_host(totals.astype(np.int64))
    return found


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


def placed_edges(A: DistributedMatrix, ends: DistributedMatrix | Ends | None = None) -> Edges:
    """The entries of this rank's part, which is in host memory, or where `ends` are."""
    part, sides = A.part, A if ends is None else ends
    rows = sides.rows.places(rows_of(part.indptr, part.nvals))
    return Edges(rows, sides.columns.places(part.indices), None if A.iso else part.values)


def arranged(
    ranks: Ranks,
    partition: Partition,
    edges: Edges,
    value: Array,
    dup: TypedBinary | None,
) -> DistributedMatrix:
    """The matrix of entries, each brought to the rank that the partition says; collective.

    Its part, as the entries, is in the memory from which `ranks` exchange.

    Parameters
    ----------
    value : array of one element
        Of all entries, where these have no values of their own; else of their type.  In host
        memory.
    dup : TypedBinary or None
        Combines entries in one place; None: any of them stays.
    """
    rows, columns, values = edges
    given = [rows, columns] + ([] if values is None else [values])
    owners = partition.ranks_of_edges(rows, columns)
    rows, columns, *rest = deal(ranks, owners, given)
    row_side = make_side(ranks, partition, rows)
    column_side = make_side(ranks, partition, columns)
    engine: Any = get_engine("cpu" if ranks.xp is np else "cuda")
    kept = rest[0] if rest else engine.constant(value[0], value.dtype, rows.shape[0])
    part: MatrixData = settled(
        ranks,
        lambda: engine.build_matrix(
            row_side.size,
            column_side.size,
            row_side.numbers(rows),
            column_side.numbers(columns),
            kept,
            dup,
        ),
    )
    (nvals,) = sums(ranks, part.nvals)
    degrees = row_degrees(row_side, ranks.xp.diff(part.indptr).astype(np.int64))
    if ranks.xp is np:
        return DistributedMatrix(partition, part, row_side, column_side, nvals, degrees, not rest)
    on_gpu = Ends(row_side, column_side, degrees)
    sides = row_side.on(ranks.on_host), column_side.on(ranks.on_host)
    whole = partition, part, *sides, nvals, on_host(degrees), not rest
    return DistributedMatrix(*whole, on_gpu=on_gpu)


def row_degrees(rows: Side, counts: Array) -> Array:
    """Entries of this rank's own rows, those that others have of them included; collective."""
    own = rows.own
    total = counts[:own].copy()
    others = own + true_at(counts[own:] > 0)
    vertices: Any
    values: Any
    for vertices, values in rows.give(others, counts[others]).wait():
        total[vertices] += values
    return total
