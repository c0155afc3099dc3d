"""Widest paths, all shortest paths, and levels of graphs without cycles, on every engine."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import GraphCyclic, InvalidValue
from tests.backend.algorithm_cases import DIRECTED, on, pattern, weighted

GRAPHS = [g for g in DIRECTED.values() if g.nrows]


@pytest.mark.parametrize("dtype", [np.int16, np.float64])
def test_widest_paths(device: str, dtype: Any) -> None:
    for seed, graph in enumerate(GRAPHS):
        S = weighted(pattern(graph), dtype, -3, 9, seed)
        found = sb.widest_path(on(S, device), 0)
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


def test_all_shortest_paths(device: str) -> None:
    for graph in GRAPHS:
        S = pattern(graph)
        G = nx.from_scipy_sparse_array(S, create_using=nx.DiGraph)
        levels, edges, paths = sb.bfs_dag(on(S, device), 0)
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


def test_topological_levels(device: str) -> None:
    cyclic = 0
    for graph in DIRECTED.values():
        S = pattern(graph)
        G = nx.from_scipy_sparse_array(S, create_using=nx.DiGraph)
        if nx.is_directed_acyclic_graph(G):
            expected = np.zeros(graph.nrows, int)
            for level, every in enumerate(nx.topological_generations(G)):
                expected[list(every)] = level
            found = sb.topological_levels(on(S, device))
            np.testing.assert_array_equal(found.to("cpu").to_dense(), expected)
            continue
        with pytest.raises(GraphCyclic) as caught:
            sb.topological_levels(on(S, device))
        v = caught.value.vertex
        assert str(v) in str(caught.value)
        assert G.has_edge(v, v) or any(nx.has_path(G, w, v) for w in G[v])
        cyclic += 1
    assert cyclic > 5
