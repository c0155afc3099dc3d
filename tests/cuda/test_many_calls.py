"""Calls of `bfs_many` whose sources are on the GPU: they begin before the host has read them."""

from __future__ import annotations

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, DomainMismatch, IndexOutOfBound

_GRAPH = sb.generate.kronecker(9, seed=1)


@pytest.mark.parametrize("count", [1, 64, 300])
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint16", "strided"])
def test_sources_on_the_gpu(dtype: str, count: int) -> None:
    A = _GRAPH.to("cuda")
    for seed in range(3):  # the first call finds whether searches meet, the next makes a workspace
        sources = np.random.default_rng(seed).integers(0, A.nrows, count)
        given = cp.asarray(sources.astype("int64" if dtype == "strided" else dtype))
        if dtype == "strided":
            given = cp.asarray(np.repeat(sources, 2))[::2]
        found, expected = sb.bfs_many(A, given), sb.bfs_many(_GRAPH, sources)
        assert np.array_equal(cp.asnumpy(found.levels), expected.levels)
        for name in ("sources", "reached", "sum_levels", "eccentricity"):
            assert np.array_equal(getattr(found, name), getattr(expected, name)), name
        assert (found.depth, found.edges) == (expected.depth, expected.edges)


@pytest.mark.parametrize("bad", [-1, _GRAPH.nrows, 2**32 + 1])
def test_a_search_that_began_with_what_is_no_vertex(bad: int) -> None:
    A = _GRAPH.to("cuda")
    for _ in range(2):
        sb.bfs_many(A, cp.arange(64))
    with pytest.raises(IndexOutOfBound, match="sources"):
        sb.bfs_many(A, cp.asarray([5, bad]))
    found = sb.bfs_many(A, cp.arange(64))
    assert np.array_equal(cp.asnumpy(found.levels), sb.bfs_many(_GRAPH, range(64)).levels)


@pytest.mark.parametrize("bad", [-1, _GRAPH.nrows, 2**32 + 1, 2**40])
def test_the_error_is_that_of_sources_on_the_host_and_the_workspace_stays(bad: int) -> None:
    A = _GRAPH.to("cuda")
    for _ in range(2):
        sb.bfs_many(A, cp.arange(64))
    sources = np.arange(64)
    sources[40] = bad
    with pytest.raises(IndexOutOfBound) as expected:
        sb.bfs_many(_GRAPH, sources)
    held = A._ready().derived.many_searches.nbytes
    with pytest.raises(IndexOutOfBound) as raised:
        sb.bfs_many(A, cp.asarray(sources))
    assert str(raised.value) == str(expected.value)
    assert A._ready().derived.many_searches.nbytes == held


def test_sources_on_the_gpu_are_read_with_the_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    A = _GRAPH.to("cuda")
    for _ in range(2):
        sb.bfs_many(A, cp.arange(64))

    def refused(array: object) -> None:
        raise AssertionError("the host waits for sources alone")

    monkeypatch.setattr("spbfs.algorithms.bfs_many.arguments.fetched", refused)
    given = np.random.default_rng(7).integers(0, A.nrows, 64)
    for outputs in ("levels", "parents", "level_sizes", "counts", "per_level"):
        found = sb.bfs_many(A, cp.asarray(given), outputs=outputs)
        assert np.array_equal(found.sources, given), outputs
        assert np.array_equal(found.reached, sb.bfs_many(_GRAPH, given).reached)
        del found


def test_other_places_are_written_once_sources_are_known() -> None:
    A = _GRAPH.to("cuda")
    for _ in range(2):
        sb.bfs_many(A, cp.arange(64))
    levels = cp.full((2, A.nrows), 77, dtype="uint8")
    with pytest.raises(IndexOutOfBound, match="sources"):
        sb.bfs_many(A, cp.asarray([5, A.nrows]), outputs={"levels": levels})
    assert (cp.asnumpy(levels) == 77).all()


def test_other_arrays_are_refused() -> None:
    A = _GRAPH.to("cuda")
    with pytest.raises(DomainMismatch, match="sources"):
        sb.bfs_many(A, cp.asarray([0.5, 1.5]))
    with pytest.raises(DimensionMismatch, match="sources"):
        sb.bfs_many(A, cp.zeros((2, 2), dtype=int))
    assert sb.bfs_many(A, cp.zeros(0, dtype=int)).levels.shape == (0, A.nrows)
