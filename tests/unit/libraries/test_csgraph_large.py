"""`spbfs.csgraph` where its kernels go other ways than for a few vertices, against SciPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph as theirs

from spbfs import csgraph as ours


def _random(n: int, degree: float, seed: int, values: Callable[[Any, int], Any]) -> sp.csr_array:
    rng = np.random.default_rng(seed)
    count = int(n * degree)
    ends = rng.integers(0, n, count), rng.integers(0, n, count)
    return sp.coo_array((values(rng, count), ends), (n, n)).tocsr()


#: Weights that are alike, nothing, tiny beside others, whole, and of all magnitudes.
WEIGHTS: dict[str, Callable[[Any, int], Any]] = {
    "uniform": lambda rng, count: rng.uniform(0, 1, count),
    "one": lambda rng, count: np.ones(count),
    "zero and one": lambda rng, count: rng.integers(0, 2, count).astype(float),
    "whole": lambda rng, count: rng.integers(1, 1000, count).astype(float),
    "all magnitudes": lambda rng, count: 10.0 ** rng.uniform(-320, 300, count),
    "infinite": lambda rng, count: np.where(rng.random(count) < 0.1, np.inf, rng.random(count)),
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_dijkstra_of_a_queue_that_grows_and_shrinks(name: str) -> None:
    for n, degree in ((3000, 1.5), (2000, 8.0), (300, 60.0)):
        S = _random(n, degree, n, WEIGHTS[name])
        for directed in (True, False):
            found, before = ours.dijkstra(S, directed, [0, 5, 7], return_predecessors=True)
            expected = theirs.dijkstra(S, directed, [0, 5, 7])
            np.testing.assert_array_equal(found, expected)
            assert ((before >= 0) == (np.isfinite(found) & (np.arange(n) != [[0], [5], [7]]))).all()
        for limit in (0.0, 0.5, 100.0):
            np.testing.assert_array_equal(
                ours.dijkstra(S, indices=3, limit=limit), theirs.dijkstra(S, indices=3, limit=limit)
            )
        together = ours.dijkstra(S, indices=[1, 2, 3], min_only=True)
        np.testing.assert_array_equal(
            together, theirs.dijkstra(S, indices=[1, 2, 3], min_only=True)
        )


@pytest.mark.parametrize(
    "lengths",
    [[1e308, 1e308, 1.0], [-1e308, -1e308, 5e307], [1e308, -1.0, 1e308], [np.inf, 1e308, -1]],
)
@pytest.mark.parametrize("name", ["dijkstra", "bellman_ford", "johnson", "shortest_path"])
@pytest.mark.filterwarnings("ignore")
def test_sums_that_no_number_holds_are_what_scipy_makes_of_them(name: str, lengths: Any) -> None:
    S = sp.csr_array((np.array(lengths), ([0, 1, 2], [1, 2, 3])), shape=(4, 4))
    np.testing.assert_array_equal(getattr(ours, name)(S), getattr(theirs, name)(S))


def test_dijkstra_refuses_vertices_that_are_none() -> None:
    S = _random(50, 3, 1, WEIGHTS["uniform"])
    np.testing.assert_array_equal(
        ours.dijkstra(S, indices=[[-1, 0], [49, -50]]),
        theirs.dijkstra(S, indices=[[-1, 0], [49, -50]]),
    )
    for index in (50, -51, [0, 50], [[-51]], 2**31 - 1):
        with pytest.raises(ValueError, match="out of range"):
            ours.dijkstra(S, indices=index)


@pytest.mark.parametrize("directed", [True, False])
def test_orders_along_long_rows(directed: bool) -> None:
    for n, degree in ((400, 90.0), (1000, 30.0), (20_000, 20.0)):
        S = _random(n, degree, n, WEIGHTS["uniform"])
        S.indices[:] = (n - 1) - S.indices  # not sorted
        for start in (0, n - 1):
            found = ours.breadth_first_order(S, start, directed)
            expected = theirs.breadth_first_order(S, start, directed)
            for ours_, theirs_ in zip(found, expected, strict=True):
                np.testing.assert_array_equal(ours_, theirs_)


def test_a_column_that_leads_nowhere_in_a_long_row() -> None:
    for place in (0, 7, 8, 33, 39):
        S = sp.csr_array(np.ones((40, 40)))
        S.indices[place] = 40
        with pytest.raises((ValueError, IndexError)):
            ours.breadth_first_order(S, 0)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int16, np.bool_])
@pytest.mark.parametrize("directed", [True, False])
def test_trees_of_many_rows(directed: bool, kind: type) -> None:
    for n, degree in ((9000, 0.7), (9000, 4.0), (50, 0.0)):
        S = _random(n, degree, n, WEIGHTS["whole"]).astype(kind)
        found = ours.breadth_first_tree(S, 0, directed)
        expected = theirs.breadth_first_tree(S, 0, directed)
        assert found.dtype == expected.dtype
        assert found.indices.dtype == expected.indices.dtype
        assert found.has_canonical_format
        expected.sum_duplicates()  # which SciPy leaves in the order of its sort
        for name in ("indptr", "indices", "data"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)


def test_trees_of_arrays_that_are_no_csr() -> None:
    # The first row reaches everybody: an order needs no other.
    S = sp.csr_array(np.ones((3, 3)))
    S.indices[5] = 3
    with pytest.raises((ValueError, IndexError)):
        ours.breadth_first_tree(S, 0)


@pytest.mark.parametrize("name", ["uniform", "one", "whole"])
def test_forests_of_many_rounds(name: str) -> None:
    for n, degree in ((9000, 0.6), (9000, 1.2), (5000, 9.0), (300, 40.0)):
        S = _random(n, degree, n, WEIGHTS[name])
        found, expected = ours.minimum_spanning_tree(S), theirs.minimum_spanning_tree(S)
        assert found.nnz == expected.nnz
        assert found.sum() == pytest.approx(expected.sum(), rel=1e-12)
        count = theirs.connected_components(S, False, return_labels=False)
        assert theirs.connected_components(found, False, return_labels=False) == count
    path = sp.diags_array(np.random.default_rng(1).random(9999), offsets=1).tocsr()
    assert (ours.minimum_spanning_tree(path) != path).nnz == 0
    assert (ours.minimum_spanning_tree(path + path.T) != path).nnz == 0


@pytest.mark.parametrize(
    "kind", [np.bool_, np.uint8, np.int8, np.int64, np.float32, np.float64, np.longdouble]
)
def test_types_of_results(kind: type) -> None:
    D = np.array([[0, 2, 0, 100], [0, 0, 100, 0], [0, 0, 0, 1], [1, 0, 0, 0]]).astype(kind)
    calls: dict[str, Callable[[Any, Any], Any]] = {
        "breadth_first_order": lambda m, A: m.breadth_first_order(A, 0),
        "breadth_first_tree": lambda m, A: m.breadth_first_tree(A, 0),
        "connected_components": lambda m, A: m.connected_components(A)[1],
        "dijkstra": lambda m, A: m.dijkstra(A),
        "bellman_ford": lambda m, A: m.bellman_ford(A),
        "johnson": lambda m, A: m.johnson(A, indices=1),
        "floyd_warshall": lambda m, A: m.floyd_warshall(A),
        "shortest_path": lambda m, A: m.shortest_path(A, unweighted=True),
        "minimum_spanning_tree": lambda m, A: m.minimum_spanning_tree(A),
    }
    graphs = [D, sp.csr_array(D), sp.csc_array(D)]
    if kind not in (np.bool_, np.uint8):
        graphs.append(sp.csr_array(D - 3 * (D == 2)))  # a length of -1, and no cycle of less than 0
    for name, call in calls.items():
        for graph in graphs:
            if name == "dijkstra" and graph is graphs[-1] and len(graphs) == 4:
                continue  # which SciPy warns of
            found, expected = call(ours, graph), call(theirs, graph)
            for x, y in zip(np.atleast_1d(found), np.atleast_1d(expected), strict=True):
                assert getattr(x, "dtype", None) == getattr(y, "dtype", None), name
                dense = [v.toarray() if sp.issparse(v) else v for v in (x, y)]
                assert np.sum(dense[0]) == np.sum(dense[1]), name
