"""Every function of the backend, and what the benchmark calls it with.

A graph of a million edges is what counts.  Where NetworkX would not come to an end on one, `below`
says by how many powers of two the graph is smaller, and `why`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.cpu.networkx_graphs import Sample

__all__ = ["CALLS", "Call"]


@dataclass(frozen=True)
class Call:
    """One call: of which graph, with what behind it."""

    shape: str = "kronecker"
    arguments: Callable[[Sample], tuple[Any, ...]] = lambda _: ()
    options: dict[str, Any] = field(default_factory=dict)
    below: int = 0
    why: str = ""


def _hub(s: Sample) -> tuple[Any, ...]:
    return (s.hub,)


def _far(s: Sample) -> tuple[Any, ...]:
    return s.hub, s.far


def _last(s: Sample) -> tuple[Any, ...]:
    return (s.far,)


def _some(s: Sample) -> tuple[Any, ...]:
    return (s.some,)


def _pairs(s: Sample) -> tuple[Any, ...]:
    return (s.pairs,)


def _top(s: Sample) -> tuple[Any, ...]:
    return (s.top,)


def _all(names: str, call: Call) -> dict[str, Call]:
    return dict.fromkeys(names.split(), call)


_MINUTES = "NetworkX takes minutes on a million edges"
_EVERY_NODE = "a search from every node, and as many results as nodes by nodes"
_EVERY_PATH = "there are too many shortest paths to list"
_CUBIC = "three loops over all nodes in Python"
_DENSE = "the result has too many edges"
_W = {"weight": "weight"}

#: Dispatch name -> its call.
CALLS: dict[str, Call] = {
    **_all(
        """bfs_edges bfs_tree bfs_predecessors bfs_successors bfs_labeled_edges generic_bfs_edges
        bfs_layers descendants node_connected_component predecessor
        single_source_shortest_path single_source_shortest_path_length
        single_target_shortest_path single_target_shortest_path_length""",
        Call("kronecker", _hub),
    ),
    "descendants_at_distance": Call("kronecker", lambda s: (s.hub, 2)),
    "ancestors": Call("acyclic", _last),
    **_all(
        """is_directed_acyclic_graph topological_generations topological_sort
        lexicographical_topological_sort has_cycle dag_longest_path dag_longest_path_length
        strongly_connected_components number_strongly_connected_components hits""",
        Call("acyclic"),
    ),
    **_all("is_aperiodic is_strongly_connected", Call("both ways")),
    **_all(
        "transitive_closure transitive_closure_dag transitive_reduction",
        Call("acyclic", below=6, why=_DENSE),
    ),
    **_all("bidirectional_shortest_path has_path efficiency", Call("kronecker", _far)),
    **_all(
        "bidirectional_dijkstra dijkstra_path dijkstra_path_length bellman_ford_path "
        "bellman_ford_path_length astar_path astar_path_length",
        Call("kronecker", _far, _W),
    ),
    **_all(
        """dijkstra_predecessor_and_distance single_source_dijkstra single_source_dijkstra_path
        single_source_dijkstra_path_length single_source_bellman_ford
        single_source_bellman_ford_path single_source_bellman_ford_path_length
        bellman_ford_predecessor_and_distance""",
        Call("kronecker", _hub, _W),
    ),
    **_all(
        "multi_source_dijkstra multi_source_dijkstra_path multi_source_dijkstra_path_length",
        Call("kronecker", _some, _W),
    ),
    "voronoi_cells": Call("kronecker", _some, _W),
    "goldberg_radzik": Call("acyclic", _hub, _W),
    "negative_edge_cycle": Call("cyclic", options={"weight": "shifted"}),
    "find_negative_cycle": Call("cyclic", _hub, {"weight": "sinking"}),
    **_all(
        """all_pairs_shortest_path all_pairs_shortest_path_length closeness_centrality
        harmonic_centrality average_shortest_path_length eccentricity diameter radius center
        periphery barycenter harmonic_diameter wiener_index hyper_wiener_index schultz_index
        gutman_index global_efficiency""",
        Call(below=6, why=_EVERY_NODE),
    ),
    **_all(
        "all_pairs_dijkstra all_pairs_dijkstra_path all_pairs_dijkstra_path_length",
        Call(options=_W, below=6, why=_EVERY_NODE),
    ),
    **_all(
        "all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length",
        Call(options=_W, below=7, why=_EVERY_NODE),
    ),
    "johnson": Call("cyclic", options={"weight": "shifted"}, below=7, why=_EVERY_NODE),
    "global_reaching_centrality": Call("cyclic", below=7, why=_EVERY_NODE),
    "closeness_vitality": Call("kronecker", lambda s: (s.hub,), below=6, why=_EVERY_NODE),
    "local_efficiency": Call(below=8, why="a search from every neighbour of every node"),
    **_all(
        "floyd_warshall floyd_warshall_predecessor_and_distance",
        Call(options=_W, below=8, why=_CUBIC),
    ),
    "floyd_warshall_numpy": Call(options=_W, below=5, why="nodes by nodes by nodes steps"),
    **_all("shortest_path shortest_path_length", Call("kronecker", _hub)),
    "all_shortest_paths": Call("kronecker", _far),
    "single_source_all_shortest_paths": Call("kronecker", _hub, below=6, why=_EVERY_PATH),
    "all_pairs_all_shortest_paths": Call(below=9, why=_EVERY_PATH),
    "betweenness_centrality": Call(options={"k": 4, "seed": 1}),
    "bipartite_closeness_centrality": Call("two sides", _top, below=7, why=_EVERY_NODE),
    "bipartite_betweenness_centrality": Call("two sides", _top, below=7, why=_EVERY_NODE),
    "group_closeness_centrality": Call("kronecker", _some),
    "local_reaching_centrality": Call("cyclic", _hub),
    "ego_graph": Call("kronecker", _hub),
    "power": Call("kronecker", lambda s: (2,), below=6, why=_DENSE),
    "number_of_walks": Call("kronecker", lambda s: (3,), below=6, why=_DENSE),
    "approximate_diameter": Call(options={"seed": 1}),
    **_all("connected_components number_connected_components is_connected", Call()),
    **_all(
        """weakly_connected_components number_weakly_connected_components is_weakly_connected
        kosaraju_strongly_connected_components condensation
        attracting_components number_attracting_components is_attracting_component
        is_semiconnected flow_hierarchy overall_reciprocity reciprocity""",
        Call("cyclic"),
    ),
    **_all("is_tree is_forest", Call("tree")),
    **_all("is_arborescence is_branching", Call("arborescence")),
    **_all("is_eulerian is_semieulerian has_eulerian_path", Call("torus")),
    **_all("color sets is_bipartite", Call("two sides")),
    "is_bipartite_node_set": Call("two sides", _top),
    **_all(
        "projected_graph weighted_projected_graph", Call("two sides", _top, below=6, why=_DENSE)
    ),
    **_all("pagerank eigenvector_centrality", Call()),
    "katz_centrality": Call(options={"alpha": 1e-4}),
    "triangles": Call(),
    **_all(
        "clustering transitivity average_clustering generalized_degree k_truss",
        Call(below=3, why=_MINUTES),
    ),
    "square_clustering": Call(below=6, why=_MINUTES),
    **_all(
        """onion_layers average_neighbor_degree average_degree_connectivity s_metric
        degree_assortativity_coefficient degree_pearson_correlation_coefficient
        core_number k_core k_shell k_crust greedy_color label_propagation_communities""",
        Call(),
    ),
    "k_corona": Call("kronecker", lambda s: (20,)),
    "k_truss": Call("kronecker", lambda s: (8,), below=3, why=_MINUTES),
    "rich_club_coefficient": Call(options={"normalized": False}),
    **_all(
        """jaccard_coefficient adamic_adar_index resource_allocation_index preferential_attachment
        cn_soundarajan_hopcroft ra_index_soundarajan_hopcroft within_inter_cluster""",
        Call("kronecker", _pairs),
    ),
    "common_neighbor_centrality": Call("kronecker", _pairs, below=6, why=_EVERY_NODE),
    **_all(
        "minimum_spanning_edges maximum_spanning_edges minimum_spanning_tree maximum_spanning_tree",
        Call(),
    ),
    **_all(
        """maximal_independent_set louvain_communities louvain_partitions asyn_lpa_communities
        fast_label_propagation_communities""",
        Call(options={"seed": 1}),
    ),
    "modularity": Call("kronecker", lambda s: (s.communities,)),
}
