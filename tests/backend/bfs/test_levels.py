"""The frontiers that `spbfs.levels` hands out, against the loop that they stand for."""

from __future__ import annotations

from typing import Any

import pytest

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, IndexOutOfBound
from tests.graphs import SEARCHABLE


def _six_lines(A: Any, sources: list[int], max_depth: int | None = None) -> list[list[int]]:
    q, levels, frontiers = sb.Vector(bool, A.nrows), sb.Vector(int, A.nrows), []
    for source in sources:
        q[source] = True
    while q.nvals:
        frontiers.append(list(q))
        levels(q.S) << len(frontiers)
        if len(frontiers) - 1 == max_depth:
            break
        q(~levels.S, sb.replace) << sb.semiring.any_pair(q @ A)
    return frontiers


@pytest.mark.parametrize("name", SEARCHABLE)
@pytest.mark.parametrize("max_depth", [None, 0, 1])
def test_frontiers_are_those_of_the_loop(device: str, name: str, max_depth: int | None) -> None:
    graph = SEARCHABLE[name]
    A = sb.Matrix.from_coo(graph.rows, graph.cols, True, nrows=graph.nrows, ncols=graph.ncols)
    A = A.to(device)
    for sources in ([0], [graph.nrows - 1, 0, 0]):
        source = sources if len(sources) > 1 else sources[0]
        found = list(sb.levels(A, source, max_depth=max_depth))
        assert [depth for depth, _ in found] == list(range(len(found)))
        assert [list(q) for _, q in found] == _six_lines(A, sources, max_depth)
        assert {(q.device, q.dtype, q.size) for _, q in found} == {
            (device, sb.dtypes.BOOL, A.nrows)
        }
        assert all(q.reduce("land").value for _, q in found)


def test_a_frontier_is_the_callers_own(device: str) -> None:
    A = sb.generate.path(5).to(device)
    seen = []
    for depth, q in sb.levels(A, 0):
        seen.append(list(q))
        q(q.S) << False
        q[4 - depth] = True
        q.clear()
    assert seen == [[0], [1], [2], [3], [4]]


def test_a_target_and_a_direction_are_those_of_bfs(device: str) -> None:
    A = sb.generate.kronecker(8, seed=2).to(device)
    for options in ({"direction": "push"}, {"direction": "pull"}, {"target": 9}):
        levels = sb.bfs(A, 3, **options).levels.to("cpu").to_dict()
        found = {v: depth for depth, q in sb.levels(A, 3, **options) for v in q}
        assert found == levels


def test_errors_come_with_the_call(device: str) -> None:
    with pytest.raises(IndexOutOfBound, match="source"):
        sb.levels(sb.generate.path(5).to(device), 5)
    with pytest.raises(DimensionMismatch, match="A"):
        sb.levels(sb.Matrix(bool, 2, 3, device=device), 0)
