"""The graphs of Cheng et al., as far as a generator or a file at hand is of their class.

On a GPU they are of the paper's sizes, those of files aside; on the CPU and in a quick run they are
of the same classes and mean degrees, smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.common.data import DATA
from benchmarks.common.stencils import stencil
from benchmarks.papers.figure import Setting
from benchmarks.papers.graphs import Graph

__all__ = ["CLASSES", "suite"]

#: Name in the paper -> of what class ours is.  The last ones are real and not in the paper.
CLASSES = {
    "mesh": "triangulated grid, as theirs",
    "FLA-road": "planar, most vertices with 2 or 3 neighbours",
    "thermal": "3-D grid, 7 points without the middle",
    "ecology": "2-D grid, 5 points without the middle",
    "audikw": "3-D grid, 27 points of 3 unknowns each",
    "LiveJournal": "power-law degrees; on a GPU in circles",
    "Amazon": "small world, 8 neighbours of which a tenth lie elsewhere",
    "rmat1": "R-MAT 0.45, 0.15, 0.15, as theirs",
    "rmat2": "R-MAT 0.45, 0.15, 0.15, as theirs",
    "random1": "uniform, as theirs",
    "random2": "uniform, as theirs",
    "random3": "uniform, as theirs",
    "kron2": "Graph500 Kronecker, as theirs",
    "web": "crawl of 325,557 pages",
    "collab-dblp": "DBLP's authors of 2010, real",
    "epinions": "who trusts whom, real",
    "caida": "autonomous systems, real",
    "enron": "mail, real",
    "usroads": "roads of the USA, real",
}
MESH = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)]
FILES = {
    "web": "web-cnr-2000.npz",
    "collab-dblp": "collab-dblp-2010.npz",
    "epinions": "social-epinions1.npz",
    "caida": "internet-as-caida.npz",
    "enron": "email-enron.txt.gz",
    "usroads": "road-usroads.mtx.gz",
}
#: Those of which a quick run has one of every class.
QUICK = ("mesh", "FLA-road", "audikw", "LiveJournal", "rmat1", "random3", "kron2")


def suite(setting: Setting, names: Iterable[str] | None = None) -> Iterator[tuple[str, Graph]]:
    """Graphs of `CLASSES`, made one after another on the device; all of them by default."""
    make: dict[str, Callable[[], Graph]] = {
        name: partial(_file, DATA / FILES[name]) for name in FILES
    }
    make |= _small(setting.quick)
    place: Any = np
    if setting.device == "cuda":
        import cupy

        place = cupy
        if not setting.quick:
            make |= _large()
    default = QUICK if setting.quick else CLASSES
    for name in setting.in_time(default if names is None else names):
        try:
            n, indptr, indices = make[name]()
        except FileNotFoundError as error:
            setting.say(f"{name} is left out: {error}")
            continue
        setting.say(f"{name}: {n} vertices, {indices.shape[0]} entries")
        yield name, (n, place.asarray(indptr), place.asarray(indices, dtype=place.int32))


def _small(quick: bool) -> dict[str, Callable[[], Graph]]:
    side, deep, scale = (60, 12, 12) if quick else (700, 60, 16)
    rmat = partial(sb.generate.rmat, scale, a=0.45, b=0.15, c=0.15, seed=scale)

    def uniform(degree: float) -> sb.Matrix:
        return sb.generate.uniform(1 << scale, degree, seed=scale)

    made: dict[str, Callable[[], sb.Matrix]] = {
        "FLA-road": lambda: sb.generate.road(side * side, 2.5, seed=1),
        "thermal": lambda: sb.generate.grid3d(deep),
        "ecology": lambda: sb.generate.grid2d(side),
        "LiveJournal": lambda: sb.generate.rmat(scale, 7, seed=1),
        "Amazon": lambda: sb.generate.small_world(1 << scale, 8, 0.1, seed=1),
        "rmat1": lambda: rmat(6),
        "rmat2": lambda: rmat(25),
        "random1": lambda: uniform(64),
        "random2": lambda: uniform(50),
        "random3": lambda: uniform(12),
        "kron2": lambda: sb.generate.kronecker(scale, 43, seed=1),
    }
    return {
        "mesh": partial(stencil, np, (side, side), MESH),
        "audikw": partial(_elements, np, 12 if quick else 24),
        **{name: partial(_arrays, matrix) for name, matrix in made.items()},
    }


def _large() -> dict[str, Callable[[], Graph]]:
    import cupy as cp

    from benchmarks.cuda import graphs
    from benchmarks.cuda.expansion_graphs import rmat

    return {
        "mesh": partial(stencil, cp, (1000, 1000), MESH),
        "FLA-road": partial(graphs.lattice, 1035, 0.35),
        "thermal": partial(graphs.lattice3d, 107),
        "ecology": partial(graphs.lattice, 1000),
        "audikw": partial(_elements, cp, 67),
        "LiveJournal": partial(graphs.social, 1_200_000, 10_000_000),
        "Amazon": partial(graphs.small_world, 400_000, 4, 0.1),
        "rmat1": partial(rmat, 22, 30_000_000),
        "rmat2": partial(rmat, 21, 50_000_000),
        "random1": partial(graphs.uniform, 21, 64_000_000),
        "random2": partial(graphs.uniform, 21, 50_000_000),
        "random3": partial(graphs.uniform, 22, 30_000_000),
        "kron2": partial(graphs.kronecker, 20, 43),
    }


def _elements(xp: Any, side: int) -> Graph:
    """Every unknown of a point joined to all of the points around it and to its own."""
    around = [*product((-1, 0, 1), repeat=3)]
    steps = [(*step, unknown) for step in around for unknown in range(-2, 3)]
    return stencil(xp, (side, side, side, 3), steps)


def _arrays(make: Callable[[], sb.Matrix]) -> Graph:
    S = make().to_scipy()
    return S.shape[0], S.indptr, S.indices


def _file(path: Any) -> Graph:
    """A file's graph with both directions of every edge, whatever it has."""
    import scipy.sparse as sp

    if not path.exists():
        raise FileNotFoundError(path.name)
    S = sp.csr_array(sb.read(path).to_scipy().astype(bool))
    both = sp.csr_array(S + S.T)
    both.sort_indices()
    return both.shape[0], both.indptr, both.indices
