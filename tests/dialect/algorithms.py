"""graphblas-algorithms over spbfs: each public call on a small graph.

A result must equal NetworkX's where graphblas-algorithms over python-graphblas gives that, and
what it gives over python-graphblas elsewhere.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.dialect.digests import equal
from tests.dialect.processes import both

__all__ = ["CALLS", "compare"]

#: The call: name -> the names of graphs of `run_algorithms`, then the arguments.
CALLS: dict[str, tuple[str, str]] = {
    "edge_boundary": ("G", "[0, 1], [2, 3]"),
    "node_boundary": ("G", "[0, 1]"),
    "degree_centrality": ("G", ""),
    "in_degree_centrality": ("D", ""),
    "out_degree_centrality": ("D", ""),
    "eigenvector_centrality": ("G", "max_iter=1000"),
    "katz_centrality": ("G", ""),
    "average_clustering": ("G", ""),
    "clustering": ("G", ""),
    "generalized_degree": ("G", ""),
    "square_clustering": ("G", ""),
    "transitivity": ("G", ""),
    "triangles": ("G", ""),
    "inter_community_edges": ("G", "PARTITION"),
    "intra_community_edges": ("G", "PARTITION"),
    "is_connected": ("G", ""),
    "node_connected_component": ("G", "0"),
    "is_weakly_connected": ("D", ""),
    "k_truss": ("G", "3"),
    "boundary_expansion": ("G", "[0, 1]"),
    "conductance": ("G", "[0, 1, 2]"),
    "cut_size": ("G", "[0, 1, 2]"),
    "edge_expansion": ("G", "[0, 1]"),
    "mixing_expansion": ("G", "[0, 1]"),
    "node_expansion": ("G", "[0, 1]"),
    "normalized_cut_size": ("G", "[0, 1, 2]"),
    "volume": ("G", "[0, 1, 2]"),
    "ancestors": ("D", "3"),
    "descendants": ("D", "0"),
    "is_dominating_set": ("G", "[0, 3]"),
    "efficiency": ("G", "0, 5"),
    "ego_graph": ("G", "0"),
    "is_isolate": ("G", "0"),
    "isolates": ("I", ""),
    "number_of_isolates": ("I", ""),
    "fast_could_be_isomorphic": ("G, H", ""),
    "faster_could_be_isomorphic": ("G, H", ""),
    "bethe_hessian_matrix": ("G", ""),
    "adjacency_matrix": ("W", ""),
    "laplacian_matrix": ("G", ""),
    "normalized_laplacian_matrix": ("G", ""),
    "directed_modularity_matrix": ("D", ""),
    "modularity_matrix": ("G", ""),
    "hits": ("D", "max_iter=1000"),
    "google_matrix": ("D", ""),
    "pagerank": ("D", ""),
    "lowest_common_ancestor": ("A", "3, 4"),
    "compose": ("G, H", ""),
    "difference": ("G, H", ""),
    "disjoint_union": ("G, H", ""),
    "full_join": ("G, H", "rename=('g', 'h')"),
    "intersection": ("G, H", ""),
    "symmetric_difference": ("G, H", ""),
    "union": ("G, H", "rename=('g', 'h')"),
    "complement": ("G", ""),
    "reverse": ("D", ""),
    "overall_reciprocity": ("D", ""),
    "reciprocity": ("D", ""),
    "is_k_regular": ("G", "3"),
    "is_regular": ("G", ""),
    "floyd_warshall": ("W", ""),
    "floyd_warshall_numpy": ("W", ""),
    "floyd_warshall_predecessor_and_distance": ("W", ""),
    "has_path": ("D", "0, 3"),
    "all_pairs_shortest_path_length": ("G", ""),
    "single_source_shortest_path_length": ("G", "0"),
    "single_target_shortest_path_length": ("D", "3"),
    "all_pairs_bellman_ford_path_length": ("W", ""),
    "bellman_ford_path": ("W", "0, 5"),
    "bellman_ford_path_length": ("W", "0, 5"),
    "negative_edge_cycle": ("W", ""),
    "single_source_bellman_ford_path_length": ("W", "0"),
    "is_simple_path": ("G", "[0, 1, 2]"),
    "s_metric": ("G", ""),
    "mutual_weight": ("W", "0, 1"),
    "is_tournament": ("T", ""),
    "score_sequence": ("T", ""),
    "tournament_matrix": ("T", ""),
    "bfs_layers": ("G", "[0]"),
    "descendants_at_distance": ("G", "0, 2"),
    "is_triad": ("R", ""),
    # One that is public but no backend's: it asks how a graph parts into communities.
    "from_networkx": ("W", "weight='weight'"),
}


def compare(checkout: Path) -> Iterator[tuple[str, bool, str]]:
    """Each call, whether it is right, and by whom or why not."""
    with tempfile.TemporaryDirectory() as name:
        # It asks for its own version, which only what is installed has.
        folder = Path(name) / "graphblas_algorithms-0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: graphblas-algorithms\nVersion: 0\n"
        )
        ours, theirs = both("run_algorithms.py", CALLS, checkout, Path(name))
    for call, (mine, networkx) in ours.items():
        there, _ = theirs[call]
        judge = "NetworkX" if _same(there, networkx) else "python-graphblas"
        expected = networkx if judge == "NetworkX" else there
        wrong = mine["error"] if isinstance(mine, dict) else f"is not what {judge} gives"
        right = _same(mine, expected)
        yield call, right, judge if right else wrong


def _same(result: object, expected: object) -> bool:
    """Equal as NetworkX's tests are content: its iterations end within 1e-6."""
    return equal(result, expected, types=False, within=1e-5)
