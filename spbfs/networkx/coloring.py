"""``networkx.algorithms.coloring``: colours that no edge joins, one node after another."""

from __future__ import annotations

import numpy as np

from spbfs.algorithms.sets.colouring import in_order
from spbfs.algorithms.sets.orders import given
from spbfs.networkx.graph import Graph
from spbfs.networkx.structure import Node
from spbfs.storage.entries import on_host

__all__ = ["greedy_color"]


def greedy_color(
    G: Graph, strategy: str = "largest_first", interchange: bool = False
) -> dict[Node, int]:
    """Each node, by falling degree, gets the least colour that no neighbour has before it."""
    if G.is_directed() or G.is_multigraph():
        raise NotImplementedError("NetworkX looks along the edges, and counts parallel ones")
    if len(G) == 0:
        return {}
    degrees = np.diff(G.rows.indptr)
    degrees[G.structure.loops] += 1
    order = np.argsort(-degrees, kind="stable").astype(np.int64)
    colours = on_host(in_order(G.matrix, given(order), "auto", None).to_dense())
    return dict(zip(G.names.named(order), colours[order].tolist(), strict=True))
