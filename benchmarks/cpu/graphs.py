"""The graphs measured on, generated once and kept in ``benchmarks/.cache``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import scipy.sparse as sp

import spbfs as sb

CACHE = Path(__file__).parents[1] / ".cache"

Make = Callable[[int], sb.Matrix]


def _side(scale: int, dimensions: int) -> int:
    return round(2 ** (scale / dimensions))


#: name -> (what it is, how to make it; how to make it with about 2**scale vertices)
GRAPHS: dict[str, tuple[str, Callable[[], sb.Matrix], Make]] = {
    "kron18": (
        "Kronecker, scale 18, edge factor 16",
        lambda: sb.generate.kronecker(18, 16, seed=1),
        lambda s: sb.generate.kronecker(s, 16, seed=1),
    ),
    "kron20": (
        "Kronecker, scale 20, edge factor 16",
        lambda: sb.generate.kronecker(20, 16, seed=1),
        lambda s: sb.generate.kronecker(s, 16, seed=1),
    ),
    "uniform16": (
        "uniform random, 2^20 vertices, mean degree 16",
        lambda: sb.generate.uniform(1 << 20, 16, seed=2),
        lambda s: sb.generate.uniform(1 << s, 16, seed=2),
    ),
    "uniform64": (
        "uniform random, 2^20 vertices, mean degree 64",
        lambda: sb.generate.uniform(1 << 20, 64, seed=2),
        lambda s: sb.generate.uniform(1 << s, 64, seed=2),
    ),
    "smallworld": (
        "small world, 10^6 vertices, k = 10, p = 0.1",
        lambda: sb.generate.small_world(1_000_000, 10, 0.1, seed=3),
        lambda s: sb.generate.small_world(1 << s, 10, 0.1, seed=3),
    ),
    "grid2d": (
        "grid, 1500 x 1500",
        lambda: sb.generate.grid2d(1500),
        lambda s: sb.generate.grid2d(_side(s, 2)),
    ),
    "grid3d": (
        "grid, 100 x 100 x 100",
        lambda: sb.generate.grid3d(100),
        lambda s: sb.generate.grid3d(_side(s, 3)),
    ),
    "road": (
        "road-like, from the Delaunay mesh of 10^6 points, mean degree 2.8",
        lambda: sb.generate.road(1_000_000, 2.8, seed=4),
        lambda s: sb.generate.road(1 << s, 2.8, seed=4),
    ),
}


def load(name: str, scale: int | None) -> tuple[str, sp.csr_array]:
    """What the graph is, and its pattern as a SciPy array of int32 indices."""
    title, make, make_scaled = GRAPHS[name]
    if scale is not None:
        title = f"{title.split(',')[0]}, about 2^{scale} vertices"
    path = CACHE / (f"{name}.npz" if scale is None else f"{name}-{scale}.npz")
    if path.exists():
        return title, sp.load_npz(path)
    A = make() if scale is None else make_scaled(scale)
    S = sp.csr_array(A.to_scipy())
    CACHE.mkdir(exist_ok=True)
    sp.save_npz(path, S, compressed=False)
    return title, S


def pattern(S: sp.csr_array) -> sb.Matrix:
    """The pattern of a SciPy array as a Matrix of which nothing has been searched yet."""
    return sb.Matrix.from_csr(S.indptr, S.indices, True, nrows=S.shape[0], ncols=S.shape[1])
