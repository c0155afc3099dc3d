"""Many searches at once against one search after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from many_cases import (
    EVERYTHING,
    check,
    check_parents,
    expected,
    host,
    join_always,
    matrix,
    random_graph,
)
from scipy.sparse.csgraph import shortest_path

import spbfs as sb
from spbfs.engines import get_engine
from spbfs.engines.bfs_many import ManyRequest
from spbfs.exceptions import InvalidValue, OutOfMemory
from spbfs.planner import many as planner_many
from tests.graphs import SEARCHABLE, Graph, both

COUNTS = [1, 63, 64, 65, 256, 1000]


@pytest.mark.parametrize("join", [True, False], ids=["joined", "one by one"])
@pytest.mark.parametrize("name", SEARCHABLE)
def test_awkward_graphs(
    name: str, join: bool, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = SEARCHABLE[name]
    join_always(monkeypatch, join)
    sources = [*range(graph.nrows), 0, graph.nrows - 1]
    found = sb.bfs_many(matrix(graph, device), sources, outputs=EVERYTHING)
    assert (found.batch > 1) == join
    check(found, expected(graph, sources), graph)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("count", COUNTS)
def test_numbers_of_sources(
    count: int, directed: bool, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if device == "reference" and count > 65:
        pytest.skip("the reference takes minutes for so many")
    join_always(monkeypatch)
    graph = random_graph(403, 900, seed=count, directed=directed)
    sources = np.random.default_rng(count).integers(0, graph.nrows, count).tolist()
    found = sb.bfs_many(matrix(graph, device), sources, outputs=EVERYTHING)
    check(found, expected(graph, sources), graph)


@pytest.mark.parametrize("direction", ["push", "pull", "auto"])
@pytest.mark.parametrize("count", [5, 130, 300, 700])
def test_directions_layouts_and_threads(count: int, direction: Any) -> None:
    """The engine's own switches, of which results do not depend."""
    engine = get_engine("cpu")
    graph = random_graph(800, 3200, seed=count)
    data = matrix(graph, "cpu")._ready()
    sources = np.random.default_rng(1).integers(0, graph.nrows, count)
    levels = expected(graph, sources.tolist())
    from spbfs.engines.cpu.bfs_many.searches import TECHNIQUES, CpuManySearches

    for relabel in (False, True):
        for without in ((), *((name,) for name in TECHNIQUES), TECHNIQUES):
            for threads in (1, 7) if without else (1, 2, 7):
                many = CpuManySearches(data, relabel=relabel, without=without)
                parents = np.empty((count, graph.nrows), np.int32)
                request = ManyRequest(
                    levels=True,
                    level_sums=True,
                    parents=parents,
                    direction=direction,
                    threads=threads,
                )
                rows = np.arange(count)[::-1].copy()
                with many.batch(data, sources[::-1].copy(), rows, request) as found:
                    out = np.empty((count, graph.nrows), np.uint8)
                    found.levels(out, rows)
                    np.testing.assert_array_equal(out, np.where(levels < 0, 255, levels))
                    check_parents(parents[:5], levels[:5], graph)
                    sizes = (levels[:, :, None] == np.arange(found.depth + 1)).sum(axis=1)
                    np.testing.assert_array_equal(found.level_sizes(), sizes[::-1])
                    for d in range(found.depth + 1):
                        bits = found.level_bits(d)
                        flags = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")
                        np.testing.assert_array_equal(flags[:, :count].T, (levels == d)[::-1])
    assert engine.name == "cpu"


@pytest.mark.parametrize("count", [64, 130, 300])
def test_searches_far_behind_the_others(count: int) -> None:
    """While most searches pull, those that start on a tail are pushed; parents in both ways."""
    from spbfs.engines.cpu.bfs_many.searches import CpuManySearches

    core = 4000
    rng = np.random.default_rng(count)
    edges = np.column_stack([rng.integers(0, 40, 30_000), rng.integers(0, core, 30_000)])
    tail = np.column_stack([np.r_[7, core : core + 3], np.arange(core, core + 4)])
    graph = Graph("tailed", core + 5, both([(int(u), int(v)) for u, v in np.r_[edges, tail]]))
    data = matrix(graph, "cpu")._ready()
    sources = rng.integers(0, core, count)
    sources[[0, count // 2, count - 1]] = core + 3, core + 2, core + 3
    levels = expected(graph, sources.tolist())
    for relabel in (False, True):
        for without in ((), ("hubs first",), ("a direction a search",)):
            for threads in (1, 3):
                many = CpuManySearches(data, relabel=relabel, without=without)
                for parents in (None, np.empty((count, graph.nrows), np.int32)):
                    request = ManyRequest(levels=True, parents=parents, threads=threads)
                    with many.batch(data, sources, np.arange(count), request) as found:
                        out = np.empty((count, graph.nrows), np.uint8)
                        found.levels(out, np.arange(count))
                        np.testing.assert_array_equal(out, np.where(levels < 0, 255, levels))
                    if parents is not None:
                        check_parents(parents[[0, 1, count - 1]], levels[[0, 1, count - 1]], graph)


def test_workspace_serves_searches_that_were_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a limit of depth leaves in the frontiers is not seen by the next call."""
    join_always(monkeypatch)
    graph = random_graph(700, 3000, seed=5)
    A = matrix(graph, "cpu")
    for limit in (1, None, 2, 0, None):
        for sources in ([3, 50, 600], [9, 50]):
            found = sb.bfs_many(A, sources, max_depth=limit)
            check(found, expected(graph, sources, limit), graph)


def test_levels_nobody_refers_to_serve_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch)
    A = sb.generate.uniform(5000, 8, seed=1)
    first = sb.bfs_many(A, [1, 2, 3])
    assert first.levels is not None
    address, kept = first.levels.ctypes.data, first.levels[1].copy()
    row = first.levels[1]
    del first  # a part of it is still referred to
    second = sb.bfs_many(A, [4, 5, 6])
    assert second.levels is not None
    assert second.levels.ctypes.data != address
    np.testing.assert_array_equal(row, kept)
    address = second.levels.ctypes.data
    del second
    third = sb.bfs_many(A, [1, 2, 3])
    assert third.levels is not None
    assert third.levels.ctypes.data == address
    np.testing.assert_array_equal(third.levels[1], kept)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_independent_searches_run_concurrently(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    join_always(monkeypatch, False)
    monkeypatch.setattr(planner_many, "CONCURRENT_FROM", 0)
    graph = random_graph(900, 1500, seed=threads)
    sources = list(range(0, 900, 41))
    ended: list[int] = []
    found = sb.bfs_many(
        matrix(graph, "cpu"),
        sources,
        outputs=EVERYTHING,
        threads=threads,
        progress=lambda done, *_: ended.append(done),
    )
    check(found, expected(graph, sources), graph)
    assert ended == list(range(1, len(sources) + 1))


def test_depth_limit(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = SEARCHABLE["path"]
    A = matrix(graph, device)
    for join in (True, False):
        join_always(monkeypatch, join)
        for limit in (0, 1, 7, 100):
            found = sb.bfs_many(A, range(graph.nrows), outputs=EVERYTHING, max_depth=limit)
            check(found, expected(graph, list(range(graph.nrows)), limit), graph)


@pytest.mark.parametrize("join", [True, False])
@pytest.mark.parametrize("n", [255, 256, 300])
def test_levels_are_as_wide_as_the_depth_asks_for(
    n: int, join: bool, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first batch is shallow, so that what it wrote must be widened."""
    join_always(monkeypatch, join)
    A = sb.generate.path(n).to(device)
    found = sb.bfs_many(A, [n // 2, 0], batch=1)
    assert host(found.levels).dtype == (np.uint8 if n == 255 else np.uint16)
    np.testing.assert_array_equal(host(found.levels)[1], np.arange(n))
    np.testing.assert_array_equal(host(found.levels)[0], abs(np.arange(n) - n // 2))


def test_unreached_survive_widening(monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch)
    edges = both([(i, i + 1) for i in range(299)])
    A = sb.Matrix.from_edgelist(edges + [(301, 300)], True, nrows=302, ncols=302)
    found = sb.bfs_many(A, [301, 0, 5], batch=1)
    assert found.levels is not None
    assert found.levels.dtype == np.uint16
    assert found.levels[0].tolist() == [65535] * 300 + [1, 0]
    assert found.levels[1, 299:].tolist() == [299, 65535, 65535]


@pytest.mark.parametrize("batch", [1, 3, 64, 70, 1000, "auto"])
def test_batches(batch: Any, device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch)
    graph = random_graph(150, 500, seed=9)
    sources = [int(s) for s in np.random.default_rng(3).integers(0, 150, 140)]
    found = sb.bfs_many(matrix(graph, device), sources, outputs=EVERYTHING, batch=batch)
    check(found, expected(graph, sources), graph)


def test_batches_fit_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch)
    graph = random_graph(1000, 4000, seed=4)
    A = matrix(graph, "cpu")
    sources = list(range(300))
    from spbfs.engines.cpu.bfs_many import searches as cpu_many

    assert sb.bfs_many(A, sources).batch == 300
    A = matrix(graph, "cpu")
    monkeypatch.setattr(cpu_many, "available_bytes", lambda: 600_000)
    found = sb.bfs_many(A, sources, outputs=["levels", "level_sizes"])
    assert found.batch < 300
    check(found, expected(graph, sources), graph)
    A = matrix(graph, "cpu")
    monkeypatch.setattr(cpu_many, "available_bytes", lambda: 20_000)
    with pytest.raises(OutOfMemory, match=r"need.* bytes and 20,000 are free"):
        sb.bfs_many(A, sources)
    # Where 64 have no room they are searched one after another, unless they were to be joined.
    alone = sb.bfs_many(A, sources, outputs=["reached", "counts"])
    assert alone.batch == 1 and np.array_equal(alone.reached, found.reached)
    with pytest.raises(OutOfMemory, match="a batch of 64 searches needs"):
        sb.bfs_many(A, sources, outputs="reached", batch=200)


def test_columns_of_levels_are_in_no_other_order(device: str) -> None:
    A = matrix(SEARCHABLE["random-both"], device)
    with pytest.raises(InvalidValue, match=r"^group: expected 'auto' or 'given' with per_level"):
        sb.bfs_many(A, [0, 1, 2], outputs="per_level", group=(2, 3))


@pytest.mark.parametrize("batch", ["auto", 1, 40])
@pytest.mark.parametrize("count", [2, 64, 65])
def test_per_level(count: int, batch: Any, device: str) -> None:
    graph = SEARCHABLE["random-both"]
    A = matrix(graph, device)
    sources = [j % graph.nrows for j in range(count - 1)] + [3]
    levels = expected(graph, sources)
    found = sb.bfs_many(A, sources, outputs="per_level", batch=batch)
    assert found.per_level is not None and (batch == "auto" or found.batch == min(batch, count))
    seen = 0
    for depth, bits in found.per_level:
        assert bits.shape == (graph.nrows, len(sources)) and bits.dtype == bool
        np.testing.assert_array_equal(bits.to_dense(False).T, levels == depth)
        seen += 1
    assert seen == levels.max() + 1


@pytest.mark.parametrize("count", [1, 5, 64, 65, 200])
@pytest.mark.parametrize("name", ["random", "random-both", "star-out", "disconnected", "tree"])
def test_the_composed_loop_agrees(name: str, count: int, device: str) -> None:
    """Six lines of algebra whose frontier is a Matrix."""
    graph = SEARCHABLE[name]
    A = matrix(graph, device)
    n = graph.nrows
    sources = [s % n for s in range(count)]
    q = sb.Matrix.from_coo(sources, range(count), True, nrows=n, ncols=count, device=device)
    levels, depth = sb.Matrix(int, n, count, device=device), 0
    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, sb.replace) << sb.semiring.any_pair(A.T @ q)
        depth += 1
    found = sb.bfs_many(A, sources)
    np.testing.assert_array_equal(levels.to_dense(255).T, host(found.levels))


def test_a_first_call_with_a_limit_does_not_decide_for_others() -> None:
    A = sb.generate.path(2000)
    sb.bfs_many(A, range(64), max_depth=1)
    assert sb.bfs_many(A, range(64)).batch == 1


def test_against_scipy(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if device == "reference":
        pytest.skip("too slow for a graph of this size")
    for join in (True, False):
        join_always(monkeypatch, join)
        A = sb.generate.kronecker(10, 8, seed=5).to(device)
        distances = shortest_path(A.to_scipy(), unweighted=True)
        found = sb.bfs_many(A, range(A.nrows), outputs=["levels", "counts"])
        levels = np.where(np.isinf(distances), 255, distances)
        np.testing.assert_array_equal(host(found.levels), levels)
        np.testing.assert_array_equal(host(found.counts), np.isfinite(distances).sum(axis=0))


def test_the_workspace_is_counted() -> None:
    A = sb.generate.uniform(5000, 8, seed=1)
    before = A.nbytes
    sb.bfs_many(A, range(64))
    assert A.nbytes >= before + 3 * 8 * 5000
