"""``networkx.algorithms.link_prediction``: how alike the neighbourhoods of two nodes are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.cohesion import similarity
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.labelled import Labelled
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.networkx.shortest_paths.sums import levels_from
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = [
    "adamic_adar_index",
    "cn_soundarajan_hopcroft",
    "common_neighbor_centrality",
    "jaccard_coefficient",
    "preferential_attachment",
    "ra_index_soundarajan_hopcroft",
    "resource_allocation_index",
    "within_inter_cluster",
]

Pair = tuple[Node, Node]
Scores = Iterator[tuple[Node, Node, Any]]

#: Pairs that are compared at once, since all that are no edges may be too many to list.
_AT_ONCE = 1 << 18


def jaccard_coefficient(G: Graph, ebunch: Iterable[Pair] | None = None) -> Scores:
    """Common neighbours as a share of all that either has."""
    alone = np.diff(G.rows.indptr) == 0

    def score(pairs: Array) -> list[Any]:
        found = _of(similarity.jaccard, G, pairs)
        # An integer where neither has any, as it is there.
        none = alone[pairs].all(axis=1).tolist()
        return [0 if empty else share for share, empty in zip(found, none, strict=True)]

    return _scores(G, ebunch, score)


def adamic_adar_index(G: Graph, ebunch: Iterable[Pair] | None = None) -> Scores:
    """Common neighbours, each counted as ``1 / log(degree)``."""
    return _weighed(G, ebunch, similarity.by_log)


def resource_allocation_index(G: Graph, ebunch: Iterable[Pair] | None = None) -> Scores:
    """Common neighbours, each counted as ``1 / degree``."""
    return _weighed(G, ebunch, similarity.by_share)


def preferential_attachment(G: Graph, ebunch: Iterable[Pair] | None = None) -> Scores:
    """The degrees of both multiplied."""
    return _scores(G, ebunch, lambda pairs: _of(similarity.preferential_attachment, G, pairs))


def common_neighbor_centrality(
    G: Graph, ebunch: Iterable[Pair] | None = None, alpha: float = 0.8
) -> Scores:
    """Common neighbours, and how near the two are, in these shares."""

    def score(pairs: Array) -> Iterator[Any]:
        same = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
        kept = pairs[: same[0]] if same.size else pairs
        common = _of(similarity.common_neighbours, G, kept)
        if alpha == 1:
            yield from common
        else:
            n, hops = len(G), _hops(G, kept).tolist()
            yield from (alpha * c + (1 - alpha) * n / h for c, h in zip(common, hops, strict=True))
        if same.size:
            raise nx.NetworkXAlgorithmError("Self loops are not supported")

    return _scores(G, ebunch, score)


def cn_soundarajan_hopcroft(
    G: Graph, ebunch: Iterable[Pair] | None = None, community: Any = "community"
) -> Scores:
    """Common neighbours, those of a community that is both nodes' counted twice."""
    named = _communities(G, community)
    twofold = named.twofold(G.matrix.device)

    def score(pairs: Array) -> list[Any]:
        same = _of_one_community(named.labels, pairs)
        asked = np.concatenate((pairs, pairs[same] + len(G)))
        found = on_host(similarity.common_neighbours(twofold, asked).to_dense())
        every, near = np.split(found, [pairs.shape[0]])
        every[same] += near
        return every.tolist()

    return _scores(G, ebunch, score)


def ra_index_soundarajan_hopcroft(
    G: Graph, ebunch: Iterable[Pair] | None = None, community: Any = "community"
) -> Scores:
    """Common neighbours of both nodes' community, each counted as ``1 / degree``."""
    named = _communities(G, community)
    within = named.within(G.matrix.device)
    degrees = Vector.from_dense(np.diff(G.rows.indptr).astype(float), missing_value=0.0)
    shares = similarity.weighed(similarity.by_share, degrees.to(within.device))

    def score(pairs: Array) -> Iterator[Any]:
        same = _of_one_community(named.labels, pairs)
        found = similarity.scores(within, pairs[same], float, shares)
        sums = np.zeros(pairs.shape[0])
        sums[same] = on_host(found.to_dense())
        return _sums(sums.tolist())

    return _scores(G, ebunch, score)


def within_inter_cluster(
    G: Graph,
    ebunch: Iterable[Pair] | None = None,
    delta: float = 0.001,
    community: Any = "community",
) -> Scores:
    """Common neighbours of both nodes' community, over the others and a little."""
    if delta <= 0:
        raise nx.NetworkXAlgorithmError("Delta must be greater than zero")
    named = _communities(G, community)
    twofold = named.twofold(G.matrix.device)

    def score(pairs: Array) -> list[Any]:
        same = _of_one_community(named.labels, pairs)
        asked = np.concatenate((pairs[same], pairs[same] + len(G)))
        found = on_host(similarity.common_neighbours(twofold, asked).to_dense())
        shares: list[Any] = [0] * pairs.shape[0]
        for at, every, near in zip(same.tolist(), *found.reshape(2, -1).tolist(), strict=True):
            shares[at] = near / (every - near + delta)
        return shares

    return _scores(G, ebunch, score)


def _communities(G: Graph, attribute: Any) -> Labelled:
    """Everybody's community, as the attribute has it now."""
    try:
        return G.labelled(attribute)
    except (KeyError, TypeError, ValueError):
        raise NotImplementedError(f"node attribute {attribute!r} is no name everywhere") from None


def _of_one_community(labels: Array, pairs: Array) -> Array:
    """Which of the pairs are of one community."""
    return np.flatnonzero(labels[pairs[:, 0]] == labels[pairs[:, 1]])


def _hops(G: Graph, pairs: Array) -> Array:
    """How far apart the two are, infinity where no path joins them."""
    starts = set_of(np, pairs[:, 0])
    at = np.searchsorted(starts, pairs[:, 0])
    order = np.argsort(at, kind="stable")
    hops = np.empty(pairs.shape[0])
    first = 0
    for block, depth in levels_from(G, starts):
        last = first + block.shape[0]
        begin, end = np.searchsorted(at[order], (first, last))
        mine = order[begin:end]
        levels = block[at[mine] - first, pairs[mine, 1]]
        hops[mine] = np.where(levels > depth, math.inf, levels)
        first = last
    return hops


def _scores(G: Graph, ebunch: Iterable[Pair] | None, score: Any) -> Scores:
    """Every pair with its score; nodes are looked up now, scores when they are asked for."""
    if G.structure.loops.size:
        raise NotImplementedError("NetworkX counts a node with a loop among its neighbours")
    if ebunch is None:
        return _in_batches(G, _not_joined(G), score)
    return _of_pairs(*_ends(G, list(ebunch)), score)


def _ends(G: Graph, pairs: list[Pair]) -> tuple[Sequence[Node], Sequence[Node], Array]:
    """The first and the second of all pairs, and the numbers of both, which may be no nodes."""
    # Whoever unpacks them one by one says which is no pair.
    us, vs = [u for u, _ in pairs], [v for _, v in pairs]
    try:
        # Columns that lie in one piece, as they are read.
        numbers = np.stack((G.names.looked_up(us), G.names.looked_up(vs))).T
    except (KeyError, TypeError):
        ends = chain.from_iterable(zip(us, vs, strict=True))
        missing = next(w for w in ends if w not in G)
        raise nx.NodeNotFound(f"Node {missing} not in G.") from None
    return us, vs, numbers


def _of_pairs(us: Sequence[Node], vs: Sequence[Node], numbers: Array, score: Any) -> Scores:
    yield from zip(us, vs, score(numbers), strict=True)


def _in_batches(G: Graph, pairs: Iterator[Pair], score: Any) -> Scores:
    while some := list(islice(pairs, _AT_ONCE)):
        yield from _of_pairs(*_ends(G, some), score)


def _not_joined(G: Graph) -> Iterator[Pair]:
    """All pairs that no edge joins, in the order in which NetworkX comes by them: that of a set."""
    indptr, indices = G.rows
    left = set(G.names.nodes)
    while left:
        u = left.pop()
        at = G.names.number[u]
        for v in left - set(G.names.named(indices[indptr[at] : indptr[at + 1]])):
            yield u, v


def _of(function: Any, G: Graph, pairs: Array) -> list[Any]:
    found: list[Any] = on_host(function(G.matrix, pairs).to_dense()).tolist()
    return found


def _weighed(G: Graph, ebunch: Iterable[Pair] | None, weigh: similarity.Weigh) -> Scores:
    """Common neighbours summed by weights, which the graph keeps for the next pairs."""

    def score(pairs: Array) -> Iterator[Any]:
        summed = similarity.summed(G.weighted_ends(weigh))
        return _sums(_of(lambda A, pairs: similarity.scores(A, pairs, float, summed), G, pairs))

    return _scores(G, ebunch, score)


def _sums(found: list[float]) -> Iterator[Any]:
    """Integers where there is nothing to add, as it is there."""
    for value in found:
        if value == math.inf:
            # A node beside itself whose neighbour has no other: 1 / log(1).
            raise ZeroDivisionError("float division by zero")
        yield value or 0
