"""What algorithms make of values and graphs that are unlike the usual ones, on every engine."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import InvalidValue, SpbfsError
from spbfs.storage.entries import on_host


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("k", [2, 9])
def test_cores_keep_the_type_and_the_values(device: str, dtype: Any, k: int) -> None:
    values = np.array([0, 1, 5, 7], dtype)
    A = sb.Matrix.from_coo([0, 1, 2, 3], [1, 2, 0, 0], values, nrows=5, ncols=5).to(device)
    core = sb.k_core(A, k)
    assert core.dtype == A.dtype
    expected = {(0, 1): values[0], (1, 2): values[1], (2, 0): values[2]} if k == 2 else {}
    rows, columns, found = core.to("cpu").to_coo()
    assert dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), found, strict=True)) == (
        expected
    )


@pytest.mark.parametrize("find", [sb.sssp, sb.widest_path])
def test_the_entry_that_is_no_number_is_named(device: str, find: Any) -> None:
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, np.nan, 1], nrows=4, ncols=4).to(device)
    with pytest.raises(InvalidValue, match=r"A: entry \(1, 2\) is nan; expected the \w+ of"):
        find(A, 0)


def test_the_width_that_is_too_large_is_named(device: str) -> None:
    widths = np.array([1, 1 << 63], np.uint64)
    A = sb.Matrix.from_coo([0, 2], [1, 1], widths, nrows=3, ncols=3).to(device)
    with pytest.raises(InvalidValue, match=r"A: entry \(2, 1\) is 9223372036854775808; expected"):
        sb.widest_path(A, 0)


def _first(A: sb.Matrix) -> int:
    return min(1, A.nrows - 1) if A.nrows else 0


def _pairs(A: sb.Matrix) -> list[tuple[int, int]]:
    return [(u, v) for u in range(min(3, A.nrows)) for v in range(A.nrows)]


CALLS: dict[str, Callable[[sb.Matrix], Any]] = {
    "adamic_adar": lambda A: sb.adamic_adar(A, _pairs(A)),
    "apsp": sb.apsp,
    "betweenness": sb.betweenness,
    "bfs": lambda A: tuple(sb.bfs(A, _first(A), parents="min")),
    "bfs_dag": lambda A: tuple(sb.bfs_dag(A, _first(A)))[:2],
    "bfs_many": lambda A: sb.bfs_many(A, [_first(A)] * 2).levels,
    "bfs_order": lambda A: tuple(sb.bfs_order(A, _first(A))),
    "bipartite": lambda A: sb.bipartite(A).is_bipartite,
    "closeness": sb.closeness,
    "clustering": sb.clustering,
    "colouring": sb.colouring,
    "common_neighbours": lambda A: sb.common_neighbours(A, _pairs(A)),
    "components": sb.components,
    "core_numbers": sb.core_numbers,
    "diameter_bounds": sb.diameter_bounds,
    "distances": sb.distances,
    "eccentricity": sb.eccentricity,
    "eigenvector": lambda A: sb.eigenvector(A, tolerance=None, iterations=9),
    "harmonic": sb.harmonic,
    "hits": lambda A: tuple(sb.hits(A, tolerance=None, iterations=9)),
    "jaccard": lambda A: sb.jaccard(A, _pairs(A)),
    "k_core": lambda A: sb.k_core(A, 1).apply("one").new(),
    "k_truss": lambda A: sb.k_truss(A, 2).apply("one").new(),
    "katz": lambda A: sb.katz(A, tolerance=None, iterations=9),
    "khop": lambda A: sb.khop(A, 2).tolist(),
    "khop_sizes": lambda A: sb.khop_sizes(A, 2),
    "label_propagation": sb.label_propagation,
    "levels": lambda A: [(d, q) for d, q in sb.levels(A, _first(A))],
    "levels_many": lambda A: [(d, F) for d, F in sb.levels_many(A, [_first(A)])],
    "louvain": lambda A: sb.louvain(A).communities,
    "maximal_independent_set": sb.maximal_independent_set,
    "minimum_spanning_forest": sb.minimum_spanning_forest,
    "modularity": lambda A: sb.modularity(A, list(range(A.nrows))),
    "pagerank": sb.pagerank,
    "pagerank-weighted": lambda A: sb.pagerank(A, weighted=True),
    "preferential_attachment": lambda A: sb.preferential_attachment(A, _pairs(A)),
    "resource_allocation": lambda A: sb.resource_allocation(A, _pairs(A)),
    "shortest_path": lambda A: sb.shortest_path(A, _first(A), A.nrows - 1),
    "spanning_forest": lambda A: sb.spanning_forest(A).nvals,
    "sssp": lambda A: tuple(sb.sssp(A, _first(A))),
    "strong_components": sb.strong_components,
    "topological_levels": sb.topological_levels,
    "transitive_closure": sb.transitive_closure,
    "transitivity": sb.transitivity,
    "triangles": sb.triangles,
    "widest_path": lambda A: tuple(sb.widest_path(A, _first(A))),
}
#: Those to which the values of a matrix matter.
WEIGHED = {
    *("apsp", "label_propagation", "louvain", "minimum_spanning_forest", "modularity"),
    *("pagerank-weighted", "shortest_path", "sssp", "widest_path"),
}
#: Those to which an edge of a vertex to itself matters.
LOOPED = {
    *("bipartite", "colouring", "eigenvector", "hits", "katz", "louvain"),
    *("maximal_independent_set", "modularity", "pagerank", "pagerank-weighted"),
    *("topological_levels", "transitive_closure"),
}
SHAPES = {
    "no vertices": (0, []),
    "no edges": (3, []),
    "one loop": (1, [(0, 0)]),
    "loops alone": (3, [(0, 0), (1, 1), (2, 2)]),
    "one way": (4, [(1, 0), (1, 2), (2, 3), (0, 3)]),
    "a cycle one way": (5, [(0, 1), (1, 2), (2, 0), (2, 3)]),
    "apart": (7, [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0), (4, 5), (5, 4)]),
    "loops and edges": (5, [(0, 0), (0, 1), (1, 0), (1, 2), (2, 1), (2, 2), (4, 4)]),
    "pairs with a loop": (8, [(u, u ^ 1) for u in range(8)] + [(u, u) for u in (0, 3, 4, 7)]),
}
VALUES = {
    "ones": lambda k: np.ones(k),
    "zeros": lambda k: np.zeros(k),
    "negative": lambda k: np.full(k, -2.0),
    "nan": lambda k: np.where(np.arange(k) == k // 2, np.nan, 1.0),
}


def graph(shape: str, values: str, device: str, *, loops: bool = True) -> sb.Matrix:
    n, edges = SHAPES[shape]
    kept = [(u, v) for u, v in edges if loops or u != v]
    rows, columns = [u for u, _ in kept], [v for _, v in kept]
    A = sb.Matrix.from_coo(rows, columns, VALUES[values](len(kept)), nrows=n, ncols=n)
    return A.to(device)


def plain(found: Any) -> Any:
    """A result as numbers and lists, scores without what rounding does."""
    if isinstance(found, (sb.Vector, sb.Matrix)):
        *at, values = found.to("cpu").to_coo()
        return [x.tolist() for x in at], plain(values)
    if hasattr(found, "dtype") and hasattr(found, "shape") and found.shape:
        found = on_host(found)
        return np.round(found, 9).tolist() if found.dtype.kind == "f" else found.tolist()
    if isinstance(found, (tuple, list)):
        return [plain(x) for x in found]
    return round(found, 9) if isinstance(found, float) else found


def outcome(name: str, A: sb.Matrix) -> Any:
    """What a call returns, or the error that it raises."""
    try:
        return plain(CALLS[name](A))
    except SpbfsError as error:
        return type(error).__name__, str(error)


def test_every_algorithm_is_called() -> None:
    functions = {
        name
        for name in sb.__all__
        if isinstance(getattr(sb, name), FunctionType)
        and inspect.unwrap(getattr(sb, name)).__module__.startswith("spbfs.algorithms")
    }
    assert functions - {"loop", "repeat", "suggest_device"} == {n.split("-")[0] for n in CALLS}


@pytest.mark.parametrize("name", CALLS)
def test_a_trace_has_a_line_of_every_algorithm(device: str, name: str) -> None:
    # One of them takes undirected graphs alone.
    A = graph("apart" if name == "diameter_bounds" else "one way", "ones", device)
    with sb.trace() as made:
        found = outcome(name, A)
    assert not (isinstance(found, tuple) and isinstance(found[0], str)), found
    assert made.records


@pytest.mark.parametrize("name", CALLS)
def test_engines_agree_about_odd_graphs(device: str, name: str) -> None:
    for shape in SHAPES:
        for values in VALUES:
            expected = outcome(name, graph(shape, values, "reference"))
            assert outcome(name, graph(shape, values, device)) == expected, (shape, values)


@pytest.mark.parametrize("name", sorted(set(CALLS) - WEIGHED))
def test_values_do_not_matter(device: str, name: str) -> None:
    for shape in SHAPES:
        expected = outcome(name, graph(shape, "ones", device))
        for values in VALUES:
            assert outcome(name, graph(shape, values, device)) == expected, (shape, values)


@pytest.mark.parametrize("name", sorted(set(CALLS) - LOOPED))
def test_loops_do_not_matter(device: str, name: str) -> None:
    for shape in SHAPES:
        expected = outcome(name, graph(shape, "ones", device, loops=False))
        assert outcome(name, graph(shape, "ones", device)) == expected, shape


@pytest.mark.parametrize("name", sorted(WEIGHED | LOOPED))
def test_what_matters_changes_some_outcome(device: str, name: str) -> None:
    """So that the two sets above name nobody whom it does not concern."""
    weighed = any(
        outcome(name, graph(shape, values, device)) != outcome(name, graph(shape, "ones", device))
        for shape in SHAPES
        for values in VALUES
    )
    looped = any(
        outcome(name, graph(shape, "ones", device, loops=False))
        != outcome(name, graph(shape, "ones", device))
        for shape in SHAPES
    )
    assert (weighed, looped) == (name in WEIGHED, name in LOOPED)


def test_a_path_may_lead_by_what_is_farther_than_its_end(device: str) -> None:
    A = sb.Matrix.from_coo([0, 1, 0], [1, 2, 2], [1, -5, 3], nrows=4, ncols=4).to(device)
    path = sb.shortest_path(A, 0, 2)
    assert (path.vertices.tolist(), path.length) == ([0, 1, 2], -4)
    assert sb.shortest_path(A, 0, 3).length == np.inf
