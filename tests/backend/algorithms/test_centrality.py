"""What is computed from many searches, against NetworkX and SciPy."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

import spbfs as sb
from spbfs.base import memory
from spbfs.engines.fused import Fused
from spbfs.exceptions import DimensionMismatch, IndexOutOfBound, InvalidValue
from tests.graphs import SEARCHABLE, Graph

nx = pytest.importorskip("networkx")

NAMES = [
    "path",
    "star-out",
    "disconnected",
    "directed-cycle",
    "random",
    "random-both",
    "self-loops",
]


@pytest.fixture(params=NAMES)
def graph(request: pytest.FixtureRequest) -> Graph:
    return SEARCHABLE[request.param]


def matrix(graph: Graph, device: str) -> sb.Matrix:
    return sb.Matrix.from_coo(
        graph.rows, graph.cols, True, nrows=graph.nrows, ncols=graph.nrows, device=device
    )


def digraph(graph: Graph) -> Any:
    G = nx.DiGraph()
    G.add_nodes_from(range(graph.nrows))
    G.add_edges_from(graph.edges)
    return G


def values(found: dict[int, float]) -> np.ndarray:
    return np.array([found[v] for v in range(len(found))])


def host(array: Any) -> np.ndarray:
    return array if isinstance(array, np.ndarray) else array.get()


def dense(v: sb.Vector) -> np.ndarray:
    return np.asarray(v.to("cpu").to_dense())


def test_distances(graph: Graph, device: str) -> None:
    A = matrix(graph, device)
    expected = shortest_path(A.to_scipy(), unweighted=True)
    expected[np.isinf(expected)] = 255
    np.testing.assert_array_equal(host(sb.distances(A)), expected)
    np.testing.assert_array_equal(host(sb.distances(A, [1, 0])), expected[[1, 0]])


def test_closeness(graph: Graph, device: str) -> None:
    A, n = matrix(graph, device), graph.nrows
    expected = values(nx.closeness_centrality(digraph(graph)))
    np.testing.assert_allclose(sb.closeness(A), expected)
    np.testing.assert_allclose(sb.closeness(A, [2, 0]), expected[[2, 0]])
    # A sample of all vertices is exact.
    np.testing.assert_allclose(sb.closeness(A, samples=n), expected)


def test_harmonic(graph: Graph, device: str) -> None:
    A = matrix(graph, device)
    expected = values(nx.harmonic_centrality(digraph(graph)))
    np.testing.assert_allclose(sb.harmonic(A), expected)
    np.testing.assert_allclose(sb.harmonic(A, [2, 0]), expected[[2, 0]])
    np.testing.assert_allclose(sb.harmonic(A, samples=graph.nrows), expected)


def test_samples_come_near() -> None:
    A = sb.generate.kronecker(9, 8, seed=3)
    for measure in (sb.closeness, sb.harmonic):
        exact = measure(A)
        some = measure(A, samples=200, seed=1)
        assert np.corrcoef(exact, some)[0, 1] > 0.97
        np.testing.assert_allclose(some.sum(), exact.sum(), rtol=0.1)


def test_eccentricity(graph: Graph, device: str) -> None:
    A = matrix(graph, device)
    lengths = dict(nx.all_pairs_shortest_path_length(digraph(graph)))
    expected = [max(lengths[v].values()) for v in range(graph.nrows)]
    np.testing.assert_array_equal(sb.eccentricity(A), expected)


@pytest.mark.parametrize(
    "G",
    [nx.path_graph(40), nx.cycle_graph(31), nx.gnm_random_graph(200, 500, 3), nx.star_graph(9)],
    ids=["path", "cycle", "random", "star"],
)
def test_diameter(G: Any, device: str) -> None:
    component = max(nx.connected_components(G), key=len)
    A = sb.Matrix.from_networkx(G, weight=None).to(device)
    diameter = nx.diameter(G.subgraph(component))
    source = min(component)
    assert sb.diameter_bounds(A, source) == (diameter, diameter)
    lower, upper = sb.diameter_bounds(A, source, searches=1)
    assert lower <= diameter <= upper


def test_diameter_of_a_directed_graph_is_refused(device: str) -> None:
    with pytest.raises(InvalidValue, match="symmetric"):
        sb.diameter_bounds(matrix(SEARCHABLE["directed-cycle"], device))


@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_khop(graph: Graph, k: int, device: str, tmp_path: Path) -> None:
    A, n = matrix(graph, device), graph.nrows
    near = shortest_path(A.to_scipy(), unweighted=True) <= k
    np.testing.assert_array_equal(sb.khop_sizes(A, k), near.sum(axis=1))
    index = sb.KHopIndex(A, k=k)
    u, v = (a.ravel() for a in np.indices((n, n)))
    np.testing.assert_array_equal(index.query(u, v).reshape(n, n), near)
    some = sb.KHopIndex(A, [3, 1], k=k)
    some.save(tmp_path / "index.npz")
    again = sb.KHopIndex.load(tmp_path / "index.npz")
    np.testing.assert_array_equal(again.query([1] * n, range(n)), near[1])
    np.testing.assert_array_equal(again.query(1, range(n)), near[1])
    np.testing.assert_array_equal(again.query([3, 1], np.int64(0)), near[[3, 1], 0])
    assert again.query(3, 1).tolist() == [near[3, 1]]
    with pytest.raises(InvalidValue, match="2 is not a source"):
        again.query([1, 2], [0, 0])
    with pytest.raises(DimensionMismatch, match="v: expected 2"):
        again.query([1, 1], [0])


def test_khop_of_more_sources_than_a_block() -> None:
    A = sb.generate.uniform(700, 3, seed=1)
    near = shortest_path(A.to_scipy(), unweighted=True) <= 3
    index = sb.KHopIndex(A, k=3)
    u, v = (a.ravel() for a in np.indices((700, 700)))
    np.testing.assert_array_equal(index.query(u, v).reshape(700, 700), near)


@pytest.mark.parametrize("batch", [3, 64])
def test_betweenness(graph: Graph, batch: int, device: str) -> None:
    A, G = matrix(graph, device), digraph(graph)
    G.remove_edges_from(nx.selfloop_edges(G))
    expected = values(nx.betweenness_centrality(G, normalized=False))
    found = dense(sb.betweenness(A, normalized=False, batch=batch))
    np.testing.assert_allclose(found, expected, atol=1e-12)
    expected = values(nx.betweenness_centrality(G))
    sampled = dense(sb.betweenness(A, samples=graph.nrows))
    np.testing.assert_allclose(sampled, expected, atol=1e-12)


def test_betweenness_does_not_depend_on_threads() -> None:
    A = sb.generate.kronecker(9, seed=4)
    sources = np.arange(0, 512, 7)
    found = [
        dense(sb.betweenness(A, sources, threads=threads, batch=batch))
        for threads, batch in ((1, 64), (2, 64), (7, 5))
    ]
    np.testing.assert_array_equal(found[0], found[1])
    # Sums of other terms are rounded otherwise.
    np.testing.assert_allclose(found[0], found[2], rtol=1e-12)
    few = sources[::9]
    products = dense(sb.betweenness(A.to("reference"), few))
    np.testing.assert_allclose(dense(sb.betweenness(A, few)), products, rtol=1e-12)


@pytest.mark.parametrize("sources", [[5], [5, 9], range(0, 8000, 797)])
@pytest.mark.parametrize("directed", [True, False])
def test_betweenness_of_levels_that_threads_share(directed: bool, sources: Any) -> None:
    """Levels of many edges, with few behind them; who is not reached has edges to who is."""
    A = sb.generate.kronecker(13, 16, seed=4)
    if directed:
        edges = A.to_scipy().tocoo()
        some = np.random.default_rng(1).random(edges.nnz) < 0.7
        A = sb.Matrix.from_coo(edges.row[some], edges.col[some], True, nrows=8229, ncols=8229)
    found = [dense(sb.betweenness(A, sources, threads=threads)) for threads in (1, 2, 5)]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    products = dense(sb.betweenness(A.to("reference"), sources))
    np.testing.assert_allclose(found[0], products, rtol=1e-12)


def test_betweenness_of_levels_in_the_order_they_are_found_in() -> None:
    """Whose sums are of one order, too, whoever of two levels adds them up."""
    A = sb.generate.uniform(3000, 8, seed=2)
    one, many = (dense(sb.betweenness(A, range(40), threads=threads)) for threads in (1, 40))
    np.testing.assert_array_equal(one, many)


def test_betweenness_leaves_nothing_at_vertices_that_are_not_reached() -> None:
    """Vertex 3 has an edge to who is reached from 0, and the next source reaches it."""
    edges = [(0, 1), (1, 0), (1, 1), (1, 2), (3, 2), (4, 3)]
    A = sb.Matrix.from_coo(*zip(*edges, strict=True), True, nrows=1000, ncols=1000)
    found = dense(sb.betweenness(A, [0, 4], normalized=False, threads=1)) / 500
    np.testing.assert_allclose(found[:5], [0, 1, 0, 1, 0])


@pytest.mark.parametrize("directed", [True, False])
def test_betweenness_where_the_farther_level_has_fewer_edges(directed: bool, device: str) -> None:
    """Most vertices are neighbours of the source, so that nobody needs to read their edges."""
    rng = np.random.default_rng(11)
    edges = rng.random((70, 70)) < 0.7
    # Who is behind the rest, some of it by one edge alone, and who nobody reaches.
    edges[:50, 50:] = rng.random((50, 20)) < 0.02
    edges[:, 65:] = False
    if not directed:
        edges |= edges.T
    A = sb.Matrix.from_coo(*np.nonzero(edges), True, nrows=70, ncols=70, device=device)
    G = nx.from_numpy_array(edges, create_using=nx.DiGraph)
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    expected = values(nx.betweenness_centrality(G, normalized=False))
    found = dense(sb.betweenness(A, normalized=False))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    skewed = sb.generate.kronecker(9, seed=4)
    lower = skewed.select("tril").new() if directed else skewed
    found = dense(sb.betweenness(lower.to(device), range(0, 512, 37)))
    products = dense(sb.betweenness(lower.to("reference"), range(0, 512, 37)))
    np.testing.assert_allclose(found, products, rtol=1e-12)


def test_betweenness_of_a_graph_on_disk_without_its_transpose(tmp_path: Path) -> None:
    A = sb.generate.kronecker(9, seed=4).select("tril").new()
    sb.write(tmp_path / "edges.el", A)
    sb.convert(tmp_path / "edges.el", tmp_path / "graph.csr", transpose=False)
    on_disk = sb.open_csr(tmp_path / "graph.csr")
    found = dense(sb.betweenness(on_disk, normalized=False))
    expected = dense(sb.betweenness(A, normalized=False))
    np.testing.assert_allclose(found, expected[: found.shape[0]], rtol=1e-12)


def test_betweenness_says_how_far_it_is(device: str) -> None:
    A, seen = sb.generate.path(6).to(device), []
    sb.betweenness(A, batch=4, progress=lambda *told: seen.append(told))
    assert seen == [(4, 6, 40), (6, 6, 60)]


def test_betweenness_where_a_double_does_not_count_the_paths(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of 240 layers has twenty times the paths of the one before."""
    u = np.repeat(np.arange(239 * 20), 20)
    v = 20 * (u // 20 + 1) + np.tile(np.arange(20), 239 * 20)
    A = sb.Matrix.from_coo(u, v, True, nrows=4800, ncols=4800)
    # Whatever lies behind a layer is reached through it, by everybody of the layer alike.
    expected = np.repeat(239.0 - np.arange(240), 20)
    expected[:20] = 0
    for threads in (1, 2):
        found = dense(sb.betweenness(A, [0], normalized=False, threads=threads)) / 4800
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    monkeypatch.setattr(type(A._engine), "fused", Fused())
    with pytest.raises(InvalidValue, match="shortest paths"):
        sb.betweenness(A, [0])


def test_betweenness_of_a_grid_with_paths_of_all_numbers() -> None:
    """Along the edge of a grid there is one path, in its middle more than a double counts."""
    side = 600
    A = sb.generate.grid2d(side)
    n = side * side
    found = dense(sb.betweenness(A, [0], normalized=False)).reshape(side, side) / n
    np.testing.assert_allclose(found, found.T, rtol=1e-9)
    # Every vertex that is not the source is behind exactly one level of every depth before it.
    depth = np.add.outer(np.arange(side), np.arange(side))
    behind = np.array([(depth > d).sum() for d in range(2 * side - 1)], float)
    sums = np.bincount(depth.ravel(), found.ravel())
    np.testing.assert_allclose(sums[1:], behind[1:], rtol=1e-9)


def test_mistakes(device: str) -> None:
    wide = sb.Matrix(bool, 2, 3, device=device)
    for measure in (sb.closeness, sb.harmonic, sb.eccentricity, sb.betweenness):
        with pytest.raises(DimensionMismatch, match="square"):
            measure(wide)
    path = matrix(SEARCHABLE["path"], device)
    for measure in (sb.closeness, sb.harmonic, sb.eccentricity):
        with pytest.raises(IndexOutOfBound, match="vertices"):
            measure(path, [path.nrows])
    with pytest.raises(IndexOutOfBound, match="vertices"):
        sb.harmonic(path, [-1], samples=1)
    with pytest.raises(InvalidValue, match="samples"):
        sb.closeness(matrix(SEARCHABLE["path"], device), samples=0)
    with pytest.raises(InvalidValue, match="distinct"):
        sb.KHopIndex(matrix(SEARCHABLE["path"], device), [0, 0], k=1)


def test_harmonic_needs_no_number_a_vertex_and_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 70 << 20)  # of what is asked for here
    n = 3000  # of 72 MB of numbers, all levels of all vertices
    found = sb.harmonic(sb.generate.path(n))
    sums = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, n))))
    np.testing.assert_allclose(found, sums + sums[::-1], rtol=1e-12)


def test_bounds_of_a_diameter_need_the_levels_of_64_searches() -> None:
    A = sb.generate.grid2d(120)
    sb.diameter_bounds(A, searches=65)  # makes what searches share
    tracemalloc.start()
    try:
        sb.diameter_bounds(A, searches=65)
        assert tracemalloc.get_traced_memory()[1] < 350 * A.nrows
    finally:
        tracemalloc.stop()
