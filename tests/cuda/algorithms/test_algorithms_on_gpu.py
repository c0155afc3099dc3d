"""Algorithms that the GPU has a call of its own for: long rows, and every kind of offsets.

What they find of small graphs `tests/backend` compares with other libraries.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gpu import cp

import spbfs as sb
from spbfs.algorithms.sets.colouring import in_order
from spbfs.algorithms.sets.independent_set import chosen_in_order
from spbfs.algorithms.sets.orders import (
    few_neighbours_first,
    given,
    largest_first,
    random_order,
    smallest_last,
)
from spbfs.engines import get_engine
from spbfs.engines.cuda.algorithms.colouring import colouring
from spbfs.engines.cuda.algorithms.components import components
from spbfs.engines.cuda.algorithms.core_numbers import core_numbers
from spbfs.engines.cuda.algorithms.maximal_independent_set import maximal_independent_set
from spbfs.engines.cuda.algorithms.triangles import triangles
from spbfs.engines.paths import PathRequest
from spbfs.storage.data import MatrixData, iso_array


def _stars() -> sp.csr_array:
    """Two stars, one larger than the other, whose hubs' rows are cut into pieces, and a path."""
    first, second, end = 2600, 4900, 4950
    hubs = np.r_[np.zeros(first - 1, int), np.full(second - first - 1, first)]
    leaves = np.r_[1:first, first + 1 : second]
    steps = np.arange(second, end - 1)
    rows, columns = np.r_[hubs, steps], np.r_[leaves, steps + 1]
    return sp.coo_array((np.ones(rows.size), (rows, columns)), (end, end)).tocsr()


GRAPHS = {
    "kronecker": lambda: sb.generate.kronecker(10, 12, seed=3).to_scipy(),
    "uniform": lambda: sb.generate.uniform(1500, 9, seed=4).to_scipy(),
    "grid": lambda: sb.generate.grid2d(30).to_scipy(),
    "stars": lambda: _stars() + _stars().T,
    "stars, one way": _stars,
    "stars, the other way": lambda: _stars().T.tocsr(),
}


@pytest.fixture(params=sorted(GRAPHS))
def graph(request: pytest.FixtureRequest) -> sp.csr_array:
    return GRAPHS[request.param]()


def _cliques_of(*sizes: int) -> sp.csr_array:
    """Complete graphs with loops, side by side."""
    return sp.block_diag([sp.coo_array(np.ones((k, k))) for k in sizes], format="csr")


def _data(S: sp.csr_array, offsets: Any) -> MatrixData:
    S.sort_indices()
    arrays = cp.asarray(S.indptr.astype(offsets)), cp.asarray(S.indices.astype(np.int32))
    return MatrixData(*S.shape, *arrays, iso_array(cp.ones(1, np.bool_), S.nnz))


def _with_transpose(S: sp.csr_array) -> sb.Matrix:
    A = sb.Matrix.from_scipy(S, device="cuda")
    sb.bfs(A, 0, direction="pull")  # makes it
    return A


@pytest.mark.parametrize("offsets", [np.int32, np.int64])
def test_components(graph: sp.csr_array, offsets: Any) -> None:
    expected = sb.components(sb.Matrix.from_scipy(graph), method="composed").to_dense()
    found = components(_data(graph, offsets), None)
    np.testing.assert_array_equal(found.get(), expected)
    found = sb.components(_with_transpose(graph), method="fused").to("cpu")
    np.testing.assert_array_equal(found.to_dense(), expected)


def _large_sets(*sizes: int, behind: int = 0) -> sp.csr_array:
    """Random graphs side by side, and vertices before them that nothing leads to yet."""
    rng = np.random.default_rng(8)
    ends = np.cumsum((behind, *sizes))
    edges = [rng.integers(a, b, (2, 8 * (b - a))) for a, b in itertools.pairwise(ends)]
    u, v = np.concatenate(edges, axis=1)
    S = sp.coo_array((np.ones(u.size), (u, v)), (ends[-1], ends[-1]))
    return (S + S.T).tocsr()


@pytest.mark.parametrize("sizes", [(30_000,), (30_000, 30_000), (40_000, 9, 300)])
def test_components_where_a_sample_has_no_root(sizes: tuple[int, ...]) -> None:
    """One vertex in so many joins them from then on, and labels are written early."""
    S = _large_sets(*sizes)
    expected = sb.components(sb.Matrix.from_scipy(S)).to_dense()
    found = sb.components(sb.Matrix.from_scipy(S, device="cuda"))
    np.testing.assert_array_equal(found.to("cpu").to_dense(), expected)


def test_the_large_component_is_joined_to_a_lesser_vertex() -> None:
    """By an edge that is not among the first ones of either row, when labels are written."""
    S = _large_sets(20_000, behind=20).tolil()
    for hub, leaves in ((10, range(20, 60)), (11, range(20, 60)), (12, [*range(6), 30])):
        for v in leaves:
            S[hub, v] = S[v, hub] = 1
    found = sb.components(sb.Matrix.from_scipy(S.tocsr(), device="cuda")).to("cpu").to_dense()
    expected = np.zeros(20_020, int)
    expected[6:10], expected[13:20] = range(6, 10), range(13, 20)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("offsets", [np.int32, np.int64])
def test_core_numbers(graph: sp.csr_array, offsets: Any) -> None:
    both = (graph + graph.T + sp.eye_array(graph.shape[0])).tocsr()  # loops are passed over
    found = core_numbers(_data(both, offsets), None).get()
    sb.verify.core_numbers(sb.Matrix.from_scipy(both), found)
    expected = sb.core_numbers(sb.Matrix.from_scipy(graph)).to_dense()
    np.testing.assert_array_equal(found, expected)


def _symmetric(S: sp.csr_array) -> sp.csr_array:
    """Both directions, and loops at every third vertex."""
    loops = np.arange(0, S.shape[0], 3)
    return (S + S.T + sp.coo_array((np.ones(loops.size), (loops, loops)), S.shape)).tocsr()


@pytest.mark.parametrize("offsets", [np.int32, np.int64])
def test_maximal_independent_set(graph: sp.csr_array, offsets: Any) -> None:
    """The same as by products, whether the order is drawn or given."""
    both = _symmetric(graph)
    A = sb.Matrix.from_scipy(both)
    drawn = few_neighbours_first(A, 5)
    for order in (drawn, given(drawn.listed()), given(random_order(A.nrows, 6))):
        found = maximal_independent_set(_data(both, offsets), order, None).get()
        sb.verify.independent_set(A, found)
        expected = chosen_in_order(A, order, "composed", None)
        np.testing.assert_array_equal(np.flatnonzero(found), expected.to_coo()[0])
    found = sb.maximal_independent_set(sb.Matrix.from_scipy(graph, device="cuda"), seed=3)
    expected = sb.maximal_independent_set(sb.Matrix.from_scipy(graph), seed=3, method="composed")
    assert found.to("cpu").isequal(expected)


@pytest.mark.parametrize("offsets", [np.int32, np.int64])
def test_colouring(graph: sp.csr_array, offsets: Any) -> None:
    """The same as on the CPU, whether the kernel sorts by degree or takes an order as it is."""
    both = _symmetric(graph)
    A = sb.Matrix.from_scipy(both)
    sorts = largest_first(A)
    for order in (sorts, given(sorts.listed()), smallest_last(A), given(random_order(A.nrows, 6))):
        found = colouring(_data(both, offsets), order, None).get()
        sb.verify.colouring(A, found)
        np.testing.assert_array_equal(found, in_order(A, order, "auto", None).to_dense())
    found = sb.colouring(sb.Matrix.from_scipy(graph, device="cuda")).to("cpu")
    assert found.isequal(sb.colouring(sb.Matrix.from_scipy(graph)))


@pytest.mark.parametrize("loops", [False, True])
def test_loops_are_seen_where_symmetry_is_looked_up(loops: bool) -> None:
    """Without any, degrees are the lengths of rows; with some, both calls count them."""
    S = sb.generate.kronecker(9, 8, seed=5).to_scipy().tolil()
    S.setdiag(0)
    if loops:
        S[3, 3] = S[80, 80] = 1
    S = S.tocsr()
    A = sb.Matrix.from_scipy(S, device="cuda")
    expected = sb.colouring(sb.Matrix.from_scipy(S))
    for _ in range(2):
        assert sb.colouring(A).to("cpu").isequal(expected)
        assert A._ready().derived.loopless is not loops


def test_colouring_takes_any_number_of_colours() -> None:
    """More of them than a warp tells apart at a time, and rows that wait for all others."""
    S = _cliques_of(1030, 70)
    A = sb.Matrix.from_scipy(S)
    found = colouring(_data(S, np.int32), largest_first(A), None).get()
    assert found.max() == 1029
    np.testing.assert_array_equal(found, sb.colouring(A).to_dense())


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint64, np.float32, np.float64])
def test_minimum_spanning_forest(graph: sp.csr_array, dtype: Any) -> None:
    S = graph.copy()
    S.data = np.random.default_rng(9).integers(-3, 4, S.nnz).astype(dtype)
    A = sb.Matrix.from_scipy(S)
    found = sb.minimum_spanning_forest(A.to("cuda"), method="fused")
    assert found.to("cpu").isequal(sb.minimum_spanning_forest(A))


#: Graphs whose light edges are taken first: many a vertex, some in components of their own, and
#: hubs whose rows are long.
DENSE = {
    "uniform": lambda: sb.generate.uniform(700, 40, seed=4).to_scipy(),
    "kronecker": lambda: sb.generate.kronecker(9, 24, seed=5).to_scipy(),
    "complete": lambda: _cliques_of(150, 90, 1),
}
#: A type, and how many weights there are.
WEIGHTS = {
    "many": (np.int32, 1 << 30),
    "ties": (np.int32, 5),
    "equal": (np.uint8, 1),
    "FP32": (np.float32, 40),
    "FP64": (np.float64, 40),
    "equal int64": (np.int64, 1),
    "many int64": (np.int64, 1 << 40),
}


@pytest.mark.parametrize("offsets", [np.int32, np.int64])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("weights", sorted(WEIGHTS))
@pytest.mark.parametrize("graph", sorted(DENSE))
def test_minimum_spanning_forest_of_dense_graphs(
    graph: str, weights: str, symmetric: bool, offsets: Any
) -> None:
    dtype, most = WEIGHTS[weights]
    S = DENSE[graph]().astype(dtype)
    S.data = np.random.default_rng(8).integers(1, most, S.nnz, endpoint=True).astype(dtype)
    if symmetric:
        S = S.maximum(S.T).tocsr()
    expected = sb.minimum_spanning_forest(sb.Matrix.from_scipy(S), method="fused")
    S.sort_indices()
    arrays = cp.asarray(S.indptr.astype(offsets)), cp.asarray(S.indices.astype(np.int32))
    A = MatrixData(*S.shape, *arrays, cp.asarray(S.data))
    found = get_engine("cuda").fused.minimum_spanning_forest(A, None)
    assert sb.Matrix._from_data(found, "cuda").to("cpu").isequal(expected)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("dtype", "within"), [("FP64", 1e-12), ("FP32", 3e-4)])
def test_pagerank(graph: sp.csr_array, weighted: bool, dtype: str, within: float) -> None:
    S = graph.copy()
    S.data = np.random.default_rng(8).integers(0, 9, S.nnz).astype(float)
    A = sb.Matrix.from_scipy(S)
    first = np.arange(1.0, 1 + S.shape[0])
    for options in (
        {},
        {"tolerance": None, "iterations": 7, "personalization": first},
        {"start": first, "damping": 0.5},
        {"tolerance": None, "iterations": 0},
    ):
        given: dict[str, Any] = {"weighted": weighted, "dtype": dtype, "method": "fused", **options}
        if dtype == "FP32":
            given.setdefault("tolerance", 1e-4)
        expected = sb.pagerank(A, **given).to_dense()
        found = sb.pagerank(A.to("cuda"), **given).to("cpu").to_dense()
        np.testing.assert_allclose(found, expected, rtol=within)


def _cliques() -> sp.csr_array:
    """Rows for a lane, a warp and a CTA, loops among them."""
    parts = [np.ones((size, size)) for size in (3, 5, 40, 180, 300)]
    S = sp.block_diag([*parts, sp.csr_array((20, 20))], format="coo")
    rng = np.random.default_rng(6)
    kept = rng.random(S.nnz) < 0.97
    label = rng.permutation(S.shape[0])
    entries = S.data[kept], (label[S.row[kept]], label[S.col[kept]])
    S = sp.coo_array(entries, S.shape).tocsr()
    return S + S.T


@pytest.mark.parametrize("offsets", [np.int32, np.int64])
def test_triangles(graph: sp.csr_array, offsets: Any) -> None:
    both = (graph + graph.T + sp.eye_array(graph.shape[0])).tocsr()
    found = triangles(_data(both, offsets), None).get()
    expected = sb.triangles(sb.Matrix.from_scipy(graph)).to_dense()
    np.testing.assert_array_equal(found, expected)


def _crowd() -> sp.csr_array:
    """Many with the same 1050 neighbours, more than fit a table, and few who know each other."""
    common, many = 1050, 1200
    rows, columns = np.divmod(np.arange(common * many), many)
    first, second = common + np.arange(12), common + np.arange(1, 13)
    rows, columns = np.r_[rows, first], np.r_[columns + common, second]
    S = sp.coo_array((np.ones(rows.size), (rows, columns)), (common + many,) * 2).tocsr()
    return S + S.T


@pytest.mark.parametrize("make", [_cliques, _crowd])
def test_triangles_of_cliques(make: Any) -> None:
    S = make()
    found = triangles(_data(S, np.int32), None).get()
    np.testing.assert_array_equal(found, sb.triangles(sb.Matrix.from_scipy(S)).to_dense())


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32, np.float64, np.bool_])
@pytest.mark.parametrize("scale", [1, 2**40])
def test_shortest_paths(graph: sp.csr_array, dtype: Any, scale: int) -> None:
    S = graph.copy()
    rng = np.random.default_rng(7)
    wide = scale if np.dtype(dtype).itemsize == 8 else 1
    S.data = (rng.integers(0, 9, S.nnz) * wide).astype(dtype)
    A = sb.Matrix.from_scipy(S)
    for source, target in ((0, None), ([3, 0, S.shape[0] - 1], None), (1, S.shape[0] // 2)):
        expected = sb.sssp(A, source, target=target)
        found = sb.sssp(A.to("cuda"), source, target=target, method="fused")
        for name in ("distances", "parents", "owners"):
            one, other = getattr(found, name), getattr(expected, name)
            assert other is None or one.to("cpu").isequal(other), (name, source)


def _dependencies(S: sp.csr_array, sources: Any, offsets: Any) -> Any:
    """Those that the GPU finds, twice, and those that the CPU finds, each with edges."""
    given = np.array(sources, np.int64)
    gpu, cpu = (get_engine(device).fused.dependencies for device in ("cuda", "cpu"))
    found, again = (gpu(_data(S, offsets), given, 0.5, None) for _ in range(2))
    np.testing.assert_array_equal(found[0].get(), again[0].get())
    return (found[0].get(), found[1]), cpu(sb.Matrix.from_scipy(S)._ready(), given, 0.5, None)


@pytest.mark.parametrize("offsets", [np.int32, np.int64])
@pytest.mark.parametrize("loops", [False, True])
def test_betweenness(graph: sp.csr_array, offsets: Any, loops: bool) -> None:
    n = graph.shape[0]
    S = (graph + sp.eye_array(n)).tocsr() if loops else graph
    for sources in ([0], [3, 0, n - 1, 3], [n // 2, 1], range(0, n, n // 6)):
        found, expected = _dependencies(S, sources, offsets)
        np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
        assert found[1] == expected[1]


def test_betweenness_of_more_paths_than_a_double_counts() -> None:
    """Each of 240 layers has twenty times the paths of the one before, and one its own."""
    u = np.repeat(np.arange(239 * 20), 20)
    v = 20 * (u // 20 + 1) + np.tile(np.arange(20), 239 * 20)
    S = sp.coo_array((np.ones(u.size), (u, v)), (4800, 4800)).tocsr()
    S = (S + sp.coo_array(([1.0], ([0], [4700])), S.shape)).tocsr()
    found, expected = _dependencies(S, [0, 7, 4600, 0, 21, 4000], np.int32)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    assert found[1] == expected[1]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64])
def test_tree_of_one_launch(graph: sp.csr_array, dtype: Any) -> None:
    S = graph.copy()
    drawn = np.random.default_rng(8).random(S.nnz)
    S.data = drawn if dtype is np.float64 else (drawn * 5).astype(dtype)
    A = sb.Matrix.from_scipy(S)
    request = PathRequest(np.array([2]), None, None, True, None, 1.0, float(S.data.max()))
    found = get_engine("cuda").fused.shortest_paths(A.to("cuda")._ready(), request)
    assert found.parents is not None
    expected = sb.sssp(A, 2).parents.to_coo()
    present = slice(None) if found.parents.present is None else found.parents.present.get()
    np.testing.assert_array_equal(np.arange(S.shape[0])[present], expected[0])
    np.testing.assert_array_equal(found.parents.values.get()[present], expected[1])
