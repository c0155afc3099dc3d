"""SciPy's functions as they are, which take what is on a GPU as well."""

from __future__ import annotations

from scipy.sparse import csgraph

from spbfs.csgraph.host import passed_on

__all__ = [
    "NegativeCycleError",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_masked_from_dense",
    "csgraph_to_dense",
    "csgraph_to_masked",
    "depth_first_order",
    "depth_first_tree",
    "floyd_warshall",
    "laplacian",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "reconstruct_path",
    "reverse_cuthill_mckee",
    "structural_rank",
    "yen",
]

NegativeCycleError = csgraph.NegativeCycleError
construct_dist_matrix = passed_on(csgraph.construct_dist_matrix)
csgraph_from_dense = passed_on(csgraph.csgraph_from_dense)
csgraph_from_masked = passed_on(csgraph.csgraph_from_masked)
csgraph_masked_from_dense = passed_on(csgraph.csgraph_masked_from_dense)
csgraph_to_dense = passed_on(csgraph.csgraph_to_dense)
csgraph_to_masked = passed_on(csgraph.csgraph_to_masked)
depth_first_order = passed_on(csgraph.depth_first_order)
depth_first_tree = passed_on(csgraph.depth_first_tree)
floyd_warshall = passed_on(csgraph.floyd_warshall)
laplacian = passed_on(csgraph.laplacian)
maximum_bipartite_matching = passed_on(csgraph.maximum_bipartite_matching)
maximum_flow = passed_on(csgraph.maximum_flow)
min_weight_full_bipartite_matching = passed_on(csgraph.min_weight_full_bipartite_matching)
reconstruct_path = passed_on(csgraph.reconstruct_path)
reverse_cuthill_mckee = passed_on(csgraph.reverse_cuthill_mckee)
structural_rank = passed_on(csgraph.structural_rank)
yen = passed_on(csgraph.yen)
