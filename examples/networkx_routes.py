"""Shortest routes in a NetworkX graph whose nodes have names: the matrix keeps them as labels."""

from __future__ import annotations

import networkx as nx

import spbfs as sb
from spbfs import Matrix


def route(graph: nx.Graph, start: str, end: str) -> list[str]:
    """One of the shortest routes from `start` to `end`; empty where there is none."""
    A = Matrix.from_networkx(graph, weight=None)
    # The target lets the search stop as soon as it is found.
    found = sb.bfs(A, start, target=end)
    return found.path_to(end).tolist() if found.levels.get(A.labels[end]) is not None else []


def main() -> None:
    # Who appears with whom in a chapter of Les Misérables (D. E. Knuth, The Stanford GraphBase).
    graph = nx.les_miserables_graph()
    print(" - ".join(route(graph, "Napoleon", "Gavroche")))
    # The same with the distances of everybody: a table by names, and back on the nodes.
    levels = sb.bfs(Matrix.from_networkx(graph, weight=None), "Napoleon").levels.to_pandas()
    nx.set_node_attributes(graph, levels.to_dict(), "level")
    print(
        f"{levels.max()} steps to the farthest, Gavroche is at {graph.nodes['Gavroche']['level']}"
    )


if __name__ == "__main__":
    main()
