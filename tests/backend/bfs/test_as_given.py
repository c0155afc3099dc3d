"""A single search of a SciPy array, which is followed as it is."""

from __future__ import annotations

import time
import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.algorithms.bfs import search
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    GraphblasException,
    IndexOutOfBound,
    InvalidValue,
)
from tests.graphs import SEARCHABLE, bfs_levels

OPTIONS: list[dict[str, Any]] = [{}, {"max_depth": 1}, {"target": 2}, {"levels": False}]


def shuffled(S: Any, seed: int = 0) -> Any:
    """The same matrix with the entries of every row in any order."""
    rng, S = np.random.default_rng(seed), S.copy()
    for i in range(S.shape[0]):
        part = slice(S.indptr[i], S.indptr[i + 1])
        order = rng.permutation(S.indptr[i + 1] - S.indptr[i])
        S.indices[part], S.data[part] = S.indices[part][order], S.data[part][order]
    S.has_sorted_indices = False
    return S


def wide(S: Any) -> Any:
    S.indptr, S.indices = S.indptr.astype(np.int64), S.indices.astype(np.int64)
    return S


FORMS = {
    "csr_array": sp.csr_array,
    "csr_matrix": sp.csr_matrix,
    "csc": sp.csc_array,
    "coo": sp.coo_array,
    "rows in any order": lambda S: shuffled(sp.csr_array(S)),
    "64 bits": lambda S: wide(sp.csr_array(S)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [bool, np.int8, np.float64])
@pytest.mark.parametrize("name", SEARCHABLE)
def test_a_search_is_that_of_the_matrix(name: str, dtype: Any, form: str) -> None:
    graph = SEARCHABLE[name]
    n = graph.nrows
    S = sp.coo_array((np.ones(len(graph.edges), dtype), (graph.rows, graph.cols)), shape=(n, n))
    S = FORMS[form](sp.csr_array(S > 0).astype(dtype))
    A = sb.Matrix.from_coo(graph.rows, graph.cols, True, nrows=n, ncols=n)
    for options in OPTIONS:
        if options.get("target", 0) >= n:
            continue
        for source in {0, n - 1}:
            want, got = sb.bfs(A, source, **options), sb.bfs(S, source, **options)
            assert (got.depth, got.reached, got.edges) == (want.depth, want.reached, want.edges)
            assert (got.levels is None) == (want.levels is None)
            if got.levels is not None and want.levels is not None:
                assert got.levels.isequal(want.levels, check_dtype=True)
            assert got.parents is not None and got.parents.dtype == want.parents.dtype
            levels = bfs_levels(graph, [source])
            neighbours = graph.neighbours()
            for v, p in got.parents.to_dict().items():
                assert p == v == source or (v in neighbours[p] and levels[v] == levels[p] + 1)


def test_nothing_is_converted_for_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("converted")

    monkeypatch.setattr(search, "as_matrix", refuse)
    S = sb.generate.kronecker(8, seed=2).to_scipy()
    for given in (S, S.astype(np.float64), shuffled(S), sp.csc_array(S)):
        assert sb.bfs(given, 3, max_depth=2).reached > 1
    with pytest.raises(AssertionError, match="converted"):
        sb.bfs(S, 3, parents="min")


def test_an_entry_twice_in_a_row_is_one_edge() -> None:
    for columns in ([1, 2, 2, 0, 0], [2, 1, 2, 0, 0]):
        arrays = np.ones(5), np.array(columns, np.int32), np.array([0, 3, 4, 5], np.int32)
        S = sp.csr_array(arrays, shape=(3, 3))
        assert sb.bfs(S, 0).edges == 4
        assert S.nnz == 5


def test_seconds_hold_what_is_made_for_the_search() -> None:
    S = sp.coo_array(sb.generate.kronecker(12, seed=2).to_scipy())
    for options in ({}, {"parents": "min"}):
        started = time.perf_counter()
        seconds = sb.bfs(S, 0, **options).seconds
        whole = time.perf_counter() - started
        assert 0 < seconds <= whole
        assert seconds > sb.bfs(sp.csr_array(S), 0).seconds / 1000


def broken(**arrays: Any) -> Any:
    S = sp.csr_array(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
    for name, array in arrays.items():
        setattr(S, name, np.array(array, np.int32))
    return S


@pytest.mark.parametrize(
    "arrays",
    [
        {"indices": [1, 3, 0]},
        {"indices": [1, -1, 0]},
        {"indices": [1, 2**31 - 1, 0]},
        {"indptr": [0, 2, 1, 3]},
        {"indptr": [0, 1, 9, 3]},
        {"indptr": [0, 1, -5, 3]},
        {"indptr": [1, 1, 2, 3]},
        {"indptr": [0, 1, 2, 7]},
    ],
    ids=str,
)
def test_arrays_that_are_no_matrix_are_refused(arrays: dict[str, Any]) -> None:
    with pytest.raises((GraphblasException, ValueError)):
        sb.bfs(broken(**arrays), 0)


@pytest.mark.parametrize("kind", [sp.csr_array, sp.coo_matrix, sb.Matrix])
def test_a_class_is_no_matrix(kind: type) -> None:
    calls = [lambda: sb.bfs(kind, 0), lambda: sb.bfs_many(kind, [0]), lambda: sb.pagerank(kind)]
    calls += [lambda: sb.Matrix.from_scipy(kind), lambda: sb.write("a.mtx", kind)]
    for call in calls:
        with pytest.raises(DomainMismatch, match=rf"got the class (spbfs\.)?{kind.__name__}"):
            call()
    with pytest.raises(ValueError, match="two dimensions"):
        sb.csgraph.breadth_first_order(kind, 0)


def test_arguments_are_those_of_any_search() -> None:
    S = sp.eye_array(4, format="csr")
    with pytest.raises(IndexOutOfBound, match="source"):
        sb.bfs(S, 4)
    with pytest.raises(InvalidValue, match="direction"):
        sb.bfs(S, 0, direction="sideways")
    with pytest.raises(DomainMismatch, match="levels"):
        sb.bfs(S, 0, levels=3)
    with pytest.raises(DimensionMismatch):
        sb.bfs(sp.csr_array((2, 3)), 0)
    with pytest.raises(DomainMismatch, match="real"):
        sb.bfs(S.astype(complex), 0)


@pytest.mark.parametrize("degree", [1, 4, 25])
@pytest.mark.parametrize("form", ["csr_array", "64 bits", "rows in any order"])
def test_wide_levels_and_long_rows(form: str, degree: int) -> None:
    """Which are expanded in other ways than narrow levels and short rows."""
    A = sb.generate.uniform(1500, degree, seed=degree, directed=degree == 4)
    S = FORMS[form](A.to_scipy().astype(np.float64))
    edges = S.toarray() != 0
    for source in (0, 700):
        for options in ({}, {"max_depth": 2}, {"target": 1499}, {"levels": False}):
            want, got = sb.bfs(A.to("reference"), source, **options), sb.bfs(S, source, **options)
            assert (got.depth, got.reached, got.edges) == (want.depth, want.reached, want.edges)
            if want.levels is not None:
                assert got.levels.to("reference").isequal(want.levels, check_dtype=True)
                children, parents = got.parents.to_coo()
                assert parents.dtype == np.int32
                level = got.levels.to_dense(-1)
                at = children != source
                assert (level[children[at]] == level[parents[at]] + 1).all()
                assert edges[parents[at], children[at]].all()


@pytest.mark.parametrize("entry", range(20))
def test_an_entry_anywhere_in_a_long_row_is_checked(entry: int) -> None:
    # 0 leads to 40 vertices, a wide level, and these to 20 each.
    rows = [range(1, 41), *[range(41, 61)] * 40, *[()] * 59]
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    indices = np.concatenate([np.array(row, np.int32) for row in rows])
    for at in (indptr[1] + entry, indptr[30] + entry):
        for column in (-1, 100, 2**31 - 1):
            wrong = indices.copy()
            wrong[at] = column
            S = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(100, 100))
            S.indices = wrong
            with pytest.raises((GraphblasException, ValueError)):
                sb.bfs(S, 0)
        twice = indices.copy()
        twice[at] = twice[at - 1] if entry else twice[at + 1]
        S = sp.csr_array((np.ones(len(indices)), twice, indptr), shape=(100, 100))
        assert sb.bfs(S, 0).edges < 840


def test_what_reaches_little_fills_no_array() -> None:
    S = sp.csr_array(sb.generate.path(1 << 20).to_scipy().astype(np.float64))
    sb.bfs(S, 5, max_depth=1)
    tracemalloc.start()
    levels, parents = sb.bfs(S, 1000, max_depth=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
    assert levels.to_dict() == {998: 2, 999: 1, 1000: 0, 1001: 1, 1002: 2}
    assert parents.to_dict() == {998: 999, 999: 1000, 1000: 1000, 1001: 1000, 1002: 1001}
    S.indices[2 * 1000 - 1] = -1  # in the row of the source: then it is read, and refused
    with pytest.raises(GraphblasException):
        sb.bfs(S, 1000, max_depth=2)


@pytest.mark.parametrize("first", [4.0, 1.0])
def test_duplicates_of_a_scipy_array_add_up(first: float) -> None:
    """As they do for SciPy, whichever comes first."""
    given = sp.coo_array(([first, 5.0 - first], ([0, 0], [1, 1])), shape=(2, 2))
    for A in (given, given.tocsr(), given.tocsc()):
        assert sb.sssp(A, 0).distances.to_dict() == {0: 0.0, 1: 5.0}
        assert sb.bfs(A, 0).levels.to_dict() == {0: 0, 1: 1}
