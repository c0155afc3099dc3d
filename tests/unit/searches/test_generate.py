"""Generators: shape, symmetry, determinism, the family's defining property, and bad arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from spbfs import Matrix, generate
from spbfs.base import memory
from spbfs.exceptions import DomainMismatch, InvalidValue, OutOfMemory

#: Every generator with small arguments, and the number of vertices they must give.
UNDIRECTED: dict[str, tuple[Callable[[int], Matrix], int]] = {
    "kronecker": (lambda seed: generate.kronecker(9, 8, seed=seed), 512),
    "rmat": (lambda seed: generate.rmat(8, 4, 0.3, 0.3, 0.2, seed=seed), 256),
    "uniform": (lambda seed: generate.uniform(300, 6, seed=seed), 300),
    "small_world": (lambda seed: generate.small_world(200, 6, 0.2, seed=seed), 200),
    "delaunay": (lambda seed: generate.delaunay(250, seed=seed), 250),
    "road": (lambda seed: generate.road(400, seed=seed), 400),
}
SHAPES: dict[str, tuple[Callable[[], Matrix], nx.Graph]] = {
    "grid2d": (lambda: generate.grid2d(5, 7), nx.grid_2d_graph(5, 7)),
    "grid2d square": (lambda: generate.grid2d(4), nx.grid_2d_graph(4, 4)),
    "grid2d line": (lambda: generate.grid2d(1, 6), nx.grid_2d_graph(1, 6)),
    "grid3d": (lambda: generate.grid3d(3, 4, 5), nx.grid_graph((5, 4, 3))),
    "grid3d flat": (lambda: generate.grid3d(3, 1, 4), nx.grid_graph((4, 1, 3))),
    "path": (lambda: generate.path(9), nx.path_graph(9)),
    "path of one": (lambda: generate.path(1), nx.path_graph(1)),
    "path of none": (lambda: generate.path(0), nx.path_graph(0)),
    "star": (lambda: generate.star(9), nx.star_graph(8)),
    "star of one": (lambda: generate.star(1), nx.empty_graph(1)),
    "star of none": (lambda: generate.star(0), nx.empty_graph(0)),
    "complete": (lambda: generate.complete(7), nx.complete_graph(7)),
    "complete of one": (lambda: generate.complete(1), nx.complete_graph(1)),
    "complete of none": (lambda: generate.complete(0), nx.complete_graph(0)),
    "tree": (lambda: generate.tree(3, 3), nx.balanced_tree(3, 3)),
    "tree binary": (lambda: generate.tree(2, 5), nx.balanced_tree(2, 5)),
    "tree path": (lambda: generate.tree(1, 6), nx.path_graph(7)),
    "tree root": (lambda: generate.tree(4, 0), nx.empty_graph(1)),
}


def csr(A: Matrix) -> csr_array:
    """A generated graph as SciPy sees it, its arrays checked to be canonical on the way."""
    assert isinstance(A, Matrix)
    data = A._data
    assert data.nrows == data.ncols
    assert data.indices.dtype == np.int32
    assert data.values.dtype == np.bool_ and data.values.all()
    assert data.values.strides == (0,)
    S = csr_array(
        (np.ones(data.indices.size), data.indices, data.indptr), shape=(data.nrows, data.ncols)
    )
    S.check_format(full_check=True)
    rows = np.repeat(np.arange(data.nrows), np.diff(data.indptr))
    keys = rows * max(1, data.ncols) + data.indices
    assert (np.diff(keys) > 0).all(), "columns must rise strictly in every row"
    return S


def same(A: csr_array, B: csr_array) -> bool:
    return A.shape == B.shape and (A != B).nnz == 0


@pytest.mark.parametrize("name", UNDIRECTED)
def test_undirected_graphs_are_symmetric_without_loops(name: str) -> None:
    make, n = UNDIRECTED[name]
    S = csr(make(1))
    assert S.shape == (n, n)
    assert same(S, S.T.tocsr())
    assert not S.diagonal().any()
    assert S.nnz > 0


@pytest.mark.parametrize("name", UNDIRECTED)
def test_the_seed_decides_the_graph(name: str) -> None:
    make, _ = UNDIRECTED[name]
    assert same(csr(make(5)), csr(make(5)))
    assert not same(csr(make(5)), csr(make(6)))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_equal_networkx(name: str) -> None:
    make, graph = SHAPES[name]
    n = len(graph)
    expected = nx.to_scipy_sparse_array(graph, nodelist=sorted(graph)) if n else csr_array((0, 0))
    assert same(csr(make()), expected)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_tiny_uniform_graphs(n: int, directed: bool) -> None:
    S = csr(generate.uniform(n, max(0, n - 1), seed=0, directed=directed))
    assert S.shape == (n, n)
    assert not S.diagonal().any()


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
def test_tiny_planar_graphs_are_connected(n: int) -> None:
    for make in (generate.delaunay, generate.road):
        S = csr(make(n))
        assert S.shape == (n, n)
        assert n == 0 or connected_components(S)[0] == 1


def test_kronecker_is_rmat_with_graph500_parameters() -> None:
    assert same(
        csr(generate.kronecker(8, seed=3)), csr(generate.rmat(8, 16, 0.57, 0.19, 0.19, seed=3))
    )


def test_rmat_quadrants_have_the_asked_probabilities() -> None:
    """One draw of two vertices: the four quadrants are the four entries, self-loops dropped."""
    rng = np.random.default_rng(12)
    from spbfs.generate._random import _rmat_edges

    drawn = 400_000
    u, v = map(np.concatenate, zip(*_rmat_edges(rng, 1, drawn, (0.5, 0.25, 0.15)), strict=True))
    label = np.random.default_rng(12).permutation(np.arange(2, dtype=np.int32))
    back = np.argsort(label)
    share = np.bincount(2 * back[u] + back[v], minlength=4) / drawn
    # Five standard deviations of a share are at most 0.004.
    np.testing.assert_allclose(share, [0.5, 0.25, 0.15, 0.1], atol=0.004)


def test_kronecker_degrees_are_skewed_and_labels_permuted() -> None:
    degrees = np.diff(csr(generate.kronecker(12, seed=2)).indptr)
    assert degrees.max() > 20 * degrees.mean()
    assert (degrees == 0).any()
    # Unpermuted, the first half of the labels would hold about three quarters of the entries.
    assert 0.4 < degrees[: degrees.size // 2].sum() / degrees.sum() < 0.6


def test_uniform_directed_and_not_have_the_asked_mean_degree() -> None:
    for directed in (False, True):
        S = csr(generate.uniform(5000, 12, seed=4, directed=directed))
        assert 11.9 < S.nnz / 5000 <= 12
        assert same(S, S.T.tocsr()) is not directed


def test_uniform_degrees_vary_as_poisson() -> None:
    degrees = np.diff(csr(generate.uniform(20_000, 16, seed=4)).indptr)
    assert 14.5 < degrees.var() < 17.5


def test_small_world_without_rewiring_is_the_ring_lattice() -> None:
    expected = nx.to_scipy_sparse_array(nx.watts_strogatz_graph(30, 4, 0.0), nodelist=range(30))
    assert same(csr(generate.small_world(30, 4, 0)), expected)


def test_small_world_rewires_the_asked_share() -> None:
    n, k, p = 20_000, 10, 0.1
    S = csr(generate.small_world(n, k, p, seed=9)).tocoo()
    u, v = S.coords
    around = np.abs(u - v)
    far = (np.minimum(around, n - around) > k // 2).mean()
    assert 0.09 < far < 0.11


def test_planar_graphs_are_planar_and_connected() -> None:
    for make in (generate.delaunay, generate.road):
        S = csr(make(600, seed=8))
        assert connected_components(S)[0] == 1
        assert nx.check_planarity(nx.from_scipy_sparse_array(S))[0]


def test_a_road_is_a_part_of_its_mesh_and_at_most_the_whole() -> None:
    mesh = csr(generate.delaunay(500, seed=3))
    thinned = csr(generate.road(500, seed=3))
    assert thinned.multiply(mesh).nnz == thinned.nnz == 500 * 2.8
    assert same(csr(generate.road(500, 6, seed=3)), mesh)
    # The tree has n - 1 edges; a mean degree of 2 is one more.
    assert csr(generate.road(500, 2, seed=3)).nnz == 2 * 500


def test_a_road_is_far_deeper_than_its_mesh() -> None:
    def depth(S: csr_array) -> int:
        order, parent = breadth_first_order(S, 0)
        level = np.zeros(S.shape[0], dtype=int)
        for v in order[1:]:
            level[v] = level[parent[v]] + 1
        return int(level.max())

    assert depth(csr(generate.road(5000, seed=1))) > 4 * depth(csr(generate.delaunay(5000, seed=1)))


def test_a_numpy_generator_is_advanced() -> None:
    rng = np.random.default_rng(1)
    first, second = generate.uniform(200, 4, seed=rng), generate.uniform(200, 4, seed=rng)
    assert not same(csr(first), csr(second))


BAD_VALUES: dict[str, tuple[Callable[[], Any], str]] = {
    "negative scale": (lambda: generate.kronecker(-1), "scale.*-1"),
    "scale beyond int32": (lambda: generate.kronecker(31), "scale.*31"),
    "negative edge factor": (lambda: generate.kronecker(3, -2), "edge_factor.*-2"),
    "infinite edge factor": (lambda: generate.kronecker(3, float("inf")), "edge_factor.*inf"),
    "NaN edge factor": (lambda: generate.kronecker(3, float("nan")), "edge_factor.*nan"),
    "huge edge factor": (lambda: generate.kronecker(3, 10**400), "edge_factor"),
    "probability above one": (lambda: generate.rmat(3, a=1.5), "a must.*1.5"),
    "negative probability": (lambda: generate.rmat(3, c=-0.1), "c must.*-0.1"),
    "sum above one": (lambda: generate.rmat(3, a=0.6, b=0.3, c=0.3), r"a \+ b \+ c.*1\.2"),
    "negative n": (lambda: generate.uniform(-5, 2), "n must.*-5"),
    "degree above n - 1": (lambda: generate.uniform(5, 5), "degree.*5"),
    "n beyond int32": (lambda: generate.uniform(2**31, 2), "n must.*2147483648"),
    "odd k": (lambda: generate.small_world(10, 3), "k must be even.*3"),
    "k too large": (lambda: generate.small_world(10, 10), "k must.*10"),
    "p above one": (lambda: generate.small_world(10, 2, 1.01), "p must.*1.01"),
    "negative seed": (lambda: generate.uniform(5, 2, seed=-1), "seed.*-1"),
    "negative side": (lambda: generate.grid2d(3, -1), "ncols.*-1"),
    "lattice too large": (lambda: generate.grid2d(50_000), "2500000000 vertices"),
    "cube too large": (lambda: generate.grid3d(2000), "8000000000 vertices"),
    "negative path": (lambda: generate.path(-1), "n must.*-1"),
    "path too long": (lambda: generate.path(2**31), "2147483648 vertices"),
    "no branching": (lambda: generate.tree(0, 3), "branching.*0"),
    "negative depth": (lambda: generate.tree(2, -1), "depth.*-1"),
    "tree too large": (lambda: generate.tree(2, 31), "vertices"),
    "tree far too large": (lambda: generate.tree(2, 10**8), "vertices"),
    "road below a tree": (lambda: generate.road(10, 1.5), "degree.*1.5"),
    "road above a mesh": (lambda: generate.road(10, 6.5), "degree.*6.5"),
}
BAD_TYPES: dict[str, tuple[Callable[[], Any], str]] = {
    "float scale": (lambda: generate.kronecker(3.0), "scale.*3.0"),  # type: ignore[arg-type]
    "Boolean n": (lambda: generate.star(True), "n must.*True"),
    "text degree": (lambda: generate.uniform(9, "2"), "degree.*'2'"),  # type: ignore[arg-type]
    "no degree": (lambda: generate.uniform(9, None), "degree.*None"),  # type: ignore[arg-type]
    "float seed": (lambda: generate.uniform(9, 2, seed=0.5), "seed.*0.5"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_bad_values_are_named(name: str) -> None:
    call, message = BAD_VALUES[name]
    with pytest.raises(InvalidValue, match=message):
        call()


@pytest.mark.parametrize("name", BAD_TYPES)
def test_bad_types_are_named(name: str) -> None:
    call, message = BAD_TYPES[name]
    with pytest.raises(DomainMismatch, match=message):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: generate.kronecker(28, 16),
        lambda: generate.uniform(10**9, 64),
        lambda: generate.small_world(10**9),
        lambda: generate.grid2d(40_000),
        lambda: generate.star(2 * 10**9),
        lambda: generate.complete(10**6),
        lambda: generate.tree(2, 29),
        lambda: generate.delaunay(10**9),
        lambda: generate.road(10**9),
    ],
)
def test_what_cannot_fit_says_so_before_it_starts(
    call: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 2**30)
    with pytest.raises(OutOfMemory, match=r"needs [\d,]+ bytes and 1,073,741,824 are free"):
        call()


def test_a_bar_counts_the_edges_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    made = [generate.kronecker(8, seed=1, progress=progress) for progress in (True, False)]
    assert made[0].isequal(made[1])
    shown = capsys.readouterr().err
    assert shown.count("drawing") >= 1 and "4.10k/4.10k" in shown
    generate.uniform(100, 3, progress=None)
    assert not capsys.readouterr().err
