"""The graphs that the papers on expansion used, as far as a generator makes them, on the GPU.

All are symmetric.  Grids have their diagonal, as the stencils of the papers do; random graphs have
neither loops nor duplicates, so that they keep a little less than they are named after.
"""

from __future__ import annotations

from collections.abc import Callable

import cupy as cp

from benchmarks.common.data import DATA
from benchmarks.common.stencils import axes, stencil
from benchmarks.cuda.graphs import (
    Graph,
    from_npz,
    kronecker,
    lattice,
    path,
    small_world,
    social,
    star,
    uniform,
)

__all__ = ["CLASSES", "GRAPHS", "mean_degree", "rmat"]


def rmat(scale: int, edges: int) -> Graph:
    """GTgraph's R-MAT as the papers set it, both directions of every edge."""
    return kronecker(scale, edges / (1 << scale), 0.45, 0.15, 0.15)


def mean_degree(degree: int) -> Graph:
    """A uniform graph of 2 M vertices."""
    return uniform(21, degree << 20)


MESH = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)]

GRAPHS: dict[str, Callable[[], Graph]] = {
    "grid5pt.5000": lambda: stencil(cp, (5000, 5000), axes(2)),
    "grid7pt.300": lambda: stencil(cp, (300, 300, 300), axes(3)),
    "random.2Mv.128Me": lambda: uniform(21, 64_000_000),
    "rmat.2Mv.128Me": lambda: rmat(21, 64_000_000),
    "kron_g500-logn20": lambda: kronecker(20, 48),
    "mesh": lambda: stencil(cp, (1000, 1000), MESH),
    "road": lambda: lattice(1000, 0.35),
    "web": lambda: from_npz(DATA / "web-cnr-2000.npz"),
}

#: One or more of every class: what is chosen must be at least as good as what could be asked for.
CLASSES: dict[str, Callable[[], Graph]] = {
    **{
        name: GRAPHS[name]
        for name in (
            *("kron_g500-logn20", "rmat.2Mv.128Me", "random.2Mv.128Me"),
            *("web", "mesh", "road", "grid5pt.5000", "grid7pt.300"),
        )
    },
    "kron16": lambda: kronecker(16),
    "kron18": lambda: kronecker(18),
    "kron22": lambda: kronecker(22),
    **{f"random d={d}": lambda d=d: mean_degree(d) for d in (2, 4, 8, 16, 32)},  # type: ignore[misc]
    "social": social,
    "small world": lambda: small_world(1 << 20, 5, 0.05),
    "star": lambda: star(1 << 16),
    "chain": lambda: path(2000),
}
