"""Levels at the end of a search by several GPUs: one CTA of each runs them while others write
results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
from peer_gpus import several

import spbfs as sb
from spbfs.engines.cuda.graph import share_layout
from spbfs.planner.search_cuda import LayoutChoice

pytestmark = several
BOTH = [0, 1]
#: Vertices of a core that is reached in a few levels, and entries.
CORE, ENTRIES = 40_000, 160_000


def _graph(behind: list[tuple[int, int]], *, symmetric: bool = True) -> Any:
    """A core and edges behind it, between vertices from CORE on; labels are permuted, and CORE
    follows a vertex of the core that is far from vertex 0."""
    rng = np.random.default_rng(5)
    u, v = rng.integers(0, CORE, (2, ENTRIES)) ** 3 // CORE**2
    last = max(max(pair) for pair in behind) + 1
    tails = np.array([(CORE - 1, CORE), (0, CORE - 1), *behind]).T
    rows, cols = np.concatenate([[u, v], tails], axis=1)
    if symmetric:
        rows, cols = np.concatenate([rows, cols]), np.concatenate([cols, rows])
    label = rng.permutation(last)
    entries = np.ones(len(rows), bool), (label[rows], label[cols])
    return scipy.sparse.csr_array(entries, shape=(last, last)), label


def _path(edges: int, begin: int = CORE) -> list[tuple[int, int]]:
    return [(begin + k, begin + k + 1) for k in range(edges)]


def _star(centre: int, leaves: int) -> list[tuple[int, int]]:
    return [(centre, centre + 1 + k) for k in range(leaves)]


#: What lies behind the core, and whether its end is run by some CTAs.
TAILS = {
    "a path": (_path(8), True),
    "a path that is longer": (_path(40), False),
    "a path and a star": (_path(3) + _star(CORE + 3, 3_000) + _path(4, CORE + 3_003), False),
    "deeper than a byte": (_path(180), False),
    "a star and a path": (_star(CORE, 2_000) + _path(6, CORE + 2_000), True),
}


def _check(A: Any, source: int, **how: Any) -> Any:
    found, alone = sb.bfs(A, source, devices=BOTH, **how), sb.bfs(A.to("cpu"), source)
    assert found.levels.isequal(alone.levels.to("cuda"))
    sb.verify.bfs_tree(A, source, parents=found.parents, levels=found.levels)
    assert (found.depth, found.reached) == (alone.depth, alone.reached)
    return found


@pytest.mark.parametrize(("relabel", "hubs"), [("compact", None), ("auto", 300), ("degree", None)])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("name", TAILS)
def test_a_tail_is_written_whole(
    name: str, symmetric: bool, relabel: Any, hubs: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if hubs:
        monkeypatch.setattr(share_layout, "search_layout", lambda *_: LayoutChoice(hubs, records=0))
    behind, ends = TAILS[name]
    graph, label = _graph(behind, symmetric=symmetric)
    A, source = sb.Matrix.from_scipy(graph).to("cuda"), int(label[0])
    for _ in range(2):
        _check(A, source, relabel=relabel)
    steps = _check(A, source, relabel=relabel, trace=True).trace
    by_some = [step.strategy == "part" for step in steps]
    assert any(by_some), [(s.frontier, s.edges, s.strategy) for s in steps]
    if symmetric:  # others' last levels are smaller
        assert by_some[-1] == ends, [(s.frontier, s.edges, s.strategy) for s in steps]


def test_limits_in_a_tail() -> None:
    graph, label = _graph(_path(9))
    A, source = sb.Matrix.from_scipy(graph).to("cuda"), int(label[0])
    deepest = sb.bfs(A, source, devices=BOTH).depth
    for limits in (
        {"max_depth": deepest - 2},
        {"target": int(label[CORE + 4])},
        {"direction": "push"},
        {"parents": False},
    ):
        found = sb.bfs(A, source, devices=BOTH, relabel="compact", **limits)
        alone = sb.bfs(A, source, **limits)
        assert found.levels.isequal(alone.levels), limits
        assert (found.depth, found.reached) == (alone.depth, alone.reached)
