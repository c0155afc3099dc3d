"""Rows in memory of the host that lie on lines of their own, for whoever reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gpu import cp
from search_graphs import symmetric

import spbfs as sb
from spbfs import semiring
from spbfs.engines.cuda.bfs_many import fused
from spbfs.engines.cuda.graph import layout as layouts
from spbfs.engines.cuda.graph import lines
from spbfs.engines.cuda.products import push
from spbfs.engines.cuda.searches import device as searches
from spbfs.planner.many import ManyTuning
from spbfs.planner.search_cuda import Tuning
from spbfs.storage.arrays import memory_of

#: Entries of a row on average, and the bits of a number: lines of 8 to 32 groups of 16 bytes.
LINED = [(14, 10), (20, 12), (33, 23), (30, 25), (50, 31)]


def _even_graph(n: int, mean: int, directed: bool) -> Any:
    """About `mean` entries a row, of five four times as many."""
    rng = np.random.default_rng(n)
    u, v = rng.integers(0, n, (2, n * mean // (1 if directed else 2)))
    u[: 15 * mean] = np.arange(15 * mean) % 5
    made = sp.csr_array((np.ones(len(u), bool), (u, v)), shape=(n, n))
    made.sum_duplicates()
    return made if directed else symmetric(n, u, v)


def _check_lines(made: Any, S: Any, bits: int) -> None:
    """Most rows fit their line, some do not."""
    held = 128 // bits << made.shift
    lengths = np.diff(S.indptr)
    assert memory_of(made.groups) == "pinned" and made.bits == bits
    assert 0 < np.count_nonzero(lengths > held) < 200 and lengths.mean() < held


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("mean", "bits"), LINED)
def test_searches(
    mean: int, bits: int, directed: bool, wide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "entry_bits", lambda _: bits)
    monkeypatch.setattr(layouts, "MOST_NARROW", 0 if wide else layouts.MOST_NARROW)
    S = _even_graph(700, mean, directed)
    A = sb.Matrix.from_scipy(S)
    P = A.to("cuda", memory="pinned")
    for source in (0, 699):
        for tier in (Tuning(), Tuning(cta_enter=0)):
            monkeypatch.setattr(searches, "fused_tuning", lambda tier=tier: tier)
            for direction in ("push", "auto"):
                found = sb.bfs(P, source, direction=direction)
                np.testing.assert_array_equal(
                    found.levels.to_dense(-1), sb.bfs(A, source).levels.to_dense(-1)
                )
                sb.verify.bfs_tree(A, source, found)
    several = sb.bfs(P, [699, 0, 5], direction="push")
    assert several.levels.isequal(sb.bfs(A, [699, 0, 5]).levels.to("cuda"))
    made = P._ready().derived.searches._layouts["auto", "auto"].lines
    assert made is P._ready().derived.lines
    _check_lines(made, S, bits)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("mean", "bits"), LINED)
def test_joined_searches(
    mean: int, bits: int, directed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They read the matrix as it is given: there is no copy of its entries beside the lines."""
    monkeypatch.setattr(lines, "entry_bits", lambda _: bits)
    S = _even_graph(700, mean, directed)
    A = sb.Matrix.from_scipy(S)
    P = A.to("cuda", memory="pinned")
    for push_cost in (1e-9, 1e9, None):  # all levels pushed, or pulled
        tuning = ManyTuning(push_cost=push_cost)
        monkeypatch.setattr(fused, "ManyTuning", lambda tuning=tuning: tuning)
        P._ready().derived.many_searches = None
        for count in (40, 200, 700):
            sources = np.random.default_rng(count).integers(0, 700, count)
            found = sb.bfs_many(P, sources, batch=count)
            expected = sb.bfs_many(A, sources)
            assert np.array_equal(cp.asnumpy(found.levels), expected.levels)
            assert np.array_equal(found.reached, expected.reached)
    derived = P._ready().derived
    layout = derived.many_searches._layout
    assert layout.lines is derived.lines and layout.out_indices is P._ready().indices
    _check_lines(derived.lines, S, bits)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("mean", "bits"), LINED)
def test_products(
    mean: int, bits: int, directed: bool, wide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "entry_bits", lambda _: bits)
    S = _even_graph(700, mean, directed)
    if wide:
        S.indptr = S.indptr.astype(np.int64)
    A = sb.Matrix.from_scipy(S)
    W = sb.Matrix.from_coo(*A.to_coo()[:2], np.arange(A.nvals) % 97 + 1, nrows=700, ncols=700)
    rng = np.random.default_rng(1)
    mask = sb.Vector.from_coo(rng.permutation(700)[:300], True, size=700)
    for M in (A, W):
        P = M.to("cuda", memory="pinned")
        for stored in (3, 60, 700):
            at = rng.permutation(700)[:stored]
            v = sb.Vector.from_coo(at, rng.integers(1, 50, stored), size=700)
            for ring in ("any_pair", "plus_pair", "min_second", "min_secondi", "plus_first"):
                expected, found = v.dup(), v.to("cuda").dup()
                expected(~mask.S) << getattr(semiring, ring)(v @ M)
                found(~mask.to("cuda").S) << getattr(semiring, ring)(v.to("cuda") @ P)
                pushed = getattr(semiring, ring)(v.to("cuda") @ P).new(direction="push")
                assert pushed.to("cpu").isequal(getattr(semiring, ring)(v @ M).new())
                assert found.to("cpu").isequal(expected)
        _check_lines(P._ready().derived.lines, S, bits)


def test_a_push_of_few_rows_makes_no_lines() -> None:
    A = sb.Matrix.from_scipy(_even_graph(700, 30, True))
    P = A.to("cuda", memory="pinned")
    few = sb.Vector.from_coo(np.arange(700 // push.FEW_ROWS), True, size=700)
    found = semiring.plus_pair(few.to("cuda") @ P).new(direction="push")
    assert found.to("cpu").isequal(semiring.plus_pair(few @ A).new())
    before = P.nbytes
    assert P._ready().derived.lines is None
    more = sb.Vector.from_coo(np.arange(11), True, size=700)
    semiring.plus_pair(more.to("cuda") @ P).new(direction="push")
    assert P.nbytes - before == P._ready().derived.lines.nbytes > 0


@pytest.mark.parametrize("longest", [900, 1030, 5000])
@pytest.mark.parametrize("first", range(5))
def test_products_without_lines(longest: int, first: int) -> None:
    """Rows that begin and end anywhere among 16 bytes, some so long that all share them."""
    rng = np.random.default_rng(longest)
    lengths = rng.integers(0, 9, 400)
    lengths[0] = first
    lengths[7:300:90] = longest + np.arange(4)
    columns = np.concatenate([np.sort(rng.permutation(6000)[:k]) for k in lengths])
    rows = np.repeat(np.arange(400), lengths)
    A = sb.Matrix.from_coo(rows, columns, True, nrows=400, ncols=6000)
    P = A.to("cuda", memory="pinned")
    for stored in (1, 33, 400):
        v = sb.Vector.from_coo(rng.permutation(400)[:stored], np.arange(stored), size=400)
        for ring in (semiring.plus_pair, semiring.any_pair, semiring.plus_second):
            found = ring(v.to("cuda") @ P).new(direction="push")
            assert found.to("cpu").isequal(ring(v @ A).new())
    assert lines.lines_of(P._ready()) is None and P._ready().derived.lines.nbytes == 0


@pytest.mark.parametrize("room", [0, None])
def test_lines_of_a_dense_graph_where_there_is_room(
    room: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if room is not None:
        monkeypatch.setattr(lines, "available_bytes", lambda: room)
    monkeypatch.setattr(searches, "fused_tuning", lambda: Tuning(cta_enter=0))
    A = sb.Matrix.from_scipy(sp.csr_array(1 - np.eye(13, dtype=np.int8)))
    P = A.to("cuda", memory="pinned")
    found = sb.bfs(P, 3, direction="push")
    sb.verify.bfs_tree(A, 3, found)
    made = P._ready().derived.searches._layouts["auto", "auto"].lines
    assert (made is None) == (room == 0) and (made is None or made.shift == 0)
