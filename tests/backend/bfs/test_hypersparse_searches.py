"""Searches of graphs of 2**40 vertices with a few edges, beside those of the graph numbered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scattered_programs import SIDE

import spbfs as sb
from spbfs import Matrix
from spbfs.exceptions import OutOfMemory


def scattered_graph(device: str, seed: int) -> tuple[Matrix, Matrix, np.ndarray]:
    """A random graph scattered over 2**40 vertices, the graph itself, where its vertices lie."""
    rng = np.random.default_rng(seed)
    places = np.unique(rng.integers(0, SIDE, 60))
    n = len(places)
    edges = rng.integers(0, n - 5, (2, 100))  # the last few have no edges
    large = Matrix.from_coo(*places[edges], True, nrows=SIDE, ncols=SIDE, device=device)
    return large, Matrix.from_coo(*edges, True, nrows=n, ncols=n, device=device), places


@pytest.mark.parametrize("seed", range(3))
def test_searches(device: str, seed: int) -> None:
    large, small, places = scattered_graph(device, seed)
    n = small.nrows
    for sources in (0, [3], [3, 0, 3, n - 1], n - 1):
        for options in ({}, {"max_depth": 2}, {"direction": "push"}, {"target": 7}):
            far = places[sources] if isinstance(sources, list) else int(places[sources])
            there = {**options}
            if "target" in options:
                there["target"] = int(places[7])
            got = sb.bfs(large, far, parents="min", **there)
            wanted = sb.bfs(small, sources, parents="min", **options)
            numbers = ("reached", "depth", "edges")
            assert [getattr(got, x) for x in numbers] == [getattr(wanted, x) for x in numbers]
            assert got.levels.to_dict() == {
                places[v]: x for v, x in wanted.levels.to_dict().items()
            }
            tree = {places[v]: places[x] for v, x in wanted.parents.to_dict().items()}
            assert got.parents.to_dict() == tree
            assert (got.owners is None) == (wanted.owners is None)
            if wanted.owners is not None:
                owners = {places[v]: x for v, x in wanted.owners.to_dict().items()}
                assert got.owners.to_dict() == owners
            assert got.levels.size == SIDE


def test_searches_without_outputs_and_of_absent_targets(device: str) -> None:
    large, small, places = scattered_graph(device, 5)
    got = sb.bfs(large, int(places[0]), levels=False, parents=False, target=1)
    assert (got.levels, got.parents) == (None, None)
    assert got.reached == sb.bfs(small, 0).reached
    plan = sb.BFSPlan(large)
    assert [plan.run(int(places[v])).depth for v in (0, 1)] == [
        sb.bfs(small, v).depth for v in (0, 1)
    ]
    frontiers = [(d, q.nvals) for d, q in sb.levels(large, int(places[0]))]
    assert frontiers == [(d, q.nvals) for d, q in sb.levels(small, 0)]
    # Whatever the dimensions; a GPU's workspace has lists of a fixed room.
    assert large.nbytes < (4_000_000 if device == "cuda" else 100_000)


def test_many_searches(device: str) -> None:
    large, small, places = scattered_graph(device, 6)
    sources = [3, 0, small.nrows - 1, 3]
    got, wanted = (
        sb.bfs_many(A, s, outputs=["levels", "level_sizes"], sparse=True)
        for A, s in ((large, places[sources]), (small, sources))
    )
    assert got.sources.tolist() == places[sources].tolist()
    for name in ("reached", "sum_levels", "eccentricity", "level_sizes"):
        assert (getattr(got, name) == getattr(wanted, name)).all()
    assert got.levels.tolist() == [
        (places[s], places[v], hops) for s, v, hops in wanted.levels.tolist()
    ]
    assert (sb.khop_sizes(large, 2, places[sources]) == sb.khop_sizes(small, 2, sources)).all()
    assert (sb.eccentricity(large, places[:3]) == sb.eccentricity(small, range(3))).all()


@pytest.mark.parametrize(
    "attempt",
    [
        lambda A: sb.bfs_many(A, [5, 7]),
        lambda A: sb.khop_sizes(A, 2),
        lambda A: sb.eccentricity(A),
        lambda A: sb.closeness(A),
        lambda A: sb.betweenness(A, [5]),
        lambda A: sb.verify.bfs_tree(A, 5, sb.bfs(A, 5)),
    ],
)
def test_searches_with_results_for_all_vertices(device: str, attempt: Any) -> None:
    with pytest.raises(OutOfMemory, match="bytes"):
        attempt(scattered_graph(device, 7)[0])


def test_the_order_of_a_search(device: str) -> None:
    far = (1 << 40) - 1
    A = sb.Matrix.from_coo([5, 9, far], [9, far, 5], True, nrows=1 << 40, ncols=1 << 40)
    order, parents, levels = sb.bfs_order(A.to(device), 5)
    assert order.tolist() == [5, 9, far]
    assert parents.to_dict() == {5: 5, 9: 5, far: 9} and levels.to_dict() == {5: 0, 9: 1, far: 2}


def test_all_distances_are_refused_before_they_are_made(device: str) -> None:
    A = sb.Matrix(bool, 1 << 40, 1 << 40, device=device)
    with pytest.raises(OutOfMemory, match="sources: a list of all 1,099,511,627,776"):
        sb.distances(A)
