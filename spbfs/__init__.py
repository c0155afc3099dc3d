"""spbfs: GraphBLAS-style sparse linear algebra for graph traversal, on CPU and GPU.

Importing it loads no engine and touches no GPU; what is heavy is imported when first used.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from types import FunctionType as _FunctionType
from typing import TYPE_CHECKING, Any

#: public name -> (module, attribute); an attribute of None is the module itself
_EXPORTS: dict[str, tuple[str, str | None]] = {
    "MAX_SIZE": ("spbfs.objects.checks", "MAX_SIZE"),
    "Labels": ("spbfs.objects.labels", "Labels"),
    "Matrix": ("spbfs.objects.matrix", "Matrix"),
    "Vector": ("spbfs.objects.vector", "Vector"),
    "Scalar": ("spbfs.objects.scalar", "Scalar"),
    "replace": ("spbfs.objects.assignment.statement", "replace"),
    "dtypes": ("spbfs.operators.dtypes", None),
    "exceptions": ("spbfs.exceptions", None),
    "unary": ("spbfs.unary", None),
    "binary": ("spbfs.binary", None),
    "monoid": ("spbfs.monoid", None),
    "semiring": ("spbfs.semiring", None),
    "indexunary": ("spbfs.indexunary", None),
    "select": ("spbfs.select", None),
    "op": ("spbfs.op", None),
    "agg": ("spbfs.agg", None),
    "Energy": ("spbfs.base.energy", "Energy"),
    "lookahead": ("spbfs.base.lookahead", "lookahead"),
    "measure_energy": ("spbfs.base.energy", "measure_energy"),
    "suggest_device": ("spbfs.algorithms.suggest", "suggest_device"),
    "trace": ("spbfs.base.tracing", "trace"),
    "bfs": ("spbfs.algorithms.bfs", "bfs"),
    "BFSOrder": ("spbfs.algorithms.bfs.order", "BFSOrder"),
    "bfs_order": ("spbfs.algorithms.bfs.order", "bfs_order"),
    "calibrate": ("spbfs.calibration", "calibrate"),
    "bfs_many": ("spbfs.algorithms.bfs_many", "bfs_many"),
    "BFSManyResult": ("spbfs.algorithms.bfs_many", "BFSManyResult"),
    "KHopIndex": ("spbfs.algorithms.distances.khop_index", "KHopIndex"),
    "Bipartition": ("spbfs.algorithms.connectivity.bipartite", "Bipartition"),
    "betweenness": ("spbfs.algorithms.rank.betweenness", "betweenness"),
    "bipartite": ("spbfs.algorithms.connectivity.bipartite", "bipartite"),
    "closeness": ("spbfs.algorithms.rank.closeness", "closeness"),
    "colouring": ("spbfs.algorithms.sets.colouring", "colouring"),
    "Communities": ("spbfs.algorithms.communities.louvain", "Communities"),
    "components": ("spbfs.algorithms.connectivity.components", "components"),
    "label_propagation": ("spbfs.algorithms.communities.label_propagation", "label_propagation"),
    "louvain": ("spbfs.algorithms.communities.louvain", "louvain"),
    "modularity": ("spbfs.algorithms.communities.modularity", "modularity"),
    "adamic_adar": ("spbfs.algorithms.cohesion.similarity", "adamic_adar"),
    "clustering": ("spbfs.algorithms.cohesion.clustering", "clustering"),
    "common_neighbours": ("spbfs.algorithms.cohesion.similarity", "common_neighbours"),
    "core_numbers": ("spbfs.algorithms.cohesion.cores", "core_numbers"),
    "jaccard": ("spbfs.algorithms.cohesion.similarity", "jaccard"),
    "k_core": ("spbfs.algorithms.cohesion.cores", "k_core"),
    "k_truss": ("spbfs.algorithms.cohesion.truss", "k_truss"),
    "preferential_attachment": ("spbfs.algorithms.cohesion.similarity", "preferential_attachment"),
    "resource_allocation": ("spbfs.algorithms.cohesion.similarity", "resource_allocation"),
    "transitive_closure": ("spbfs.algorithms.cohesion.closure", "transitive_closure"),
    "transitivity": ("spbfs.algorithms.cohesion.clustering", "transitivity"),
    "triangles": ("spbfs.algorithms.cohesion.triangles", "triangles"),
    "diameter_bounds": ("spbfs.algorithms.distances.eccentricity", "diameter_bounds"),
    "distributed": ("spbfs.distributed", None),
    "distances": ("spbfs.algorithms.distances.distances", "distances"),
    "eccentricity": ("spbfs.algorithms.distances.eccentricity", "eccentricity"),
    "harmonic": ("spbfs.algorithms.rank.closeness", "harmonic"),
    "eigenvector": ("spbfs.algorithms.rank.eigenvector", "eigenvector"),
    "hits": ("spbfs.algorithms.rank.hits", "hits"),
    "HITS": ("spbfs.algorithms.rank.hits", "HITS"),
    "katz": ("spbfs.algorithms.rank.katz", "katz"),
    "pagerank": ("spbfs.algorithms.rank.pagerank", "pagerank"),
    "loop": ("spbfs.algorithms.loop", "loop"),
    "Loop": ("spbfs.algorithms.loop", "Loop"),
    "repeat": ("spbfs.algorithms.repeat", "repeat"),
    "khop": ("spbfs.algorithms.distances.khop", "khop"),
    "khop_sizes": ("spbfs.algorithms.distances.khop", "khop_sizes"),
    "levels": ("spbfs.algorithms.bfs", "levels"),
    "levels_many": ("spbfs.algorithms.bfs_many", "levels_many"),
    "minimum_spanning_forest": (
        "spbfs.algorithms.connectivity.minimum_spanning_forest",
        "minimum_spanning_forest",
    ),
    "spanning_forest": ("spbfs.algorithms.connectivity.spanning_forest", "spanning_forest"),
    "strong_components": ("spbfs.algorithms.connectivity.strong_components", "strong_components"),
    "maximal_independent_set": ("spbfs.algorithms.sets.independent_set", "maximal_independent_set"),
    "SharedGraph": ("spbfs.algorithms.bfs.shared", "SharedGraph"),
    "BFSPlan": ("spbfs.algorithms.bfs", "BFSPlan"),
    "BFSResult": ("spbfs.algorithms.bfs", "BFSResult"),
    "SSSPResult": ("spbfs.algorithms.paths", "SSSPResult"),
    "ShortestPath": ("spbfs.algorithms.paths", "ShortestPath"),
    "shortest_path": ("spbfs.algorithms.paths", "shortest_path"),
    "sssp": ("spbfs.algorithms.paths", "sssp"),
    "BFSDag": ("spbfs.algorithms.paths", "BFSDag"),
    "apsp": ("spbfs.algorithms.paths", "apsp"),
    "bfs_dag": ("spbfs.algorithms.paths", "bfs_dag"),
    "topological_levels": ("spbfs.algorithms.paths", "topological_levels"),
    "widest_path": ("spbfs.algorithms.paths", "widest_path"),
    "verify": ("spbfs.verify", None),
    "csgraph": ("spbfs.csgraph", None),
    "generate": ("spbfs.generate", None),
    "io": ("spbfs.io", None),
    "viz": ("spbfs.viz", None),
    "get_threads": ("spbfs.base.threads", "get_threads"),
    "kernels_path": ("spbfs.base.paths", "kernels_path"),
    "convert": ("spbfs.io.on_disk", "convert"),
    "open_csr": ("spbfs.io.on_disk", "open_csr"),
    "read": ("spbfs.io", "read"),
    "set_rates": ("spbfs.io.rates", "set_rates"),
    "set_threads": ("spbfs.base.threads", "set_threads"),
    "write": ("spbfs.io", "write"),
}

#: What NetworkX, SciPy and igraph call by another name.
_ELSEWHERE = {
    "DiGraph": "Matrix",
    "Graph": "Matrix",
    "bellman_ford": "sssp",
    "betweenness_centrality": "betweenness",
    "breadth_first_order": "bfs_order",
    "closeness_centrality": "closeness",
    "connected_components": "components",
    "dijkstra": "sssp",
    "eigenvector_centrality": "eigenvector",
    "floyd_warshall": "apsp",
    "greedy_color": "colouring",
    "harmonic_centrality": "harmonic",
    "is_bipartite": "bipartite",
    "johnson": "apsp",
    "katz_centrality": "katz",
    "minimum_spanning_tree": "minimum_spanning_forest",
    "read_csv": "read",
    "strongly_connected_components": "strong_components",
    "topological_sort": "topological_levels",
    "weakly_connected_components": "components",
}

__all__ = [
    "HITS",
    "MAX_SIZE",
    "BFSDag",
    "BFSManyResult",
    "BFSOrder",
    "BFSPlan",
    "BFSResult",
    "Bipartition",
    "Communities",
    "Energy",
    "KHopIndex",
    "Labels",
    "Loop",
    "Matrix",
    "SSSPResult",
    "Scalar",
    "SharedGraph",
    "ShortestPath",
    "Vector",
    "__version__",
    "adamic_adar",
    "agg",
    "apsp",
    "betweenness",
    "bfs",
    "bfs_dag",
    "bfs_many",
    "bfs_order",
    "binary",
    "bipartite",
    "calibrate",
    "closeness",
    "clustering",
    "colouring",
    "common_neighbours",
    "components",
    "convert",
    "core_numbers",
    "csgraph",
    "diameter_bounds",
    "distances",
    "distributed",
    "dtypes",
    "eccentricity",
    "eigenvector",
    "exceptions",
    "generate",
    "get_threads",
    "harmonic",
    "hits",
    "indexunary",
    "io",
    "jaccard",
    "k_core",
    "k_truss",
    "katz",
    "kernels_path",
    "khop",
    "khop_sizes",
    "label_propagation",
    "levels",
    "levels_many",
    "lookahead",
    "loop",
    "louvain",
    "maximal_independent_set",
    "measure_energy",
    "minimum_spanning_forest",
    "modularity",
    "monoid",
    "op",
    "open_csr",
    "pagerank",
    "preferential_attachment",
    "read",
    "repeat",
    "replace",
    "resource_allocation",
    "select",
    "semiring",
    "set_rates",
    "set_threads",
    "shortest_path",
    "spanning_forest",
    "sssp",
    "strong_components",
    "suggest_device",
    "topological_levels",
    "trace",
    "transitive_closure",
    "transitivity",
    "triangles",
    "unary",
    "verify",
    "viz",
    "widest_path",
    "write",
]

if TYPE_CHECKING:
    __version__: str
    from spbfs import (
        agg,
        binary,
        csgraph,
        distributed,
        exceptions,
        generate,
        indexunary,
        io,
        monoid,
        op,
        select,
        semiring,
        unary,
        verify,
        viz,
    )
    from spbfs.algorithms.bfs import BFSPlan, BFSResult, bfs, levels
    from spbfs.algorithms.bfs.order import BFSOrder, bfs_order
    from spbfs.algorithms.bfs.shared import SharedGraph
    from spbfs.algorithms.bfs_many import BFSManyResult, bfs_many, levels_many
    from spbfs.algorithms.cohesion.closure import transitive_closure
    from spbfs.algorithms.cohesion.clustering import clustering, transitivity
    from spbfs.algorithms.cohesion.cores import core_numbers, k_core
    from spbfs.algorithms.cohesion.similarity import (
        adamic_adar,
        common_neighbours,
        jaccard,
        preferential_attachment,
        resource_allocation,
    )
    from spbfs.algorithms.cohesion.triangles import triangles
    from spbfs.algorithms.cohesion.truss import k_truss
    from spbfs.algorithms.communities.label_propagation import label_propagation
    from spbfs.algorithms.communities.louvain import Communities, louvain
    from spbfs.algorithms.communities.modularity import modularity
    from spbfs.algorithms.connectivity.bipartite import Bipartition, bipartite
    from spbfs.algorithms.connectivity.components import components
    from spbfs.algorithms.connectivity.minimum_spanning_forest import minimum_spanning_forest
    from spbfs.algorithms.connectivity.spanning_forest import spanning_forest
    from spbfs.algorithms.connectivity.strong_components import strong_components
    from spbfs.algorithms.distances.distances import distances
    from spbfs.algorithms.distances.eccentricity import diameter_bounds, eccentricity
    from spbfs.algorithms.distances.khop import khop, khop_sizes
    from spbfs.algorithms.distances.khop_index import KHopIndex
    from spbfs.algorithms.loop import Loop, loop
    from spbfs.algorithms.paths import (
        BFSDag,
        ShortestPath,
        SSSPResult,
        apsp,
        bfs_dag,
        shortest_path,
        sssp,
        topological_levels,
        widest_path,
    )
    from spbfs.algorithms.rank.betweenness import betweenness
    from spbfs.algorithms.rank.closeness import closeness, harmonic
    from spbfs.algorithms.rank.eigenvector import eigenvector
    from spbfs.algorithms.rank.hits import HITS, hits
    from spbfs.algorithms.rank.katz import katz
    from spbfs.algorithms.rank.pagerank import pagerank
    from spbfs.algorithms.repeat import repeat
    from spbfs.algorithms.sets.colouring import colouring
    from spbfs.algorithms.sets.independent_set import maximal_independent_set
    from spbfs.algorithms.suggest import suggest_device
    from spbfs.base.energy import Energy, measure_energy
    from spbfs.base.lookahead import lookahead
    from spbfs.base.paths import kernels_path
    from spbfs.base.threads import get_threads, set_threads
    from spbfs.base.tracing import trace
    from spbfs.calibration import calibrate
    from spbfs.io import read, write
    from spbfs.io.on_disk import convert, open_csr
    from spbfs.io.rates import set_rates
    from spbfs.objects.assignment.statement import replace
    from spbfs.objects.checks import MAX_SIZE
    from spbfs.objects.labels import Labels
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.scalar import Scalar
    from spbfs.objects.vector import Vector
    from spbfs.operators import dtypes


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("spbfs")
    except PackageNotFoundError:  # a source tree that was never installed
        return "0+unknown"


def _meant(name: str) -> str:
    """The end of a message: public names that come close."""
    # Whoever asks for names of Python's own, as imports and pickle do, means none of them.
    if name.startswith("_"):
        return ""
    from spbfs.base.suggestions import suggestion

    return f"; {suggestion(name, __all__, _ELSEWHERE, 'dir(spbfs) lists them')}"


if not TYPE_CHECKING:  # to which every name would be one, otherwise

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            return _version()
        if name not in _EXPORTS:
            raise AttributeError(f"module 'spbfs' has no attribute {name!r}{_meant(name)}")
        module, attribute = _EXPORTS[name]
        value: Any = _import_module(module)
        if attribute is not None:
            value = getattr(value, attribute)
        if module.startswith("spbfs.algorithms.") and isinstance(value, _FunctionType):
            from spbfs.algorithms.named import named
            from spbfs.algorithms.together import together

            value = together(named(value, __name__))
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
