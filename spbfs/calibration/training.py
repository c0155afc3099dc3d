"""Graphs that rates are learned from: the paper's, and grids, roads, uniform and small-world ones.

All are generated: figures about real graphs are then about graphs that nothing was fitted to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from spbfs import generate

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix

__all__ = ["TrainingGraph", "training_set"]

#: Makes a graph, and says what it is.
TrainingGraph = tuple[str, "Callable[[], Matrix]"]

#: Binary logarithms of the vertices of R-MAT graphs, with 2^4 edges a vertex, and how many draws of
#: the probabilities there are for each: section 3.2.
SCALES, DRAWS = (16, 17, 18, 19), 20
#: A GPU is busy with more than these have.
SCALES_CUDA = (*SCALES, 20, 22)
EDGE_FACTOR = 16
#: Graph500's probabilities, which `generate.kronecker` has.
GRAPH500 = (0.57, 0.19, 0.19)


def training_set(device: str) -> list[TrainingGraph]:
    """The graphs in the order in which they are measured.

    Small ones of every kind come first, so that there is something to fit whenever the time is
    over; then rounds of one draw at each scale, and of one graph of another kind.

    Examples
    --------
    >>> names = [name for name, _ in training_set("cpu")]
    >>> sum(name.startswith("rmat") for name in names) >= 80, names[0]
    (True, 'grid2d 60')
    """
    large = device == "cuda"
    scales = SCALES_CUDA if large else SCALES
    found = list(_starters())
    rng = np.random.default_rng(2018)
    others = list(_others(large))
    for draw in range(DRAWS):
        for scale in scales:
            # The first is Graph500's own, the others are drawn evenly from all there are.
            drawn = rng.dirichlet((1.0, 1.0, 1.0, 1.0))[:3].tolist()
            a, b, c = drawn if draw else GRAPH500
            name = f"rmat {scale} {a:.2f} {b:.2f} {c:.2f}"
            make = partial(generate.rmat, scale, EDGE_FACTOR, a, b, c, seed=draw)
            found.append((name, make))
        if draw < len(others):
            found.append(others[draw])
    return found


def _starters() -> Iterator[TrainingGraph]:
    yield "grid2d 60", partial(generate.grid2d, 60)
    yield "uniform 10000 8", partial(generate.uniform, 10_000, 8)
    yield "rmat 13", partial(generate.kronecker, 13)
    yield "small world 10000 10 0.1", partial(generate.small_world, 10_000, 10, 0.1)
    yield "road 5000", partial(generate.road, 5_000)


def _others(large: bool) -> Iterator[TrainingGraph]:
    n = 1_000_000 if large else 100_000
    for degree in (4, 16, 64, 8, 32):
        yield f"uniform {n} {degree}", partial(generate.uniform, n, degree, seed=degree)
    for k, p in ((10, 0.1), (4, 0.2), (20, 0.01), (10, 0.5)):
        yield f"small world {n} {k} {p}", partial(generate.small_world, n, k, p, seed=k)
    side = 1000 if large else 250
    yield f"grid2d {side}", partial(generate.grid2d, side)
    yield f"grid3d {side // 8}", partial(generate.grid3d, side // 8)
    yield f"road {n // 2}", partial(generate.road, n // 2, seed=1)
    yield f"delaunay {n // 2}", partial(generate.delaunay, n // 2, seed=1)
