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


_IN_ORDER = "on the CPU, in the order of a queue"
_OF_ALL_NODES = "an `nstart` that is not of the graph's nodes is left to NetworkX"
_AS_THERE = "on the CPU, in NetworkX's order"
_NOT_NEGATIVE = "weights below 0 are left to NetworkX"
_UNDIRECTED = "directed graphs are left to NetworkX"

#: dispatch name -> what is known of it, in the order of NetworkX's own reference
FUNCTIONS: dict[str, Function] = {
    "bfs_edges": Function("traversal", ("sort_neighbors",), _IN_ORDER),
    "bfs_layers": Function("traversal", (), _IN_ORDER),
    "bfs_tree": Function("traversal", ("sort_neighbors",), _IN_ORDER),
    "bfs_predecessors": Function("traversal", ("sort_neighbors",), _IN_ORDER),
    "bfs_successors": Function("traversal", ("sort_neighbors",), _IN_ORDER),
    "bfs_labeled_edges": Function("traversal", (), _IN_ORDER),
    "generic_bfs_edges": Function("traversal", ("neighbors",), _IN_ORDER),
    "descendants_at_distance": Function("traversal", (), _IN_ORDER),
    "ancestors": Function("dag"),
    "descendants": Function("dag"),
    "is_directed_acyclic_graph": Function("dag"),
    **{
        name: Function("dag", (), f"{_IN_ORDER}; of the graph as it is when iteration begins")
        for name in ("topological_generations", "topological_sort")
    },
    "lexicographical_topological_sort": Function(
        "dag", (), "on the CPU; keys that cannot be put in order are left to NetworkX"
    ),
    "transitive_closure": Function(
        "dag", (), "undirected graphs are left to NetworkX where reflexive is False"
    ),
    "transitive_closure_dag": Function("dag_paths", ("topo_order",)),
    "transitive_reduction": Function("dag_paths"),
    "has_cycle": Function("dag_paths"),
    "is_aperiodic": Function("dag_paths"),
    "dag_longest_path": Function("dag_paths", ("topo_order",), "on the CPU, level by level"),
    "dag_longest_path_length": Function("dag_paths", (), "on the CPU, level by level"),
    "single_source_shortest_path": Function("unweighted", (), _IN_ORDER),
    "single_source_shortest_path_length": Function("unweighted", (), _IN_ORDER),
    "single_target_shortest_path": Function("unweighted", (), _IN_ORDER),
    "single_target_shortest_path_length": Function("unweighted", (), _IN_ORDER),
    "bidirectional_shortest_path": Function("unweighted", (), _IN_ORDER),
    "all_pairs_shortest_path": Function("unweighted", (), _IN_ORDER),
    "all_pairs_shortest_path_length": Function("unweighted", (), _IN_ORDER),
    "predecessor": Function("unweighted", (), _IN_ORDER),
    **{
        name: Function("dijkstra", (), _NOT_NEGATIVE)
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
        name: Function("bellman_ford")
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
        "bellman_ford", (), "where there are several, perhaps another one than NetworkX's"
    ),
    "astar_path": Function("dense", ("heuristic",), _NOT_NEGATIVE),
    "astar_path_length": Function("dense", ("heuristic",), _NOT_NEGATIVE),
    **{
        name: Function("dense", (), "cycles of negative weight are left to NetworkX")
        for name in (
            "floyd_warshall",
            "floyd_warshall_predecessor_and_distance",
            "floyd_warshall_numpy",
        )
    },
    "has_path": Function("generic", (), _IN_ORDER),
    "shortest_path": Function("generic"),
    "shortest_path_length": Function("generic"),
    "average_shortest_path_length": Function("generic", (), _NOT_NEGATIVE),
    "all_shortest_paths": Function("generic"),
    "single_source_all_shortest_paths": Function("generic"),
    "all_pairs_all_shortest_paths": Function("generic"),
    "closeness_centrality": Function("centrality", (), _NOT_NEGATIVE),
    "harmonic_centrality": Function("centrality", (), _NOT_NEGATIVE),
    "betweenness_centrality": Function(
        "centrality", (), "over weights on the CPU; weights of 0 and below are left to NetworkX"
    ),
    "bipartite_closeness_centrality": Function("nearest"),
    "bipartite_betweenness_centrality": Function("nearest"),
    "group_closeness_centrality": Function("nearest", (), _NOT_NEGATIVE),
    "local_reaching_centrality": Function("reaching", ("paths", "weight")),
    "global_reaching_centrality": Function("reaching", ("weight",)),
    "voronoi_cells": Function(
        "nearest",
        (),
        f"{_NOT_NEGATIVE}; of centres as near, that with fewest edges between, then the first",
    ),
    "ego_graph": Function("reaching", ("undirected",)),
    "power": Function("reaching"),
    "number_of_walks": Function("reaching"),
    "approximate_diameter": Function("reaching", (), _IN_ORDER),
    "eccentricity": Function("distance_measures", ("sp",), _NOT_NEGATIVE),
    "diameter": Function("distance_measures", (), _NOT_NEGATIVE),
    "radius": Function("distance_measures", (), _NOT_NEGATIVE),
    "center": Function("distance_measures", (), _NOT_NEGATIVE),
    "periphery": Function("distance_measures", (), _NOT_NEGATIVE),
    "barycenter": Function(
        "distance_measures",
        ("attr", "sp"),
        "weights below 0, and floats, of whose sums the order decides, are left to NetworkX",
    ),
    "harmonic_diameter": Function("distance_measures", ("sp",), _NOT_NEGATIVE),
    **{
        name: Function("wiener", (), _NOT_NEGATIVE)
        for name in (
            "wiener_index",
            "hyper_wiener_index",
            "schultz_index",
            "gutman_index",
            "closeness_vitality",
        )
    },
    **{
        name: Function("efficiency")
        for name in ("efficiency", "global_efficiency", "local_efficiency")
    },
    "connected_components": Function("components"),
    "number_connected_components": Function("components"),
    "is_connected": Function("components"),
    "node_connected_component": Function("components"),
    "weakly_connected_components": Function("components"),
    "number_weakly_connected_components": Function("components"),
    "is_weakly_connected": Function("components"),
    "strongly_connected_components": Function("components", (), _AS_THERE),
    "number_strongly_connected_components": Function("components"),
    "is_strongly_connected": Function("components"),
    "kosaraju_strongly_connected_components": Function("condensation", ("source",), _AS_THERE),
    "condensation": Function("condensation", ("scc",), _AS_THERE),
    "attracting_components": Function("condensation", (), _AS_THERE),
    **{
        name: Function("condensation")
        for name in (
            "number_attracting_components",
            "is_attracting_component",
            "is_semiconnected",
            "flow_hierarchy",
        )
    },
    **{
        name: Function("trees")
        for name in ("is_tree", "is_forest", "is_arborescence", "is_branching", "is_eulerian")
    },
    "is_semieulerian": Function("trees"),
    "has_eulerian_path": Function("trees", ("source",)),
    "color": Function("bipartite"),
    "sets": Function("bipartite"),
    "is_bipartite": Function("bipartite"),
    "is_bipartite_node_set": Function("bipartite"),
    "projected_graph": Function("bipartite", ("multigraph",)),
    "weighted_projected_graph": Function("bipartite"),
    "pagerank": Function("ranks"),
    "hits": Function("ranks", (), "not normalized, scores that NetworkX may give negative are not"),
    "katz_centrality": Function("ranks", (), _OF_ALL_NODES),
    "eigenvector_centrality": Function("ranks", (), _OF_ALL_NODES),
    "triangles": Function("cohesion"),
    "clustering": Function("cohesion", ("weight",)),
    "average_clustering": Function("cohesion", ("weight",)),
    "transitivity": Function("cohesion", (), _UNDIRECTED),
    "square_clustering": Function("squares", (), _UNDIRECTED),
    "generalized_degree": Function("squares"),
    "onion_layers": Function("squares", (), "on the CPU, layer by layer"),
    "average_neighbor_degree": Function(
        "degrees", (), "a single node, and weights of multigraphs, are left to NetworkX"
    ),
    "average_degree_connectivity": Function(
        "degrees", (), "weights of multigraphs are left to NetworkX"
    ),
    **{
        name: Function("degrees", ("nodes",), "degrees that are all one are left to NetworkX")
        for name in ("degree_assortativity_coefficient", "degree_pearson_correlation_coefficient")
    },
    **{
        name: Function("degrees", (), "undirected graphs and multigraphs are left to NetworkX")
        for name in ("overall_reciprocity", "reciprocity")
    },
    "rich_club_coefficient": Function(
        "degrees", (), "left to NetworkX unless `normalized` is False", {"normalized": (False,)}
    ),
    "s_metric": Function("degrees"),
    "core_number": Function("cohesion", (), _UNDIRECTED),
    "k_core": Function("cohesion", (), _UNDIRECTED),
    "k_shell": Function("cohesion", (), _UNDIRECTED),
    "k_crust": Function("cohesion", (), _UNDIRECTED),
    "k_corona": Function("cohesion", (), _UNDIRECTED),
    "k_truss": Function("cohesion"),
    **{
        name: Function("link_prediction", (), "graphs with loops are left to NetworkX")
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
        name: Function("spanning", ("algorithm",))
        for name in (
            "minimum_spanning_edges",
            "maximum_spanning_edges",
            "minimum_spanning_tree",
            "maximum_spanning_tree",
        )
    },
    "greedy_color": Function(
        "coloring",
        ("interchange",),
        "strategies but the first, `random_sequential` and `connected_sequential`, directed graphs "
        "and multigraphs are left to NetworkX",
        {"strategy": COLOURING_ORDERS},
    ),
    "maximal_independent_set": Function(
        "independent_set", (), "another one than NetworkX's, the same for the same seed"
    ),
    **{
        name: Function(
            "communities",
            ("threshold",),
            "those of `sb.louvain`, not NetworkX's; directed graphs are left to NetworkX",
        )
        for name in ("louvain_communities", "louvain_partitions")
    },
    **{
        name: Function(
            "communities",
            (),
            "those of `sb.label_propagation`, not NetworkX's; directed graphs are left to NetworkX",
        )
        for name in (
            "label_propagation_communities",
            "asyn_lpa_communities",
            "fast_label_propagation_communities",
        )
    },
    "modularity": Function("communities", (), _UNDIRECTED),
}
