"""A stand-in for ``scipy.sparse.csgraph``: the same names, signatures, types, orders and errors.

``import spbfs.csgraph as csgraph`` takes the place of ``from scipy.sparse import csgraph``.  Graphs
are SciPy's sparse arrays and matrices of every format, dense and masked arrays under the rules of
`csgraph_from_dense`, and CuPy's sparse matrices, of which results are CuPy's.

Our own, where traversal is what they do:

- `breadth_first_order`, `breadth_first_tree`: the order of SciPy's queue, entry for entry; of a
  matrix of CuPy's too.
- `connected_components`: weak and strong ones, with SciPy's numbers.
- `shortest_path`, `dijkstra`, `bellman_ford`, `johnson`: distances are SciPy's.  Where several
  paths are as short the predecessors may be others.
- `minimum_spanning_tree`: of the same weight; of entries of equal weight it takes those that come
  first by their lesser end, and then by the greater.

SciPy's own, handed through (a matrix of CuPy's is copied to the host, and the result back):
`construct_dist_matrix`, `csgraph_from_dense`, `csgraph_from_masked`, `csgraph_masked_from_dense`,
`csgraph_to_dense`, `csgraph_to_masked`, `depth_first_order`, `depth_first_tree`, `floyd_warshall`,
`laplacian`, `maximum_bipartite_matching`, `maximum_flow`, `min_weight_full_bipartite_matching`,
`reconstruct_path`, `reverse_cuthill_mckee`, `structural_rank`, `yen` and `NegativeCycleError`.

SciPy's answer, too: strong components of a matrix of CuPy's; graphs of pydata/sparse;
``method="FW"`` of `shortest_path`, and "auto" where that is what it chooses; weights that are NaN
or, of paths, -inf; `dijkstra` with negative weights, which SciPy warns of.
"""

from spbfs.base.public import listed
from spbfs.csgraph.components import connected_components
from spbfs.csgraph.passed_on import (
    NegativeCycleError,
    construct_dist_matrix,
    csgraph_from_dense,
    csgraph_from_masked,
    csgraph_masked_from_dense,
    csgraph_to_dense,
    csgraph_to_masked,
    depth_first_order,
    depth_first_tree,
    floyd_warshall,
    laplacian,
    maximum_bipartite_matching,
    maximum_flow,
    min_weight_full_bipartite_matching,
    reconstruct_path,
    reverse_cuthill_mckee,
    structural_rank,
    yen,
)
from spbfs.csgraph.paths import bellman_ford, dijkstra, johnson, shortest_path
from spbfs.csgraph.spanning import minimum_spanning_tree
from spbfs.csgraph.traversal import breadth_first_order, breadth_first_tree

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_masked_from_dense",
    "csgraph_to_dense",
    "csgraph_to_masked",
    "depth_first_order",
    "depth_first_tree",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "laplacian",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "minimum_spanning_tree",
    "reconstruct_path",
    "reverse_cuthill_mckee",
    "shortest_path",
    "structural_rank",
    "yen",
]

listed(__name__)
