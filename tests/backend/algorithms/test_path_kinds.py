"""Widest paths, all shortest paths, and levels of graphs without cycles, on every engine."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import GraphCyclic, InvalidValue
from tests.backend.algorithm_cases import DIRECTED, on, pattern, ways, weighted

GRAPHS = [g for g in DIRECTED.values() if g.nrows]
METHODS = ["composed", "auto"]


def same(found: Any, expected: Any) -> None:
    """Entries and types are those that the reference has."""
    assert found.isequal(expected.to(found.device), check_dtype=True)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.int16, np.float64])
def test_widest_paths(device: str, dtype: Any, method: Any) -> None:
    for seed, graph in enumerate(GRAPHS):
        S = weighted(pattern(graph), dtype, -3, 9, seed)
        found = sb.widest_path(on(S, device), 0, method=method)
        widths, parents = (v.to("cpu").to_dict() for v in found)
        # Paths of edges as wide as a threshold, for every threshold.
        expected = {}
        for threshold in sorted(set(S.data.tolist())):
            wide = S.copy()
            wide.data = (wide.data >= threshold).astype(np.int8)
            wide.eliminate_zeros()
            reached = sb.bfs(wide, 0, parents=False).levels.to_coo()[0]
            expected.update(dict.fromkeys(reached.tolist(), threshold))
        expected.pop(0, None)
        assert widths.pop(0) == (np.inf if dtype is np.float64 else np.iinfo(np.int64).max)
        assert widths == expected
        for v, u in parents.items():
            assert v == 0 or min(S[u, v], widths.get(u, np.inf)) == widths[v]


def test_a_width_is_a_number(device: str) -> None:
    A = sb.Matrix.from_coo([0], [1], [np.nan], nrows=2, ncols=2).to(device)
    with pytest.raises(InvalidValue, match="width"):
        sb.widest_path(A, 0)


@pytest.mark.parametrize("dtype", [np.int64, np.float32])
def test_widest_paths_from_several_sources(device: str, dtype: Any) -> None:
    """Ties, widths without end and those that are one for all edges, whatever the way."""
    widest = np.inf if dtype is np.float32 else np.iinfo(np.int64).max
    for seed, graph in enumerate(GRAPHS):
        S = weighted(pattern(graph), dtype, -2, 3, seed)
        sources = [graph.nrows - 1, 0, graph.nrows // 2, 0]
        # Widths as they are, the greatest and the least there are, and all alike.
        ends = (widest, -widest)
        odd = S.copy()
        odd.data = np.where(S.data > 0, *ends).astype(dtype)
        for T in (S, odd, pattern(graph).astype(dtype)):
            A = on(T, device)
            expected = sb.widest_path(on(T, "reference"), sources)
            for method in ways(device, "widest_paths"):
                found = sb.widest_path(A, sources, method=method)
                same(found.distances, expected.distances)
                same(found.parents, expected.parents)
                same(found.owners, expected.owners)


@pytest.mark.parametrize("method", METHODS)
def test_all_shortest_paths(device: str, method: Any) -> None:
    for graph in GRAPHS:
        S = pattern(graph)
        G = nx.from_scipy_sparse_array(S, create_using=nx.DiGraph)
        levels, edges, paths = sb.bfs_dag(on(S, device), 0, method=method)
        assert levels.isequal(sb.bfs(on(S, device), 0).levels.apply("identity[int]").new())
        before = nx.predecessor(G, 0)
        rows, cols, _ = edges.to_coo()
        found = set(zip(rows.tolist(), cols.tolist(), strict=True))
        assert found == {(u, v) for v, every in before.items() for u in every}
        counts = paths.to("cpu").to_dict()
        assert set(counts) == set(before)
        for v in list(before)[-3:]:
            if counts[v] < 100:
                assert counts[v] == len(list(nx.all_shortest_paths(G, 0, v)))


def test_all_shortest_paths_from_several_sources(device: str) -> None:
    for graph in GRAPHS:
        S = pattern(graph)
        sources = [graph.nrows - 1, 0, graph.nrows // 2, 0]
        expected = sb.bfs_dag(on(S, "reference"), sources)
        for method in ways(device, "bfs_dag"):
            for found, other in zip(
                sb.bfs_dag(on(S, device), sources, method=method), expected, strict=True
            ):
                same(found, other)


def test_more_paths_than_a_number_holds(device: str) -> None:
    """A chain of diamonds: 2^k paths lead through k of them."""
    k = 60 if device == "reference" else 1100
    at = 3 * np.arange(k)
    rows = np.concatenate([at, at, at + 1, at + 2])
    cols = np.concatenate([at + 1, at + 2, at + 3, at + 3])
    A = sb.Matrix.from_coo(rows, cols, True, nrows=3 * k + 1, ncols=3 * k + 1).to(device)
    for method in ways(device, "bfs_dag"):
        counts = sb.bfs_dag(A, 0, method=method).paths.to("cpu").to_dense()
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(counts[::3], 2.0 ** np.arange(k + 1))


#: By the field of the fused calls that has it.
DEEP: dict[str, Any] = {
    "topological_levels": sb.topological_levels,
    "bfs_dag": lambda A, method: sb.bfs_dag(A, 0, method=method),
    "widest_paths": lambda A, method: sb.widest_path(A, 0, method=method),
    "path_between": lambda A, method: sb.shortest_path(
        A, 0, A.nrows - 1, weighted=False, method=method
    ),
}


@pytest.mark.parametrize("name", DEEP)
def test_a_fused_call_makes_no_product_a_level(device: str, name: str) -> None:
    n = 300
    at = np.arange(n - 1)
    A = sb.Matrix.from_coo(at, at + 1, 1.0, nrows=n, ncols=n).to(device)
    made = {}
    for method in ways(device, name):
        with sb.trace() as t:
            DEEP[name](A, method=method)
        made[method] = len(t.records)
    assert made.pop("composed") >= n
    assert all(lines < 20 for lines in made.values())
    if device == "cpu":
        assert made


@pytest.mark.parametrize("name", DEEP)
def test_the_way_is_chosen(device: str, name: str) -> None:
    A = on(pattern(DIRECTED["path"]), device)
    with pytest.raises(InvalidValue, match="method: expected 'auto'"):
        DEEP[name](A, method="fast")
    if "fused" not in ways(device, name):
        with pytest.raises(InvalidValue, match="no fused way here"):
            DEEP[name](A, method="fused")


@pytest.mark.parametrize("name", ["bfs_dag", "widest_paths", "path_between"])
def test_rows_that_are_listed_have_the_composed_way(device: str, name: str) -> None:
    n = 1 << 40
    A = sb.Matrix.from_coo([0, n - 7], [n - 7, n - 1], 1.0, nrows=n, ncols=n).to(device)
    DEEP[name](A, method="auto")
    if "fused" in ways(device, name):
        with pytest.raises(InvalidValue, match="no fused way for a hypersparse matrix"):
            DEEP[name](A, method="fused")


@pytest.mark.parametrize("method", METHODS)
def test_topological_levels(device: str, method: Any) -> None:
    cyclic = 0
    for graph in DIRECTED.values():
        S = pattern(graph)
        G = nx.from_scipy_sparse_array(S, create_using=nx.DiGraph)
        if nx.is_directed_acyclic_graph(G):
            expected = np.zeros(graph.nrows, int)
            for level, every in enumerate(nx.topological_generations(G)):
                expected[list(every)] = level
            found = sb.topological_levels(on(S, device), method=method)
            np.testing.assert_array_equal(found.to("cpu").to_dense(), expected)
            continue
        with pytest.raises(GraphCyclic) as caught:
            sb.topological_levels(on(S, device), method=method)
        v = caught.value.vertex
        assert str(v) in str(caught.value)
        assert G.has_edge(v, v) or any(nx.has_path(G, w, v) for w in G[v])
        cyclic += 1
    assert cyclic > 5
