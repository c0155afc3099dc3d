"""The graphs of the GPU benchmark, made on the GPU: (n, indptr, indices), symmetric, no loops,
sorted."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.common.data import DATA

Graph = tuple[int, Any, Any]


def from_edges(n: int, u: Any, v: Any) -> Graph:
    """Symmetrise, drop loops and duplicates."""
    kept = u != v
    u, v = u[kept].astype(cp.int64), v[kept].astype(cp.int64)
    key = cp.concatenate([u * n + v, v * n + u])
    del u, v, kept
    key.sort()
    distinct = cp.empty(key.shape, dtype=bool)
    distinct[:1] = True
    distinct[1:] = key[1:] != key[:-1]
    key = key[distinct]
    del distinct
    rows = (key // n).astype(cp.int32)
    counts = cp.bincount(rows, minlength=n)
    del rows
    wide = key.shape[0] > 2**31 - 64
    indptr = cp.zeros(n + 1, dtype=cp.int64 if wide else cp.int32)
    indptr[1:] = cp.cumsum(counts)
    indices = (key % n).astype(cp.int32)
    return n, indptr, indices


def kronecker(
    scale: int, edge_factor: float = 16, a: float = 0.57, b: float = 0.19, c: float = 0.19
) -> Graph:
    """Graph500's generator with permuted labels; other parameters make other R-MAT graphs."""
    n, m = 1 << scale, int(edge_factor * (1 << scale))
    rng = cp.random.default_rng(scale)
    u, v = cp.zeros(m, dtype=cp.int32), cp.zeros(m, dtype=cp.int32)
    for _ in range(scale):
        r = rng.random(m, dtype=cp.float32)
        u = 2 * u + (r >= a + b)
        v = 2 * v + (((r >= a) & (r < a + b)) | (r >= a + b + c))
    label = cp.random.RandomState(scale).permutation(n).astype(cp.int32)
    return from_edges(n, label[u], label[v])


def with_isolated(graph: Graph, more: int) -> Graph:
    """With vertices added that have no edge: rows of n results then begin anywhere."""
    n, indptr, indices = graph
    return n + more, cp.concatenate([indptr, cp.repeat(indptr[-1:], more)]), indices


def uniform(scale: int, edges: int) -> Graph:
    rng = cp.random.default_rng(scale)
    n = 1 << scale
    return from_edges(n, rng.integers(0, n, edges), rng.integers(0, n, edges))


def social(n: int = 81_306, edges: int = 1_480_000) -> Graph:
    """A stand-in of the class of ego-Twitter (81,306 vertices, 2.7 M entries): power-law degrees
    inside circles
    of a few hundred vertices, one edge in five anywhere."""
    rng = np.random.default_rng(7)
    weight = (rng.pareto(1.6, n) + 1).clip(max=400)
    circle = np.sort(rng.integers(0, n // 200, n))
    order = np.argsort(rng.random(n))
    start = np.searchsorted(circle, circle, side="left")
    stop = np.searchsorted(circle, circle, side="right")
    cumulative = np.concatenate([[0.0], np.cumsum(weight)])
    u = np.searchsorted(cumulative, rng.random(edges) * cumulative[-1], side="right") - 1
    low, high = cumulative[start[u]], cumulative[stop[u]]
    anywhere = rng.random(edges) < 0.2
    low[anywhere], high[anywhere] = 0.0, cumulative[-1]
    v = np.searchsorted(cumulative, low + rng.random(edges) * (high - low), side="right") - 1
    u, v = order[np.clip(u, 0, n - 1)], order[np.clip(v, 0, n - 1)]
    return from_edges(n, cp.asarray(u), cp.asarray(v))


def lattice(side: int, dropped: float = 0.0) -> Graph:
    """A side x side grid, four neighbours, natural order; with edges dropped it is deep like a
    road network."""
    v = cp.arange(side * side, dtype=cp.int64).reshape(side, side)
    across = v[:, :-1].ravel(), v[:, 1:].ravel()
    down = v[:-1].ravel(), v[1:].ravel()
    a, b = cp.concatenate([across[0], down[0]]), cp.concatenate([across[1], down[1]])
    if dropped:
        kept = cp.random.default_rng(3).random(a.shape[0]) >= dropped
        a, b = a[kept], b[kept]
    return from_edges(side * side, a, b)


def lattice3d(side: int) -> Graph:
    v = cp.arange(side**3, dtype=cp.int64).reshape(side, side, side)
    pairs = [(v[:-1], v[1:]), (v[:, :-1], v[:, 1:]), (v[:, :, :-1], v[:, :, 1:])]
    return from_edges(
        side**3,
        cp.concatenate([a.ravel() for a, _ in pairs]),
        cp.concatenate([b.ravel() for _, b in pairs]),
    )


def mesh(side: int) -> Graph:
    """A triangulated side x side lattice: six neighbours inside."""
    v = cp.arange(side * side, dtype=cp.int64).reshape(side, side)
    pairs = [(v[:, :-1], v[:, 1:]), (v[:-1], v[1:]), (v[:-1, :-1], v[1:, 1:])]
    return from_edges(
        side * side,
        cp.concatenate([a.ravel() for a, _ in pairs]),
        cp.concatenate([b.ravel() for _, b in pairs]),
    )


def small_world(n: int, reach: int, rewired: float) -> Graph:
    """A ring whose vertices know `reach` neighbours on either side, some edges led elsewhere."""
    rng = cp.random.default_rng(11)
    u = cp.repeat(cp.arange(n, dtype=cp.int64), reach)
    v = (u + cp.tile(cp.arange(1, reach + 1, dtype=cp.int64), n)) % n
    elsewhere = rng.random(v.shape[0]) < rewired
    v[elsewhere] = rng.integers(0, n, int(elsewhere.sum()))
    return from_edges(n, u, v)


def star(leaves: int) -> Graph:
    v = cp.arange(1, leaves + 1, dtype=cp.int64)
    return from_edges(leaves + 1, cp.zeros_like(v), v)


def path(n: int) -> Graph:
    v = cp.arange(n - 1, dtype=cp.int64)
    return from_edges(n, v, v + 1)


def from_npz(file: Path) -> Graph:
    """A SciPy sparse matrix, symmetrised."""
    import scipy.sparse as sp

    coo = sp.load_npz(file).tocoo()
    return from_edges(coo.shape[0], cp.asarray(coo.row), cp.asarray(coo.col))


def on_device(graph: Graph) -> sb.Matrix:
    """A graph as a Matrix on the GPU, of which nothing has been searched yet."""
    n, indptr, indices = graph
    return sb.Matrix.from_csr(indptr, indices, True, nrows=n, ncols=n, device="cuda")


@dataclass(frozen=True)
class Case:
    """A graph, and what to reach on it, in milliseconds; 0 where nothing was set."""

    make: Callable[[], Graph]
    bar: float = 0.0
    goal: float = 0.0


TABLE: dict[str, Case] = {
    "kron21": Case(lambda: kronecker(21), 0.10, 0.06),
    "kron24": Case(lambda: kronecker(24), 0.40, 0.25),
    "uniform21": Case(lambda: uniform(21, 1 << 26), 0.26, 0.15),
    "social": Case(social, 0.060, 0.040),
    "web": Case(lambda: from_npz(DATA / "web-cnr-2000.npz"), 0.20, 0.12),
    "grid3000": Case(lambda: lattice(3000), 14.0, 8.0),
    "road3000": Case(lambda: lattice(3000, 0.35), 17.0, 10.0),
}
#: Others of the same classes, and some of none: nothing should be badly off.
OTHERS: dict[str, Case] = {
    **{f"kron{scale}": Case(partial(kronecker, scale)) for scale in (12, 14, 16, 18, 19, 20)},
    **{f"kron{scale}": Case(partial(kronecker, scale)) for scale in (22, 23)},
    "kron21-odd": Case(lambda: with_isolated(kronecker(21), 5)),
    "rmat21": Case(lambda: kronecker(21, 64, 0.45, 0.15, 0.15)),
    "uniform18": Case(lambda: uniform(18, 1 << 22)),
    "sparse21": Case(lambda: uniform(21, 1 << 22)),
    "small-world": Case(lambda: small_world(1 << 20, 5, 0.05)),
    "grid3d": Case(lambda: lattice3d(150)),
    "mesh": Case(lambda: mesh(1000)),
    "star": Case(lambda: star(1 << 20)),
    "path": Case(lambda: path(20_000)),
}


def measure_each(names: Iterable[str], measure: Callable[[str, Graph], Any]) -> list[Any]:
    """What is measured of every named graph; one whose file is missing is left out.

    A graph and what was made of it are gone before the next one is made.
    """
    found = []
    for name in names:
        began = time.perf_counter()
        try:
            graph = (TABLE | OTHERS)[name].make()
        except FileNotFoundError as error:
            print(f"{name}: left out, {error}", flush=True)
            continue
        found.append(measure(name, graph))
        del graph
        gc.collect()
        cp.get_default_memory_pool().free_all_blocks()
        print(f"  {name}: {time.perf_counter() - began:.1f} s in all", flush=True)
    return found
