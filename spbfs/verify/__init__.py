"""Checking a result against the rules it must keep, without repeating how it was found.

Of a graph that has names vertices may be given by these, and what a check finds says these.
"""

from __future__ import annotations

from spbfs.algorithms.named import named
from spbfs.verify.closure import transitive_closure
from spbfs.verify.communities import communities
from spbfs.verify.connectivity import bipartite, components, strong_components
from spbfs.verify.cores import core_numbers
from spbfs.verify.distances import closeness, eccentricity, harmonic, khop_sizes
from spbfs.verify.forests import minimum_spanning_forest, spanning_forest
from spbfs.verify.orders import bfs_order, topological_levels
from spbfs.verify.paths import sssp
from spbfs.verify.rank import pagerank
from spbfs.verify.search import bfs_tree
from spbfs.verify.sets import colouring, independent_set
from spbfs.verify.shortest import bfs_dag, shortest_path
from spbfs.verify.similarity import similarity
from spbfs.verify.spectra import eigenvector, hits, katz
from spbfs.verify.triangles import triangles
from spbfs.verify.truss import k_truss
from spbfs.verify.widths import widest_path

__all__ = [
    "bfs_dag",
    "bfs_order",
    "bfs_tree",
    "bipartite",
    "closeness",
    "colouring",
    "communities",
    "components",
    "core_numbers",
    "eccentricity",
    "eigenvector",
    "harmonic",
    "hits",
    "independent_set",
    "k_truss",
    "katz",
    "khop_sizes",
    "minimum_spanning_forest",
    "pagerank",
    "shortest_path",
    "similarity",
    "spanning_forest",
    "sssp",
    "strong_components",
    "topological_levels",
    "transitive_closure",
    "triangles",
    "widest_path",
]

# Vertices go in by name here; the checks know numbers alone, and call one another by these.
for _name in __all__:
    globals()[_name] = named(globals()[_name], __name__)
