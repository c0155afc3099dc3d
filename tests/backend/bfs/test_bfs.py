"""Breadth-first search against a queue in plain Python, on awkward and random graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from bfs_cases import GRAPHS, both_ways, dense, kronecker_like, matrix, queue_search, scipy_of
from hypothesis import given, settings
from hypothesis import strategies as st

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue

pytestmark = pytest.mark.usefixtures("short_lists")


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("direction", ["auto", "push", "pull"])
@pytest.mark.parametrize("name", GRAPHS)
def test_named_graphs(device: str, name: str, direction: Any, threads: int) -> None:
    n, edges = GRAPHS[name]
    A, S = matrix(n, edges, device), scipy_of(n, edges)
    for source in {0, n // 2, n - 1}:
        level, parent, _ = queue_search(S, [source])
        some = sb.bfs(A, source, direction=direction, threads=threads)
        np.testing.assert_array_equal(dense(some.levels), level)
        sb.verify.bfs_tree(A, source, some.parents, some.levels)
        least = sb.bfs(A, source, direction=direction, threads=threads, parents="min")
        np.testing.assert_array_equal(dense(least.levels), level)
        np.testing.assert_array_equal(dense(least.parents), parent)
        assert some.depth == level.max()
        assert some.reached == np.count_nonzero(level >= 0)
        assert some.edges == np.diff(S.indptr)[level >= 0].sum()


@st.composite
def graphs(draw: Any) -> tuple[int, list[tuple[int, int]]]:
    n = draw(st.integers(1, 150))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=4 * n))
    return n, both_ways(edges) if draw(st.booleans()) else edges


@settings(deadline=None, max_examples=150)
@given(graphs(), st.data())
def test_random_graphs(device: str, graph: tuple[int, list[tuple[int, int]]], data: Any) -> None:
    n, edges = graph
    A, S = matrix(n, edges, device), scipy_of(n, edges)
    sources = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=5))
    max_depth = data.draw(st.none() | st.integers(0, 6))
    direction = data.draw(st.sampled_from(["auto", "push", "pull"]))
    threads = data.draw(st.integers(1, 3))
    level, parent, owner = queue_search(S, sources, max_depth)
    found = sb.bfs(
        A, sources, max_depth=max_depth, direction=direction, threads=threads, parents="min"
    )
    np.testing.assert_array_equal(dense(found.levels), level)
    np.testing.assert_array_equal(dense(found.parents), parent)
    if len(sources) > 1 and len(set(sources)) > 1:
        np.testing.assert_array_equal(dense(found.owners), owner)
    sb.verify.bfs_tree(A, sources, found.parents, found.levels, max_depth=max_depth)
    assert found.edges == np.diff(S.indptr)[level >= 0].sum()


@pytest.mark.parametrize("relabel", [None, "degree"])
@pytest.mark.parametrize("limit", ["max_depth", "target"])
def test_searches_that_end_where_they_begin(device: str, relabel: Any, limit: str) -> None:
    A = matrix(300, both_ways([(u, (7 * u + 1) % 300) for u in range(300)]), device)
    for source in range(0, 300, 2):
        end: dict[str, Any] = {limit: 0 if limit == "max_depth" else source}
        found = sb.bfs(A, source, relabel=relabel, **end)
        for output, value in ((found.levels, 0), (found.parents, source)):
            assert [x.tolist() for x in output.to_coo()] == [[source], [value]]


@pytest.mark.parametrize("relabel", [None, "degree"])
def test_sources_without_entries_end_no_search(device: str, relabel: Any) -> None:
    """There are more of them than vertices with entries."""
    edges = both_ways([(0, 1), (1, 2), (2, 3), (3, 4)])
    A, sources = matrix(20, edges, device), [0, *range(10, 18)]
    found = sb.bfs(A, sources, relabel=relabel)
    np.testing.assert_array_equal(
        dense(found.levels), queue_search(scipy_of(20, edges), sources)[0]
    )
    assert (found.depth, found.reached) == (4, 13)


def test_large_levels_on_several_threads(device: str) -> None:
    S = kronecker_like(11 if device == "reference" else 14, seed=5)
    A = sb.Matrix.from_scipy(S).to(device)
    hub = int(np.argmax(np.diff(S.indptr)))
    level, parent, _ = queue_search(S, [hub])
    for direction in ("push", "pull", "auto"):
        for threads in (1, 2, 4):
            for _ in range(1 if device == "reference" else 5):
                found = sb.bfs(A, hub, direction=direction, threads=threads, parents="min")
                np.testing.assert_array_equal(dense(found.levels), level)
                np.testing.assert_array_equal(dense(found.parents), parent)
                some = sb.bfs(A, hub, direction=direction, threads=threads)
                sb.verify.bfs_tree(A, hub, some.parents, some.levels)


def test_long_rows_are_shared_by_threads(device: str) -> None:
    """A frontier of few vertices, two of which have most of the edges."""
    if device == "reference":
        pytest.skip("one thread, and slow")
    rng = np.random.default_rng(5)
    n = 60_000
    u = np.repeat([0, 1, *range(2, 40)], [30_000, 20_000, *[50] * 38])
    rows, cols = np.r_[u, np.full(40, 50)], np.r_[rng.integers(0, n, u.size), np.arange(40)]
    A = sb.Matrix.from_coo(rows, cols, True, nrows=n, ncols=n)
    want = sb.bfs(A.to("reference"), 50, parents=False).levels
    A = A.to(device)
    for threads in (1, 2, 4):
        found = sb.bfs(A, 50, direction="push", threads=threads)
        assert found.levels.to("reference").isequal(want)
        sb.verify.bfs_tree(A, 50, found)


@pytest.mark.parametrize(
    "dtypes", [(np.int32, np.int32), (np.int64, np.int32), (np.int64, np.int64)]
)
def test_every_pair_of_index_types(device: str, dtypes: Any) -> None:
    n, edges = GRAPHS["ladder down"]
    S = scipy_of(n, edges)
    A = sb.Matrix.from_csr(
        S.indptr.astype(dtypes[0]), S.indices.astype(dtypes[1]), True, nrows=n, ncols=n
    ).to(device)
    level, parent, _ = queue_search(S, [0])
    found = sb.bfs(A, 0, direction="pull", parents="min")
    np.testing.assert_array_equal(dense(found.levels), level)
    np.testing.assert_array_equal(dense(found.parents), parent)


def test_scipy_input_of_any_format() -> None:
    S = scipy_of(*GRAPHS["ladder down"])
    level, _, _ = queue_search(S, [3])
    for X in (S, sp.csr_matrix(S), sp.coo_array(S), sp.csc_array(S)):
        np.testing.assert_array_equal(dense(sb.bfs(X, 3).levels), level)


def test_outputs_not_asked_for_are_none(device: str) -> None:
    A = matrix(*GRAPHS["path"], device)
    bare = sb.bfs(A, 0, levels=False, parents=False)
    assert (bare.levels, bare.parents, bare.owners, bare.trace) == (None, None, None, None)
    assert (bare.reached, bare.depth) == (130, 129)
    levels, parents = sb.bfs(A, 0, parents=False)
    assert levels is not None and parents is None


def test_max_depth_and_target_stop_the_search(device: str) -> None:
    A = matrix(*GRAPHS["path"], device)
    assert sb.bfs(A, 0, max_depth=0).reached == 1
    assert sb.bfs(A, 0, max_depth=7).reached == 8
    assert sb.bfs(A, 0, target=40).depth == 40
    assert sb.bfs(A, 0, target=0).depth == 0
    assert sb.bfs(matrix(*GRAPHS["two parts"], device), 0, target=100).reached == 64


@pytest.mark.parametrize("relabel", ["auto", "degree", None])
def test_a_source_without_edges_may_be_the_target(device: str, relabel: Any) -> None:
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 3], True, nrows=9, ncols=9).to(device)
    for sources in ([0, 8], [8, 0, 8]):
        assert sb.bfs(A, sources, target=8, relabel=relabel).reached == 2
        assert sb.bfs(A, sources, target=7, relabel=relabel).reached == 5
    assert sb.bfs(A, 8, target=8, relabel=relabel).depth == 0


def test_equal_distances_go_to_the_first_source(device: str) -> None:
    A = matrix(5, both_ways([(0, 1), (1, 2), (2, 3), (3, 4)]), device)
    assert dense(sb.bfs(A, [4, 0]).owners).tolist() == [1, 1, 0, 0, 0]
    assert dense(sb.bfs(A, [0, 4]).owners).tolist() == [0, 0, 0, 1, 1]
    assert dense(sb.bfs(A, [0, 0, 4]).owners).tolist() == [0, 0, 0, 2, 2]


def test_trace_has_one_line_a_level(device: str) -> None:
    A = matrix(*GRAPHS["path"], device)
    result = sb.bfs(A, 0, trace=True, direction="push")
    assert [t.frontier for t in result.trace][:129] == [1] * 129
    assert [t.edges for t in result.trace][:129] == [1] + [2] * 128
    assert len(result.trace) in (129, 130)
    # The CPU knows that nothing lies behind the last level; the others look.
    assert {t.direction for t in result.trace} == {"push"}
    assert all(t.seconds >= 0 for t in result.trace)


def test_a_search_told_to_push_pushes_however_many_are_in_the_frontier(device: str) -> None:
    hub, few, many = [0] * 60_000, range(60_001, 60_041), range(1, 60_001)
    rows, columns = [*hub, *range(1, 41)], [*many, *few]
    A = sb.Matrix.from_coo(rows + columns, columns + rows, True, nrows=60_041, ncols=60_041)
    result = sb.bfs(A.to(device), 0, trace=True, direction="push")
    assert result.reached == A.nrows
    assert [t.frontier for t in result.trace][:2] == [1, 60_000]
    assert {t.direction for t in result.trace} == {"push"}


def test_a_search_is_seen_by_the_burble(device: str) -> None:
    A = matrix(*GRAPHS["path"], device)
    with sb.trace() as t:
        result = sb.bfs(A, 0, direction="push")
    (line,) = t.records
    assert (line["operation"], line["direction"], line["device"]) == ("bfs", "push", device)
    assert (line["edges"], line["nvals"]) == (result.edges, result.reached)


BAD_ARGUMENTS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"source": -1}, IndexOutOfBound, "source"),
    ({"source": 130}, IndexOutOfBound, "source"),
    ({"source": 1 << 70}, IndexOutOfBound, "source"),
    ({"source": 1.0}, DomainMismatch, "source"),
    ({"source": float("nan")}, DomainMismatch, "source"),
    ({"source": True}, DomainMismatch, "source"),
    ({"source": "0"}, DomainMismatch, "source"),
    ({"source": None}, DomainMismatch, "source"),
    ({"source": []}, InvalidValue, "source"),
    ({"source": [0, 130]}, IndexOutOfBound, "source"),
    ({"source": [0, -2]}, IndexOutOfBound, "source"),
    ({"source": [0.5, 1]}, DomainMismatch, "source"),
    ({"source": [True, 1]}, DomainMismatch, "source"),
    ({"source": np.array([True, False])}, DomainMismatch, "source"),
    ({"source": [[0, 1]]}, DimensionMismatch, "source"),
    ({"source": [[0], [0, 1]]}, DomainMismatch, "source"),
    ({"max_depth": -1}, InvalidValue, "max_depth"),
    ({"max_depth": 1.5}, DomainMismatch, "max_depth"),
    ({"max_depth": False}, DomainMismatch, "max_depth"),
    ({"target": 130}, IndexOutOfBound, "target"),
    ({"target": -1}, IndexOutOfBound, "target"),
    ({"direction": "sideways"}, InvalidValue, "direction"),
    ({"direction": None}, InvalidValue, "direction"),
    ({"parents": "most"}, InvalidValue, "parents"),
    ({"parents": 1}, DomainMismatch, "parents"),
    ({"levels": "yes"}, DomainMismatch, "levels"),
    ({"threads": 0}, InvalidValue, "threads"),
    ({"threads": -2}, InvalidValue, "threads"),
    ({"threads": 1.5}, DomainMismatch, "threads"),
    ({"threads": True}, DomainMismatch, "threads"),
    ({"trace": 1}, DomainMismatch, "trace"),
    ({"relabel": "rcm"}, InvalidValue, "relabel"),
    ({"relabel": False}, InvalidValue, "relabel"),
    ({"expansion": "most"}, InvalidValue, "expansion: .*'most'"),
    ({"expansion": 3}, DomainMismatch, "expansion"),
    ({"expansion": None}, DomainMismatch, "expansion"),
    ({"expansion": "twc", "direction": "pull"}, InvalidValue, "direction|expansion"),
    ({"expansion": "twc", "target": 3}, InvalidValue, "target|expansion"),
]


@pytest.mark.parametrize(("wrong", "error", "name"), BAD_ARGUMENTS)
def test_bad_arguments(
    device: str, wrong: dict[str, Any], error: type[Exception], name: str
) -> None:
    A = matrix(*GRAPHS["path"], device)
    with pytest.raises(error, match=name):
        sb.bfs(A, **{"source": 0, **wrong})


def test_only_cuda_has_a_choice_of_expansions(device: str) -> None:
    A = matrix(*GRAPHS["path"], device)
    assert sb.bfs(A, 0, expansion="auto").depth == 129
    if device == "cuda":
        assert sb.bfs(A, 0, expansion="scan").depth == 129
    else:
        with pytest.raises(InvalidValue, match=f"expansion: .*{device}"):
            sb.bfs(A, 0, expansion="scan")


def test_shapes_that_have_no_search(device: str) -> None:
    with pytest.raises(DimensionMismatch, match="2 x 3"):
        sb.bfs(sb.Matrix.from_scipy(sp.csr_array((2, 3))).to(device), 0)
    with pytest.raises(IndexOutOfBound, match="source"):
        sb.bfs(sb.Matrix.from_scipy(sp.csr_array((0, 0))).to(device), 0)
