"""The frontiers that `levels_many` hands out against the levels of `bfs_many`."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from many_cases import expected, host, matrix, random_graph

import spbfs as sb
from spbfs.algorithms.bfs_many import levels as levels_module
from spbfs.exceptions import DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
from spbfs.storage.delayed import DelayedPacked
from tests.graphs import SEARCHABLE


def check(frontiers: Any, levels: np.ndarray, device: str) -> None:
    """Every frontier is where the levels are its depth, and there is one for every depth."""
    depths = []
    for depth, F in frontiers:
        assert isinstance(F, sb.Matrix)
        assert (F.shape, F.dtype, F.device) == (levels.shape[::-1], bool, device)
        at = levels == depth
        assert F.nvals == at.sum()
        np.testing.assert_array_equal(F.to_dense(False).T, at)
        depths.append(depth)
    assert depths == list(range(levels.max(initial=-1) + 1))


@pytest.mark.parametrize("name", SEARCHABLE)
def test_awkward_graphs(name: str, device: str) -> None:
    graph = SEARCHABLE[name]
    A = matrix(graph, device)
    sources = [*range(graph.nrows), 0, graph.nrows - 1]
    levels = host(sb.bfs_many(A, sources).levels).astype(np.int64)
    levels[levels == 255] = -1
    check(sb.levels_many(A, sources), levels, device)
    check(sb.levels_many(A, sources, max_depth=1), np.where(levels > 1, -1, levels), device)


def test_sources_without_edges(device: str) -> None:
    """The kernel lays nothing out for them: it wrote behind its arrays, which went amiss later."""
    if device == "reference":
        pytest.skip("the reference has no kernel")
    A = sb.Matrix.from_coo([1, 2], [2, 1], True, nrows=65, ncols=65).to(device)
    for _ in range(300):
        for sources in ([0], [7, 64, 7]):
            ((depth, F),) = sb.levels_many(A, sources)
            assert depth == 0 and F.to_coo()[0].tolist() == sorted(sources)


@pytest.mark.parametrize("direction", ["auto", "push", "pull"])
@pytest.mark.parametrize("count", [1, 65, 200])
def test_directions(count: int, direction: Any, device: str) -> None:
    if device == "reference" and count > 65:
        pytest.skip("the reference takes minutes for so many")
    graph = random_graph(403, 900, seed=count)
    sources = np.random.default_rng(count).integers(0, graph.nrows, count).tolist()
    found = sb.levels_many(matrix(graph, device), sources, direction=direction, threads=2)
    check(found, expected(graph, sources), device)


def test_more_sources_than_a_row_of_bits_holds(
    device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns of several traversals, not all of them equally deep, next to each other."""
    if device == "reference":
        monkeypatch.setattr(levels_module, "MOST_SEARCHES", 30)
    graph = SEARCHABLE["path"]
    sources = [32] * 40 + [16] * (40 if device == "reference" else 1100) + [3]
    check(sb.levels_many(matrix(graph, device), sources), expected(graph, sources), device)


def test_nothing_is_made_before_it_is_looked_at(
    device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = SEARCHABLE["random-both"]
    A, sources = matrix(graph, device), list(range(graph.nrows))
    levels = expected(graph, sources)
    asked: list[int] = []
    make = DelayedPacked.__init__

    def spy(self: Any, ncols: int, shape: Any, bits: Any) -> None:
        depth = len(made)
        made.append(depth)
        make(self, ncols, shape, lambda: (asked.append(depth), bits())[1])

    made: list[int] = []
    monkeypatch.setattr(DelayedPacked, "__init__", spy)
    frontiers = list(sb.levels_many(A, sources))
    assert len(frontiers) == len(made) > 2 and not asked
    # The generator has ended, and other searches have used what it left idle.
    sb.bfs_many(A, sources[::-1], outputs="per_level")
    np.testing.assert_array_equal(frontiers[2][1].to_dense(False).T, levels == 2)
    assert asked == [2]


def test_a_search_is_left_with_its_last_frontier() -> None:
    """Workspace goes back when no frontier that is still to be made needs it."""
    A = sb.generate.uniform(3000, 8, seed=1)
    sb.bfs_many(A, range(64), outputs="per_level").per_level = None
    gc.collect()
    idle = A.nbytes
    frontiers = sb.levels_many(A, range(64))
    _, first = next(frontiers)
    assert A.nbytes < idle
    del frontiers
    assert A.nbytes < idle
    assert first.nvals == 64
    assert A.nbytes == idle


def test_frontiers_are_matrices_like_others(device: str) -> None:
    """They go into products, and out of the reach of the search."""
    graph = SEARCHABLE["random-both"]
    A = matrix(graph, device)
    frontiers = [F for _, F in sb.levels_many(A, [0, 9, 33])]
    seen = sb.Matrix(bool, graph.nrows, 3, device=device)
    for F, following in zip(frontiers, [*frontiers[1:], None], strict=True):
        seen(F.S) << True
        product = sb.Matrix(bool, graph.nrows, 3, device=device)
        product(~seen.S) << sb.semiring.any_pair(A.T @ F)
        assert product.nvals == 0 if following is None else product.isequal(following)


def test_mistakes_are_said_at_the_call(device: str) -> None:
    A = matrix(SEARCHABLE["path"], device)
    with pytest.raises(DimensionMismatch, match=r"^A: "):
        sb.levels_many(sb.Matrix(bool, 2, 3, device=device), [0])
    with pytest.raises(IndexOutOfBound, match=r"^sources: "):
        sb.levels_many(A, [0, 33])
    with pytest.raises(DomainMismatch, match=r"^max_depth: "):
        sb.levels_many(A, [0], max_depth=1.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match=r"^direction: "):
        sb.levels_many(A, [0], direction="down")  # type: ignore[arg-type]
    assert list(sb.levels_many(A, [])) == []
