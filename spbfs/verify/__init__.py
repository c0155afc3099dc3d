"""Checking a result against the rules it must keep, without repeating how it was found.

Of a graph that has names vertices may be given by these, and what a check finds says these.
"""

from __future__ import annotations

from spbfs.algorithms.named import named
from spbfs.base.public import listed
from spbfs.verify.bfs.orders import bfs_order, topological_levels
from spbfs.verify.bfs.search import bfs_tree
from spbfs.verify.cohesion.closure import transitive_closure
from spbfs.verify.cohesion.cores import core_numbers
from spbfs.verify.cohesion.similarity import similarity
from spbfs.verify.cohesion.triangles import triangles
from spbfs.verify.cohesion.truss import k_truss
from spbfs.verify.connectivity.components import bipartite, components, strong_components
from spbfs.verify.connectivity.forests import minimum_spanning_forest, spanning_forest
from spbfs.verify.paths.distances import closeness, eccentricity, harmonic, khop_sizes
from spbfs.verify.paths.shortest import bfs_dag, shortest_path
from spbfs.verify.paths.single_source import sssp
from spbfs.verify.paths.widest import widest_path
from spbfs.verify.rank.pagerank import pagerank
from spbfs.verify.rank.spectra import eigenvector, hits, katz
from spbfs.verify.sets.communities import communities
from spbfs.verify.sets.independent import colouring, independent_set

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

listed(__name__)
