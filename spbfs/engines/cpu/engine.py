"""The CPU engine: products by compiled kernels, everything else by the array engine over NumPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spbfs.engines.arrays.engine import ArrayEngine
from spbfs.engines.bfs import Searches
from spbfs.engines.cpu.algorithms.betweenness import dependencies
from spbfs.engines.cpu.algorithms.communities import community_moves
from spbfs.engines.cpu.algorithms.components import (
    components,
    numbered_components,
    strong_components,
)
from spbfs.engines.cpu.algorithms.core_numbers import core_numbers
from spbfs.engines.cpu.algorithms.dijkstra import dijkstra
from spbfs.engines.cpu.algorithms.distances_by_potential import distances_by_potential
from spbfs.engines.cpu.algorithms.greedy import colouring, maximal_independent_set, smallest_last
from spbfs.engines.cpu.algorithms.minimum_spanning_forest import minimum_spanning_forest
from spbfs.engines.cpu.algorithms.pagerank import pagerank
from spbfs.engines.cpu.algorithms.sssp import distances_from_each, shortest_paths
from spbfs.engines.cpu.algorithms.topological_order import topological_levels
from spbfs.engines.cpu.algorithms.transitive_closure import acyclic_reach
from spbfs.engines.cpu.algorithms.triangles import triangles
from spbfs.engines.cpu.algorithms.truss import truss
from spbfs.engines.cpu.algorithms.widest_paths import widest_paths
from spbfs.engines.cpu.bfs.as_given import search_as_given
from spbfs.engines.cpu.bfs.between import path_between
from spbfs.engines.cpu.bfs.dag import bfs_dag
from spbfs.engines.cpu.bfs.order import bfs_order
from spbfs.engines.cpu.bfs.search_tree import search_tree
from spbfs.engines.cpu.bfs.searches import CpuSearches, in_edges
from spbfs.engines.cpu.bfs_many.searches import CpuManySearches
from spbfs.engines.cpu.graph import transpose
from spbfs.engines.cpu.matrices import build, edits, ewise, extract, select
from spbfs.engines.cpu.matrices import overlay as matrix_overlay
from spbfs.engines.cpu.matrices.diagonal import diag_vector
from spbfs.engines.cpu.products import kronecker as without_sums
from spbfs.engines.cpu.products import mxm as matrix_product
from spbfs.engines.cpu.products import mxv as vector_product
from spbfs.engines.cpu.products import packed
from spbfs.engines.cpu.products.reductions import reduce_stored, row_ends, row_sums, stored_values
from spbfs.engines.cpu.vectors import absent, forms, in_place
from spbfs.engines.cpu.vectors import ewise as vector_ewise
from spbfs.engines.fused import Fused
from spbfs.engines.hypersparse_searches import HypersparseSearches
from spbfs.storage.data import MatrixData
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["CpuEngine"]


class CpuEngine(ArrayEngine):
    """Launches the kernels of `spbfs._cpu`; the planner says which."""

    name = "cpu"
    xp = np

    # -- products ----------------------------------------------------------------------------
    mxv = vector_product.mxv
    matrix_product = matrix_product.mxm
    packed_rows = packed.packed_rows

    # -- vectors -----------------------------------------------------------------------------
    to_list = forms.to_list
    to_bitmap = forms.to_bitmap
    fill = in_place.fill
    put = in_place.put
    write_dense = in_place.write_dense
    accumulate = vector_ewise.accumulate
    vector_add = vector_ewise.vector_add
    vector_mult = vector_ewise.vector_mult
    unary_results = ewise.unary_results
    vector_apply = absent.vector_apply
    vector_bind = absent.vector_bind

    # -- matrices ----------------------------------------------------------------------------
    matrix_add = ewise.matrix_add
    matrix_mult = ewise.matrix_mult
    overlay = matrix_overlay.overlay
    replaced = matrix_overlay.replaced
    written = matrix_overlay.written
    keeps_edits = True
    edited = edits.edited
    admitted = matrix_overlay.admitted
    matrix_select = select.matrix_select
    kronecker_product = without_sums.kronecker
    extract_submatrix = extract.extract_submatrix
    ordinary_matrix = build.ordinary_matrix
    build_vector = build.build_vector
    entry_rows = build.entry_rows
    diag_vector = diag_vector
    reduce_stored = reduce_stored
    row_sums = row_sums
    row_ends = row_ends
    stored_values = stored_values

    def transposed(self, A: MatrixData) -> MatrixData:
        """The transpose, kept with `A`; `A` itself where pattern and (iso) values are symmetric."""
        return transpose.transposed(A)

    # -- algorithms of one call --------------------------------------------------------------
    fused = Fused(
        acyclic_reach=acyclic_reach,
        bfs_dag=bfs_dag,
        bfs_order=bfs_order,
        dijkstra=dijkstra,
        colouring=colouring,
        community_moves=community_moves,
        components=components,
        core_numbers=core_numbers,
        dependencies=dependencies,
        distances_by_potential=distances_by_potential,
        distances_from_each=distances_from_each,
        maximal_independent_set=maximal_independent_set,
        minimum_spanning_forest=minimum_spanning_forest,
        mirrored=transpose.mirrored,
        numbered_components=numbered_components,
        pagerank=pagerank,
        path_between=path_between,
        search_tree=search_tree,
        shortest_paths=shortest_paths,
        smallest_last=smallest_last,
        strong_components=strong_components,
        topological_levels=topological_levels,
        triangles=triangles,
        truss=truss,
        widest_paths=widest_paths,
    )

    # -- traversal ---------------------------------------------------------------------------
    in_edges = staticmethod(in_edges)

    def searches(self, A: MatrixData) -> Searches:
        """The fused searches of `A`."""
        if isinstance(A, HypersparseMatrix):
            return HypersparseSearches(A, self.searches)
        return CpuSearches(A)

    def searches_from_host(
        self, A: MatrixData, in_edges: Callable[[MatrixData], MatrixData]
    ) -> Searches:
        """The searches of `A`: it is where it is searched."""
        return self.searches(A)

    def many_searches(self, A: MatrixData) -> CpuManySearches:
        """The searches of `A` that run many at once."""
        return CpuManySearches(A)

    search_as_given = staticmethod(search_as_given)
