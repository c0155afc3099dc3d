"""NetworkX's functions, its own and through the spbfs backend, on one graph.

Run as ``python -m benchmarks networkx``.  Both sides are public calls that return the same result.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

import networkx as nx

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from spbfs.engines.cpu.components import strong_in_order
from spbfs.engines.cpu.topological_order import topological_order
from spbfs.networkx.graph import Graph
from spbfs.networkx.interface import backend
from spbfs.networkx.traversal import search_in_order
from spbfs.networkx.unweighted import edges_down

METHOD = {
    "graph": (
        "Graph500's Kronecker graph of edge factor 18, undirected, as a NetworkX "
        "Graph; for functions of directed graphs every edge from its lesser node, for is_bipartite "
        "between two copies of the nodes; weights 1 to 255"
    ),
    "calls": (
        "the function with backend='spbfs' once, which converts the graph; then by turns "
        "NetworkX's own, ours on the kept conversion, and the engine's part of ours, medians of "
        "each, NetworkX's once where it takes more than half a minute; generators are listed, "
        "pairs of nodes are the ends of every hundredth edge"
    ),
    "objects": (
        "of a later call, what is above the engine's part called by itself: for the most part "
        "Python's dictionaries, lists and sets, and the names in them; empty where the engine is "
        "called several times, or has next to all of the time"
    ),
}
#: Function -> the arguments that it is called with, nodes and weights by name.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "bfs_edges": ("hub", {}),
    "bfs_layers": ("hub", {}),
    "bfs_predecessors": ("hub", {}),
    "descendants": ("hub", {}),
    "single_source_shortest_path_length": ("hub", {}),
    "single_source_shortest_path": ("hub", {}),
    "predecessor": ("hub", {}),
    "single_source_dijkstra_path_length": ("hub", {"weight": "weight"}),
    "single_source_dijkstra": ("hub", {"weight": "weight"}),
    "single_source_bellman_ford_path_length": ("hub", {"weight": "weight"}),
    "connected_components": ("", {}),
    "is_connected": ("", {}),
    "is_bipartite": ("sides", {}),
    "is_directed_acyclic_graph": ("directed", {}),
    "topological_sort": ("directed", {}),
    "strongly_connected_components": ("directed", {}),
    "number_strongly_connected_components": ("directed", {}),
    "pagerank": ("", {}),
    "katz_centrality": ("", {"alpha": 1e-4}),
    "eigenvector_centrality": ("", {}),
    "hits": ("directed", {}),
    "betweenness_centrality": ("", {"k": 4, "seed": 1}),
    "core_number": ("", {}),
    "triangles": ("", {}),
    "clustering": ("", {}),
    "transitivity": ("", {}),
    "jaccard_coefficient": ("pairs", {}),
    "adamic_adar_index": ("pairs", {}),
    "minimum_spanning_edges": ("", {}),
    "greedy_color": ("", {}),
    "maximal_independent_set": ("", {"seed": 1}),
    "louvain_communities": ("", {"seed": 1}),
}
#: Function -> the call of the engine that it makes, of the converted graph and the numbers of the
#: nodes that it is given.
ENGINE: dict[str, Callable[[Graph, Any], Any]] = {
    **dict.fromkeys(
        """bfs_edges bfs_layers bfs_predecessors single_source_shortest_path
        single_source_shortest_path_length""".split(),
        lambda G, hub: search_in_order(G.rows, hub),
    ),
    "predecessor": lambda G, hub: edges_down(G.rows, search_in_order(G.rows, hub)),
    **dict.fromkeys(
        "single_source_dijkstra_path_length single_source_bellman_ford_path_length".split(),
        lambda G, hub: sb.sssp(G.weighted("weight"), hub, parents=False),
    ),
    "single_source_dijkstra": lambda G, hub: sb.sssp(G.weighted("weight"), hub),
    "descendants": lambda G, hub: sb.bfs(G.matrix, hub, parents=False),
    "connected_components": lambda G, _: sb.components(G.matrix),
    "strongly_connected_components": lambda G, _: strong_in_order(G.rows, backwards=False),
    "topological_sort": lambda G, _: topological_order(G.rows),
    "core_number": lambda G, _: sb.core_numbers(G.matrix),
    "triangles": lambda G, _: sb.triangles(G.matrix),
    "clustering": lambda G, _: sb.clustering(G.matrix),
    "jaccard_coefficient": lambda G, pairs: sb.jaccard(G.matrix, pairs.reshape(-1, 2)),
    "adamic_adar_index": lambda G, pairs: sb.adamic_adar(G.matrix, pairs.reshape(-1, 2)),
    "minimum_spanning_edges": lambda G, _: sb.minimum_spanning_forest(G.ranked("weight", 1)),
    "greedy_color": lambda G, _: sb.colouring(G.matrix),
    "maximal_independent_set": lambda G, _: sb.maximal_independent_set(G.matrix),
    "louvain_communities": lambda G, _: sb.louvain(G.weighted("weight")),
}
#: Calls of so many seconds are made once.
ONCE = 30.0
#: Of so many edges one gives a pair of nodes.
EDGES_A_PAIR = 100


def _graphs(scale: int, edge_factor: int) -> dict[str, Any]:
    """The graph, and the same with a direction an edge."""
    A = sb.generate.kronecker(scale, edge_factor, seed=1)
    rows, columns, _ = A.to_coo()
    made = {}
    kept = rows < columns
    edges = list(zip(rows[kept].tolist(), columns[kept].tolist(), strict=True))
    for kind in (nx.Graph, nx.DiGraph):
        graph = kind()
        graph.add_weighted_edges_from((u, v, (u * 7919 + v) % 255 + 1) for u, v in edges)
        made["directed" if kind is nx.DiGraph else ""] = graph
    made["sides"] = nx.Graph((u, A.nrows + v) for u, v in edges)
    return made


def _listed(found: Any) -> Any:
    return list(found) if isinstance(found, Iterator) else found


def _timed(function: Any, *arguments: Any, **options: Any) -> float:
    """Seconds of a call, its result kept until they are taken."""
    gc.collect()
    started = time.perf_counter()
    found = _listed(function(*arguments, **options))
    took = time.perf_counter() - started
    del found
    return took


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    nx.config.warnings_to_ignore.add("cache")
    sb.set_threads(options.threads)
    scale = options.scale or 16
    graphs = _graphs(scale, 18)
    hub = max(graphs[""], key=graphs[""].degree)
    report: dict[str, Any] = {
        "benchmark": "networkx",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "scipy", "networkx"]),
        "method": METHOD,
        "load": [os.getloadavg()[0]],
        "threads": options.threads,
        "scale": scale,
        "nodes": len(graphs[""]),
        "edges": graphs[""].number_of_edges(),
        "runs": [],
    }
    for name in known_names(options.functions or CALLS, CALLS):
        row = _row(name, graphs, hub, options.repeats)
        report["runs"].append({"function": name, **row})
        print(f"{name:42}", *(_cell(seconds).rjust(10) for seconds in row.values()), "ms")
    sb.set_threads(None)
    report["load"].append(os.getloadavg()[0])
    return write(report, options.output, "networkx", _markdown)


def _row(name: str, graphs: dict[str, Any], hub: int, repeats: int) -> dict[str, float | None]:
    """Seconds of one function: NetworkX's, our first call, the engine's part, a later call."""
    what, given = CALLS[name]
    graph = graphs[what if what in graphs else ""]
    given_nodes: dict[str, Any] = {"hub": hub, "pairs": list(graph.edges)[::EDGES_A_PAIR]}
    arguments = [graph, *([given_nodes[what]] if what in given_nodes else [])]
    function = getattr(nx.community if name.startswith("louvain") else nx, name)
    graph.__networkx_cache__.clear()
    first = _timed(function, *arguments, **given, backend="spbfs")
    calls: dict[str, Callable[[], float]] = {
        "networkx": lambda: _timed(function, *arguments, **given),
        "again": lambda: _timed(function, *arguments, **given, backend="spbfs"),
    }
    if name in ENGINE:
        converted = backend.convert_from_nx(graph)
        nodes = [hub] if what != "pairs" else [*chain.from_iterable(given_nodes["pairs"])]
        at = converted.names.numbers(nodes, len(nodes))
        ENGINE[name](converted, at)  # makes the matrix
        calls["engine"] = lambda: _timed(ENGINE[name], converted, at)
    took: dict[str, list[float]] = {key: [] for key in calls}
    for _ in range(repeats):
        for key, call in calls.items():
            if not took[key] or took[key][0] < ONCE:
                took[key].append(call())
    found = {key: median(seconds) for key, seconds in took.items()}
    return {"networkx": found["networkx"], "first": first, "engine": None, **found}


def _cell(seconds: float | None) -> str:
    """Milliseconds; nothing where nothing was timed."""
    return "" if seconds is None else f"{seconds * 1e3:.1f}"


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# NetworkX and its spbfs backend, {report['date']}",
        "",
        f"Machine: {report['machine']}.",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + ".",
        f"Scale {report['scale']}: {report['nodes']:,} nodes that have edges, "
        f"{report['edges']:,} edges; {report['threads']} threads. "
        f"Load average before and after: {report['load'][0]:.1f}, {report['load'][1]:.1f}.",
        *method_lines(report),
        "",
        "Milliseconds; NetworkX's time over a later call's with everything counted, and over the "
        "engine's part, with NetworkX's result objects not counted.",
        "",
        "| function | NetworkX | first call | later calls | of that objects | ratio | without |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for run in report["runs"]:
        theirs, again, engine = (run[key] for key in ("networkx", "again", "engine"))
        cells = [_cell(seconds) for seconds in (theirs, run["first"], again)]
        cells.append("" if engine is None else _cell(max(0.0, again - engine)))
        cells += ["" if part is None else f"{theirs / part:.1f}" for part in (again, engine)]
        lines.append(f"| `{run['function']}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])
