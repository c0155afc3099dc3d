"""Long calls say how far they are, on every engine; a function that raises ends them."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spbfs as sb

Call = Callable[..., Any]

#: Every call in rounds, sweeps, rows or searches, and how many there are; 0 where nobody knows.
CALLS: dict[str, tuple[Call, int]] = {
    "pagerank": (sb.pagerank, 100),
    "pagerank by products": (
        lambda A, **how: sb.pagerank(A, method="composed", **how),
        100,
    ),
    "pagerank, 7 rounds": (
        lambda A, **how: sb.pagerank(A, tolerance=None, iterations=7, **how),
        7,
    ),
    "hits": (sb.hits, 100),
    "katz": (lambda A, **how: sb.katz(A, alpha=0.01, **how), 1000),
    "eigenvector": (sb.eigenvector, 100),
    "louvain": (sb.louvain, 0),
    "louvain by products": (lambda A, **how: sb.louvain(A, method="composed", **how), 0),
    "label_propagation": (sb.label_propagation, 0),
    "label_propagation, 3": (lambda A, **how: sb.label_propagation(A, max_sweeps=3, **how), 3),
    "k_truss": (lambda A, **how: sb.k_truss(A, 4, **how), 0),
    "triangles": (sb.triangles, 60),
    "triangles by products": (lambda A, **how: sb.triangles(A, method="composed", **how), 60),
    "clustering": (sb.clustering, 60),
    "transitivity": (sb.transitivity, 60),
    "transitive_closure": (sb.transitive_closure, 60),
    "bfs_tree": (lambda A, **how: sb.verify.bfs_tree(A, 0, sb.bfs(A, 0), **how), 420),
}


def _graph(device: str) -> sb.Matrix:
    """60 vertices in a ring of 7 neighbours each."""
    u = np.repeat(np.arange(60), 3)
    v = (u + np.tile([1, 2, 3], 60)) % 60
    rows, columns = np.r_[u, v, np.arange(60)], np.r_[v, u, np.arange(60)]
    return sb.Matrix.from_coo(rows, columns, 1.0, nrows=60, ncols=60).to(device)


@pytest.mark.parametrize("name", CALLS)
def test_told_at_the_end_and_never_backwards(device: str, name: str) -> None:
    call, total = CALLS[name]
    A, seen = _graph(device), []
    found = call(A, progress=lambda *told: seen.append(told))
    ended, of, edges = seen[-1]
    assert of == total and edges > 0
    assert ended == total if name in ("triangles", "bfs_tree") else 1 <= ended <= (total or ended)
    for before, after in itertools.pairwise(seen):
        assert before[0] <= after[0] and before[2] <= after[2]
    for expected in (call(A), call(A, progress=False)):
        assert repr(found) == repr(expected)


@pytest.mark.parametrize("name", CALLS)
def test_on_a_bar(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    call, _ = CALLS[name]
    call(_graph("cpu"), progress=True)
    shown = capsys.readouterr()
    # Those that count triangles and divide are named after them.
    named = "triangles" if name in ("clustering", "transitivity") else re.split(", | by", name)[0]
    assert f"{named}: " in shown.err and not shown.out
    with pytest.raises(sb.exceptions.DomainMismatch, match="progress"):
        call(_graph("cpu"), progress=3)


def test_a_function_that_raises_ends_the_call(device: str) -> None:
    def enough(*told: int) -> None:
        raise RuntimeError("enough")

    for call, _ in CALLS.values():
        with pytest.raises(RuntimeError, match="enough"):
            call(_graph(device), progress=enough)


def test_kernels_tell_while_they_run() -> None:
    """Not at their end only: a call of some seconds is told of several times, and can be ended."""
    A, seen = sb.generate.uniform(40_000, 25, seed=1), []

    def told(*how_far: int) -> None:
        seen.append(how_far)
        if len(seen) == 3:
            raise KeyboardInterrupt

    for call in (
        lambda: sb.pagerank(A, tolerance=None, iterations=10**6, progress=told),
        lambda: sb.louvain(A, progress=told),
    ):
        seen.clear()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            call()
        assert len(seen) == 3 and seen[0] <= seen[1] <= seen[2]
        assert time.monotonic() - begun < 60
