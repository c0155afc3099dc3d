"""Vertices of one neighbour, which is who found them: searches of symmetric patterns list none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from peer_gpus import several
from search_graphs import symmetric

import spbfs as sb

pytestmark = several


def _caterpillar(length: int, feet: int) -> sp.csr_array:
    """A path, every vertex of which has some leaves."""
    body = np.arange(length)
    feet_of = np.repeat(body, feet)
    leaves = length + np.arange(length * feet)
    return symmetric(length * (feet + 1), np.r_[body[:-1], feet_of], np.r_[body[1:], leaves])


def _tree(n: int) -> sp.csr_array:
    rng = np.random.default_rng(3)
    child = np.arange(1, n)
    return symmetric(n, child, (child * rng.random(n - 1) ** 0.7).astype(np.int64))


def _with_loops(A: sp.csr_array) -> sp.csr_array:
    """Every third vertex an edge to itself: leaves have two entries then."""
    n = A.shape[0]
    loop = np.arange(0, n, 3)
    loops = sp.csr_array((np.ones(len(loop), bool), (loop, loop)), shape=(n, n))
    return sp.csr_array(A + loops)


def _one_way(A: sp.csr_array) -> sp.csr_array:
    """Edges to greater numbers, from every tenth vertex back: a row of one entry may lead on."""
    coo = A.tocoo()
    kept = (coo.row < coo.col) | (coo.row % 10 == 0)
    ones = np.ones(int(kept.sum()), bool)
    return sp.csr_array((ones, (coo.row[kept], coo.col[kept])), shape=A.shape)


GRAPHS = {
    "two": symmetric(2, np.array([0]), np.array([1])),
    "pairs": symmetric(600, np.arange(0, 600, 2), np.arange(1, 600, 2)),
    "star": symmetric(3_000, np.zeros(2_999, int), np.arange(1, 3_000)),
    "caterpillar": _caterpillar(300, 5),
    "tree": _tree(20_000),
    "tree, loops": _with_loops(_tree(5_000)),
    "tree, one way": _one_way(_tree(5_000)),
    "long caterpillar": _caterpillar(1_000, 1),
}


def _check(A: sb.Matrix, source: Any, **how: Any) -> Any:
    found, alone = sb.bfs(A, source, **how), sb.bfs(A.to("cpu"), source)
    assert found.levels.isequal(alone.levels.to("cuda"))
    sb.verify.bfs_tree(A, source, parents=found.parents, levels=found.levels)
    assert (found.depth, found.reached, found.edges) == (alone.depth, alone.reached, alone.edges)
    return found


@pytest.mark.parametrize("direction", ["auto", "push", "pull"])
@pytest.mark.parametrize("relabel", ["auto", "compact", "degree", None])
@pytest.mark.parametrize("name", GRAPHS)
def test_leaves_are_found_and_lead_nowhere(name: str, relabel: Any, direction: Any) -> None:
    """From the middle, from leaves, and from several of both."""
    n = GRAPHS[name].shape[0]
    for memory in (None, "pinned"):
        A = sb.Matrix.from_scipy(GRAPHS[name]).to("cuda", **({"memory": memory} if memory else {}))
        for source in (0, n - 1, n // 2, [0, n - 1], np.arange(n - 1, 0, -max(1, n // 7))):
            _check(A, source, relabel=relabel, direction=direction)
    for source in (0, n - 1, [0, n - 1]):
        alone = sb.bfs(A, source)
        found = sb.bfs(A, source, devices=[0, 1], relabel=relabel, direction=direction)
        assert found.levels.isequal(alone.levels)


@pytest.mark.parametrize("name", ["star", "caterpillar", "tree", "tree, loops"])
def test_a_trace_counts_their_edges(name: str) -> None:
    """Every level pushes the entries of all of its vertices, whether or not they lead anywhere."""
    A = GRAPHS[name]
    degree = np.diff(A.indptr)
    for devices in (None, [0, 1]):
        on_gpu = sb.Matrix.from_scipy(A).to("cuda")
        found = sb.bfs(on_gpu, 0, devices=devices, direction="push", trace=True)
        levels = found.levels.to_dense(-1)
        for level, step in enumerate(found.trace):
            assert (step.frontier, step.edges) == (
                (levels == level).sum(),
                degree[levels == level].sum(),
            )
