"""Searches that reach little: lists instead of arrays of n, and levels as rows."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from many_cases import EVERYTHING, check, expected, matrix, random_graph

import spbfs as sb
from spbfs.algorithms.bfs_many import independent
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.planner import many as planner_many
from spbfs.planner import search_cpu as planner_search
from tests.graphs import SEARCHABLE, Graph

OPTIONS: list[dict[str, Any]] = [
    {},
    {"max_depth": 0},
    {"max_depth": 2},
    {"target": 3},
    {"levels": False},
    {"parents": False},
    {"direction": "push"},
]


@pytest.fixture(params=[1.0, 0.2], ids=["all", "some give up"])
def listing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Graphs of any size are listed, as far as a search looks at few enough edges."""
    for planner in (planner_search, planner_many):
        monkeypatch.setattr(planner, "LISTED_FROM", 0)
        monkeypatch.setattr(planner, "LISTED_SHARE", 100 * request.param**3)


@pytest.mark.usefixtures("listing")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", SEARCHABLE)
def test_a_listed_search_is_the_reference_s(name: str, options: dict[str, Any]) -> None:
    graph = SEARCHABLE[name]
    A = matrix(graph, "cpu")
    if options.get("target", 0) >= graph.nrows:
        pytest.skip("the graph has no such vertex")
    last = graph.nrows - 1
    for source in (0, last, [last, 0, last] if last else [0, 0]):
        asked = {"parents": "min"} | options
        want = sb.bfs(A.to("reference"), source, **asked)
        got = sb.bfs(A, source, **asked)
        assert (got.depth, got.reached, got.edges) == (want.depth, want.reached, want.edges)
        for output in ("levels", "parents", "owners"):
            x, y = getattr(got, output), getattr(want, output)
            assert (x is None) == (y is None)
            assert x is None or x.to("reference").isequal(y, check_dtype=True)


def test_what_a_small_search_takes_does_not_grow_with_the_graph() -> None:
    A = sb.generate.path(1 << 21)
    sb.bfs(A, 1000, max_depth=2)
    tracemalloc.start()
    found = sb.bfs(A, 1000, max_depth=2)
    levels, parents = found
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000
    assert levels is not None and parents is not None
    assert levels.to_dict() == {998: 2, 999: 1, 1000: 0, 1001: 1, 1002: 2}
    assert parents.to_dict() == {998: 999, 999: 1000, 1000: 1000, 1001: 1000, 1002: 1001}


def test_outputs_of_a_listed_search_are_written_apart() -> None:
    A = sb.generate.path(1 << 15)
    levels, parents = sb.bfs(A, 5, max_depth=1)
    assert levels is not None and parents is not None
    levels[0] = 7
    levels(levels.S) << 1
    assert parents.to_dict() == {4: 5, 5: 5, 6: 5}


@pytest.mark.usefixtures("listing")
@pytest.mark.parametrize("max_depth", [None, 0, 2])
@pytest.mark.parametrize("name", SEARCHABLE)
def test_many_listed_searches(name: str, max_depth: int | None) -> None:
    graph = SEARCHABLE[name]
    sources = [*range(graph.nrows), 0, graph.nrows - 1]
    A = matrix(graph, "cpu")
    found = sb.bfs_many(A, sources, outputs=EVERYTHING, max_depth=max_depth)
    check(found, expected(graph, sources, max_depth), graph)


def rows_of(levels: np.ndarray, sources: list[int]) -> list[tuple[int, int, int]]:
    """Source, vertex and hops by the definition."""
    return [
        (source, int(v), int(row[v]))
        for source, row in zip(sources, levels, strict=True)
        for v in sorted(np.flatnonzero(row >= 0), key=lambda v: (row[v], v))
    ]


@pytest.mark.parametrize("max_depth", [None, 1, 3])
@pytest.mark.parametrize("name", SEARCHABLE)
def test_levels_as_rows(name: str, max_depth: int | None, device: str) -> None:
    graph = SEARCHABLE[name]
    sources = [*range(0, graph.nrows, 2), 0]
    A = matrix(graph, device)
    want = rows_of(expected(graph, sources, max_depth), sources)
    found = sb.bfs_many(A, sources, max_depth=max_depth, sparse=True)
    assert found.levels.tolist() == want
    assert sb.distances(A, sources, max_depth=max_depth, sparse=True).tolist() == want
    if max_depth is not None:
        assert sb.khop(A, max_depth, sources).tolist() == want


@pytest.mark.usefixtures("listing")
@pytest.mark.parametrize("seed", range(4))
def test_rows_where_some_searches_reach_much(seed: int) -> None:
    graph = random_graph(600, 700, seed)
    sources = np.random.default_rng(seed).integers(0, 600, 200).tolist()
    rows = sb.bfs_many(matrix(graph, "cpu"), sources, sparse=True).levels
    assert rows.tolist() == rows_of(expected(graph, sources), sources)


def test_rows_are_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(sb.khop(sb.generate.path(5), 1, [2]))
    assert frame.columns.tolist() == ["source", "vertex", "hops"]
    assert frame["vertex"].tolist() == [2, 1, 3]


@pytest.mark.parametrize("wrong", [{"outputs": "reached"}, {"outputs": {"levels": "levels.npy"}}])
def test_rows_take_the_place_of_levels(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match="sparse"):
        sb.bfs_many(sb.generate.path(5), [1], sparse=True, **wrong)
    with pytest.raises(DomainMismatch, match="sparse"):
        sb.bfs_many(sb.generate.path(5), [1], sparse=2)


@pytest.mark.parametrize("k", [1, 3, 30])
def test_neighbourhoods_of_a_deep_graph_take_no_search_of_all(
    k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which is what they took: 33 s for all of a road network of 115,000 vertices."""
    A = sb.generate.grid2d(150)
    whole: list[int] = []
    run = independent.run_alone
    for module in ("searches", "prepare"):
        monkeypatch.setattr(
            f"spbfs.algorithms.bfs_many.{module}.run_alone",
            lambda *args, **options: whole.append(1) or run(*args, **options),
        )
    x, y = np.divmod(np.arange(150 * 150), 150)
    near = [abs(x - x[v]) + abs(y - y[v]) <= k for v in (0, 11_000, 22_499)]
    sizes = sb.khop_sizes(A, k)
    assert sizes[[0, 11_000, 22_499]].tolist() == [int(m.sum()) for m in near]
    assert len(whole) <= 1  # whether searches meet is judged by one


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("name", SEARCHABLE)
def test_one_hop_is_a_row(name: str, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No search, however small the graph, or long the row."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("searched")

    graph = SEARCHABLE[name]
    sources = [*range(graph.nrows), 0]
    levels = expected(graph, sources, k)
    A = matrix(graph, "cpu")
    monkeypatch.setattr("spbfs.algorithms.bfs_many.searches.joined", refuse)
    assert sb.khop_sizes(A, k, sources).tolist() == (levels >= 0).sum(axis=1).tolist()
    found = sb.bfs_many(A, sources, outputs="reached", max_depth=k)
    assert found.sum_levels.tolist() == np.maximum(levels, 0).sum(axis=1).tolist()
    assert found.eccentricity.tolist() == levels.max(axis=1).tolist()
    degrees = np.array([len(row) for row in graph.neighbours()])
    assert found.edges == sum(int(degrees[row >= 0].sum()) for row in levels)


def test_a_graph_with_an_empty_side_has_no_rows(device: str) -> None:
    empty = matrix(Graph("apart", 3, []), device)
    assert sb.bfs_many(empty, [], sparse=True).levels.tolist() == []
    assert sb.khop(empty, 2).tolist() == [(0, 0, 0), (1, 1, 0), (2, 2, 0)]
