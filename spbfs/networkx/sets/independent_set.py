"""``networkx.algorithms.mis``: our maximal independent set, of which NetworkX draws another one."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.sets.independent_set import chosen_in_order
from spbfs.algorithms.sets.orders import few_neighbours_first
from spbfs.algorithms.sets.orders import given as given_order
from spbfs.engines.arrays.patterns.sets import member
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.storage.entries import on_host

__all__ = ["maximal_independent_set"]


def maximal_independent_set(G: Graph, nodes: Any = None, seed: Any = None) -> list[Node]:
    """Nodes of which no two are neighbours, those given among them; all others have one in it.

    NetworkX has made a generator of the seed, and a number that it draws is the seed of ours.
    """
    given = set(nodes or ())
    if not all(node in G for node in given):
        raise nx.NetworkXUnfeasible(f"{given} is not a subset of the nodes of G")
    first = np.sort(G.names.numbers(given, len(given)))
    if _joined(G, first):
        raise nx.NetworkXUnfeasible(f"{given} is not an independent set of G")
    if len(G) == 0:
        # As NetworkX has it, which draws one.
        seed.choice([])
    others = few_neighbours_first(G.matrix, seed.getrandbits(32)).listed()
    order = np.concatenate([first, others[~member(np, others, first)]]).astype(np.int64)
    chosen = on_host(
        chosen_in_order(G.matrix, given_order(order), "auto", None).to_coo(values=False)[0]
    )
    return [*given, *G.names.named(chosen[~member(np, chosen, first)])]


def _joined(G: Graph, vertices: Array) -> bool:
    """Whether an edge joins two of them, or one to itself."""
    beside = [G.rows.indices[G.rows.indptr[v] : G.rows.indptr[v + 1]] for v in vertices]
    return bool(beside) and bool(member(np, np.concatenate(beside), vertices).any())
