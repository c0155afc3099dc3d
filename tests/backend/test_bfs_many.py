"""Many searches at once against one search after the other."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

import spbfs as sb
from spbfs import planner_many
from spbfs.backends import get_backend
from spbfs.backends.many import ManyRequest
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidValue,
    OutOfMemory,
)
from tests.graphs import SEARCHABLE, Graph, bfs_levels, both

COUNTS = [1, 63, 64, 65, 256, 1000]


def matrix(graph: Graph, device: str) -> sb.Matrix:
    return sb.Matrix.from_coo(
        graph.rows, graph.cols, True, nrows=graph.nrows, ncols=graph.nrows, device=device
    )


def random_graph(n: int, m: int, seed: int, *, directed: bool = True) -> Graph:
    rng = np.random.default_rng(seed)
    # Squared, so that a few vertices have most of the edges.
    ends = (rng.random((m, 2)) ** 2 * n).astype(int).tolist()
    edges = [(u, v) for u, v in ends]
    return Graph(f"random-{n}-{m}", n, edges if directed else both(edges))


def expected(graph: Graph, sources: list[int], max_depth: int | None = None) -> np.ndarray:
    rows = {s: np.array(bfs_levels(graph, [s]), np.int64) for s in set(sources)}
    levels = np.array([rows[s] for s in sources])
    if max_depth is not None:
        levels[levels > max_depth] = -1
    return levels


def join_always(monkeypatch: pytest.MonkeyPatch, join: bool = True) -> None:
    monkeypatch.setattr(planner_many, "joint_pays", lambda *_: join)


def host(array: Any) -> np.ndarray:
    return array if isinstance(array, np.ndarray) else array.get()


def check(found: Any, levels: np.ndarray, graph: Graph) -> None:
    """Every output that there is against levels, -1 where not reached."""
    reached = levels >= 0
    degrees = np.array([len(row) for row in graph.neighbours()])
    np.testing.assert_array_equal(found.reached, reached.sum(axis=1))
    np.testing.assert_array_equal(found.sum_levels, np.where(reached, levels, 0).sum(axis=1))
    np.testing.assert_array_equal(found.eccentricity, levels.max(axis=1))
    assert found.depth == levels.max()
    assert found.done.all()
    assert found.edges == (reached * degrees).sum()
    if found.levels is not None:
        got = host(found.levels)
        unreached = np.iinfo(got.dtype).max
        np.testing.assert_array_equal(got, np.where(reached, levels, unreached))
    if found.level_sizes is not None:
        sizes = [(levels == d).sum(axis=1) for d in range(found.depth + 1)]
        np.testing.assert_array_equal(found.level_sizes, np.array(sizes).T)
    if found.counts is not None:
        np.testing.assert_array_equal(host(found.counts), reached.sum(axis=0))
    if found.level_sums is not None:
        sums = np.where(reached, levels, 0).sum(axis=0)
        np.testing.assert_array_equal(host(found.level_sums), sums)
    if found.parents is not None:
        check_parents(host(found.parents), levels, graph)


def check_parents(parents: np.ndarray, levels: np.ndarray, graph: Graph) -> None:
    edges = {(u, v) for u, row in enumerate(graph.neighbours()) for v in row}
    for parent, level in zip(parents, levels, strict=True):
        for v, p in enumerate(parent.tolist()):
            if level[v] <= 0:
                assert p == (v if level[v] == 0 else -1)
            else:
                assert level[p] == level[v] - 1 and (p, v) in edges


EVERYTHING = ["levels", "level_sizes", "counts", "level_sums", "parents"]


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
    engine = get_backend("cpu")
    graph = random_graph(1500, 6000, seed=count)
    data = matrix(graph, "cpu")._ready()
    sources = np.random.default_rng(1).integers(0, graph.nrows, count)
    levels = expected(graph, sources.tolist())
    from spbfs.backends.cpu.many import TECHNIQUES, CpuManySearches

    for relabel in (False, True):
        for without in ((), *((name,) for name in TECHNIQUES), TECHNIQUES):
            for threads in (1, 7) if without else (1, 2, 7):
                many = CpuManySearches(data, relabel=relabel, without=without)
                parents = np.empty((count, graph.nrows), np.int32)
                request = ManyRequest(True, True, parents, None, direction, threads)
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
    from spbfs.backends.cpu.many import CpuManySearches

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
def test_searches_side_by_side(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch, False)
    monkeypatch.setattr(planner_many, "ABREAST_FROM", 0)
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
    from spbfs.backends.cpu import many as cpu_many

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
    with pytest.raises(OutOfMemory, match="a batch of 64 searches needs"):
        sb.bfs_many(A, sources, outputs="reached")


def test_per_level(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = SEARCHABLE["random-both"]
    A = matrix(graph, device)
    sources = list(range(graph.nrows)) + [3]
    levels = expected(graph, sources)
    found = sb.bfs_many(A, sources, outputs="per-level")
    assert found.per_level is not None
    seen = 0
    for depth, bits in found.per_level:
        assert bits.shape == (graph.nrows, len(sources)) and bits.dtype == bool
        np.testing.assert_array_equal(bits.to_dense(False).T, levels == depth)
        seen += 1
    assert seen == levels.max() + 1
    with pytest.raises(InvalidValue, match="per-level"):
        sb.bfs_many(A, sources, outputs="per-level", batch=10)


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


def test_groups() -> None:
    """Sources are grouped by the neighbour of largest degree, results come back as given."""
    graph = random_graph(300, 1500, seed=6)
    A = matrix(graph, "cpu")
    sources = np.random.default_rng(2).permutation(300)[:200].tolist()
    levels = expected(graph, sources)
    for group in ("auto", "given", (4, 16), (64, 8), (1, 0)):
        found = sb.bfs_many(A, sources, outputs=EVERYTHING, batch=64, group=group)
        assert found.batch == 64
        check(found, levels, graph)
    from spbfs.algorithms.bfs_many_groups import group_by_hub

    data = A._ready()
    degrees = np.diff(data.indptr)
    for rule in (None, (10, 30)):
        order = group_by_hub(data, np.array(sources), rule)
        assert sorted(order) == list(range(200))
        hubs = []
        for s in np.array(sources)[order]:
            row = data.indices[data.indptr[s] : data.indptr[s + 1]]
            hub = max(row, key=lambda v: (degrees[v], -v), default=-1)
            if rule is not None and not (degrees[s] < 10 and hub >= 0 and degrees[hub] > 30):
                hub = -1
            hubs.append(int(hub))
        runs = [h for i, h in enumerate(hubs) if i == 0 or hubs[i - 1] != h]
        assert len(runs) == len(set(runs)), "every hub's sources lie together"


def test_levels_into_an_array(device: str) -> None:
    graph = SEARCHABLE["random"]
    A = matrix(graph, device)
    out = np.empty((3, graph.nrows), np.uint16)
    found = sb.bfs_many(A, [1, 2, 3], outputs={"levels": out, "reached": None})
    assert found.levels is out
    check(found, expected(graph, [1, 2, 3]), graph)
    for bad, error in [
        (np.empty((2, graph.nrows), np.uint8), DimensionMismatch),
        (np.empty((3, graph.nrows), np.int32), DomainMismatch),
        (np.empty((graph.nrows, 3), np.uint8).T, InvalidValue),
    ]:
        with pytest.raises(error, match="outputs: levels"):
            sb.bfs_many(A, [1, 2, 3], outputs={"levels": bad})
    deep = sb.generate.path(400).to(device)
    with pytest.raises(InvalidValue, match="cannot hold the depth 399"):
        sb.bfs_many(deep, [0], outputs={"levels": np.empty((1, 400), np.uint8)})


def test_no_sources_and_no_vertices(device: str) -> None:
    A = matrix(SEARCHABLE["path"], device)
    found = sb.bfs_many(A, [], outputs=EVERYTHING)
    assert host(found.levels).shape == (0, 33)
    assert found.reached.shape == (0,)
    levels = sb.bfs_many(A, [], outputs="per-level").per_level
    assert levels is not None and list(levels) == []
    empty = sb.Matrix(bool, 0, 0, device=device)
    assert host(sb.bfs_many(empty, []).levels).shape == (0, 0)


def test_mistakes(device: str) -> None:
    A = matrix(SEARCHABLE["path"], device)
    with pytest.raises(DimensionMismatch, match="square"):
        sb.bfs_many(sb.Matrix(bool, 2, 3, device=device), [0])
    with pytest.raises(IndexOutOfBound, match="sources"):
        sb.bfs_many(A, [0, 33])
    with pytest.raises(DomainMismatch, match="sources"):
        sb.bfs_many(A, [0.5])
    with pytest.raises(InvalidValue, match="outputs: expected some of levels"):
        sb.bfs_many(A, [0], outputs="level")
    with pytest.raises(InvalidValue, match="batch: expected at least 1 and at most 1024, got 0"):
        sb.bfs_many(A, [0], batch=0)
    with pytest.raises(DomainMismatch, match="max_depth"):
        sb.bfs_many(A, [0], max_depth=1.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="group"):
        sb.bfs_many(A, [0], group="hub")  # type: ignore[arg-type]
    with pytest.raises(DomainMismatch, match="progress"):
        sb.bfs_many(A, [0], progress=3)  # type: ignore[arg-type]


def test_progress(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch)
    A = matrix(SEARCHABLE["tree"], device)
    calls: list[tuple[int, int, int]] = []
    found = sb.bfs_many(A, range(31), batch=10, progress=lambda *now: calls.append(now))
    assert [(ended, total) for ended, total, _ in calls] == [(10, 31), (20, 31), (30, 31), (31, 31)]
    assert calls[-1][2] == found.edges


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


def test_interruption_leaves_what_ended(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch)
    graph = SEARCHABLE["tree"]

    def stop(ended: int, total: int, edges: int) -> None:
        if ended == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        sb.bfs_many(matrix(graph, device), range(31), batch=10, progress=stop)
    partial = stopped.value.partial  # type: ignore[attr-defined]
    assert partial.done.tolist() == [True] * 20 + [False] * 11
    levels = expected(graph, list(range(20)))
    np.testing.assert_array_equal(host(partial.levels)[:20], np.where(levels < 0, 255, levels))


@pytest.mark.parametrize("join", [True, False])
def test_a_file_of_levels_is_resumed(
    join: bool, device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    join_always(monkeypatch, join)
    graph = SEARCHABLE["tree"]
    A, sources, path = matrix(graph, device), list(range(31)), tmp_path / "levels.npy"
    levels = expected(graph, sources)

    def stop(ended: int, total: int, edges: int) -> None:
        if ended == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sb.bfs_many(A, sources, outputs={"levels": path}, batch=10, progress=stop)
    calls: list[int] = []
    found = sb.bfs_many(
        A, sources, outputs={"levels": path}, batch=10, progress=lambda n, *_: calls.append(n)
    )
    assert calls == ([30, 31] if join else list(range(21, 32)))
    check(found, levels, graph)
    np.testing.assert_array_equal(np.load(path), np.where(levels < 0, 255, levels))
    check(sb.bfs_many(A, sources, outputs={"levels": str(path)}), levels, graph)
    with pytest.raises(InvalidValue, match="other sources"):
        sb.bfs_many(A, sources[:5], outputs={"levels": path})
    with pytest.raises(InvalidValue, match="with counts"):
        sb.bfs_many(A, sources, outputs={"levels": path, "counts": None})
    (tmp_path / "levels.npy.progress.npz").unlink()
    with pytest.raises(InvalidValue, match="exists, and nothing says"):
        sb.bfs_many(A, sources, outputs={"levels": path})


def test_a_file_of_levels_is_widened(tmp_path: Path, device: str) -> None:
    A = sb.generate.path(300).to(device)
    found = sb.bfs_many(A, [150, 0, 1], outputs={"levels": tmp_path / "levels.npy"}, batch=1)
    levels = np.load(tmp_path / "levels.npy")
    assert levels.dtype == np.uint16 and levels[1].tolist() == list(range(300))
    assert found.levels[0].tolist() == abs(np.arange(300) - 150).tolist()


def test_control_c_while_the_kernel_runs() -> None:
    A = sb.generate.uniform(400_000, 16, seed=1)
    sb.bfs_many(A, [0])
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sb.bfs_many(A, range(20_000), outputs="reached")
    timer.join()
    assert sb.bfs_many(A, [0], outputs="reached").reached[0] > 300_000


def test_control_c_while_searches_run_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch, False)
    A = sb.generate.grid2d(600)
    sb.bfs_many(A, [0, 1], threads=2)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt) as stopped:
        sb.bfs_many(A, range(20_000), outputs="reached", threads=2)
    timer.join()
    done = stopped.value.partial.done  # type: ignore[attr-defined]
    assert 0 < done.sum() < done.size
    assert (stopped.value.partial.reached[done] == A.nrows).all()  # type: ignore[attr-defined]
    assert sb.bfs_many(A, [0, 7], outputs="reached", threads=2).reached.tolist() == [A.nrows] * 2


def test_the_workspace_is_counted() -> None:
    A = sb.generate.uniform(5000, 8, seed=1)
    before = A.nbytes
    sb.bfs_many(A, range(64))
    assert A.nbytes >= before + 3 * 8 * 5000
