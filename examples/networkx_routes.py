"""Shortest routes in a networkx graph with named nodes, read off a tree of parents."""

from __future__ import annotations

import networkx as nx

import spbfs as sb
from spbfs import Matrix


def route(graph: nx.Graph, start: str, end: str) -> list[str]:
    """One of the shortest routes from `start` to `end`; empty where there is none."""
    names = list(graph)
    number = {name: vertex for vertex, name in enumerate(names)}
    A = Matrix.from_networkx(graph, nodelist=names)
    # The target lets the search stop as soon as it is found.
    _, parents = sb.bfs(A, number[start], target=number[end])
    parent = parents.to_dense(fill_value=-1)
    vertex = number[end]
    if parent[vertex] < 0:
        return []
    steps = [vertex]
    while parent[vertex] != vertex:  # the source is its own parent
        vertex = int(parent[vertex])
        steps.append(vertex)
    return [names[vertex] for vertex in reversed(steps)]


def main() -> None:
    # Who appears with whom in a chapter of Les Misérables (D. E. Knuth, The Stanford GraphBase).
    graph = nx.les_miserables_graph()
    print(" - ".join(route(graph, "Napoleon", "Gavroche")))


if __name__ == "__main__":
    main()
