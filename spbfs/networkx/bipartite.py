"""``networkx.algorithms.bipartite.basic``: two sides, and every edge joins one to the other."""

from __future__ import annotations

import networkx as nx
import numpy as np

from spbfs.algorithms.connectivity.bipartite import bipartite
from spbfs.networkx.graph import Graph
from spbfs.networkx.structure import Node
from spbfs.storage.entries import on_host

__all__ = ["color", "is_bipartite"]


def color(G: Graph) -> dict[Node, int]:
    """1 on the side of the first node of every component, 0 on the other and without edges."""
    found = bipartite(G.matrix)
    if not found:
        raise nx.NetworkXError("Graph is not bipartite.")
    alone = np.diff(G.rows.indptr) == 0
    if G.is_directed():
        alone &= np.bincount(G.rows.indices, minlength=len(G)) == 0
    sides = np.where(alone | on_host(found.sides.to_dense(False)), 0, 1)
    return dict(zip(G.names.nodes, sides.tolist(), strict=True))


def is_bipartite(G: Graph) -> bool:
    """Whether there are such sides."""
    return bool(bipartite(G.matrix))
