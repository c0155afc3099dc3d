"""``networkx.algorithms.efficiency_measures``: 1 / distance, of a pair, of all, of neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from spbfs.algorithms.rank.closeness import harmonic
from spbfs.engines.arrays.patterns.sets import locate
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node, batches, places_in_order
from spbfs.networkx.shortest_paths.generic import shortest_path_length
from spbfs.objects.matrix import Matrix

__all__ = ["efficiency", "global_efficiency", "local_efficiency"]

#: Entries that are looked at together: those in the rows of so many neighbours.
_LOOKED_AT = 1 << 22


def efficiency(G: Graph, u: Node, v: Node) -> Any:
    """1 / distance of two nodes, 0 where no path joins them."""
    try:
        return 1 / shortest_path_length(G, u, v)
    except nx.NetworkXNoPath:
        return 0


def global_efficiency(G: Graph) -> Any:
    """The mean of 1 / distance over all pairs of nodes, 0 where no path joins them."""
    n = len(G)
    return float(harmonic(G.matrix).sum()) / (n * (n - 1)) if n > 1 else 0


def local_efficiency(G: Graph) -> float:
    """The mean, over all nodes, of the efficiency of the graph between a node's neighbours."""
    total: float = 0
    for some in _neighbourhoods(G):
        k = some.sizes
        near = np.bincount(some.of, harmonic(some.edges))
        total += sum((near / (k * (k - 1))).tolist())
    return total / len(G)


class _Neighbourhoods(NamedTuple):
    """Graphs between the neighbours of some nodes, side by side in one matrix."""

    edges: Matrix
    #: To which of them a vertex belongs, and how many each has.
    of: Array
    sizes: Array


def _neighbourhoods(G: Graph) -> Iterator[_Neighbourhoods]:
    """Those of all nodes of two neighbours or more."""
    degrees = np.diff(G.rows.indptr).astype(np.int64)
    nodes = np.flatnonzero(degrees > 1)
    around = np.bincount(G.structure.tails, degrees[G.rows.indices], minlength=len(G))
    for part in batches(around[nodes], _LOOKED_AT):
        yield _side_by_side(G, nodes[part], degrees)


def _side_by_side(G: Graph, nodes: Array, degrees: Array) -> _Neighbourhoods:
    n, sizes = len(G), degrees[nodes]
    of = np.repeat(np.arange(nodes.shape[0]), sizes)
    places, _ = places_in_order(G.rows, nodes)
    who = G.rows.indices[places]
    # A vertex is a neighbour and whose it is; that order lets one be found.
    key = of * n + who
    key.sort()
    of, who = np.divmod(key, n)
    places, begins = places_in_order(G.rows, who)
    tails = np.repeat(np.arange(who.shape[0]), np.diff(begins))
    beside = of[tails] * n + G.rows.indices[places]
    at, within = locate(np, key, beside)
    k = key.shape[0]
    edges = Matrix.from_coo(
        tails[within], at[within], True, nrows=k, ncols=k, device=G.matrix.device
    )
    return _Neighbourhoods(edges, of, sizes)
