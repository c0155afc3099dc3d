"""What must hold for any breadth-first search of any graph, fused or composed, on every engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import SEARCHABLE, Graph, bfs_levels
from hypothesis import given, settings
from hypothesis import strategies as st

import spbfs as sb
from spbfs import Matrix, Vector, binary, replace, semiring

pytestmark = pytest.mark.usefixtures("short_lists")

FAR = 10**6


@st.composite
def graphs(draw: st.DrawFn, most: int = 40) -> Graph:
    """A graph of up to `most` vertices: sparse or dense, one-way or not, with loops and repeats."""
    n = draw(st.integers(1, most))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=4 * n))
    if draw(st.booleans()):
        edges = edges + [(j, i) for i, j in edges]
    return Graph("drawn", n, edges)


def matrix(graph: Graph, device: str = "cpu") -> Any:
    return Matrix.from_coo(
        graph.rows, graph.cols, True, nrows=graph.nrows, ncols=graph.ncols, device=device
    )


def dense(levels: Any) -> list[int]:
    out = [-1] * levels.size
    for i, level in zip(*levels.to_coo(), strict=True):
        out[i] = int(level)
    return out


def composed(A: Any, sources: list[int], **hints: Any) -> Any:
    """The search as users of the algebra write it."""
    q = Vector(bool, A.nrows)
    for source in sources:
        q[source] = True
    levels = Vector(int, A.nrows)
    depth = 0
    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, replace, **hints) << semiring.any_pair(q @ A)
        depth += 1
    return levels


def composed_parents(A: Any, source: int, name: str) -> Any:
    """Parents by a positional semiring; ``min_secondi`` gives the least one."""
    parents = Vector(int, A.nrows)
    parents[source] = source
    q = Vector(int, A.nrows)
    q[source] = source
    while q.nvals:
        found = getattr(semiring, name)(q @ A).new(mask=~parents.S)
        parents(found.S) << found
        q << found
    return parents


@pytest.mark.parametrize("name", SEARCHABLE)
def test_the_six_lines_on_every_graph_of_the_table(device: str, name: str) -> None:
    graph = SEARCHABLE[name]
    for source in {0, graph.nrows // 2, graph.nrows - 1}:
        levels = composed(matrix(graph, device), [source])
        assert levels.device == device
        assert dense(levels) == bfs_levels(graph, [source])


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("name", SEARCHABLE)
def test_the_direction_changes_nothing(device: str, name: str, direction: str) -> None:
    graph = SEARCHABLE[name]
    levels = composed(matrix(graph, device), [0], direction=direction, threads=2)
    assert dense(levels) == bfs_levels(graph, [0])


@pytest.mark.parametrize("name", SEARCHABLE)
def test_composed_parents_are_a_tree(device: str, name: str) -> None:
    graph = SEARCHABLE[name]
    A = matrix(graph, device)
    for ring in ("any_firstj", "any_secondi", "min_secondi"):
        parents = composed_parents(A, 0, ring)
        sb.verify.bfs_tree(matrix(graph), 0, parents.to("cpu"), bfs_levels(graph, [0]))
    least = sb.bfs(matrix(graph), 0, parents="min").parents
    assert dense(parents) == dense(least)


@pytest.mark.parametrize("name", SEARCHABLE)
def test_the_fused_search_on_every_graph_of_the_table(device: str, name: str) -> None:
    graph = SEARCHABLE[name]
    A = matrix(graph, device)
    for source in range(0, graph.nrows, max(1, graph.nrows // 5)):
        for direction in ("auto", "push", "pull"):
            result = sb.bfs(A, source, direction=direction)
            assert dense(result.levels) == bfs_levels(graph, [source])
            sb.verify.bfs_tree(A, source, result.parents, result.levels)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_several_sources_give_the_nearest(device: str, graph: Graph, data: st.DataObject) -> None:
    vertex = st.integers(0, graph.nrows - 1)
    sources = data.draw(st.lists(vertex, min_size=1, max_size=5))
    A = matrix(graph, device)
    single = [dense(sb.bfs(A, s).levels) for s in sources]
    nearest = [
        min((row[v] for row in single if row[v] >= 0), default=-1) for v in range(graph.nrows)
    ]
    result = sb.bfs(A, sources)
    assert dense(result.levels) == nearest
    assert dense(composed(A, sources)) == nearest
    sb.verify.bfs_tree(A, sources, result.parents, result.levels)
    if result.owners is not None:
        for v, owner in zip(*result.owners.to_coo(), strict=True):
            distances = [row[v] if row[v] >= 0 else FAR for row in single]
            assert owner == int(np.argmin(distances))


@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_max_depth_cuts_the_levels(device: str, graph: Graph, data: st.DataObject) -> None:
    source = data.draw(st.integers(0, graph.nrows - 1))
    depth = data.draw(st.integers(0, graph.nrows))
    A = matrix(graph, device)
    levels, parents = sb.bfs(A, source, max_depth=depth)
    whole = bfs_levels(graph, [source])
    assert dense(levels) == [level if level <= depth else -1 for level in whole]
    sb.verify.bfs_tree(A, source, parents, levels, max_depth=depth)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_a_target_is_found_at_its_level(device: str, graph: Graph, data: st.DataObject) -> None:
    source, target = (data.draw(st.integers(0, graph.nrows - 1)) for _ in range(2))
    whole = bfs_levels(graph, [source])
    result = sb.bfs(matrix(graph, device), source, target=target)
    if whole[target] < 0:
        assert dense(result.levels) == whole
    else:
        cut = whole[target]
        assert dense(result.levels) == [level if level <= cut else -1 for level in whole]


@settings(max_examples=60, deadline=None)
@given(graphs(), st.randoms(use_true_random=False), st.data())
def test_relabelling_relabels_the_levels(
    device: str, graph: Graph, random: Any, data: st.DataObject
) -> None:
    source = data.draw(st.integers(0, graph.nrows - 1))
    new = list(range(graph.nrows))
    random.shuffle(new)
    renamed = Graph("renamed", graph.nrows, [(new[i], new[j]) for i, j in graph.edges])
    levels = dense(sb.bfs(matrix(graph, device), source).levels)
    moved = dense(sb.bfs(matrix(renamed, device), new[source]).levels)
    assert [moved[new[v]] for v in range(graph.nrows)] == levels


@settings(max_examples=60, deadline=None)
@given(graphs(), st.data())
def test_values_duplicates_and_order_do_not_matter(
    device: str, graph: Graph, data: st.DataObject
) -> None:
    source = data.draw(st.integers(0, graph.nrows - 1))
    edges = data.draw(st.permutations(graph.edges + graph.edges[:3]))
    rows, cols = [i for i, _ in edges], [j for _, j in edges]
    n = graph.nrows
    zeros = Matrix.from_coo(
        rows, cols, np.zeros(len(rows)), nrows=n, ncols=n, dup_op=binary.plus, device=device
    )
    assert dense(sb.bfs(zeros, source).levels) == bfs_levels(graph, [source])


@settings(max_examples=40, deadline=None)
@given(graphs(), st.data())
def test_edges_change_levels_by_at_most_one(device: str, graph: Graph, data: st.DataObject) -> None:
    """The triangle inequality along every edge, and its reverse search by the transpose."""
    source = data.draw(st.integers(0, graph.nrows - 1))
    A = matrix(graph, device)
    levels = dense(sb.bfs(A, source).levels)
    for i, j in graph.edges:
        assert levels[i] < 0 or 0 <= levels[j] <= levels[i] + 1
    target = data.draw(st.integers(0, graph.nrows - 1))
    assert dense(sb.bfs(A.T, target).levels)[source] == levels[target]


@settings(max_examples=40, deadline=None)
@given(graphs(), st.data())
def test_edges_are_counted_from_the_rows_reached(
    device: str, graph: Graph, data: st.DataObject
) -> None:
    source = data.draw(st.integers(0, graph.nrows - 1))
    A = matrix(graph, device)
    result = sb.bfs(A, source, levels=False, parents=False)
    assert result.levels is None
    assert result.parents is None
    whole = bfs_levels(graph, [source])
    assert result.reached == sum(level >= 0 for level in whole)
    assert result.depth == max(whole)
    assert result.edges == len({(i, j) for i, j in graph.edges if whole[i] >= 0})
