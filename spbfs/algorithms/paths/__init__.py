"""Paths of least length, or of greatest width, and what the levels of a graph say of paths."""

from __future__ import annotations

from spbfs.algorithms.paths.all_pairs import apsp
from spbfs.algorithms.paths.dag import BFSDag, bfs_dag
from spbfs.algorithms.paths.pair import ShortestPath, shortest_path
from spbfs.algorithms.paths.result import SSSPResult
from spbfs.algorithms.paths.single_source import sssp
from spbfs.algorithms.paths.topological import topological_levels
from spbfs.algorithms.paths.widest import widest_path

__all__ = [
    "BFSDag",
    "SSSPResult",
    "ShortestPath",
    "apsp",
    "bfs_dag",
    "shortest_path",
    "sssp",
    "topological_levels",
    "widest_path",
]
