"""Calls that send batches of sources to workers, and that what comes back is what one makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import spbfs as sb
from spbfs.storage.entries import on_host

#: Of n vertices: repeated, in no order, some without edges.
N = 300
SOURCES = np.random.default_rng(5).integers(0, N, 260)


def graph(device: str = "cpu") -> sb.Matrix:
    """Directed, in several components, with hubs and vertices without edges."""
    rng = np.random.default_rng(3)
    u, v = ((rng.random((2, 900)) ** 2) * N).astype(int)
    return sb.Matrix.from_coo(u, v, True, nrows=N, ncols=N, device=device)


def _index(A: Any, **where: Any) -> Any:
    index = sb.KHopIndex(A, k=2, **where)
    u, v = np.divmod(np.arange(N * N), N)
    return index.query(u, v)


CALLS: dict[str, Callable[..., Any]] = {
    "closeness": sb.closeness,
    "closeness, sampled": lambda A, **where: sb.closeness(A, samples=90, **where),
    "harmonic": sb.harmonic,
    "harmonic, sampled": lambda A, **where: sb.harmonic(A, samples=150, **where),
    "betweenness": lambda A, **where: sb.betweenness(A, batch=32, **where).to("cpu").to_dense(),
    "eccentricity": sb.eccentricity,
    "distances": sb.distances,
    "khop": lambda A, **where: sb.khop(A, 2, **where),
    "khop_sizes": lambda A, **where: sb.khop_sizes(A, 2, **where),
    "KHopIndex": _index,
}

#: Arguments of `bfs_many`.
SEARCHES: dict[str, dict[str, Any]] = {
    "levels": {"outputs": "levels"},
    "sums": {"outputs": ["counts", "level_sums", "level_sizes"]},
    "all of them": {"outputs": ["levels", "counts", "level_sums", "level_sizes"]},
    "a depth": {"outputs": ["levels", "level_sizes"], "max_depth": 1},
    "rows": {"outputs": ["levels", "counts", "level_sizes"], "sparse": True},
    "rows of a depth": {"sparse": True, "max_depth": 2},
    "hubs": {"outputs": "levels", "group": (50, 3)},
    "small batches": {"outputs": ["levels", "counts"], "batch": 33},
    "one by one": {"outputs": ["levels", "level_sums"], "batch": 1},
    "levels in a file": {"outputs": "file"},
}


def check_searches(name: str, folder: Any, A: sb.Matrix | None = None, **where: Any) -> None:
    """`bfs_many` finds elsewhere what it finds here."""
    A = graph() if A is None else A
    options = dict(SEARCHES[name])
    alone = sb.bfs_many(A, SOURCES, **options | _in(folder / "alone.npy", options))
    found = sb.bfs_many(A, SOURCES, **options | _in(folder / "found.npy", options), **where)
    check_equal(found, alone)


def _in(path: Any, options: dict[str, Any]) -> dict[str, Any]:
    return {"outputs": {"levels": path}} if options.get("outputs") == "file" else {}


def check_equal(found: Any, alone: Any) -> None:
    """All that does not depend on who has searched, or with whom together."""
    assert (found.depth, found.edges) == (alone.depth, alone.edges)
    for name in ("sources", "done", "reached", "sum_levels", "eccentricity", "level_sizes"):
        np.testing.assert_array_equal(getattr(found, name), getattr(alone, name), name)
    for name in ("levels", "counts", "level_sums"):
        one, other = getattr(found, name), getattr(alone, name)
        assert type(one) is type(other)
        if one is not None:
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(on_host(one), on_host(other), name)
