"""The graphs of Merrill, Garland, Grimshaw and of load-balanced BFS, on the device asked for.

On a GPU they are of the papers' sizes.  On the CPU they are of the same classes and mean degrees,
smaller, and smaller still in a quick run; every result says how large they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.common.data import DATA
from benchmarks.common.stencils import axes, stencil
from benchmarks.papers.figure import Setting

__all__ = ["DEGREES", "Graph", "as_matrix", "by_degree", "giant_sources", "suite"]

#: Vertices, offsets, neighbours; arrays on the device.
Graph = tuple[int, Any, Any]

#: Mean degrees for which the couplings are measured.
DEGREES = (2, 4, 8, 16, 32, 64)


def suite(setting: Setting, names: Iterable[str]) -> Iterator[tuple[str, Graph]]:
    """Those graphs of Merrill's table 1, made one after another, those of another size under a name
    that says which; "web" is a crawl of 325,557 pages
    without directions, in place of their Wikipedia, and left out where its file is not."""
    large = setting.device == "cuda" and not setting.quick
    make = _on_gpu() if large else _on_cpu(setting.quick)
    for name in setting.in_time(names):
        try:
            graph = make[name]()
        except FileNotFoundError as error:
            setting.say(f"{name} is left out: {error}")
            continue
        if not large:
            name, graph = _named(name, setting.quick), _moved(graph, setting)
        setting.say(f"{name}: {graph[0]} vertices, {graph[2].shape[0]} entries")
        yield name, graph


def by_degree(setting: Setting, kind: str) -> Iterator[tuple[int, Graph]]:
    """Uniform ("random") or R-MAT ("rmat") graphs for every mean degree: of 2 M vertices, fewer on
    the CPU and in a quick run."""
    scale = 12 if setting.quick else 21 if setting.device == "cuda" else 16
    for degree in setting.in_time(DEGREES):
        setting.say(f"{kind}, mean degree {degree}")
        yield degree, _random(setting, kind, scale, degree / 2)


def as_matrix(graph: Graph, setting: Setting) -> sb.Matrix:
    """A graph as a Matrix of which nothing has been searched yet."""
    n, indptr, indices = graph
    return sb.Matrix.from_csr(indptr, indices, True, nrows=n, ncols=n, device=setting.device)


def giant_sources(A: sb.Matrix, count: int, seed: int = 1) -> list[int]:
    """Random vertices of a component with half of the vertices that have an edge, or of the largest
    that twenty searches find."""
    rng, best = np.random.default_rng(seed), None
    for source in rng.integers(0, A.nrows, 20):
        found = sb.bfs(A, int(source), parents=False)
        if best is None or found.reached > best.reached:
            best = found
        if 2 * best.reached > A.nrows:
            break
    assert best is not None
    reached, _ = best.levels.to("cpu").to_coo()
    return [int(v) for v in rng.choice(reached, count)]


def _random(setting: Setting, kind: str, scale: int, edge_factor: float) -> Graph:
    if setting.device == "cuda" and not setting.quick:
        from benchmarks.cuda import expansion_graphs, graphs

        make = graphs.uniform if kind == "random" else expansion_graphs.rmat
        return make(scale, int(edge_factor * (1 << scale)))
    if kind == "random":
        A = sb.generate.uniform(1 << scale, 2 * edge_factor, seed=scale)
    else:
        A = sb.generate.rmat(scale, edge_factor, 0.45, 0.15, 0.15, seed=scale)
    return _moved(_arrays(A), setting)


def _moved(graph: Graph, setting: Setting) -> Graph:
    """A graph of the host where the run is."""
    if setting.device == "cpu":
        return graph
    import cupy as cp

    n, indptr, indices = graph
    return n, cp.asarray(indptr.astype(np.int32)), cp.asarray(indices.astype(np.int32))


def _arrays(A: sb.Matrix) -> Graph:
    S = A.to_scipy()
    return A.nrows, S.indptr, S.indices


def _on_gpu() -> dict[str, Callable[[], Graph]]:
    from benchmarks.cuda.expansion_graphs import CLASSES, GRAPHS

    return GRAPHS | CLASSES


#: Of the graphs on the CPU: sides of the lattices, and log2 of the vertices of the others.
SIDES = {True: (200, 24, 12), False: (500, 48, 15)}


def _named(name: str, quick: bool) -> str:
    """What a smaller graph of the class of `name` is called.

    Examples
    --------
    >>> _named("grid5pt.5000", True), _named("kron_g500-logn20", False), _named("web", True)
    ('grid5pt.200', 'kron_g500-logn15', 'web')
    """
    flat, deep, scale = SIDES[quick]
    sizes = {"grid5pt.5000": flat, "grid7pt.300": deep}
    if name in sizes:
        return f"{name.partition('.')[0]}.{sizes[name]}"
    return name.replace("logn20", f"logn{scale}").replace(".2Mv.128Me", f".2^{scale}v")


def _on_cpu(quick: bool) -> dict[str, Callable[[], Graph]]:
    flat, deep, scale = SIDES[quick]
    return {
        "grid5pt.5000": partial(stencil, np, (flat, flat), axes(2)),
        "grid7pt.300": partial(stencil, np, (deep, deep, deep), axes(3)),
        "web": _web,
        "kron_g500-logn20": lambda: _arrays(sb.generate.kronecker(scale, 48, seed=scale)),
        "random.2Mv.128Me": lambda: _arrays(sb.generate.uniform(1 << scale, 64, seed=scale)),
        "rmat.2Mv.128Me": lambda: _arrays(
            sb.generate.rmat(scale, 32, 0.45, 0.15, 0.15, seed=scale)
        ),
    }


def _web() -> Graph:
    import scipy.sparse as sp

    S = sp.load_npz(DATA / "web-cnr-2000.npz")
    both = sp.csr_array(S + S.T)
    both.sort_indices()
    return both.shape[0], both.indptr, both.indices
