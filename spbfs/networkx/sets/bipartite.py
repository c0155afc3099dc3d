"""``networkx.algorithms.bipartite``: two sides, every edge between them, and what joins a side."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import networkx as nx
import numpy as np

from spbfs import semiring
from spbfs.algorithms.connectivity.bipartite import bipartite
from spbfs.networkx.connectivity.components import least_vertices
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.made_graphs import add_new_edges
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.storage.entries import on_host

__all__ = [
    "color",
    "is_bipartite",
    "is_bipartite_node_set",
    "projected_graph",
    "sets",
    "weighted_projected_graph",
]


def color(G: Graph) -> dict[Node, int]:
    """1 on the side of the first node of every component that an edge leaves, 0 on the other and
    without edges."""
    return dict(zip(G.names.nodes, _sides(G).tolist(), strict=True))


def sets(G: Graph, top_nodes: Iterable[Node] | None = None) -> tuple[set[Node], set[Node]]:
    """Both sides, that of the first node first; or some nodes, as they are given, and the rest."""
    if top_nodes is not None:
        top = set(top_nodes)
        return top, set(G.names.nodes) - top
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if least_vertices(G).any():
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    sides = _sides(G)
    first, second = (set(G.names.named(np.flatnonzero(sides == side))) for side in (1, 0))
    return first, second


def is_bipartite(G: Graph) -> bool:
    """Whether there are such sides."""
    return bool(bipartite(G.matrix))


def is_bipartite_node_set(G: Graph, nodes: Collection[Node]) -> bool:
    """Whether some nodes are a side of every component."""
    chosen = set(nodes)
    if len(chosen) < len(nodes):
        raise nx.AmbiguousSolution(
            "The input node set contains duplicates.\n"
            "This may lead to incorrect results when using it in bipartite algorithms.\n"
            "Consider using set(nodes) as the input"
        )
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    if len(G) == 0:
        return True
    # NetworkX looks at one component after the other, and at none behind the first that is wrong.
    found = bipartite(G.matrix)
    if not found:
        raise NotImplementedError("NetworkX has to say which component it comes to first")
    here = np.array([node in chosen for node in G.names.nodes])
    same = here == on_host(found.sides.to_dense(False))
    least = least_vertices(G)
    return bool((same == same[least]).all())


def projected_graph(B: Graph, nodes: Collection[Node], multigraph: bool = False) -> Any:
    """Some nodes, and edges between those that two edges lead from and to."""
    if B.is_multigraph():
        raise nx.NetworkXError("not defined for multigraphs")
    made = _some_nodes(B, nodes)
    u, v, _ = _two_steps(B, made, semiring.any_pair)
    _join(B, made, u, v)
    return made


def weighted_projected_graph(B: Graph, nodes: Collection[Node], ratio: bool = False) -> Any:
    """The same with the number of nodes on the way as weights, or its share of the other side."""
    made = _some_nodes(B, nodes)
    others = len(B) - len(nodes)
    if others < 1:
        raise nx.NetworkXAlgorithmError(
            f"the size of the nodes to project onto ({len(nodes)}) is >= the graph size "
            f"({len(B)}).\nThey are either not a valid bipartite partition or contain duplicates"
        )
    u, v, counts = _two_steps(B, made, semiring.plus_pair)
    _join(B, made, u, v, counts / others if ratio else counts)
    return made


def _some_nodes(B: Graph, nodes: Collection[Node]) -> Any:
    if not isinstance(nodes, Collection):
        raise NotImplementedError("NetworkX goes through the nodes twice, which some forbid")
    made = nx.DiGraph() if B.is_directed() else nx.Graph()
    made.graph.update(B.attributes)
    made.add_nodes_from((node, B.node_attributes[node]) for node in nodes)
    return made


def _two_steps(B: Graph, nodes: Collection[Node], ways: Any) -> tuple[Array, Array, Array]:
    """From some nodes, by their places there, along two edges: begins, ends, in how many ways, or
    that there are any."""
    begin = B.names.numbers(nodes, len(nodes)).astype(np.int64)
    found = ways(B.matrix[begin, :] @ B.matrix).new()
    rows, v, counts = found.to_coo(values=ways is not semiring.any_pair)
    return rows, v, counts


def _join(B: Graph, made: Any, u: Array, v: Array, weights: Array | None = None) -> None:
    """Edges from a graph's nodes, by their places, to those of these numbers."""
    nodes = list(made)
    place = np.full(len(B), -1, v.dtype)
    place[B.names.numbers(nodes, len(nodes))] = np.arange(len(nodes))
    ends = place.take(v)
    if (missing := np.flatnonzero(ends < 0)).size:
        # The nodes are no side, so that others come in by their edges.
        others = list(dict.fromkeys(B.names.named(v.take(missing))))
        made.add_nodes_from(others)
        place[B.names.numbers(others, len(others))] = np.arange(len(nodes), len(made))
        nodes += others
        ends = place.take(v)
    # None to itself; the other way round an edge of two of the nodes is there as well.
    kept = np.flatnonzero(u != ends if made.is_directed() else u < ends)
    u, ends, weights = u.take(kept), ends.take(kept), None if weights is None else weights[kept]
    data = None if weights is None else [{"weight": weight} for weight in weights.tolist()]
    add_new_edges(made, nodes, u, ends, data)


def _sides(G: Graph) -> Array:
    found = bipartite(G.matrix)
    if not found:
        raise nx.NetworkXError("Graph is not bipartite.")
    sides = on_host(found.sides.to_dense(False))
    leaves = np.diff(G.rows.indptr) > 0
    if not G.is_directed():
        return np.where(leaves & ~sides, 1, 0)
    # Whom NetworkX begins with, which has an edge out, need not be the first of its component.
    least, tails = least_vertices(G), np.flatnonzero(leaves)
    begin = np.full(len(G), -1)
    begin[least[tails[::-1]]] = tails[::-1]
    of_component = begin[least]
    return np.where((of_component >= 0) & (sides == sides[of_component]), 1, 0)
