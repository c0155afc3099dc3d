"""Seeded graph generators: the families that traversal papers measure on, and small shapes.

Every function returns a symmetric (undirected) Boolean pattern `Matrix` unless it says otherwise:
no self-loops, no duplicate entries, and both directions of an edge stored, so ``A.nvals`` is twice
the number of undirected edges.  The same arguments and seed give the same graph.

======================  =====================================  ==================================
family                  functions                              what it is like to traverse
======================  =====================================  ==================================
power law               `kronecker`, `rmat`                    few levels, hubs, huge frontiers
uniform random          `uniform`                              few levels, no hubs
small world             `small_world`                          tens of levels
meshes                  `grid2d`, `grid3d`, `delaunay`         hundreds to thousands of levels
roads                   `road`                                 thousands of tiny levels
shapes                  `path`, `star`, `complete`, `tree`     the extremes
======================  =====================================  ==================================
"""

from __future__ import annotations

from spbfs.base.public import listed
from spbfs.generate._lattices import grid2d, grid3d, path
from spbfs.generate._planar import delaunay, road
from spbfs.generate._random import kronecker, rmat, small_world, uniform
from spbfs.generate._shapes import complete, star, tree

__all__ = [
    "complete",
    "delaunay",
    "grid2d",
    "grid3d",
    "kronecker",
    "path",
    "rmat",
    "road",
    "small_world",
    "star",
    "tree",
    "uniform",
]

listed(
    __name__,
    {
        "balanced_tree": "tree",
        "complete_graph": "complete",
        "erdos_renyi": "uniform",
        "erdos_renyi_graph": "uniform",
        "gnm_random_graph": "uniform",
        "gnp_random_graph": "uniform",
        "grid": "grid2d",
        "grid_2d_graph": "grid2d",
        "grid_graph": "grid3d",
        "lattice": "grid2d",
        "path_graph": "path",
        "random": "uniform",
        "star_graph": "star",
        "watts_strogatz": "small_world",
        "watts_strogatz_graph": "small_world",
    },
)
