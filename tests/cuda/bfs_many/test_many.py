"""Many sources at once on a GPU against one search at a time, on small awkward graphs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gpu import cp

import spbfs as sb
from spbfs.engines.cuda.bfs_many import searches as many_searches
from spbfs.engines.cuda.bfs_many.fused import (
    ManyBFS,
    ManyTuning,
    empty_levels,
)
from spbfs.engines.cuda.graph.layout import Layout, build_layout
from spbfs.exceptions import IndexOutOfBound, InvalidValue
from spbfs.storage.packed import WORDS, words_of
from tests.graphs import SEARCHABLE, bfs_levels


def _skewed(n: int, m: int, seed: int, directed: bool) -> Any:
    """Hubs of a few thousand entries, a third of the vertices isolated."""
    rng = np.random.default_rng(seed)
    u, v = ((rng.random((2, m)) ** 5) * n).astype(np.int64)
    label = rng.permutation(n)
    u, v = label[u], label[v]
    if not directed:
        u, v = np.r_[u, v], np.r_[v, u]
    A = sp.csr_array((np.ones(len(u)), (u, v)), shape=(n, n))
    A.sum_duplicates()
    return A


def _lattice(side: int) -> Any:
    v = np.arange(side * side).reshape(side, side)
    a, b = np.r_[v[:, 1:].ravel(), v[1:].ravel()], np.r_[v[:, :-1].ravel(), v[:-1].ravel()]
    return sp.csr_array((np.ones(2 * len(a)), (np.r_[a, b], np.r_[b, a])), shape=(side**2,) * 2)


def _tailed(A: Any, length: int) -> Any:
    """A path that ends at the vertex of fewest neighbours; the far end is the last vertex."""
    n, A = A.shape[0], sp.coo_array(A)
    degree = np.bincount(A.row, minlength=n)
    tail = np.r_[np.where(degree == degree[degree > 0].min())[0][0], n + np.arange(length)]
    u, v = np.r_[A.row, tail[1:], tail[:-1]], np.r_[A.col, tail[:-1], tail[1:]]
    return sp.csr_array((np.ones(len(u)), (u, v)), shape=(n + length,) * 2)


LARGE = {
    "skewed": (lambda: _skewed(4999, 60_000, 1, False)),
    "directed": (lambda: _skewed(3001, 30_000, 2, True)),
    "tailed": (lambda: _tailed(_skewed(1500, 60_000, 3, False), 4)),
    "lattice": (lambda: _lattice(37)),
    "path": (lambda: sp.csr_array(sp.diags_array([np.ones(699)] * 2, offsets=[-1, 1]))),
}


@cache
def _graph(name: str) -> Any:
    return LARGE[name]()


def _expected(name: str, sources: Any) -> Any:
    """Levels level by level with SciPy's product, 65535 where unreached."""
    A = _graph(name)
    into = sp.csr_array(A.T)
    found = np.zeros((A.shape[0], len(sources)), dtype=np.float32)
    found[sources, np.arange(len(sources))] = 1
    levels = np.full(found.shape, 65535)
    depth = 0
    while found.any():
        levels[found > 0] = depth
        depth += 1
        found = ((into @ found > 0) & (levels == 65535)).astype(np.float32)
    return levels.T


def _layout(A: Any, hubs: int | None, wide: bool = False) -> Layout:
    def arrays(B: Any) -> tuple[Any, Any]:
        offsets = np.int64 if wide else np.int32
        return cp.asarray(B.indptr.astype(offsets)), cp.asarray(B.indices.astype(np.int32))

    symmetric = (A != A.T).nnz == 0
    transpose = None if symmetric else arrays(sp.csr_array(A.T))
    return build_layout(A.shape[0], *arrays(A), transpose, hubs=hubs)


def _levels(plan: ManyBFS, sources: Any, dtype: Any = np.uint8, **options: Any) -> Any:
    plan.run(sources, **options)
    out = empty_levels(len(sources), plan.layout.caller_n, dtype)
    out.fill(77)
    plan.levels(out)
    return out.get().astype(np.int64)


def _bytes(expected: Any) -> Any:
    return np.where(expected > 254, 255, expected)


@pytest.mark.parametrize("count", [64, 100])
@pytest.mark.parametrize("hubs", [None, 1 << 30], ids=["caller's labels", "by degree"])
@pytest.mark.parametrize("name", SEARCHABLE)
def test_awkward_graphs(name: str, hubs: int | None, count: int) -> None:
    graph = SEARCHABLE[name]
    n = graph.nrows
    A = sp.csr_array((np.ones(len(graph.edges)), (graph.rows, graph.cols)), shape=(n, n))
    tuning = ManyTuning(long_row=16, piece=32, narrow_from=0)
    plan = ManyBFS(_layout(A, hubs), words=words_of(count), tuning=tuning)
    sources = np.arange(count) % n
    expected = np.array([bfs_levels(graph, [int(s)]) for s in sources]) % 256
    for direction in ("auto", "push", "pull"):
        found = _levels(plan, sources, direction=direction)
        assert np.array_equal(found, expected), direction


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 256, 1000])
@pytest.mark.parametrize("name", ["skewed", "directed", "lattice"])
def test_counts_of_sources(name: str, count: int) -> None:
    A = _graph(name)
    n = A.shape[0]
    sources = np.random.default_rng(count).integers(0, n, count)
    expected = _expected(name, sources)
    for words in {words_of(count), words_of(min(2 * count, 1024))}:
        for hubs, wide in ((None, False), (300, False), (1 << 30, words in (1, 4))):
            tuning = (
                ManyTuning(long_row=40, piece=64, narrow_from=0) if hubs == 300 else ManyTuning()
            )
            plan = ManyBFS(_layout(A, hubs, wide), words=words, tuning=tuning)
            for direction in ("auto", "push", "pull"):
                found = _levels(plan, sources, direction=direction)
                where = f"{words} words, hubs {hubs}, {direction}"
                assert np.array_equal(found, _bytes(expected)), where
            assert plan.summary().depth == int(expected[expected < 65535].max())


@pytest.mark.parametrize("count", [40, 70, 300])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("name", ["skewed", "lattice"])
def test_rows_of_levels_that_begin_anywhere(count: int, name: str, dtype: Any) -> None:
    """Whole sectors are written wherever a row begins, and nothing beside it."""
    n = _graph(name).shape[0]
    sources = np.random.default_rng(3).integers(0, n, count)
    plan = ManyBFS(_layout(_graph(name), 1 << 30), words=words_of(count))
    expected = _levels(plan, sources)
    for ahead in (0, 1, 2, 3, 7, 8, 16, 29):
        for pitch in (n, n + 1 + ahead, -(-n // 32) * 32):
            memory = cp.full(ahead + count * pitch, 77, dtype)
            out = memory[ahead:].reshape(count, pitch)[:, :n]
            plan.levels(out)
            unreached = np.iinfo(dtype).max
            found = np.where(out.get() == unreached, 255, out.get())
            assert np.array_equal(found, expected), (ahead, pitch)
            out.fill(77)
            assert (memory == 77).all()


@pytest.mark.parametrize("count", [64, 256])
@pytest.mark.parametrize("ordered", [1, 40, None], ids=["in order", "long lists in order", ""])
@pytest.mark.parametrize("threshold", [0.0, 2.0], ids=["dense", "sparse"])
@pytest.mark.parametrize("cost", [0.5, 3.0, 20.0])
def test_switching(cost: float, threshold: float, ordered: int | None, count: int) -> None:
    """Directions that change often, and both kinds of pull, one run after another."""
    A = _graph("skewed")
    sources = np.random.default_rng(5).integers(0, A.shape[0], count)
    expected = _expected("skewed", sources)
    tuning = ManyTuning(
        push_cost=cost, dense=threshold, long_row=100, covered=0.5, ordered_from=ordered
    )
    plan = ManyBFS(_layout(A, 64), words=words_of(count), tuning=tuning)
    few = count // 4 + 6
    for _ in range(3):
        assert np.array_equal(_levels(plan, sources), _bytes(expected))
        assert np.array_equal(
            _levels(plan, sources, max_depth=2), np.where(expected > 2, 255, expected)
        )
        assert np.array_equal(_levels(plan, sources[:few]), _bytes(expected[:few]))


@pytest.mark.parametrize(("words", "planes"), [(1, 16), (1, 10), (2, 10)])
def test_depths_beyond_a_byte(words: int, planes: int) -> None:
    A = _graph("path")
    sources = np.arange(0, 700, 11)
    expected = _expected("path", sources)
    plan = ManyBFS(_layout(A, None), words=words)
    found = _levels(plan, sources)
    assert plan.summary().truncated
    assert np.array_equal(found, _bytes(expected))
    plan = ManyBFS(_layout(A, None), words=words, planes=planes)
    for direction in ("auto", "push", "pull"):
        assert np.array_equal(_levels(plan, sources, np.uint16, direction=direction), expected)
        assert not plan.summary().truncated


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 130, 900])
@pytest.mark.parametrize("name", ["skewed", "directed", "path"])
def test_other_outputs(name: str, count: int) -> None:
    A = _graph(name)
    n = A.shape[0]
    sources = np.random.default_rng(9).integers(0, n, count)
    expected = _expected(name, sources)
    reached = expected < 65535
    finite = np.where(reached, expected, 0)
    layout = _layout(A, 100 if name != "path" else None, wide=count == 63)
    plan = ManyBFS(layout, words=words_of(count), planes=10)
    plan.run(cp.asarray(sources, dtype=cp.int32))
    found = plan.summary()
    assert np.array_equal(found.reached, reached.sum(axis=1))
    assert np.array_equal(found.sum_levels, finite.sum(axis=1))
    assert np.array_equal(found.eccentricity, finite.max(axis=1))
    assert found.edges == int((reached * np.diff(A.indptr)).sum())
    counts, sums = cp.ones(n, np.int32), cp.zeros(n, np.int64)
    plan.add_counts(counts, sums)
    assert np.array_equal(counts.get(), 1 + reached.sum(axis=0))
    assert np.array_equal(sums.get(), finite.sum(axis=0))
    for level in (0, 1, 2, plan.summary().depth, plan.summary().depth + 1):
        packed = plan.level_set(level).get()
        bits = np.unpackbits(packed.view(np.uint8), axis=1, bitorder="little")
        assert np.array_equal(bits[:, :count].T, reached & (expected == level)), level
        assert not bits[:, count:].any()


@pytest.mark.parametrize("count", [2, 64, 70])
@pytest.mark.parametrize("wide", [False, True], ids=["int32", "int64"])
@pytest.mark.parametrize("name", ["skewed", "directed", "path"])
def test_parents(name: str, wide: bool, count: int) -> None:
    A = _graph(name)
    n = A.shape[0]
    sources = np.random.default_rng(10).integers(0, n, count)
    expected = _expected(name, sources)
    layout = _layout(A, None if name == "path" else 1 << 30, wide)
    plan = ManyBFS(layout, words=words_of(count), planes=10)
    plan.run(sources)
    rows = np.random.default_rng(11).permutation(72)[:count]
    out = cp.full((72, n), -7, dtype=np.int64 if wide else np.int32)
    plan.parents(out, cp.asarray(rows))
    found = out.get()
    assert (found[np.setdiff1d(np.arange(72), rows)] == -7).all()
    search, v = np.nonzero(expected < 65535)
    parent = found[rows][search, v]
    is_source = sources[search] == v
    assert np.array_equal(parent[is_source], v[is_source])
    search, v, parent = search[~is_source], v[~is_source], parent[~is_source]
    assert np.array_equal(expected[search, parent] + 1, expected[search, v])
    assert (np.asarray(A[parent, v]).ravel() > 0).all()
    assert (found[rows][expected == 65535] == -1).all()


def test_joint_frontiers_are_counted() -> None:
    A = _graph("skewed")
    sources = np.flatnonzero(np.diff(A.indptr))[:90]
    expected = _expected("skewed", sources)
    plan = ManyBFS(_layout(A, 1 << 30), words=2)
    for direction in ("auto", "push", "pull"):
        plan.run(sources, direction=direction)
        levels = range(plan.summary().depth + 1)
        joint = sum(int((expected == level).any(axis=0).sum()) for level in levels)
        assert plan.summary().joint == joint, direction


@pytest.mark.parametrize("count", [50, 70])
def test_rows_that_are_not_aligned(count: int) -> None:
    A = _graph("skewed")
    sources = np.arange(count)
    plan = ManyBFS(_layout(A, 0), words=words_of(count))
    plan.run(sources)
    out = cp.empty((count, A.shape[0]), dtype=cp.uint8)
    plan.levels(out)
    assert np.array_equal(out.get(), _bytes(_expected("skewed", sources)))


@pytest.mark.parametrize("words", WORDS)
def test_sources_next_to_the_same_hub_have_bits_side_by_side(words: int) -> None:
    A = _graph("directed")
    layout = _layout(A, 1 << 30)
    plan = ManyBFS(layout, words=words)
    rank, indptr, indices = (
        array.get() for array in (layout.rank, layout.out_indptr, layout.out_indices)
    )
    for count in (64 * words, 64 * words - 9):
        sources = np.random.default_rng(count).integers(0, A.shape[0], count)
        plan.run(sources)
        plan.summary()
        places = plan._slot.get()[:count]
        v = rank[sources]
        has_hub = (v >= 0) & (indptr[v] < indptr[v + 1])
        hub = np.where(has_hub, indices[np.where(has_hub, indptr[v], 0)], A.shape[0])
        # Of one hub, or without any, as given; a single word has no order.
        order = np.argsort(hub, kind="stable") if words > 1 else np.arange(count)
        assert np.array_equal(np.argsort(places), order)


def test_arguments_are_checked() -> None:
    A = _graph("path")
    plan = ManyBFS(_layout(A, None), words=2)
    with pytest.raises(InvalidValue, match="129 sources"):
        plan.run(np.zeros(129, dtype=int))
    with pytest.raises(InvalidValue, match="words is 3"):
        ManyBFS(plan.layout, words=3)
    plan.run([3])
    with pytest.raises(InvalidValue, match="expected uint8"):
        plan.levels(cp.empty((2, 700), dtype=cp.uint8))
    for sources in (cp.asarray([3, 700], dtype=cp.int32), np.array([-1, 3])):
        plan.run(sources)
        with pytest.raises(IndexOutOfBound, match="a source is outside 0"):
            plan.summary()


def test_more_vertices_than_a_list_can_count(monkeypatch: pytest.MonkeyPatch) -> None:
    A = sb.Matrix.from_scipy(_graph("skewed")).to("cuda")
    monkeypatch.setattr(many_searches, "MOST_VERTICES", 4998)
    with pytest.raises(InvalidValue, match=r"at most 4,998 of them, got 4,999; .* batch=1"):
        sb.bfs_many(A, range(128), batch=128)
    apart = sb.bfs_many(A, [0, 1, 2], batch=1)
    assert apart.reached.tolist() == [sb.bfs(A, s).reached for s in (0, 1, 2)]


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("direction", ["auto", "push", "pull"])
def test_searches_that_have_ended_keep_no_row_open(words: int, direction: str) -> None:
    """Sources in small components and isolated ones, beside a large component."""
    rng = np.random.default_rng(words)
    n = 2000
    u, v = rng.integers(0, 1500, (2, 6000))
    small = np.arange(1500, 1900)
    keep = (small - 1500) % np.repeat([2, 2, 3, 7], 100) > 0
    u, v = np.r_[u, small[keep]], np.r_[v, small[keep] + 1]
    A = sp.csr_array((np.ones(2 * len(u)), (np.r_[u, v], np.r_[v, u])), shape=(n, n))
    A.sum_duplicates()
    count = 64 * words - 7
    large = rng.integers(0, 1500, count - 40)
    # Pairs and isolated vertices, which end before the large component is reached, and any others.
    ending = np.r_[large, rng.integers(1500, 1700, 20), rng.integers(1900, n, 20)]
    others = np.r_[large, rng.integers(1500, n, 40)]
    plan = ManyBFS(
        _layout(A, 1 << 30), words=words, tuning=ManyTuning(long_row=24, piece=16, narrow_from=0)
    )
    closed = []
    for searched in (others, ending, rng.permutation(ending), ending % 1500):
        graph = sp.csr_array(A)
        expected = np.full((count, n), 255)
        expected[np.arange(count), searched] = 0
        frontier = expected == 0
        for level in range(1, 30):
            frontier = ((frontier.astype(np.float32) @ graph) > 0) & (expected == 255)
            expected[frontier] = level
        trace = cp.zeros((32, 4), cp.int64)
        found = _levels(plan, searched, direction=direction, trace=trace)
        assert np.array_equal(found, expected)
        said, reached = plan.summary(), expected < 255
        assert np.array_equal(said.reached, reached.sum(axis=1))
        assert np.array_equal(said.sum_levels, np.where(reached, expected, 0).sum(axis=1))
        assert np.array_equal(said.eccentricity, np.where(reached, expected, 0).max(axis=1))
        assert said.edges == int((reached * np.diff(A.indptr)).sum())
        closed.append(int(np.unpackbits(plan._full.get().view(np.uint8))[:1500].sum()))
    # Rows of the large component are closed though some searches never come there.
    if direction == "pull":
        assert closed[1] == closed[2] == closed[3] > 1000


@pytest.mark.parametrize("short", [1, 1 << 20], ids=["a warp a row", "four rows a warp"])
@pytest.mark.parametrize("count", [60, 100, 200, 400, 1000])
def test_a_search_behind_all_others(count: int, short: int) -> None:
    """What is missing of a row is then in one of its sectors; of 1,024 bits these are read.  As its
    frontier is narrow it may also be pushed alone."""
    A = _graph("tailed")
    n = A.shape[0]
    with_edges = np.flatnonzero(np.diff(A.indptr))
    sources = np.random.default_rng(count).choice(with_edges, count)
    sources[count // 3] = n - 1
    expected, layout = _bytes(_expected("tailed", sources)), _layout(A, 1 << 30)
    for narrow_from, found in ((1 << 40, {1, 2}), (0, {1, 2, 4})):
        tuning = ManyTuning(dense=0.0, short_row=short, narrow_from=narrow_from)
        plan = ManyBFS(layout, words=words_of(count), tuning=tuning)
        for direction in ("auto", "pull"):
            trace = cp.zeros((64, 4), cp.int64)
            levels = _levels(plan, sources, direction=direction, trace=trace)
            assert np.array_equal(levels, expected)
            kinds = set(trace[1:, 0].get().tolist()) - {0, 3}
            assert kinds == found - {1 if direction == "pull" else 0}
