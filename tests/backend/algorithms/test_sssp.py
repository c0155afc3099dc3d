"""Shortest paths equal SciPy's, on every engine, whichever way they are found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import bellman_ford, dijkstra

import spbfs as sb
from spbfs.exceptions import DomainMismatch, InvalidValue, NegativeCycle, VerificationError
from tests.backend.algorithm_cases import DIRECTED, on, pattern, weighted

METHODS = ["composed", "auto"]
GRAPHS = [g for g in DIRECTED.values() if g.nrows]


def lengths(v: sb.Vector | None) -> np.ndarray:
    """Distances with infinity where there is none, as SciPy has them."""
    assert v is not None
    dense = np.full(v.size, np.inf)
    at, values = v.to("cpu").to_coo()
    dense[at] = values
    return dense


def explicit(S: sp.csr_array) -> sp.csr_array:
    """The same lengths for SciPy, to which a stored 0 is an edge like others."""
    return sp.csr_array((S.data.astype(float), S.indices, S.indptr), S.shape)


def check_tree(S: sp.csr_array, found: sb.SSSPResult, sources: list[int]) -> None:
    """Along parents distances are sums, from sources on, and owners are those of the roots."""
    d, parent = lengths(found.distances), found.parents.to("cpu").to_dense(-1)
    np.testing.assert_array_equal(parent >= 0, np.isfinite(d))
    owner = np.zeros(len(d), int) if found.owners is None else found.owners.to("cpu").to_dense(-1)
    for v in np.flatnonzero(parent >= 0).tolist():
        u = int(parent[v])
        if u == v:
            assert sources[owner[v]] == v
            continue
        row = slice(S.indptr[u], S.indptr[u + 1])
        (at,) = np.flatnonzero(S.indices[row] == v)
        assert d[u] + S.data[row][at] == d[v]
        assert owner[u] == owner[v]
        assert found.path_to(v)[0] == sources[owner[v]]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.int32, np.float64, np.uint8, np.bool_])
def test_distances_and_parents(device: str, method: Any, dtype: Any) -> None:
    for seed, graph in enumerate(GRAPHS):
        low = 0 if seed % 2 else 1
        S = weighted(pattern(graph), dtype, low, 2 if dtype == np.bool_ else 9, seed)
        source = seed % graph.nrows
        found = sb.sssp(on(S, device), source, method=method)
        assert found.distances.dtype == (sb.dtypes.FP64 if dtype == np.float64 else sb.dtypes.INT64)
        expected = dijkstra(explicit(S), indices=source)
        np.testing.assert_array_equal(lengths(found.distances), expected)
        check_tree(explicit(S), found, [source])


@pytest.mark.parametrize("method", METHODS)
def test_several_sources(device: str, method: Any) -> None:
    for graph in GRAPHS:
        S = weighted(pattern(graph), np.int64, 1, 5)
        sources = [graph.nrows - 1, 0, graph.nrows // 2, 0]
        found = sb.sssp(on(S, device), sources, method=method)
        every = dijkstra(explicit(S), indices=sources)
        np.testing.assert_array_equal(lengths(found.distances), every.min(axis=0))
        check_tree(explicit(S), found, sources)
        owner = lengths(found.owners)
        for v in np.flatnonzero(np.isfinite(owner)).tolist():
            assert every[int(owner[v]), v] == every[:, v].min()


@pytest.mark.parametrize("method", METHODS)
def test_limits_beyond_64_bits(device: str, method: Any) -> None:
    for lengths_of in ([1, 5], [1.0, 5.0]):
        A = sb.Matrix.from_coo([0, 1], [1, 2], lengths_of, nrows=3, ncols=3).to(device)
        for limit in (1 << 63, 10**20, 10**400):
            found = sb.sssp(A, 0, limit=limit, method=method).distances
            assert found.to_dict() == {0: 0, 1: 1, 2: 6}


@pytest.mark.parametrize("method", METHODS)
def test_limit_and_target(device: str, method: Any) -> None:
    for seed, graph in enumerate(GRAPHS):
        S = weighted(pattern(graph), np.float32, 0.5, 4.0, seed)
        A, exact = on(S, device), explicit(S)
        expected = dijkstra(exact, indices=0)
        for limit in (0, 3.5):
            cut = sb.sssp(A, 0, limit=limit, method=method)
            np.testing.assert_array_equal(
                lengths(cut.distances), np.where(expected <= limit, expected, np.inf)
            )
            check_tree(exact, cut, [0])
        target = graph.nrows // 3
        cut = sb.sssp(A, 0, target=target, method=method)
        near = expected <= expected[target]
        np.testing.assert_array_equal(lengths(cut.distances), np.where(near, expected, np.inf))
        check_tree(exact, cut, [0])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_negative_lengths(device: str, method: Any, dtype: Any) -> None:
    """Potentials make some edges negative, and change no cycle."""
    for seed, graph in enumerate(GRAPHS):
        C = weighted(pattern(graph), dtype, 0, 4, seed).tocoo()
        potential = np.random.default_rng(seed).integers(0, 9, graph.nrows).astype(dtype)
        C.data = C.data + potential[C.row] - potential[C.col]
        S = C.tocsr()
        found = sb.sssp(on(S, device), 0, method=method)
        expected = bellman_ford(explicit(S), indices=0)
        np.testing.assert_allclose(lengths(found.distances), expected, rtol=1e-12, atol=1e-12)
        if dtype is np.int64:
            check_tree(explicit(S), found, [0])
        sources = [graph.nrows - 1, 0]
        several = sb.sssp(on(S, device), sources, limit=3, method=method)
        nearest = bellman_ford(explicit(S), indices=sources).min(axis=0)
        nearest[nearest > 3] = np.inf
        np.testing.assert_allclose(lengths(several.distances), nearest, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_negative_cycles_are_named(device: str, method: Any) -> None:
    found = 0
    for seed, graph in enumerate(GRAPHS):
        S = weighted(pattern(graph), np.int64, -1, 9, seed)
        dense = explicit(S)
        try:
            sb.sssp(on(S, device), 0, method=method)
        except NegativeCycle as error:
            cycle = error.vertices
            around = [*cycle[1:], cycle[0]]
            assert len(set(cycle)) == len(cycle)
            stored = pattern(graph)
            assert all(stored[u, v] for u, v in zip(cycle, around, strict=True))
            assert sum(dense[u, v] for u, v in zip(cycle, around, strict=True)) < 0
            assert str(cycle[0]) in str(error)
            found += 1
        else:
            reach = np.flatnonzero(np.isfinite(dijkstra(pattern(graph), indices=0)))
            bellman_ford(dense[reach][:, reach], indices=0)  # raises where there is one
    assert found > 3


def test_lengths_that_are_none(device: str) -> None:
    def graph(*weights: float, dtype: Any = float) -> sb.Matrix:
        values = np.array(weights, dtype)
        made = sb.Matrix.from_coo([0, 1, 0], [1, 2, 2], values, nrows=4, ncols=4)
        return made.to(device)

    for bad in (np.nan, -np.inf):
        with pytest.raises(InvalidValue, match=r"A: entry \(1, 2\) is"):
            sb.sssp(graph(1, bad, 2), 0)
    assert sb.sssp(graph(1, np.inf, 9), 0).distances.to_dict() == {0: 0.0, 1: 1.0, 2: 9.0}
    assert sb.sssp(graph(np.inf, 1, np.inf), 0).distances.to_dict() == {0: 0.0}


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_long_edges_where_rows_are_those_of_in_edges(device: str, dtype: Any) -> None:
    """Which edges are on shortest paths is found from their ends; several lead to a vertex."""
    ends = np.random.default_rng(5).integers(0, 90, (2, 2400))
    S = sp.csr_array(sp.coo_array((np.ones(2400), tuple(ends)), (95, 95)))
    S = weighted((S + S.T).tocsr(), dtype, 1, 60)
    A = on(S, device)
    for sources in ([3], [7, 3, 60]):
        cuts: list[dict[str, Any]] = [{}, {"limit": 9}, {"target": 50}]
        for cut in cuts:
            made, found = (sb.sssp(A, sources, method=way, **cut) for way in METHODS)
            assert found.distances.isequal(made.distances)
            assert found.parents.isequal(made.parents)
            assert made.owners is found.owners is None or found.owners.isequal(made.owners)
            assert 1 < found.reached < 90 or not cut
        sb.verify.sssp(A, sources, sb.sssp(A, sources))


@pytest.mark.parametrize("values", [[1], [1, 2], [3, 200], [0, 1], [0.5, 0.25], [1e16, 0.5]])
def test_parents_of_equal_paths(device: str, values: list[float]) -> None:
    """Many vertices have several, edges without length or lost in rounding among them."""
    rng = np.random.default_rng(11)
    for n, degree in ((120, 4), (60, 30)):
        u, v = rng.integers(0, n, (2, n * degree // 2))
        U = sp.coo_array((rng.choice(values, u.size), (np.minimum(u, v), np.maximum(u, v))), (n, n))
        U.sum_duplicates()
        U.data = rng.choice(values, U.nnz)
        rows, columns = np.concatenate((U.row, U.col)), np.concatenate((U.col, U.row))
        data, once = np.tile(U.data, 2), np.arange(2 * U.nnz) < U.nnz
        kept = once | (rows != columns)
        A = sb.Matrix.from_coo(rows[kept], columns[kept], data[kept], nrows=n, ncols=n).to(device)
        far = float(np.median(sb.sssp(A, 5).distances.to("cpu").to_coo()[1]))
        cuts: list[dict[str, Any]] = [{}, {"limit": far}, {"target": 7}]
        for cut in cuts:
            made, found = (sb.sssp(A, 5, method=way, **cut) for way in METHODS)
            assert found.distances.isequal(made.distances)
            assert found.parents.isequal(made.parents)


@pytest.mark.parametrize("values", [[1], [1, 2, 3], range(1, 256), [0.5, 1.5, 8.0], range(9)])
def test_rows_of_all_sizes(device: str, values: Any) -> None:
    """Longer than any strip of edges, or a few of them at the end of the matrix, where several
    paths are as short as each other or none is; by one thread and more as the composed program.
    """
    rng = np.random.default_rng(17)
    n = 150 if device == "reference" else 1500
    hubs = rng.choice(n, 12, replace=False)
    ends = [
        (int(h), int(v))
        for h, size in zip(hubs, range(3, 399, 33), strict=True)
        for v in rng.choice(n, min(size, n - 1), replace=False)
    ]
    ends += [(v, v + 1) for v in range(n - 1)] + [(v, v) for v in range(0, n, 50)]
    at = np.array(ends)
    C = sp.coo_array((np.ones(len(at)), (at[:, 0], at[:, 1])), shape=(n, n)).tocsr()
    S = (C + C.T).tocoo()
    low, high = np.minimum(S.row, S.col), np.maximum(S.row, S.col)
    S.data = np.array(list(values))[(low * 7919 + high * 104729) % len(values)]
    A = on(S.tocsr(), device)
    for source in (0, int(hubs[-1]), n - 1):
        expected = sb.sssp(A, source, method="composed")
        for threads in (1, 2, 5):
            found = sb.sssp(A, source, threads=threads)
            assert found.distances.isequal(expected.distances)
            assert found.parents.isequal(expected.parents)


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0], [0.0, 1.0, 200.0], [1.0, 1e15], [-0.0, 3.0]])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_whole_numbers_of_a_real_type_are_as_integers(
    device: str, dtype: Any, values: list[float]
) -> None:
    S = sb.generate.kronecker(7, 8, seed=2).to_scipy().astype(dtype)
    S.data = np.random.default_rng(6).choice(values, S.nnz).astype(dtype)
    counted = sb.Matrix.from_scipy(S.astype(np.int64)).to(device)
    A = sb.Matrix.from_scipy(S).to(device)
    for limit in (None, 2.5):
        expected, found = sb.sssp(counted, 5, limit=limit), sb.sssp(A, 5, limit=limit)
        assert found.distances.dtype == sb.dtypes.FP64
        assert found.distances.isequal(expected.distances.apply("identity").new(float))
        assert found.parents.isequal(expected.parents)


def test_no_fused_way_with_negative_lengths(device: str) -> None:
    A = sb.Matrix.from_coo([0, 1], [1, 2], [3, -1], nrows=3, ncols=3).to(device)
    no_way = "lengths as -1" if device == "cpu" else "no fused way"
    with pytest.raises(InvalidValue, match=no_way):
        sb.sssp(A, 0, method="fused")
    assert sb.sssp(A, 0).distances.to_dict() == {0: 0, 1: 3, 2: 2}


def test_the_check_runs_where_the_matrix_is(device: str) -> None:
    S = weighted(pattern(DIRECTED["random-120-500"]), np.int32, 0, 5)
    A, sources = on(S, device), [3, 7]
    found = sb.sssp(A, sources)
    sb.verify.sssp(A, sources, found)
    sb.verify.sssp(A, sources, found.distances)
    sb.verify.sssp(A, sources, lengths(found.distances), found.parents.to("cpu"))
    with pytest.raises(VerificationError, match="source 3 has 1, expected 0"):
        sb.verify.sssp(A, 3, found.distances.apply(sb.binary.plus, 1).new())


def test_arguments(device: str) -> None:
    A = on(weighted(pattern(DIRECTED["path"]), np.int8, 1, 5), device)
    with pytest.raises(InvalidValue, match="limit: expected 0 or more, got -1"):
        sb.sssp(A, 0, limit=-1)
    with pytest.raises(DomainMismatch, match="limit"):
        sb.sssp(A, 0, limit="far")  # type: ignore[arg-type]
    with pytest.raises(sb.exceptions.IndexOutOfBound, match="target"):
        sb.sssp(A, 0, target=33)
    plain = sb.sssp(A, [0, 5], parents=False)
    assert plain.parents is None
    assert plain.owners is None
    with pytest.raises(InvalidValue, match="parents=True"):
        plain.path_to(3)
    with pytest.raises(InvalidValue, match="method"):
        sb.sssp(A, 0, method="fast")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_one_path(device: str, method: Any) -> None:
    for seed, graph in enumerate(GRAPHS):
        S = weighted(pattern(graph), np.float64, 0.25, 4.0, seed)
        A, t = on(S, device), (graph.nrows * 2) // 3
        for weights, expected in (
            (True, dijkstra(S, indices=0)[t]),
            (False, dijkstra(S, indices=0, unweighted=True)[t]),
        ):
            path = sb.shortest_path(A, 0, t, weighted=weights, method=method)
            assert path.length == pytest.approx(expected)
            if not np.isfinite(expected):
                assert path.vertices.shape == (0,)
                continue
            steps = list(zip(path.vertices[:-1], path.vertices[1:], strict=True))
            assert path.vertices[[0, -1]].tolist() == [0, t]
            assert all(pattern(graph)[u, v] for u, v in steps)
            along = [S[u, v] if weights else 1 for u, v in steps]
            assert sum(along) == path.length
