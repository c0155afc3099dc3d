"""Searches as earlier work ran them, a level at a time, against one search after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from many_cases import host, matrix, random_graph

import spbfs as sb
from spbfs.engines import get_engine
from spbfs.engines.bfs_many_stepwise import UNVISITED, Step, Stepwise, search_stepwise
from spbfs.exceptions import InvalidValue
from spbfs.planner import many as planner_many
from tests.graphs import Graph, both


def ways(graph: Graph, sources: Any, device: str) -> dict[str, Stepwise]:
    """Every way that an engine has."""
    data, found = matrix(graph, device)._ready(), np.asarray(sources)
    if device == "cpu":
        from spbfs.engines.cpu.bfs_many.bytes import JointBytes

        return {
            "joint": JointBytes(data, found, threads=2),
            "one thread": JointBytes(data, found, threads=1),
        }
    if device == "cuda":
        from spbfs.engines.cuda.bfs_many import bytes as of_bytes
        from spbfs.engines.cuda.bfs_many.plain import PlainBits

        engine = get_engine(device)
        return {
            "joint": of_bytes.JointBytes(data, found, engine),
            "private": of_bytes.PrivateBytes(data, found, engine),
            "iBFS": PlainBits(data, found, engine, kept=True),
            "MS-BFS": PlainBits(data, found, engine, kept=False),
        }
    pytest.skip("the reference has no such searches")


def expected(graph: Graph, sources: list[int]) -> Any:
    A = matrix(graph, "reference")
    alone = [np.asarray(sb.bfs(A, s).levels.to_dense(-1)) for s in sources]
    return np.array(alone).astype(np.uint8)  # -1 becomes UNVISITED


@pytest.mark.parametrize("pulled", [False, True, None], ids=["push", "pull", "chosen"])
@pytest.mark.parametrize("directed", [True, False])
def test_levels(
    pulled: bool | None, directed: bool, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if pulled is not None:
        monkeypatch.setattr(
            "spbfs.engines.bfs_many_stepwise.stepwise_pulls", lambda *_, **__: pulled
        )
    graph = random_graph(303, 700, seed=5, directed=directed)
    sources = np.random.default_rng(5).integers(0, graph.nrows, 70).tolist()
    right = expected(graph, sources)
    for name, searches in ways(graph, sources, device).items():
        steps = search_stepwise(searches)
        assert np.array_equal(host(searches.levels()), right), name
        assert len(steps) == 1 + int(right[right != UNVISITED].max())
        assert all(step.queued <= step.shared for step in steps)
        if pulled is False:
            assert sum(step.shared for step in steps) == np.count_nonzero(right != UNVISITED)
        elif pulled:
            sizes = [np.count_nonzero(right > level) for level in range(len(steps))]
            assert [step.shared for step in steps] == sizes


def test_a_queue_is_shared(device: str) -> None:
    graph = random_graph(200, 900, seed=2, directed=False)
    for name, searches in ways(graph, [7] * 40, device).items():
        for step in search_stepwise(searches):
            copies = 1 if name != "private" else 40
            assert step.shared == 40 * step.queued // copies


def path(n: int) -> Graph:
    return Graph(f"path of {n}", n, both([(i, i + 1) for i in range(n - 1)]))


def test_counts_of_a_push_and_of_a_pull(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = "spbfs.engines.bfs_many_stepwise.stepwise_pulls"
    monkeypatch.setattr(chosen, lambda *_, pulled, **__: not pulled)
    counted = device == "cpu"
    for name, searches in ways(path(4), [1, 1], device).items():
        first, second, third = search_stepwise(searches)
        queues = 2 if name == "private" else 1
        # Vertices 0, 2 and 3 look for a parent: 0 and 2 find 1 at once, 3 does not.
        assert first == Step(0, True, 3 * queues, 6, *((3, 6) if counted else (0, 0)))
        # Vertices 0 and 2 give on to 1, 1 and 3.
        assert second == Step(1, False, 2 * queues, 4, *((3, 6) if counted else (0, 0)))
        assert (third.pulled, third.queued) == (True, 0)


def test_too_deep(device: str) -> None:
    n = 300
    for searches in ways(path(n), [0], device).values():
        with pytest.raises(InvalidValue, match="end at level 252"):
            search_stepwise(searches)
    for searches in ways(path(n), [n - 48], device).values():
        assert len(search_stepwise(searches)) == 253


def test_directions_turn_both_ways() -> None:
    turned = [
        planner_many.stepwise_pulls(*census, pulled=pulled)
        for census, pulled in [
            ((1, 10, 999, 9990), False),
            ((200, 2000, 700, 7000), False),
            ((300, 3000, 10, 100), True),
            ((2, 20, 98, 980), True),
        ]
    ]
    assert turned == [False, True, True, False]
