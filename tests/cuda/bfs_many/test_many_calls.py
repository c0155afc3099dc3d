"""Calls of `bfs_many` whose sources are on the GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.engines.cuda.bfs_many.fused import ManyBFS
from spbfs.engines.cuda.runtime.fetch import Asked
from spbfs.exceptions import DimensionMismatch, DomainMismatch, FileError, IndexOutOfBound

_GRAPH = sb.generate.kronecker(9, seed=1)


@pytest.mark.parametrize("count", [1, 64, 1024, 1025])
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


def test_a_search_begins_before_the_host_has_its_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    A, happened = _GRAPH.to("cuda"), []
    for _ in range(2):
        sb.bfs_many(A, cp.arange(64))
    run, read = ManyBFS.run, Asked.read

    def noted(name: str, call: Any) -> Any:
        return lambda *given, **options: (happened.append(name), call(*given, **options))[1]

    monkeypatch.setattr(ManyBFS, "run", noted("search", run))
    monkeypatch.setattr(Asked, "read", noted("sources", read))
    found = sb.bfs_many(A, cp.arange(64))
    assert happened == ["search", "sources"]
    assert np.array_equal(found.sources, np.arange(64))


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """An element for every time that a search may begin before the host has its sources."""
    noted: list[bool] = []
    made = Asked.__init__
    monkeypatch.setattr(Asked, "__init__", lambda *a: (noted.append(True), made(*a))[1])
    return noted


def test_sources_that_begin_within_a_word_are_copied_first(begun: list[bool]) -> None:
    """A kernel may not read them."""
    A, words = _GRAPH.to("cuda"), np.zeros(130, np.int32)
    words[1:129].view(np.int64)[:] = np.arange(64)
    given = cp.asarray(words)[1:129].view(cp.int64)
    assert given.data.ptr % 8 == 4
    for _ in range(3):
        found = sb.bfs_many(A, given)
    assert not begun
    assert np.array_equal(cp.asnumpy(found.levels), sb.bfs_many(_GRAPH, range(64)).levels)


def test_a_search_that_began_for_a_call_that_fails(tmp_path: Path) -> None:
    A, sources = _GRAPH.to("cuda"), cp.arange(64)
    for _ in range(2):
        sb.bfs_many(A, sources)
    held = A._ready().derived.many_searches.nbytes
    with pytest.raises(FileError):
        sb.bfs_many(A, sources, outputs={"levels": tmp_path / "absent" / "levels.npy"})
    assert A._ready().derived.many_searches.nbytes == held
    found = sb.bfs_many(A, sources)
    assert np.array_equal(cp.asnumpy(found.levels), sb.bfs_many(_GRAPH, range(64)).levels)


@pytest.mark.skipif(cp.cuda.runtime.getDeviceCount() < 2, reason="there is one GPU")
def test_sources_on_another_gpu_are_copied_first(begun: list[bool]) -> None:
    A = _GRAPH.to("cuda")
    with cp.cuda.Device(1):
        sources = cp.arange(64)
    for _ in range(3):
        found = sb.bfs_many(A, sources)
    assert np.array_equal(cp.asnumpy(found.levels), sb.bfs_many(_GRAPH, range(64)).levels)
    assert not begun
    sb.bfs_many(A, cp.arange(64))
    assert begun


def test_frontiers_of_sources_on_the_gpu_that_are_no_vertices() -> None:
    A = _GRAPH.to("cuda")
    with pytest.raises(IndexOutOfBound, match="sources"):
        sb.levels_many(A, cp.asarray([3, A.nrows]))  # before the first frontier is asked for


@pytest.mark.parametrize("bad", [-1, _GRAPH.nrows, 2**32 + 1])
def test_a_search_that_began_with_what_is_no_vertex(bad: int) -> None:
    A = _GRAPH.to("cuda")
    for _ in range(2):
        sb.bfs_many(A, cp.arange(64))
    with pytest.raises(IndexOutOfBound, match="sources"):
        sb.bfs_many(A, cp.asarray([5, bad]))
    found = sb.bfs_many(A, cp.arange(64))
    assert np.array_equal(cp.asnumpy(found.levels), sb.bfs_many(_GRAPH, range(64)).levels)


def test_other_arrays_are_refused() -> None:
    A = _GRAPH.to("cuda")
    with pytest.raises(DomainMismatch, match="sources"):
        sb.bfs_many(A, cp.asarray([0.5, 1.5]))
    with pytest.raises(DimensionMismatch, match="sources"):
        sb.bfs_many(A, cp.zeros((2, 2), dtype=int))
    assert sb.bfs_many(A, cp.zeros(0, dtype=int)).levels.shape == (0, A.nrows)


@pytest.mark.parametrize("bad", [-1, _GRAPH.nrows, 2**40])
def test_of_bad_sources_the_error_is_the_hosts_and_nothing_is_changed(bad: int) -> None:
    A = _GRAPH.to("cuda")
    for _ in range(2):
        sb.bfs_many(A, cp.arange(64))
    sources = np.arange(64)
    sources[40] = bad
    with pytest.raises(IndexOutOfBound) as expected:
        sb.bfs_many(_GRAPH, sources)
    held = A._ready().derived.many_searches.nbytes
    levels = cp.full((64, A.nrows), 77, dtype="uint8")
    for outputs in ("levels", {"levels": levels}):
        with pytest.raises(IndexOutOfBound) as raised:
            sb.bfs_many(A, cp.asarray(sources), outputs=outputs)
        assert str(raised.value) == str(expected.value)
    assert (cp.asnumpy(levels) == 77).all()
    assert A._ready().derived.many_searches.nbytes == held
