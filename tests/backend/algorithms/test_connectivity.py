"""Strong components, bipartitions and spanning forests equal SciPy's and NetworkX's."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, InvalidValue, VerificationError
from tests.backend.algorithm_cases import DIRECTED, cases, on, pattern, ways
from tests.graphs import both


def test_strong_components(device: str) -> None:
    for name, graph in cases(device):
        S = pattern(graph)
        _, label = connected_components(S, connection="strong")
        least = np.full(graph.nrows, graph.nrows)
        np.minimum.at(least, label, np.arange(graph.nrows))
        for method in ways(device, "strong_components"):
            found = sb.strong_components(on(S, device), method=method)
            assert (found.dtype, found.device) == (sb.dtypes.INT64, device)
            np.testing.assert_array_equal(found.to("cpu").to_dense(), least[label], name)
            sb.verify.strong_components(on(S, device), found)


def test_rounds_of_strong_components_do_not_grow_with_their_number() -> None:
    pairs = np.arange(2000).reshape(-1, 2)
    rows, columns = np.concatenate([pairs, pairs[:, ::-1]]).T
    A = sb.Matrix.from_coo(rows, columns, True, nrows=2000, ncols=2000)
    with sb.trace() as made:
        found = sb.strong_components(A, method="composed")
    assert found.isequal(sb.Vector.from_dense(np.arange(2000) // 2 * 2))
    assert len(made.records) < 100


def test_strong_components_of_larger_graphs() -> None:
    n = 100_000
    ring = sb.Matrix.from_coo(np.arange(n), (np.arange(n) + 1) % n, 1.0)
    assert sb.strong_components(ring).reduce("max").new().value == 0
    way = sb.Matrix.from_coo(np.arange(n - 1), np.arange(1, n), 1.0, nrows=n, ncols=n)
    assert sb.strong_components(way).isequal(sb.Vector.from_dense(np.arange(n)))
    for A in (sb.generate.uniform(20_000, 1.5, seed=1, directed=True), sb.generate.grid2d(100)):
        count, label = connected_components(A.to_scipy(), connection="strong")
        found = sb.strong_components(A).to_dense()
        assert len(set(zip(label.tolist(), found.tolist(), strict=True))) == count
        assert np.count_nonzero(found == np.arange(A.nrows)) == count


def test_bipartite(device: str) -> None:
    for name, graph in cases(device):
        A = on(pattern(graph), device)
        found = sb.bipartite(A)
        sb.verify.bipartite(A, found)
        expected = nx.is_bipartite(nx.Graph(graph.edges))
        assert (bool(found), found.is_bipartite) == (expected, expected), name
        assert found.sides.nvals == (graph.nrows if expected else 0), name
        assert found.sides.device == device


def test_spanning_forest(device: str) -> None:
    for name, graph in cases(device):
        S = pattern(graph)
        A = on(S, device)
        forest = sb.spanning_forest(A)
        sb.verify.spanning_forest(A, forest)
        parts, _ = connected_components(S, directed=False)
        assert forest.nvals == 2 * (graph.nrows - parts), name
        assert (forest.dtype, forest.device) == (sb.dtypes.BOOL, device)


def test_the_forest_is_of_breadth_first_trees(device: str) -> None:
    A = on(pattern(DIRECTED["random-both"]), device)
    forest = sb.spanning_forest(A)
    for root in np.flatnonzero(sb.components(A).to("cpu").to_dense() == np.arange(A.nrows)):
        in_forest, in_graph = (sb.bfs(M, int(root)).levels for M in (forest, A))
        assert in_forest.isequal(in_graph)


def test_an_odd_cycle_far_from_the_root(device: str) -> None:
    edges = both([(i, i + 1) for i in range(9)] + [(9, 5), (9, 7)])
    A = sb.Matrix.from_edgelist(edges, device=device, values=1)
    assert sb.bipartite(A).odd_cycle.tolist() == [5, 6, 7, 8, 9]


def test_what_is_no_graph_is_refused(device: str) -> None:
    A = sb.Matrix(bool, 2, 3, device=device)
    for call in (sb.strong_components, sb.bipartite, sb.spanning_forest, sb.components):
        with pytest.raises(DimensionMismatch, match="A: expected a square matrix, got 2 x 3"):
            call(A)
    with pytest.raises(InvalidValue, match="method: expected"):
        sb.strong_components(sb.Matrix(bool, 2, 2, device=device), method="kosaraju")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ([0, 0, 0, 3, 4], r"edge \(3, 4\) joins labels 3 and 4"),
        ([0, 0, 0, 0, 0], "no path leads from label 0 to vertex 3"),
        ([0, 1, 1, 3, 3], r"edge \(0, 1\) joins labels 0 and 1"),
        ([0, 0, 1, 3, 3], "vertex 2 has label 1, but vertex 1 has label 0"),
        ([1, 1, 1, 3, 3], "vertex 0 has label 1, not from 0 to 0"),
    ],
)
def test_wrong_components_are_found(device: str, labels: list[int], why: str) -> None:
    A = sb.Matrix.from_edgelist([(0, 1), (1, 2), (3, 4)], nrows=5, ncols=5, device=device)
    sb.verify.components(A, [0, 0, 0, 3, 3])
    with pytest.raises(VerificationError, match=why):
        sb.verify.components(A, labels)


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ([0, 0, 0, 3, 4, 4], "no path leads from label 0 to vertex 2"),
        ([0, 0, 2, 3, 3, 3], "no path leads from vertex 4 to its own label 3"),
        ([0, 1, 2, 3, 4, 4], "0 is on a cycle of labels|1 is on a cycle of labels"),
        ([1, 1, 2, 3, 4, 4], "vertex 0 has label 1, not from 0 to 0"),
    ],
)
def test_wrong_strong_components_are_found(device: str, labels: list[int], why: str) -> None:
    # Two circles of two; 2 leads to the first and 3 to the second, and nobody reaches these.
    edges = [(0, 1), (1, 0), (3, 4), (4, 5), (5, 4), (2, 0)]
    A = sb.Matrix.from_edgelist(edges, nrows=6, ncols=6).to(device)
    sb.verify.strong_components(A, [0, 0, 2, 3, 4, 4])
    with pytest.raises(VerificationError, match=why):
        sb.verify.strong_components(A, labels)


def test_wrong_bipartitions_are_found() -> None:
    A = sb.generate.path(4)
    is_bipartite, sides, cycle = sb.bipartite(A)
    same = sb.Vector.from_dense([False, True, True, False])
    none = sb.Vector(bool, 4)
    odd = np.array([0, 1, 2])
    for wrong, why in (
        ((is_bipartite, same, cycle), r"edge \(1, 2\) joins two vertices of the same side"),
        ((is_bipartite, none, cycle), "vertex 0 has none"),
        ((False, sides, cycle), "is_bipartite: False, with an odd cycle of 0"),
        ((False, none, odd), "no edge between 2 and 0"),
        ((False, none, odd[:2]), "2 vertices, an even number"),
        ((False, none, np.array([0, 1, 0])), "twice"),
    ):
        with pytest.raises(VerificationError, match=why):
            sb.verify.bipartite(A, sb.Bipartition(*wrong))


def test_wrong_forests_are_found() -> None:
    A = sb.generate.complete(4)
    for edges, why in (
        ([(0, 1), (2, 3)], "does not connect 0 and 2"),
        ([(0, 1), (1, 2), (2, 0)], "has a cycle: 3 edges and 2 components"),
        ([(0, 0)], r"entry \(0, 0\) is a loop"),
    ):
        forest = sb.Matrix.from_edgelist(both(edges), values=1, nrows=4, ncols=4)
        with pytest.raises(VerificationError, match=why):
            sb.verify.spanning_forest(A, forest)
    with pytest.raises(VerificationError, match="is no edge of A"):
        sb.verify.spanning_forest(sb.generate.path(4), sb.generate.star(4))
    with pytest.raises(VerificationError, match=r"entry \(0, 1\) has no counterpart"):
        sb.verify.spanning_forest(A, sb.Matrix.from_coo([0], [1], True, nrows=4, ncols=4))
