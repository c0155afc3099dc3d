"""Arguments as NetworkX takes them: nodes of any hashable type, bunches of them, depths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node

__all__ = ["by_node", "depth_below", "found", "nodes_of", "source_of", "target_of"]


def found(
    G: Graph, node: Node, message: str, error: type[nx.NetworkXException] = nx.NodeNotFound
) -> int:
    """The number of a node."""
    if node not in G:
        raise error(message)
    return G.names.number[node]


def source_of(G: Graph, source: Node) -> int:
    """The number of a node whose neighbours NetworkX would ask for."""
    hash(source)  # NetworkX looks it up, which raises where it cannot
    kind = "digraph" if G.is_directed() else "graph"
    return found(G, source, f"The node {source} is not in the {kind}.", nx.NetworkXError)


def target_of(G: Graph, target: Node) -> int | None:
    """The number of a node that NetworkX looks up among those reached; None where it is none."""
    return G.names.number.get(target)


def nodes_of(G: Graph, nbunch: Any) -> Iterator[Any]:
    """A node, those of several that are in the graph, or all."""
    if nbunch is None:
        yield from G.names.nodes
    elif nbunch in G:
        yield nbunch
    else:
        try:
            several = iter(nbunch)
        except TypeError:
            raise nx.NetworkXError(f"Node {nbunch} is not in the graph.") from None
        for node in several:
            try:
                if node in G.names.number:
                    yield node
            except TypeError:
                raise nx.NetworkXError(
                    f"Node {node} in sequence nbunch is not a valid node."
                ) from None


def by_node(G: Graph, nbunch: Any, of: Callable[[Array], Iterable[Any]]) -> Any:
    """What there is of a node, or a dictionary of those of several, or of all; asked by numbers."""
    chosen = list(nodes_of(G, nbunch))
    if not chosen:
        return {}
    numbers = np.fromiter(map(G.names.number.__getitem__, chosen), np.int64, len(chosen))
    found = dict(zip(chosen, of(numbers), strict=True))
    return found[nbunch] if nbunch in G else found


def depth_below(limit: float | None) -> int | None:
    """The deepest level of a search that goes on as long as its depth is less than a limit."""
    if limit is None or limit == math.inf:
        return None
    return math.ceil(limit) if limit > 0 else 0
