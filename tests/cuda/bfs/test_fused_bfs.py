"""The fused search on a GPU, on small awkward graphs: every direction, layout and tier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gpu import cp
from search_graphs import GRAPHS, check_search, levels_of, symmetric

from spbfs.engines.cuda.bfs import fused, kernel
from spbfs.engines.cuda.bfs.fused import FusedBFS, Tuning
from spbfs.engines.cuda.graph import layout as layouts
from spbfs.engines.cuda.graph.layout import Layout, build_layout, lay_out
from spbfs.exceptions import IndexOutOfBound, InvalidValue

LAYOUTS: dict[str, dict[str, Any]] = {
    "identity": {},
    "compact": {"hubs": 0},
    "hubs": {"hubs": 200},
    "by degree": {"hubs": 1 << 30},
    "records": {"records": 4},
    "wide records": {"records": 8},
    "chosen": {},
}


def _laid_out(graph: str, layout: str, wide: bool = False) -> Layout:
    A = GRAPHS[graph]

    def on_device(A: sp.csr_array) -> tuple[Any, Any]:
        offset = np.int64 if wide else np.int32
        return cp.asarray(A.indptr.astype(offset)), cp.asarray(A.indices.astype(np.int32))

    turned = sp.csr_array(A.T)
    transpose = on_device(turned) if (turned != A).nnz else None
    if layout == "chosen":
        return lay_out(A.shape[0], *on_device(A), transpose)
    return build_layout(A.shape[0], *on_device(A), transpose, **LAYOUTS[layout])


@pytest.mark.parametrize("wide", [False, True], ids=["int32", "int64"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_tree_in_every_direction(graph: str, layout: str, wide: bool) -> None:
    n = GRAPHS[graph].shape[0]
    built = _laid_out(graph, layout, wide)
    levels, parents = cp.empty(n, dtype=cp.int32), cp.empty(n, dtype=cp.int32)
    # The others leave the cluster tier early and often, and never let one CTA go alone; the last
    # leaves the status where it is, as if the graph were large.
    early = Tuning(cluster_enter=200, cluster_leave=3, cta_enter=0, cached=0)
    for tuning in (Tuning(), early, replace(early, cluster_shared=0)):
        plan = FusedBFS(built, tuning=tuning)
        for direction in ("auto", "push", "pull"):
            for source in {0, n // 2, n - 1}:
                levels.fill(-7)
                parents.fill(-7)
                plan.run(source, levels, parents, direction=direction)
                check_search(graph, source, levels.get(), parents.get())
                summary = plan.summary()
                assert summary.reached == int((levels >= 0).sum())
                assert summary.depth == int(levels.max())


@pytest.mark.parametrize("blocks", [1, 4])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("graph", ["late", "late, shuffled"])
def test_pulls_with_few_rows_left(graph: str, layout: str, blocks: int) -> None:
    n = GRAPHS[graph].shape[0]
    hub = int(np.diff(GRAPHS[graph].indptr).argmax())
    expected = levels_of(graph, hub)
    # The cluster tier of a layout with records would run them all.
    tuning = Tuning(blocks_per_task=blocks, cluster_enter=0)
    plan = FusedBFS(_laid_out(graph, layout), tuning=tuning)
    levels, parents = cp.empty(n, dtype=cp.int32), cp.empty(n, dtype=cp.int32)
    trace = cp.zeros((8, 4), dtype=cp.int64)
    plan.run(hub, levels, parents, direction="pull", trace=trace)
    check_search(graph, hub, levels.get(), parents.get())
    for level in range(2, 6):
        assert int(trace[level, 0]) == 2
        assert 0 < 16 * int((expected >= level).sum()) < n
    for depth in range(2, 6):
        plan.run(hub, levels, parents, direction="pull", max_depth=depth)
        assert np.array_equal(levels.get(), np.where(expected <= depth, expected, -1))
        target = int(np.flatnonzero(expected == depth)[-1])
        plan.run(hub, levels, None, direction="pull", target=target)
        assert np.array_equal(levels.get(), np.where(expected <= depth, expected, -1))


@pytest.mark.parametrize("shared", [0, 1 << 18])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_depth_target_and_several_sources(layout: str, shared: int) -> None:
    n = GRAPHS["lattice"].shape[0]
    plan = FusedBFS(_laid_out("lattice", layout), tuning=Tuning(cluster_shared=shared))
    levels = cp.empty(n, dtype=cp.int32)
    expected = levels_of("lattice", 5)
    plan.run(5, levels, None, max_depth=7)
    assert np.array_equal(levels.get(), np.where(expected <= 7, expected, -1))
    plan.run(5, levels, None, target=70)
    assert np.array_equal(levels.get(), np.where(expected <= expected[70], expected, -1))
    plan.run(cp.asarray([5, n - 1, 5], dtype=cp.int32), levels, None)
    assert np.array_equal(levels.get(), np.minimum(expected, levels_of("lattice", n - 1)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_output_alone(layout: str) -> None:
    n = GRAPHS["skewed"].shape[0]
    plan = FusedBFS(_laid_out("skewed", layout))
    levels, parents = cp.empty(n, dtype=cp.int32), cp.empty(n, dtype=cp.int32)
    for direction in ("auto", "push", "pull"):
        plan.run(7, levels, None, direction=direction)
        plan.run(7, None, parents, direction=direction)
        check_search("skewed", 7, levels.get(), parents.get())


@pytest.mark.parametrize("turns", [1, 2, 3, 4, 7])
def test_results_of_more_labels_than_there_are_threads(turns: int) -> None:
    """A binary tree whose vertices lie anywhere among labels without entries."""
    sms = cp.cuda.Device().attributes["MultiProcessorCount"]
    for beyond in (-5, 0, 3):
        n = 4 * kernel.THREADS * sms * turns + beyond
        size = 2 * n // 3
        label = np.random.default_rng(turns).permutation(n)[:size]
        A = symmetric(n, label[1:], label[(np.arange(1, size) - 1) // 2])
        indptr, indices = cp.asarray(A.indptr, np.int32), cp.asarray(A.indices, np.int32)
        plan = FusedBFS(build_layout(n, indptr, indices, hubs=size // 9))
        levels, parents = cp.empty(n, dtype=cp.int32), cp.empty(n, dtype=cp.int32)
        plan.run(int(label[0]), levels, parents)
        expected, parent = np.full(n, -1), np.full(n, -1)
        expected[label] = np.log2(np.arange(1, size + 1)).astype(int)
        parent[label] = label[np.maximum(np.arange(size) - 1, 0) // 2]
        assert np.array_equal(levels.get(), expected)
        assert np.array_equal(parents.get(), parent)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("graph", ["uniform", "star", "late, shuffled"])
def test_lists_that_are_too_short(graph: str, layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused, "MOST_LISTED", 40)
    n = GRAPHS[graph].shape[0]
    plan = FusedBFS(_laid_out(graph, layout), tuning=Tuning(cluster_enter=0))
    levels, parents = cp.empty(n, dtype=cp.int32), cp.empty(n, dtype=cp.int32)
    for direction in ("auto", "push", "pull"):
        plan.run(1, levels, parents, direction=direction)
        check_search(graph, 1, levels.get(), parents.get())


@pytest.mark.parametrize("layout", ["hubs", "chosen"])
@pytest.mark.parametrize("graph", ["directed", "star"])
def test_offsets_near_their_limit_are_widened(
    graph: str, layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    n, entries = GRAPHS[graph].shape[0], GRAPHS[graph].nnz
    monkeypatch.setattr(layouts, "MOST_NARROW", entries)
    assert _laid_out(graph, layout).out_indptr.dtype == np.int32
    monkeypatch.setattr(layouts, "MOST_NARROW", entries - 1)
    built = _laid_out(graph, layout)
    assert built.out_indptr.dtype == built.in_indptr.dtype == np.int64
    levels, parents = cp.empty(n, dtype=cp.int32), cp.empty(n, dtype=cp.int32)
    FusedBFS(built).run(3, levels, parents)
    check_search(graph, 3, levels.get(), parents.get())


def test_memory_of_a_search() -> None:
    """Outputs and workspace together take at most 24 bytes a vertex where there are enough of
    them for a fixed part not to count."""
    n = 1 << 22
    indptr = cp.arange(n + 1, dtype=cp.int32)
    indices = cp.roll(cp.arange(n, dtype=cp.int32), -1)
    transpose = indptr, cp.roll(cp.arange(n, dtype=cp.int32), 1)
    for hubs in (None, 1 << 14):
        plan = FusedBFS(build_layout(n, indptr, indices, transpose, hubs=hubs))
        assert plan.nbytes + 8 * n <= 24 * n


def test_bad_sources_are_refused() -> None:
    n = GRAPHS["path"].shape[0]
    plan = FusedBFS(_laid_out("path", "identity"))
    levels = cp.empty(n, dtype=cp.int32)
    with pytest.raises(IndexOutOfBound, match="700"):
        plan.run(700, levels, None)
    with pytest.raises(InvalidValue, match="max_depth"):
        plan.run(0, levels, None, max_depth=-1)
    plan.run(cp.asarray([700], dtype=cp.int32), levels, None)
    with pytest.raises(IndexOutOfBound, match="on the device"):
        plan.summary()
    plan.run(0, levels, None)
    assert plan.summary().reached == 700


@pytest.mark.parametrize("hubs", [None, 0, 10])
@pytest.mark.parametrize("directed", [False, True])
def test_a_layout_is_what_it_says(directed: bool, hubs: int | None) -> None:
    """Rows by label, neighbours by classes of degree, and the map from labels to rows."""
    A = GRAPHS["skewed"]
    if directed:
        A = sp.csr_array(sp.triu(A))
    T = sp.csr_array(A.T)
    T.sort_indices()
    # Which type SciPy gives its indices depends on what it was given.
    to_gpu = [(cp.asarray(X.indptr, np.int32), cp.asarray(X.indices, np.int32)) for X in (A, T)]
    n = A.shape[0]
    layout = build_layout(n, *to_gpu[0], to_gpu[1] if directed else None, hubs=hubs, records=4)
    degree = np.diff(A.indptr) + (np.diff(T.indptr) if directed else 0)
    label = np.arange(n) if layout.label is None else layout.label.get()
    assert (degree[label] > 0).all() or hubs is None
    if hubs is not None:
        assert sorted(label) == np.flatnonzero(degree).tolist()
        assert (degree[label[:hubs]] >= degree[label[hubs:]].max()).all()
        for part in (label[:hubs], label[hubs:]):
            assert (np.diff(part) > 0).all()
        words = layout.words.get()
        for v in range(0, n, 7):
            word, rank = words[v // 32], int(layout.rank[v])
            mask = 1 << v % 32
            assert bool(int(word[0]) & mask) == (rank >= layout.hubs)
            assert bool(int(word[2]) & mask) == (0 <= rank < layout.hubs)
            if rank >= 0:
                among, first = word[:2] if rank >= layout.hubs else word[2:]
                assert rank == first + bin(int(among) & (mask - 1)).count("1")
    for X, indptr, indices in (
        (A, layout.out_indptr.get(), layout.out_indices.get()),
        (T, layout.in_indptr.get(), layout.in_indices.get()),
    ):
        for row in range(0, layout.n, 11):
            ids = indices[indptr[row] : indptr[row + 1]]
            mine = label[ids]
            theirs = X.indices[X.indptr[label[row]] : X.indptr[label[row] + 1]]
            assert sorted(mine) == theirs.tolist()
            magnitude = np.floor(np.log2(degree[mine]) / 2)
            assert (np.lexsort((ids, -magnitude)) == np.arange(ids.size)).all()


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize("graph", ["stencil", "mesh", "directed", "into one"])
def test_a_record_holds_a_row_or_says_where_it_lies(graph: str, width: int) -> None:
    A = GRAPHS[graph]
    out, into = (
        (cp.asarray(X.indptr, np.int32), cp.asarray(X.indices, np.int32))
        for X in (A, sp.csr_array(A.T))
    )
    layout = build_layout(A.shape[0], *out, into, records=width)
    indptr, indices = layout.out_indptr.get(), layout.out_indices.get()
    for row, record in enumerate(layout.records.get()):
        entries = indices[indptr[row] : indptr[row + 1]]
        others = entries[entries != row]
        if len(others) <= width:
            assert record.tolist() == [*others, *[-1] * (width - len(others))]
        else:
            assert record[:4].tolist() == [-(2**31), indptr[row], 0, len(entries)]
