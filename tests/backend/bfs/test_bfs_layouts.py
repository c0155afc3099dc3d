"""Layouts for study: every combination finds what the reference finds, in the caller's labels."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from bfs_cases import GRAPHS, both_ways, dense, kronecker_like, matrix, queue_search, scipy_of
from hypothesis import given, settings
from hypothesis import strategies as st

import spbfs as sb
from spbfs.exceptions import InvalidValue

pytestmark = pytest.mark.usefixtures("short_lists")

LAYOUTS = list(product(("auto", "compact", "degree", None), ("auto", "degree", None)))
#: Vertices without entries between those with entries, in front of them and behind them.
SPREAD = {
    "gaps": (40, both_ways([(3 * i, 3 * (i + 2)) for i in range(1, 10)] + [(3, 30), (6, 27)])),
    "gaps, one way": (40, [(5, 30), (30, 7), (7, 5), (30, 31), (12, 30), (31, 31), (7, 38)]),
    "hub last": (90, both_ways([(89, i) for i in range(0, 88, 3)] + [(0, 3), (3, 6), (87, 60)])),
}


def check_tree(A: Any, sources: list[int], found: Any, end: int | None) -> None:
    tree = found.parents.to("cpu"), found.levels.to("cpu")
    sb.verify.bfs_tree(A.to("cpu"), sources, *tree, max_depth=end)


def agree(A: Any, S: Any, sources: list[int], **how: Any) -> None:
    end = how.get("max_depth")
    level, parent, owner = queue_search(S, sources, end)
    some = sb.bfs(A, sources, **how)
    np.testing.assert_array_equal(dense(some.levels), level)
    check_tree(A, sources, some, end)
    least = sb.bfs(A, sources, parents="min", **how)
    np.testing.assert_array_equal(dense(least.levels), level)
    np.testing.assert_array_equal(dense(least.parents), parent)
    bare = sb.bfs(A, sources, levels=False, parents=False, **how)
    for found in (some, least, bare):
        assert found.reached == np.count_nonzero(level >= 0)
        assert found.depth == level.max()
        assert found.edges == np.diff(S.indptr)[level >= 0].sum()
    if len(set(sources)) > 1:
        np.testing.assert_array_equal(dense(some.owners), owner)
        np.testing.assert_array_equal(dense(some.parents), parent)


@pytest.mark.parametrize(("relabel", "neighbours"), LAYOUTS)
@pytest.mark.parametrize("name", [*GRAPHS, *SPREAD])
def test_named_graphs(device: str, name: str, relabel: Any, neighbours: Any) -> None:
    n, edges = (GRAPHS | SPREAD)[name]
    A, S = matrix(n, edges, device), scipy_of(n, edges)
    for direction, source in (("auto", 0), ("pull", n // 2), ("push", n - 1)):
        agree(A, S, [source], direction=direction, relabel=relabel, neighbours=neighbours)
    agree(A, S, [n - 1, n // 2, 0, n // 2], relabel=relabel, neighbours=neighbours)


@st.composite
def graphs(draw: Any) -> tuple[int, list[tuple[int, int]]]:
    n = draw(st.integers(1, 120))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=2 * n))
    return n, both_ways(edges) if draw(st.booleans()) else edges


@settings(deadline=None, max_examples=60)
@given(graphs(), st.data())
def test_random_graphs(device: str, graph: tuple[int, list[tuple[int, int]]], data: Any) -> None:
    n, edges = graph
    relabel, neighbours = data.draw(st.sampled_from(LAYOUTS))
    sources = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=5))
    agree(
        matrix(n, edges, device),
        scipy_of(n, edges),
        sources,
        max_depth=data.draw(st.none() | st.integers(0, 5)),
        direction=data.draw(st.sampled_from(["auto", "push", "pull"])),
        threads=data.draw(st.integers(1, 3)),
        relabel=relabel,
        neighbours=neighbours,
    )


@pytest.mark.parametrize(("relabel", "neighbours"), LAYOUTS)
def test_targets_and_sources_without_entries(device: str, relabel: Any, neighbours: Any) -> None:
    layout = {"relabel": relabel, "neighbours": neighbours}
    A = sb.Matrix.from_coo([1, 2, 3], [2, 3, 4], True, nrows=9, ncols=9).to(device)
    assert sb.bfs(A, 1, target=3, **layout).depth == 2
    assert sb.bfs(A, 1, target=8, **layout).reached == 4
    for sources in ([0, 8], [8, 0, 8]):
        found = sb.bfs(A, sources, **layout)
        assert found.levels.to_coo()[0].tolist() == [0, 8]
        assert dense(found.parents)[[0, 8]].tolist() == [0, 8]
        assert dense(found.owners)[[0, 8]].tolist() == [sources.index(0), sources.index(8)]
    found = sb.bfs(A, [8, 1], target=8, **layout)
    assert (found.reached, found.depth) == (2, 0)
    found = sb.bfs(A, [8, 1], trace=True, **layout)
    assert found.trace[0].frontier == 2
    assert dense(found.owners).tolist() == [-1, 1, 1, 1, 1, -1, -1, -1, 0]


@pytest.mark.parametrize(("relabel", "neighbours"), LAYOUTS)
def test_large_levels_on_several_threads(device: str, relabel: Any, neighbours: Any) -> None:
    S = kronecker_like(10 if device == "reference" else 13, seed=8)
    A = sb.Matrix.from_scipy(S).to(device)
    plan = sb.BFSPlan(A)
    hub = int(np.argmax(np.diff(S.indptr)))
    level, parent, _ = queue_search(S, [hub])
    for direction in ("pull", "auto"):
        for threads in (1, 3):
            how = {"direction": direction, "threads": threads}
            some = plan.run(hub, relabel=relabel, neighbours=neighbours, **how)
            np.testing.assert_array_equal(dense(some.levels), level)
            check_tree(A, [hub], some, None)
            least = plan.run(hub, parents="min", relabel=relabel, neighbours=neighbours, **how)
            np.testing.assert_array_equal(dense(least.parents), parent)


def test_layouts_are_counted_and_kept(device: str) -> None:
    if device == "reference":
        pytest.skip("the reference keeps nothing")
    plan = sb.BFSPlan(matrix(*SPREAD["gaps"], device))
    sizes = []
    for relabel, neighbours in [("compact", None), ("degree", "auto"), ("degree", "auto")]:
        plan.run(3, relabel=relabel, neighbours=neighbours, direction="pull")
        sizes.append(plan.nbytes)
    assert sizes[0] < sizes[1]
    assert sizes[1] == sizes[2]


def test_a_graph_without_gaps_is_not_copied() -> None:
    A = sb.generate.uniform(3000, 40, seed=1)
    plan = sb.BFSPlan(A)
    level = dense(plan.run(3).levels)
    before = plan.nbytes
    found = plan.run(3, relabel="compact", neighbours=None, direction="pull")
    np.testing.assert_array_equal(dense(found.levels), level)
    assert plan.nbytes - before < A.nvals


def test_arrays_of_others_are_searched_in_layouts_too() -> None:
    S = scipy_of(*SPREAD["hub last"])
    level, _, _ = queue_search(S, [4 * 3])
    found = sb.bfs(S, 12, relabel="compact", neighbours="degree")
    np.testing.assert_array_equal(dense(found.levels), level)


@pytest.mark.parametrize("wrong", ["index", 1, False])
def test_bad_orders(device: str, wrong: Any) -> None:
    A = matrix(*GRAPHS["path"], device)
    with pytest.raises(InvalidValue, match="neighbours: expected"):
        sb.bfs(A, 0, neighbours=wrong)
    with pytest.raises(InvalidValue, match="relabel: expected"):
        sb.bfs(A, 0, relabel=wrong)
