"""Paths, order of visit and tree of a search, against its levels."""

from __future__ import annotations

import itertools
import pickle

import networkx as nx
import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import DomainMismatch, IndexOutOfBound, InvalidValue
from tests.graphs import SEARCHABLE


@pytest.mark.parametrize("name", SEARCHABLE)
@pytest.mark.parametrize("several", [False, True])
def test_paths_order_and_tree(name: str, several: bool, device: str) -> None:
    graph = SEARCHABLE[name]
    n = graph.nrows
    A = sb.Matrix.from_coo(graph.rows, graph.cols, True, nrows=n, ncols=n, device=device)
    sources = [0, n - 1] if several else [0]
    edges = set(zip(graph.rows, graph.cols, strict=True))
    for max_depth in (None, 1):
        result = sb.bfs(A, sources, max_depth=max_depth)
        assert result.levels is not None
        levels = result.levels.to_dense(-1, "INT64").tolist()
        reached = [v for v in range(n) if levels[v] >= 0]
        order = result.order.tolist()
        assert order == sorted(reached, key=lambda v: (levels[v], v))
        assert result.order.dtype == np.int64
        parent, child, _ = result.tree.to_coo()
        assert result.tree.shape == (n, n) and result.tree.device == device
        assert sorted(child.tolist()) == [v for v in reached if levels[v]]
        for u, v in zip(parent.tolist(), child.tolist(), strict=True):
            assert levels[v] == levels[u] + 1 and (u, v) in edges
        for v in reached:
            path = result.path_to(v).tolist()
            assert len(path) == levels[v] + 1
            assert path[0] in sources and path[-1] == v
            assert all(edge in edges for edge in itertools.pairwise(path))
        for v in set(range(n)) - set(reached):
            with pytest.raises(InvalidValue, match=f"^vertex: {v} was not reached"):
                result.path_to(v)


def test_paths_are_shortest() -> None:
    graph = nx.gnm_random_graph(200, 500, seed=3, directed=True)
    A = sb.Matrix.from_networkx(graph)
    result = pickle.loads(pickle.dumps(sb.bfs(A, 5)))
    for v, path in nx.single_source_shortest_path(graph, 5).items():
        assert len(result.path_to(v)) == len(path)
    assert len(sb.bfs(sb.generate.path(100_000), 0).path_to(99_999)) == 100_000


def test_mistakes(device: str) -> None:
    A = sb.generate.path(5).to(device)
    result = sb.bfs(A, 0)
    for vertex, error in [(5, IndexOutOfBound), (-1, IndexOutOfBound), ("a", DomainMismatch)]:
        with pytest.raises(error, match=r"^vertex: "):
            result.path_to(vertex)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match=r"^parents: expected a search with parents=True"):
        sb.bfs(A, 0, parents=False).path_to(3)
    with pytest.raises(InvalidValue, match=r"^parents: "):
        assert sb.bfs(A, 0, parents=False).tree
    with pytest.raises(InvalidValue, match=r"^levels: "):
        assert len(sb.bfs(A, 0, levels=False).order)
