"""Checks of one shortest path and of all of them: right ones pass, every rule is broken once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, VerificationError
from tests.backend.algorithm_cases import pattern, weighted
from tests.graphs import SEARCHABLE

INF = float("inf")
#: 0 to 3 by 1 or by 2, and from there to 4; back from 3 to 1; 5 leads to 0, 6 alone.
ROWS, COLUMNS = [0, 0, 1, 2, 3, 3, 5], [1, 2, 3, 3, 4, 1, 0]
A = sb.Matrix.from_coo(ROWS, COLUMNS, [1, 2, 5, 3, 1, 1, 1], nrows=7, ncols=7)


@pytest.mark.parametrize("name", SEARCHABLE)
def test_right_results_of_awkward_graphs_pass(name: str) -> None:
    S = pattern(SEARCHABLE[name])
    n = S.shape[0]
    for dtype in (np.int64, np.float64):
        G = sb.Matrix.from_scipy(weighted(S, dtype, 0, 9))
        for s, t in {(0, n - 1), (n - 1, 0), (0, 0), (n // 2, 0)}:
            for weigh in (True, False):
                found = sb.shortest_path(G, s, t, weighted=weigh)
                sb.verify.shortest_path(G, s, t, found, weighted=weigh)
    for source in (0, n - 1, sorted({0, n // 2, n - 1})):
        sb.verify.bfs_dag(G, source, sb.bfs_dag(G, source))


def test_numbers_of_paths_beyond_whole_numbers() -> None:
    """A grid of 40 by 40 has more than 2^53 paths from corner to corner."""
    grid = sb.generate.grid2d(40, 40)
    sb.verify.bfs_dag(grid, 0, sb.bfs_dag(grid, 0))


@pytest.mark.parametrize(
    ("path", "length", "message"),
    [
        ([0, 1, 3, 4], 7, "length: 7, but there is a path of length 6"),
        ([0, 2, 3, 4], 5, "length: 5, but its edges sum up to 6"),
        ([0, 3, 4], 6, r"vertices: A has no entry \(0, 3\)"),
        ([0, 2, 3], 5, "vertices: from 0 to 3, expected from 0 to 4"),
        ([5, 0, 2, 3, 4], 7, "vertices: from 5 to 4, expected from 0 to 4"),
        ([0, 9, 4], 6, "vertices: 9 is not a vertex below 7"),
        ([], INF, "vertices: none, and length inf; the distance is 6"),
    ],
)
def test_wrong_paths(path: list[int], length: float, message: str) -> None:
    sb.verify.shortest_path(A, 0, 4, ([0, 2, 3, 4], 6))
    with pytest.raises(VerificationError, match=message):
        sb.verify.shortest_path(A, 0, 4, (np.array(path, int), length))


def test_no_path_is_of_infinite_length() -> None:
    for weigh in (True, False):
        sb.verify.shortest_path(A, 0, 6, (np.zeros(0, int), INF), weighted=weigh)
        with pytest.raises(VerificationError, match="none, and length 3"):
            sb.verify.shortest_path(A, 0, 6, (np.zeros(0, int), 3), weighted=weigh)
    with pytest.raises(VerificationError, match="length: 2, but its edges sum up to 3"):
        sb.verify.shortest_path(A, 0, 4, ([0, 1, 3, 4], 2), weighted=False)


def dag(dropped: Any = None, also: Any = None, **changes: Any) -> Any:
    edges = {(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)} - {dropped} | ({also} if also else set())
    rows, columns = zip(*sorted(edges), strict=True)
    paths = {0: 1.0, 1: 1.0, 2: 1.0, 3: 2.0, 4: 2.0} | changes.get("paths", {})
    kept = {v: p for v, p in paths.items() if p is not None}
    return (
        sb.Vector.from_coo(range(5), changes.get("levels", [0, 1, 1, 2, 3]), size=7),
        sb.Matrix.from_coo(rows, columns, True, nrows=7, ncols=7),
        sb.Vector.from_coo(list(kept), list(kept.values()), float, size=7),
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dropped": (2, 3)}, r"edges: \(2, 3\) is missing"),
        ({"also": (3, 1)}, r"edges: \(3, 1\) leads to no next level"),
        ({"also": (1, 4)}, r"edges: \(1, 4\) leads to no next level"),
        ({"also": (5, 0)}, r"edges: \(5, 0\) leads to no next level"),
        ({"paths": {3: 1.0}}, r"paths: vertex 3 has 1\.0, expected 2\.0"),
        ({"paths": {0: 2.0}}, r"paths: vertex 0 has 2\.0, expected 1\.0"),
        ({"paths": {4: float("nan")}}, "paths: vertex 4 has nan, expected 2"),
        ({"paths": {4: None}}, "paths: vertex 4 has no number, and level 3"),
        ({"paths": {6: 1.0}}, r"paths: vertex 6 has 1\.0, and no level"),
        ({"levels": [0, 1, 1, 2, 2]}, "levels: vertex 4 has level 2"),
    ],
)
def test_wrong_numbers_of_paths(changes: Any, message: str) -> None:
    sb.verify.bfs_dag(A, 0, dag())
    with pytest.raises(VerificationError, match=message):
        sb.verify.bfs_dag(A, 0, dag(**changes))


def test_bad_input() -> None:
    levels, edges, paths = dag()
    with pytest.raises(DimensionMismatch, match=r"edges: expected shape \(7, 7\)"):
        sb.verify.bfs_dag(A, 0, (levels, sb.Matrix(bool, 3, 3), paths))
    with pytest.raises(DeviceMismatch, match="edges: expected it on 'cpu'"):
        sb.verify.bfs_dag(A, 0, (levels, edges.to("reference"), paths))
    with pytest.raises(DomainMismatch, match="paths: expected a Vector of size 7"):
        sb.verify.bfs_dag(A, 0, (levels, edges, [1.0] * 7))
    with pytest.raises(DimensionMismatch, match="vertices: expected one dimension"):
        sb.verify.shortest_path(A, 0, 1, ([[0, 1]], 1))
    with pytest.raises(DomainMismatch, match="vertices: expected integers"):
        sb.verify.shortest_path(A, 0, 1, ([0.0, 1.0], 1))
