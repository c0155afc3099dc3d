"""`spbfs.csgraph` gives what ``scipy.sparse.csgraph`` does, and by kernels of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph as theirs

import spbfs as sb
from spbfs import csgraph as ours
from tests.backend.algorithm_cases import DIRECTED, pattern, weighted
from tests.outside.scipy import OURS


def _graphs(low: float = 0, high: float = 9) -> list[tuple[str, sp.csr_array]]:
    """Every graph with lengths in [low, high), integers and not."""
    return [
        (f"{name} {dtype.__name__}", weighted(pattern(graph), dtype, low, high))
        for name, graph in DIRECTED.items()
        for dtype in (np.float64, np.int32)
        if graph.nrows
    ]


def _equal(mine: Any, expected: Any, case: str) -> None:
    """Values, types and shapes, of arrays, numbers, sparse arrays and tuples of them."""
    if isinstance(expected, tuple):
        assert isinstance(mine, tuple) and len(mine) == len(expected), case
        for one, other in zip(mine, expected, strict=True):
            _equal(one, other, case)
    elif sp.issparse(expected):
        assert type(mine) is type(expected) and mine.dtype == expected.dtype, case
        assert mine.indices.dtype == expected.indices.dtype, case
        np.testing.assert_array_equal(mine.toarray(), expected.toarray(), case)
    else:
        assert type(mine) is type(expected), case
        if isinstance(expected, np.ndarray):
            assert mine.dtype == expected.dtype and mine.shape == expected.shape, case
        np.testing.assert_array_equal(mine, expected, case)


@pytest.mark.parametrize("directed", [True, False])
def test_searches_and_components(directed: bool) -> None:
    for name, S in _graphs(low=1):
        for form in (S, S.tocsc(), S.tocoo(), sp.csr_matrix(S)):
            case = f"{name} {form.format} {type(form).__name__}"
            start = S.shape[0] // 2
            for function in ("breadth_first_order", "breadth_first_tree"):
                asked = (form, start, directed)
                _equal(getattr(ours, function)(*asked), getattr(theirs, function)(*asked), case)
        _equal(
            ours.breadth_first_order(S, 0, directed, False),
            theirs.breadth_first_order(S, 0, directed, False),
            name,
        )
        for connection in ("weak", "strong"):
            for labels in (True, False):
                asked = (S, directed, connection, labels)
                _equal(ours.connected_components(*asked), theirs.connected_components(*asked), name)


def test_rows_that_are_not_sorted_and_entries_twice() -> None:
    arrays = [1.0, 2.0, 4.0, 3.0], [2, 1, 2, 0], [0, 3, 3, 4]
    for dtype in (np.float64, np.float32, np.int64, np.bool_):
        # SciPy puts rows in order where it converts values, and adds up what occurs twice.
        data, indices, indptr = map(np.array, arrays)
        S = sp.csr_array((data.astype(dtype), indices, indptr), (3, 3))
        for directed in (True, False):
            for function in ("breadth_first_order", "breadth_first_tree"):
                asked = (S, 0, directed)
                _equal(getattr(ours, function)(*asked), getattr(theirs, function)(*asked), function)
            for connection in ("weak", "strong"):
                asked = (S, directed, connection)
                expected = theirs.connected_components(*asked)
                _equal(ours.connected_components(*asked), expected, "both")
        _equal(ours.dijkstra(S), theirs.dijkstra(S), "dijkstra")
        assert S.indices.tolist() == arrays[1], "the graph given is as it was"


def test_zeros_that_fill_blocks_are_no_edges() -> None:
    for name, S in _graphs(low=1):
        if S.shape[0] % 2:
            continue
        blocks = sp.bsr_array(S, blocksize=(2, 2))
        given = blocks.data.copy()
        S = blocks.tocsr(copy=True)  # whose rows are in the order of blocks
        S.eliminate_zeros()
        for connection in ("weak", "strong"):
            asked = {"connection": connection}
            expected = theirs.connected_components(S, **asked)
            _equal(ours.connected_components(blocks, **asked), expected, name)
        for function in ("breadth_first_tree", "dijkstra"):
            expected = getattr(theirs, function)(S, 0)
            _equal(getattr(ours, function)(blocks, 0), expected, f"{name} {function}")
        np.testing.assert_array_equal(blocks.data, given)


def test_dense_and_masked() -> None:
    D = np.array([[0, 2.0, np.inf], [np.nan, 0, 1], [3, 0, 0]])
    for graph in (D, np.ma.masked_equal(D, 1), np.nan_to_num(D, posinf=0).astype(int)):
        with np.errstate(invalid="ignore"):
            _equal(ours.breadth_first_tree(graph, 0), theirs.breadth_first_tree(graph, 0), "tree")
            _equal(ours.shortest_path(graph), theirs.shortest_path(graph), "paths")
            _equal(ours.minimum_spanning_tree(graph), theirs.minimum_spanning_tree(graph), "mst")


def _check_predecessors(S: sp.csr_array, distances: Any, before: Any, source: int) -> None:
    """Every predecessor is before its vertex on a shortest path."""
    lengths = S.tolil()
    for v in np.flatnonzero(before >= 0):
        u = before[v]
        assert distances[v] == pytest.approx(distances[u] + lengths[u, v])
    assert before[source] == -9999
    np.testing.assert_array_equal(
        before >= 0, np.isfinite(distances) & (np.arange(before.size) != source)
    )


@pytest.mark.parametrize("unweighted", [True, False])
@pytest.mark.parametrize("directed", [True, False])
def test_paths(directed: bool, unweighted: bool) -> None:
    for name, S in _graphs(low=1):
        # Rounding makes SciPy's see negative cycles where there are no directions.
        whole = S.dtype.kind == "i"
        if S.shape[0] > 40 or not (whole or directed):
            continue
        n = S.shape[0]
        indices = np.array([[0], [n - 1], [n // 2]])
        for function in ("dijkstra", "bellman_ford", "johnson", "shortest_path"):
            for chosen in (indices, -1):
                options = {"directed": directed, "unweighted": unweighted, "indices": chosen}
                mine = getattr(ours, function)(S, **options)
                expected = getattr(theirs, function)(S, **options)
                assert mine.dtype == expected.dtype and mine.shape == expected.shape
                np.testing.assert_allclose(mine, expected, err_msg=f"{name} {function}")
        for limit in (0, 2.5, np.nan):
            options = {
                "directed": directed,
                "unweighted": unweighted,
                "indices": indices.ravel(),
                "limit": limit,
            }
            np.testing.assert_allclose(ours.dijkstra(S, **options), theirs.dijkstra(S, **options))
            near = ours.dijkstra(S, min_only=True, **options)
            np.testing.assert_allclose(near, theirs.dijkstra(S, min_only=True, **options))
        both = S if directed else S.maximum(0) + S.T
        found = ours.dijkstra(S, directed, 0, return_predecessors=True)
        if directed:
            _check_predecessors(both, *found, 0)


def test_nearest_of_several() -> None:
    S = weighted(pattern(DIRECTED["random-120-500"]), np.float64, 1, 9)
    for unweighted in (True, False):
        distances, before, nearest = ours.dijkstra(
            S, indices=[3, 50, 7], min_only=True, return_predecessors=True, unweighted=unweighted
        )
        for v in range(120):
            assert (nearest[v] == -9999) == np.isinf(distances[v])
            if before[v] >= 0:
                assert nearest[before[v]] == nearest[v]
        assert before.dtype == nearest.dtype == np.int32
        assert nearest[[3, 50, 7]].tolist() == [3, 50, 7]
    nothing = ours.dijkstra(S, indices=[], min_only=True)
    _equal(nothing, theirs.dijkstra(S, indices=[], min_only=True), "no indices")


def test_negative_lengths() -> None:
    S = sp.csr_array(np.array([[0, 4.0, 5, 0], [0, 0, -2, 0], [0, 0, 0, 1.5], [0, 0, 0, 0]]))
    for function in ("bellman_ford", "johnson", "shortest_path"):
        options = {"method": "J"} if function == "shortest_path" else {}
        mine, before = getattr(ours, function)(S, return_predecessors=True, **options)
        expected, _ = getattr(theirs, function)(S, return_predecessors=True, **options)
        np.testing.assert_allclose(mine, expected)
        _check_predecessors(S, mine[0], before[0], 0)
    for function, directed in ((ours.bellman_ford, False), (ours.johnson, False)):
        with pytest.raises(theirs.NegativeCycleError):
            function(S, directed)
    with pytest.warns(UserWarning, match="negative weights"):
        ours.dijkstra(S, indices=0)


def test_spanning_trees() -> None:
    for name, S in _graphs(low=1):
        mine, expected = ours.minimum_spanning_tree(S), theirs.minimum_spanning_tree(S)
        assert type(mine) is type(expected) and mine.dtype == expected.dtype
        assert mine.nnz == expected.nnz, name
        assert mine.sum() == pytest.approx(expected.sum()), name
        assert theirs.connected_components(mine)[0] == theirs.connected_components(S)[0], name
        both = (S + S.T).tocsr()
        _equal(ours.minimum_spanning_tree(both), theirs.minimum_spanning_tree(both), name)


CALLS: dict[str, Callable[[Any], Any]] = {
    "breadth_first_order": lambda S: ours.breadth_first_order(S, 0),
    "breadth_first_tree": lambda S: ours.breadth_first_tree(S, 0, directed=False),
    "connected_components": ours.connected_components,
    "dijkstra": lambda S: ours.dijkstra(S, indices=[0, 1]),
    "bellman_ford": lambda S: ours.bellman_ford(S, indices=0),
    "johnson": lambda S: ours.johnson(S, indices=0),
    "shortest_path": lambda S: ours.shortest_path(S, unweighted=True, indices=[0, 1]),
    "minimum_spanning_tree": ours.minimum_spanning_tree,
}


def test_strong_components_in_scipy_s_order() -> None:
    for seed in range(30):
        S = sp.random_array((60, 60), density=0.03, rng=seed, format="csr")
        S.indices[:] = np.random.default_rng(seed).permutation(60)[S.indices]  # rows not sorted
        asked = (S, True, "strong")
        _equal(ours.connected_components(*asked), theirs.connected_components(*asked), str(seed))


def test_arrays_that_are_no_csr() -> None:
    S = sp.csr_array(np.eye(3))
    S.indices[1] = 7
    for connection in ("weak", "strong"):
        with pytest.raises((ValueError, IndexError)):
            ours.connected_components(S, connection=connection)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_ours_run_our_kernels(name: str) -> None:
    with sb.trace() as t:
        CALLS[name](weighted(pattern(DIRECTED["random-120-500"]), np.float64, 1, 9))
    assert any(r.get("kernel") for r in t), t


def test_names() -> None:
    assert set(ours.__all__) == set(theirs.__all__)
    assert set(CALLS) == set(OURS)
    text = ours.__doc__ or ""
    mine, handed = text.split("SciPy's own, handed through")
    assert all(f"`{name}`" in mine for name in OURS)
    assert all(f"`{name}`" in handed for name in set(ours.__all__) - set(OURS))


def test_bad_arguments() -> None:
    S = sp.eye_array(3, format="csr")
    for start, error in ((3, IndexError), (-1, IndexError), (1.5, TypeError)):
        with pytest.raises(error, match="i_start"):
            ours.breadth_first_order(S, start)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="shape"):
        ours.breadth_first_order(sp.csr_array((2, 3)), 0)
    with pytest.raises(ValueError, match="weak"):
        ours.connected_components(S, connection="some")
    with pytest.raises(ValueError, match="indices out of range"):
        ours.dijkstra(S, indices=[3])
    with pytest.raises(ValueError, match="limit"):
        ours.dijkstra(S, limit=-1)
    for text in ("2", b"2"):
        with pytest.raises(TypeError, match=r"must be real number, not (str|bytes)"):
            ours.dijkstra(S, limit=text)
    for method in ("no", ["D"]):
        with pytest.raises(ValueError, match="unrecognized method"):
            ours.shortest_path(S, method=method)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="indices"):
        ours.shortest_path(S, method="FW", indices=[0])


def _long_and_short_queues(n: int) -> sp.csr_array:
    """A path, of which every 1000th vertex has 700 leaves of which some go on; numbers are mixed.

    A search along it has queues of one, of a few and of many, and goes from each to the other.
    """
    rng = np.random.default_rng(n)
    path = np.arange(n // 2)
    leaves = np.arange(n // 2, n)
    hubs = (leaves - n // 2) // 700 * 1000 % (n // 2)
    further = leaves[:-1][rng.random(leaves.size - 1) < 0.3]
    rows = np.concatenate([path[:-1], path[1:], hubs, further])
    columns = np.concatenate([path[1:], path[:-1], leaves, further + 1])
    number = rng.permutation(n)
    ends = number[rows], number[columns]
    return sp.coo_array((rng.uniform(1, 9, rows.size), ends), (n, n)).tocsr()


@pytest.mark.parametrize("n", [3_000, 30_000, 90_000])
def test_queues_of_all_lengths(n: int) -> None:
    S = _long_and_short_queues(n)
    for start in np.random.default_rng(1).choice(n, 4):
        for directed in (True, False):
            asked = (S, int(start), directed)
            expected = theirs.breadth_first_order(*asked)
            _equal(ours.breadth_first_order(*asked), expected, f"{start} {directed}")
            options = {"directed": directed, "indices": start, "unweighted": True}
            _equal(ours.dijkstra(S, **options), theirs.dijkstra(S, **options), "levels")
            options |= {"limit": 30.0}
            _equal(ours.dijkstra(S, **options), theirs.dijkstra(S, **options), "some levels")
    asked = (S, True, "strong")
    _equal(ours.connected_components(*asked), theirs.connected_components(*asked), "strong")


@pytest.mark.parametrize("shape", [(150, 150), (30, 25, 20), (100, 97)])
def test_grids(shape: tuple[int, ...]) -> None:
    n = int(np.prod(shape))
    at = np.arange(n).reshape(shape)
    edges = [(at.take(range(k - 1), i), at.take(range(1, k), i)) for i, k in enumerate(shape)]
    if len(shape) == 2:
        edges.append((at[:-1, :-1], at[1:, 1:]))  # of triangles
    u, v = (np.concatenate([x.ravel() for x in ends]) for ends in zip(*edges, strict=True))
    S = sp.coo_array((np.ones(u.size), (u, v)), (n, n)).tocsr()
    # A piece whose numbers are mixed: from a pattern into none and back.
    order = np.arange(n)
    order[n // 3 : n // 2] = np.random.default_rng(7).permutation(order[n // 3 : n // 2])
    for graph in (S, S[order][:, order].tocsr(), (S + S.T).tocsr()):
        for start in (0, n // 2, n - 1):
            for directed in (True, False):
                asked = (graph, start, directed)
                expected = theirs.breadth_first_order(*asked)
                _equal(ours.breadth_first_order(*asked), expected, f"{start} {directed}")
    for broken in (n, -1):
        S.indices[S.indptr[n // 2]] = broken
        with pytest.raises(sb.exceptions.SpbfsError):
            ours.breadth_first_order(S, 0)


def test_long_rows_are_sifted() -> None:
    rng = np.random.default_rng(5)
    S = sp.random_array((300, 300), density=0.5, rng=rng, format="csr")
    S.data += 1
    # An entry twice in a long row: the shorter one counts, wherever it stands.
    rows = [np.r_[S.indices[a:b], S.indices[a:b][::-1]] for a, b in _rows(S)]
    lengths = [np.r_[S.data[a:b], rng.uniform(1, 2, b - a)] for a, b in _rows(S)]
    twice = sp.csr_array((np.concatenate(lengths), np.concatenate(rows), 2 * S.indptr), S.shape)
    for graph in (S, twice):
        for limit in (0.5, 1.0, 1.3, 2.5, np.inf):
            options = {"indices": [0, 7], "limit": limit, "return_predecessors": True}
            _equal(ours.dijkstra(graph, **options)[0], theirs.dijkstra(graph, **options)[0], "far")
    broken = sp.csr_array((S.data.copy(), S.indices.copy(), S.indptr), S.shape)
    broken.indices[40] = 300
    with pytest.raises(sb.exceptions.SpbfsError):
        ours.dijkstra(broken, indices=0, limit=3.0)


def test_a_matrix_is_told_to_become_a_sparse_array() -> None:
    A = sb.generate.path(3)
    with pytest.raises(sb.exceptions.DomainMismatch, match=r"\.to_scipy\(\)"):
        ours.breadth_first_order(A, 0)
    assert ours.breadth_first_order(A.to_scipy(), 0)[0].tolist() == [0, 1, 2]


def _rows(S: sp.csr_array) -> Any:
    return zip(S.indptr[:-1], S.indptr[1:], strict=True)


def test_weights_beyond_ours() -> None:
    """Long doubles, and lengths of -inf, of which SciPy's loops make what they make."""
    arrays = [2, 5, 1, -np.inf], ([0, 0, 1, 2], [1, 2, 2, 3])
    graph = sp.csr_array(arrays, shape=(4, 4))
    for name in ("bellman_ford", "shortest_path"):
        options = {} if name == "bellman_ford" else {"method": "BF"}
        for unweighted in (False, True):
            mine, expected = (
                getattr(side, name)(graph, unweighted=unweighted, **options)
                for side in (ours, theirs)
            )
            _equal(mine, expected, name)
    wide = abs(graph[:3, :3]).astype(np.longdouble)
    _equal(ours.minimum_spanning_tree(wide), theirs.minimum_spanning_tree(wide), "long double")


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_integers_whose_sums_are_beyond_64_bits(dtype: type) -> None:
    rows, columns, length = [0, 1, 2], [1, 2, 3], 1 << 62
    long = sp.csr_array((np.full(3, length, dtype), (rows, columns)), shape=(4, 4))
    for graph in (long, -long) if dtype is np.int64 else (long,):
        for name in ("bellman_ford", "johnson"):
            _equal(getattr(ours, name)(graph), getattr(theirs, name)(graph), name)
    _equal(ours.dijkstra(long), theirs.dijkstra(long), "dijkstra")


@pytest.mark.parametrize("unweighted", [0, 1])
def test_what_is_true_is_as_good_as_true(unweighted: int) -> None:
    graph = sp.csr_array(np.array([[0, 1, 0], [0, 0, 2], [0, 0, 0]]))
    options = {"indices": [0, 1], "return_predecessors": 1, "unweighted": unweighted}
    for case in ({}, {"min_only": 1}, {"directed": 0}, {"limit": 1 << 70}):
        asked = options | case
        _equal(ours.dijkstra(graph, **asked), theirs.dijkstra(graph, **asked), str(case))
    options["directed"] = 1
    _equal(ours.bellman_ford(-graph, **options), theirs.bellman_ford(-graph, **options), "lengths")


@pytest.mark.parametrize("function", ["dijkstra", "connected_components", "minimum_spanning_tree"])
def test_sparse_arrays_of_other_dimensions(function: str) -> None:
    for library, shape in ((theirs, (3,)), (ours, (3,)), (ours, (2, 2, 2))):
        with pytest.raises(ValueError, match="compressed-sparse graph must be 2-D"):
            getattr(library, function)(sp.coo_array(np.ones(shape)))
