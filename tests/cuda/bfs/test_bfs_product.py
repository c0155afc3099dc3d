"""`spbfs.bfs` on a GPU as users meet it: streams, threads, memory, sources on the device."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gpu import cp

import spbfs as sb
from spbfs.engines.cuda.searches.device import CudaSearches
from spbfs.engines.cuda.searches.needed import VERTEX_BYTES
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidValue,
    OutOfMemory,
    VerificationError,
)
from spbfs.planner.expansion import Expansion
from spbfs.storage.data import MatrixData

SCALE = 14


@pytest.fixture(scope="module")
def host() -> Any:
    return sb.generate.kronecker(SCALE, seed=5)


@pytest.fixture
def graph(host: Any) -> Any:
    return host.to("cuda")


@pytest.fixture
def few_bytes() -> Iterator[Any]:
    """Sets how much CuPy's pool may hold for the length of a test."""
    pool = cp.get_default_memory_pool()
    gc.collect()
    pool.free_all_blocks()
    yield pool.set_limit
    pool.set_limit(size=0)


class Allocations(cp.cuda.MemoryHook):
    """Counts what is asked of the pool."""

    name = "allocations"

    def __init__(self) -> None:
        self.count = 0

    def malloc_preprocess(self, **_: Any) -> None:
        self.count += 1


def dense(vector: Any) -> Any:
    return vector.to("cpu").to_dense(-1)


def test_outputs_stay_on_the_device_and_apart(host: Any, graph: Any) -> None:
    first, second = sb.bfs(graph, 1), sb.bfs(graph, 2)
    for source, result in ((1, first), (2, second)):
        want = sb.bfs(host, source)
        assert result.levels.device == "cuda"
        assert (result.depth, result.reached, result.edges) == (
            want.depth,
            want.reached,
            want.edges,
        )
        assert 0 < result.seconds < 1
        np.testing.assert_array_equal(dense(result.levels), dense(want.levels))
        sb.verify.bfs_tree(graph, source, result.parents, result.levels)


@pytest.mark.parametrize("relabel", ["auto", "degree", None])
def test_labels_are_the_callers_whatever_the_layout(host: Any, graph: Any, relabel: Any) -> None:
    want = sb.bfs(host, 3, parents="min")
    got = sb.bfs(graph, 3, parents="min", relabel=relabel)
    for name in ("levels", "parents"):
        np.testing.assert_array_equal(dense(getattr(got, name)), dense(getattr(want, name)))


def test_the_second_run_allocates_nothing(graph: Any) -> None:
    plan = sb.BFSPlan(graph)
    for _ in range(2):
        plan.run(0)
    held = plan.nbytes
    with Allocations() as allocations:
        for source in (1, 2, 3):
            plan.run(source)
    assert allocations.count == 0
    assert plan.nbytes == held


def test_results_outlive_the_next_run(graph: Any) -> None:
    plan = sb.BFSPlan(graph)
    kept = plan.run(0).levels
    part = plan.run(1).parents
    before = dense(kept), dense(part)
    for source in range(5):
        plan.run(source)
    np.testing.assert_array_equal(dense(kept), before[0])
    np.testing.assert_array_equal(dense(part), before[1])


@pytest.mark.parametrize("kind", ["grid", "uniform", "degree"])
def test_memory_of_a_search_is_counted_and_bounded(kind: str) -> None:
    host = {
        "grid": lambda: sb.generate.grid2d(1000, 1000),
        "uniform": lambda: sb.generate.uniform(1 << 17, 64, seed=1),
        "degree": lambda: sb.generate.kronecker(17, seed=1),
    }[kind]()
    A = host.to("cuda")
    pool = cp.get_default_memory_pool()
    plan = sb.BFSPlan(A)
    options: Any = {"relabel": "degree"} if kind == "degree" else {}
    matrix = A.nbytes
    plan.run(0, **options)
    gc.collect()
    layout, *_ = A._data.derived.searches._layouts.values()
    cp.cuda.Device().synchronize()
    assert plan.nbytes - layout.nbytes <= VERTEX_BYTES * A.nrows + (4 << 20)
    assert A.nbytes == matrix + plan.nbytes
    used = pool.used_bytes()
    result = plan.run(5, **options)
    assert pool.used_bytes() - used <= 0
    del result


def test_a_stream_orders_its_searches(host: Any, graph: Any) -> None:
    busy = cp.ones((2000, 2000))
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        for _ in range(20):
            busy = busy @ busy * 1e-4
        source = (busy[0, 0] * 0 + 7).astype(cp.int32)
        result = sb.bfs(graph, source)
        sum_of_levels = result.levels._ready().values.sum()
    stream.synchronize()
    want = dense(sb.bfs(host, 7).levels)
    assert int(sum_of_levels) == want.sum()
    np.testing.assert_array_equal(dense(result.levels), want)


def test_outputs_taken_on_another_stream_belong_to_the_search() -> None:
    n = 100_000  # as many levels: tenths of a second
    A = sb.generate.path(n).to("cuda")
    sb.bfs(A, 0)
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        found = sb.bfs(A, 0, max_depth=n // 2)
    levels, parents = found
    stream.synchronize()
    assert levels.nvals == parents.nvals == n // 2 + 1


def test_many_streams_have_bounded_memory(graph: Any) -> None:
    plan = sb.BFSPlan(graph)
    plan.run(0)
    one = plan.nbytes
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(9)]
    for stream in streams:
        with stream:
            plan.run(1)
    assert plan.nbytes < 5 * one


def test_threads_share_a_plan(host: Any, graph: Any) -> None:
    plan = sb.BFSPlan(graph)
    wanted = [dense(sb.bfs(host, s).levels) for s in range(8)]
    wrong: list[int] = []

    def work(own_stream: bool) -> None:
        with cp.cuda.Stream(non_blocking=True) if own_stream else cp.cuda.Stream.null:
            for _ in range(5):
                for s, want in enumerate(wanted):
                    levels = plan.run(s).levels
                    cp.cuda.get_current_stream().synchronize()
                    if not np.array_equal(dense(levels), want):
                        wrong.append(s)

    workers = [threading.Thread(target=work, args=(own,)) for own in (False, False, True, True)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert not wrong


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8])
def test_sources_on_the_device(host: Any, graph: Any, dtype: Any) -> None:
    for sources in (5, [9], [9, 4, 9, 200]):
        want = sb.bfs(host, sources, parents="min")
        got = sb.bfs(graph, cp.asarray(sources, dtype), parents="min")
        assert (got.reached, got.depth) == (want.reached, want.depth)
        np.testing.assert_array_equal(dense(got.parents), dense(want.parents))
        if want.owners is not None:
            np.testing.assert_array_equal(dense(got.owners), dense(want.owners))


def test_bad_sources_on_the_device(host: Any, graph: Any) -> None:
    for bad in ([graph.nrows], [-1], [3, 1 << 40]):
        with pytest.raises(IndexOutOfBound, match="source"):
            sb.bfs(graph, cp.asarray(bad)).depth  # noqa: B018  (reading waits)
    with pytest.raises(DomainMismatch, match="source"):
        sb.bfs(graph, cp.asarray([1.5]))
    with pytest.raises(DimensionMismatch, match="source"):
        sb.bfs(graph, cp.asarray([[1]]))
    with pytest.raises(InvalidValue, match="source"):
        sb.bfs(graph, cp.asarray([], np.int32))
    with pytest.raises(DomainMismatch, match="source"):
        sb.bfs(graph, [cp.asarray(3), cp.asarray(4)])  # two arrays
    assert sb.bfs(graph, cp.asarray([0])).reached == sb.bfs(host, 0).reached


def test_rows_of_a_million() -> None:
    """Least parents and owners where a row is far longer than a warp walks."""
    n = 1_000_001
    leaves = np.arange(1, n)
    hub = np.zeros(n - 1, np.int64)
    # Every leaf knows the hub and its neighbour leaf; a search from a leaf comes back to the hub.
    rows = np.r_[hub, leaves, leaves[:-1], leaves[1:]]
    cols = np.r_[leaves, hub, leaves[1:], leaves[:-1]]
    S = sp.csr_array((np.ones(len(rows), bool), (rows, cols)), shape=(n, n))
    host = sb.Matrix.from_scipy(S)
    A = host.to("cuda")
    for source in (0, n - 1, [n - 1, 5], [0, 77], list(range(600_000, 700_000))):
        want = sb.bfs(host, source, parents="min")
        got = sb.bfs(A, source, parents="min")
        np.testing.assert_array_equal(dense(got.levels), dense(want.levels))
        np.testing.assert_array_equal(dense(got.parents), dense(want.parents))
        if want.owners is not None:
            np.testing.assert_array_equal(dense(got.owners), dense(want.owners))


def test_a_late_least_parent_in_a_long_row() -> None:
    """The hub's only neighbours one level up are the last of its row."""
    n = 50_000
    hub, source = n - 2, n - 1
    first = np.arange(n - 2)
    last = first[-3:]
    rows = np.r_[first, np.full(n - 2, hub), last, np.full(3, source)]
    cols = np.r_[np.full(n - 2, hub), first, np.full(3, source), last]
    host = sb.Matrix.from_scipy(
        sp.csr_array((np.ones(len(rows), bool), (rows, cols)), shape=(n, n))
    )
    got = sb.bfs(host.to("cuda"), source, parents="min")
    want = sb.bfs(host, source, parents="min")
    assert dense(got.parents)[hub] == last[0]
    np.testing.assert_array_equal(dense(got.parents), dense(want.parents))


@pytest.mark.parametrize("directed", [False, True])
def test_many_sources_own_what_is_nearest(directed: bool) -> None:
    host = sb.generate.kronecker(12, seed=8)
    if directed:
        host = sb.select.triu(host).new()
    sources = np.random.default_rng(3).permutation(host.nrows)[:300]
    want = sb.bfs(host, sources, parents="min")
    got = sb.bfs(host.to("cuda"), sources)
    for name in ("levels", "parents", "owners"):
        np.testing.assert_array_equal(dense(getattr(got, name)), dense(getattr(want, name)))


def test_a_trace_tells_strategies_and_times(host: Any, graph: Any) -> None:
    result = sb.bfs(graph, 1, trace=True)
    levels = dense(result.levels)
    counts = np.bincount(levels[levels >= 0])
    assert [t.frontier for t in result.trace] == counts.tolist()[: len(result.trace)]
    assert len(result.trace) >= result.depth
    assert {t.strategy for t in result.trace} <= {"cta", "cluster", "grid"}
    assert 0 < sum(t.seconds for t in result.trace) <= result.seconds
    deep = sb.generate.path(20_000).to("cuda")
    assert len(sb.bfs(deep, 0, trace=True).trace) >= 19_999


@pytest.mark.parametrize("expansion", [Expansion(), "warp:8", "twc", "merge_path"])
def test_a_published_expansion_gives_the_same(host: Any, graph: Any, expansion: Any) -> None:
    for source in (3, [9, 4, 9, 200]):
        for depth in (None, 2):
            options: dict[str, Any] = {"parents": "min", "max_depth": depth}
            want = sb.bfs(host, source, **options)
            got = sb.bfs(graph, source, expansion=expansion, trace=True, **options)
            assert (got.depth, got.reached, got.edges) == (want.depth, want.reached, want.edges)
            assert got.trace
            assert got.seconds > 0
            np.testing.assert_array_equal(dense(got.levels), dense(want.levels))
            np.testing.assert_array_equal(dense(got.parents), dense(want.parents))
    any_tree = sb.bfs(graph, 3, expansion=expansion, levels=False)
    assert any_tree.levels is None
    sb.verify.bfs_tree(graph, 3, any_tree.parents, None)
    with pytest.raises(IndexOutOfBound, match="source"):
        sb.bfs(graph, cp.asarray([1, -5]), expansion=expansion)


def test_memory_that_is_not_there_is_refused_beforehand(host: Any, few_bytes: Any) -> None:
    A = host.to("cuda")
    want = sb.bfs(host, 0).reached
    pool = cp.get_default_memory_pool()
    few_bytes(size=pool.used_bytes() + 4096)
    with pytest.raises(OutOfMemory, match=r"needs [\d,]+ bytes and [\d,]+ are free"):
        sb.bfs(A, 0)
    few_bytes(size=0)
    assert sb.bfs(A, 0).reached == want
    few_bytes(size=pool.used_bytes() + (1 << 19))
    with pytest.raises(OutOfMemory, match=r"queues needs [\d,]+ bytes and [\d,]+ are free"):
        sb.bfs(A, 0, expansion="merge_path:separate")
    few_bytes(size=0)
    # Now the layout is there, but a second result is one too many.
    kept = sb.bfs(A, 1)
    cp.cuda.Device().synchronize()
    pool.free_all_blocks()
    few_bytes(size=pool.used_bytes())
    with pytest.raises(OutOfMemory, match=r"needs [\d,]+ bytes and [\d,]+ are free"):
        for source in range(50):
            kept = [kept, sb.bfs(A, source)]
    few_bytes(size=0)
    assert sb.bfs(A, 0).reached == want


def test_more_vertices_than_32_bits_number_are_refused() -> None:
    n = 2**31
    empty = np.empty(0, np.int64)
    with pytest.raises(InvalidValue, match="2,147,483,648"):
        CudaSearches(MatrixData(n, n, empty, empty, empty), None)


def test_a_wrong_tree_is_found_on_the_gpu(graph: Any) -> None:
    levels, parents = sb.bfs(graph, 0)
    wrong = levels.dup()
    reached = np.flatnonzero(dense(levels) == 2)
    wrong[int(reached[0])] = 3
    with pytest.raises(VerificationError):
        sb.verify.bfs_tree(graph, 0, parents, wrong)
    with pytest.raises(VerificationError, match="source"):
        sb.verify.bfs_tree(graph, 1, parents, levels)
