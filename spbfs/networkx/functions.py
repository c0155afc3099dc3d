"""Which of NetworkX's functions run here, in which module, and what of them is left to NetworkX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["FUNCTIONS", "WEIGHTS", "Function"]

#: Arguments that name an edge attribute, or are a function of edges, which is left to NetworkX.
WEIGHTS = ("weight", "distance")

#: What `greedy_color` has for a strategy where NetworkX says which node comes next.
COLOURING_ORDERS = (
    "largest_first",
    "random_sequential",
    "connected_sequential",
    "connected_sequential_bfs",
)


@dataclass(frozen=True, slots=True)
class Function:
    """One of NetworkX's functions, by its dispatch name."""

    #: Of ``spbfs.networkx``.
    module: str
    #: Arguments that are left to NetworkX when somebody gives them.
    without: tuple[str, ...] = ()
    #: What differs from NetworkX, or should be known.
    note: str = ""
    #: Of arguments the only values that are not.
    only: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    #: The argument that names nodes, of few of which NetworkX says at once what is asked.
    nodes: str = ""
    #: The argument that says how many steps a search takes, of which one is made there at once.
    steps: str = ""


_OF_ALL_NODES = "an `nstart` that is not of the graph's nodes is left to NetworkX"
_AS_THERE = "on the CPU, in NetworkX's order"
_NOT_NEGATIVE = "weights below 0 are left to NetworkX"
_UNDIRECTED = "directed graphs are left to NetworkX"


def _queue(module: str, steps: str = "", *without: str) -> Function:
    """A search in the order of a queue."""
    return Function(module, without, "on the CPU, in the order of a queue", steps=steps)


#: dispatch name -> what is known of it, in the order of NetworkX's own reference
FUNCTIONS: dict[str, Function] = {
    "bfs_edges": _queue("traversal.breadth_first", "depth_limit", "sort_neighbors"),
    "bfs_layers": _queue("traversal.breadth_first"),
    "bfs_tree": _queue("traversal.breadth_first", "depth_limit", "sort_neighbors"),
    "bfs_predecessors": _queue("traversal.breadth_first", "depth_limit", "sort_neighbors"),
    "bfs_successors": _queue("traversal.breadth_first", "depth_limit", "sort_neighbors"),
    "bfs_labeled_edges": _queue("traversal.breadth_first"),
    "generic_bfs_edges": _queue("traversal.breadth_first", "depth_limit", "neighbors"),
    "descendants_at_distance": _queue("traversal.breadth_first", "distance"),
    "ancestors": Function("traversal.dag"),
    "descendants": Function("traversal.dag"),
    "is_directed_acyclic_graph": Function("traversal.dag"),
    **{name: _queue("traversal.dag") for name in ("topological_generations", "topological_sort")},
    "lexicographical_topological_sort": Function(
        "traversal.dag", (), "on the CPU; keys that cannot be put in order are left to NetworkX"
    ),
    "transitive_closure": Function(
        "traversal.dag", (), "undirected graphs are left to NetworkX where reflexive is False"
    ),
    "transitive_closure_dag": Function("traversal.dag_paths", ("topo_order",)),
    "transitive_reduction": Function("traversal.dag_paths"),
    "has_cycle": Function("traversal.dag_paths"),
    "is_aperiodic": Function("traversal.dag_paths"),
    "dag_longest_path": Function(
        "traversal.dag_paths", ("topo_order",), "on the CPU, level by level"
    ),
    "dag_longest_path_length": Function("traversal.dag_paths", (), "on the CPU, level by level"),
    "single_source_shortest_path": _queue("shortest_paths.unweighted", "cutoff"),
    "single_source_shortest_path_length": _queue("shortest_paths.unweighted", "cutoff"),
    "single_target_shortest_path": _queue("shortest_paths.unweighted", "cutoff"),
    "single_target_shortest_path_length": _queue("shortest_paths.unweighted", "cutoff"),
    "bidirectional_shortest_path": _queue("shortest_paths.unweighted"),
    "all_pairs_shortest_path": _queue("shortest_paths.unweighted"),
    "all_pairs_shortest_path_length": _queue("shortest_paths.unweighted"),
    "predecessor": _queue("shortest_paths.unweighted", "cutoff"),
    **{
        name: Function("shortest_paths.dijkstra", (), _NOT_NEGATIVE)
        for name in (
            "bidirectional_dijkstra",
            "dijkstra_predecessor_and_distance",
            "dijkstra_path",
            "dijkstra_path_length",
            "single_source_dijkstra",
            "single_source_dijkstra_path",
            "single_source_dijkstra_path_length",
            "multi_source_dijkstra",
            "multi_source_dijkstra_path",
            "multi_source_dijkstra_path_length",
            "all_pairs_dijkstra",
            "all_pairs_dijkstra_path",
            "all_pairs_dijkstra_path_length",
        )
    },
    **{
        name: Function("shortest_paths.bellman_ford")
        for name in (
            "bellman_ford_path",
            "bellman_ford_path_length",
            "single_source_bellman_ford",
            "single_source_bellman_ford_path",
            "single_source_bellman_ford_path_length",
            "all_pairs_bellman_ford_path",
            "all_pairs_bellman_ford_path_length",
            "bellman_ford_predecessor_and_distance",
            "negative_edge_cycle",
            "goldberg_radzik",
            "johnson",
        )
    },
    "find_negative_cycle": Function(
        "shortest_paths.bellman_ford",
        (),
        "where there are several, perhaps another one than NetworkX's",
    ),
    "astar_path": Function("shortest_paths.dense", ("heuristic",), _NOT_NEGATIVE),
    "astar_path_length": Function("shortest_paths.dense", ("heuristic",), _NOT_NEGATIVE),
    **{
        name: Function("shortest_paths.dense", (), "cycles of negative weight are left to NetworkX")
        for name in (
            "floyd_warshall",
            "floyd_warshall_predecessor_and_distance",
            "floyd_warshall_numpy",
        )
    },
    "has_path": _queue("shortest_paths.generic"),
    "shortest_path": Function("shortest_paths.generic"),
    "shortest_path_length": Function("shortest_paths.generic"),
    "average_shortest_path_length": Function("shortest_paths.generic", (), _NOT_NEGATIVE),
    "all_shortest_paths": Function("shortest_paths.generic"),
    "single_source_all_shortest_paths": Function("shortest_paths.generic"),
    "all_pairs_all_shortest_paths": Function("shortest_paths.generic"),
    "closeness_centrality": Function("centrality.by_paths", (), _NOT_NEGATIVE),
    "harmonic_centrality": Function("centrality.by_paths", (), _NOT_NEGATIVE),
    "betweenness_centrality": Function(
        "centrality.by_paths",
        (),
        "over weights on the CPU; weights of 0 and below are left to NetworkX",
    ),
    "bipartite_closeness_centrality": Function("centrality.nearest"),
    "bipartite_betweenness_centrality": Function("centrality.nearest"),
    "group_closeness_centrality": Function("centrality.nearest", (), _NOT_NEGATIVE),
    "local_reaching_centrality": Function("traversal.reaching", ("paths", "weight")),
    "global_reaching_centrality": Function("traversal.reaching", ("weight",)),
    "voronoi_cells": Function(
        "centrality.nearest",
        (),
        f"{_NOT_NEGATIVE}; of centres as near, that with fewest edges between, then the first",
    ),
    "ego_graph": Function("traversal.reaching", ("undirected",)),
    "power": Function("traversal.reaching"),
    "number_of_walks": Function("traversal.reaching"),
    "approximate_diameter": _queue("traversal.reaching"),
    "eccentricity": Function("distances.distance_measures", ("sp",), _NOT_NEGATIVE),
    "diameter": Function("distances.distance_measures", (), _NOT_NEGATIVE),
    "radius": Function("distances.distance_measures", (), _NOT_NEGATIVE),
    "center": Function("distances.distance_measures", (), _NOT_NEGATIVE),
    "periphery": Function("distances.distance_measures", (), _NOT_NEGATIVE),
    "barycenter": Function(
        "distances.distance_measures",
        ("attr", "sp"),
        "weights below 0, and floats, of whose sums the order decides, are left to NetworkX",
    ),
    "harmonic_diameter": Function("distances.distance_measures", ("sp",), _NOT_NEGATIVE),
    **{
        name: Function("distances.wiener", (), _NOT_NEGATIVE)
        for name in (
            "wiener_index",
            "hyper_wiener_index",
            "schultz_index",
            "gutman_index",
            "closeness_vitality",
        )
    },
    **{
        name: Function("distances.efficiency")
        for name in ("efficiency", "global_efficiency", "local_efficiency")
    },
    "connected_components": Function("connectivity.components"),
    "number_connected_components": Function("connectivity.components"),
    "is_connected": Function("connectivity.components"),
    "node_connected_component": Function("connectivity.components"),
    "weakly_connected_components": Function("connectivity.components"),
    "number_weakly_connected_components": Function("connectivity.components"),
    "is_weakly_connected": Function("connectivity.components"),
    "strongly_connected_components": Function("connectivity.components", (), _AS_THERE),
    "number_strongly_connected_components": Function("connectivity.components"),
    "is_strongly_connected": Function("connectivity.components"),
    "kosaraju_strongly_connected_components": Function(
        "connectivity.condensation", ("source",), _AS_THERE
    ),
    "condensation": Function("connectivity.condensation", ("scc",), _AS_THERE),
    "attracting_components": Function("connectivity.condensation", (), _AS_THERE),
    **{
        name: Function("connectivity.condensation")
        for name in (
            "number_attracting_components",
            "is_attracting_component",
            "is_semiconnected",
            "flow_hierarchy",
        )
    },
    **{
        name: Function("connectivity.trees")
        for name in ("is_tree", "is_forest", "is_arborescence", "is_branching", "is_eulerian")
    },
    "is_semieulerian": Function("connectivity.trees"),
    "has_eulerian_path": Function("connectivity.trees", ("source",)),
    "color": Function("sets.bipartite"),
    "sets": Function("sets.bipartite"),
    "is_bipartite": Function("sets.bipartite"),
    "is_bipartite_node_set": Function("sets.bipartite"),
    "projected_graph": Function("sets.bipartite", ("multigraph",)),
    "weighted_projected_graph": Function("sets.bipartite"),
    "pagerank": Function("centrality.by_powers"),
    "hits": Function(
        "centrality.by_powers", (), "not normalized, scores that NetworkX may give negative are not"
    ),
    "katz_centrality": Function("centrality.by_powers", (), _OF_ALL_NODES),
    "eigenvector_centrality": Function("centrality.by_powers", (), _OF_ALL_NODES),
    "triangles": Function("cohesion.clustering", nodes="nodes"),
    "clustering": Function("cohesion.clustering", ("weight",), nodes="nodes"),
    "average_clustering": Function("cohesion.clustering", ("weight",), nodes="nodes"),
    "transitivity": Function("cohesion.clustering", (), _UNDIRECTED),
    "square_clustering": Function("cohesion.squares", (), _UNDIRECTED, nodes="nodes"),
    "generalized_degree": Function("cohesion.squares", nodes="nodes"),
    "onion_layers": Function("cohesion.squares", (), "on the CPU, layer by layer"),
    "average_neighbor_degree": Function(
        "cohesion.degrees", (), "a single node, and weights of multigraphs, are left to NetworkX"
    ),
    "average_degree_connectivity": Function(
        "cohesion.degrees", (), "weights of multigraphs are left to NetworkX"
    ),
    **{
        name: Function(
            "cohesion.degrees", ("nodes",), "degrees that are all one are left to NetworkX"
        )
        for name in ("degree_assortativity_coefficient", "degree_pearson_correlation_coefficient")
    },
    **{
        name: Function(
            "cohesion.degrees",
            (),
            "undirected graphs and multigraphs are left to NetworkX",
            nodes="nodes" if name == "reciprocity" else "",
        )
        for name in ("overall_reciprocity", "reciprocity")
    },
    "rich_club_coefficient": Function(
        "cohesion.degrees",
        (),
        "left to NetworkX unless `normalized` is False",
        {"normalized": (False,)},
    ),
    "s_metric": Function("cohesion.degrees"),
    "core_number": Function("cohesion.clustering", (), _UNDIRECTED),
    "k_core": Function("cohesion.clustering", (), _UNDIRECTED),
    "k_shell": Function("cohesion.clustering", (), _UNDIRECTED),
    "k_crust": Function("cohesion.clustering", (), _UNDIRECTED),
    "k_corona": Function("cohesion.clustering", (), _UNDIRECTED),
    "k_truss": Function("cohesion.clustering"),
    **{
        name: Function("cohesion.link_prediction", (), "graphs with loops are left to NetworkX")
        for name in (
            "jaccard_coefficient",
            "adamic_adar_index",
            "resource_allocation_index",
            "preferential_attachment",
            "common_neighbor_centrality",
            "cn_soundarajan_hopcroft",
            "ra_index_soundarajan_hopcroft",
            "within_inter_cluster",
        )
    },
    **{
        name: Function("connectivity.spanning", ("algorithm",))
        for name in (
            "minimum_spanning_edges",
            "maximum_spanning_edges",
            "minimum_spanning_tree",
            "maximum_spanning_tree",
        )
    },
    "greedy_color": Function(
        "sets.coloring",
        ("interchange",),
        "strategies but the first, `random_sequential` and `connected_sequential`, directed graphs "
        "and multigraphs are left to NetworkX",
        {"strategy": COLOURING_ORDERS},
    ),
    "maximal_independent_set": Function(
        "sets.independent_set", (), "another one than NetworkX's, the same for the same seed"
    ),
    **{
        name: Function(
            "sets.communities",
            ("threshold",),
            "those of `sb.louvain`, not NetworkX's; directed graphs are left to NetworkX",
        )
        for name in ("louvain_communities", "louvain_partitions")
    },
    **{
        name: Function(
            "sets.communities",
            (),
            "those of `sb.label_propagation`, not NetworkX's; directed graphs are left to NetworkX",
        )
        for name in (
            "label_propagation_communities",
            "asyn_lpa_communities",
            "fast_label_propagation_communities",
        )
    },
    "modularity": Function("sets.communities", (), _UNDIRECTED),
}
