"""Lengths whose sums are near what their type holds, or lose bits, on every engine and way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs import _cpu
from spbfs.algorithms.paths import all_pairs
from spbfs.exceptions import InvalidValue, NegativeCycle

MOST = np.finfo(np.float64).max
NONE = np.iinfo(np.int64).max


def path(device: str, lengths: list[Any], dtype: Any = None) -> sb.Matrix:
    """A path of vertices with an edge of each of the lengths."""
    k = len(lengths)
    at, values = np.arange(k), np.array(lengths, dtype)
    return sb.Matrix.from_coo(at, at + 1, values, nrows=k + 1, ncols=k + 1).to(device)


def rows_of(A: sb.Matrix, sources: Any) -> np.ndarray:
    """Distances by a search from each of the sources."""
    none = np.inf if A.dtype.is_float else NONE
    found = [sb.sssp(A, s, parents=False).distances.to("cpu").to_dense(none) for s in sources]
    return np.array(found)


CALLS: dict[str, Any] = {
    "sssp": lambda A: sb.sssp(A, 0),
    "composed": lambda A: sb.sssp(A, 0, method="composed"),
    "limit": lambda A: sb.sssp(A, 0, limit=7),
    "apsp": sb.apsp,
    "shortest_path": lambda A: sb.shortest_path(A, 0, 1),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("lengths", "dtype", "name"),
    [
        ([1e308, 1e308], None, "FP64"),
        ([-1e308, -1e308, 5e307], None, "FP64"),
        ([1e308, 1.5e308, np.inf], None, "FP64"),
        ([1 << 62, 1, 1], np.int64, "INT64"),
        # The greatest number stands for no path.
        ([NONE], np.int64, "INT64"),
        ([NONE], np.uint64, "INT64"),
        ([1 << 62, -(1 << 62)], np.int64, "INT64"),
    ],
)
def test_sums_beyond_the_type_are_refused(
    device: str, lengths: list[Any], dtype: Any, name: str, call: str
) -> None:
    with pytest.raises(InvalidValue, match=f"A: paths over weights from .* than {name} holds"):
        CALLS[call](path(device, lengths, dtype))


@pytest.mark.parametrize("method", ["composed", "auto"])
@pytest.mark.parametrize("lengths", [[MOST], [MOST / 4, MOST / 3], [np.inf, 1e308], [NONE - 1]])
def test_the_greatest_lengths_are_lengths(device: str, lengths: list[Any], method: Any) -> None:
    A = path(device, lengths)
    along = np.concatenate([[0], np.cumsum(np.array(lengths))])
    expected = {v: d for v, d in enumerate(along.tolist()) if d < np.inf}
    assert sb.sssp(A, 0, method=method).distances.to_dict() == expected
    assert np.array_equal(sb.apsp(A, [0, 1]), rows_of(A, [0, 1]))


def test_a_loop_beyond_the_type_is_refused(device: str) -> None:
    A = sb.Matrix.from_coo([0], [0], np.array([1 << 63], np.uint64), nrows=1, ncols=1).to(device)
    with pytest.raises(InvalidValue, match="INT64"):
        sb.sssp(A, 0)


@pytest.mark.parametrize("lengths", [[-4e307, -4e307], [-(1 << 60), -(1 << 60)]])
def test_long_cycles_below_0_are_named(device: str, lengths: list[Any]) -> None:
    A = sb.Matrix.from_coo([0, 1], [1, 0], lengths, nrows=2, ncols=2).to(device)
    for call in (lambda: sb.sssp(A, 0), lambda: sb.apsp(A)):
        with pytest.raises(NegativeCycle, match="0 -> 1 -> 0"):
            call()


@pytest.mark.parametrize(
    "lengths",
    [
        [-1e9, 1e-8, 2e-8, 3e-8],
        [1e-8, 2e-8, -1e9, 3e-8],
        [-0.1, 0.2, 0.3, 1e17],
        [-5e-324, 1e-300, 5e-324],
        [-1e300, 1e-300, 1.0],
        [-0.25, 1.5, 1 << 40],
        [-3, 5, -1, 7],
    ],
)
def test_a_row_does_not_depend_on_other_sources(device: str, lengths: list[float]) -> None:
    """Potentials far from 0 would swallow short lengths, and which path is the shortest."""
    A = path(device, lengths)
    n = A.nrows
    # A detour of two edges that differs from the edge by less than a potential's last bit.
    rows, cols, values = A.to_coo()
    detour = np.append(values, [values[1] / 2, values[1] / 4])
    B = sb.Matrix.from_coo(
        np.append(rows, [1, n]), np.append(cols, [n, 2]), detour, nrows=n + 1, ncols=n + 1
    ).to(device)
    for graph in (A, B):
        sources = np.arange(graph.nrows)
        expected = rows_of(graph, sources)
        np.testing.assert_array_equal(sb.apsp(graph), expected)
        np.testing.assert_array_equal(sb.apsp(graph, sources[:2]), expected[:2])
        np.testing.assert_array_equal(sb.apsp(graph, 1), expected[[1]])


def test_one_search_for_all_where_no_sum_is_rounded(device: str, monkeypatch: Any) -> None:
    """Halves are exact beside a potential of 2^40; thirds are not."""
    asked: list[Any] = []
    reweighted = all_pairs.reweighted
    monkeypatch.setattr(
        all_pairs, "reweighted", lambda A, sources: asked.append(A) or reweighted(A, sources)
    )
    for lengths, times in ([-0.5, 1.5, 2.0**40], 1), ([-0.5, 1 / 3, 2.0**40], 0), ([-3, 5, 1], 1):
        A = path(device, lengths)
        np.testing.assert_array_equal(sb.apsp(A), rows_of(A, range(A.nrows)))
        assert len(asked) == times
        asked.clear()


def test_searches_by_potential_find_what_others_find(device: str) -> None:
    """Lengths of all magnitudes below and above 0, and edges of length infinity among them."""
    n = 30 if device == "reference" else 200
    rng = np.random.default_rng(8)
    rows, cols = np.nonzero(rng.random((n, n)) < 4 / n)
    for scale in (1.0, 1e-9, 1e9):
        potential = scale * rng.uniform(0, 9, n)
        lengths = 10.0 ** rng.uniform(-12, 3, rows.size) + potential[rows] - potential[cols]
        lengths += 1e-6 * scale
        lengths[rng.random(rows.size) < 0.1] = np.inf
        A = sb.Matrix.from_coo(rows, cols, lengths, nrows=n, ncols=n).to(device)
        assert (lengths < 0).any()
        sources = np.arange(0, n, 7)
        expected = rows_of(A, sources)
        for threads in (1, 3):
            np.testing.assert_array_equal(sb.apsp(A, sources, threads=threads), expected)


def test_a_search_whose_order_is_of_no_use_is_given_up() -> None:
    """A potential of 0 everywhere, and a graph on which Dijkstra's algorithm takes 2^k turns."""
    k = 16
    edges = [(3 * i + a, 3 * i + b, w * 2.0 ** (k - i)) for i in range(k) for a, b, w in _TURN]
    rows, cols, lengths = map(np.array, zip(*edges, strict=True))
    n = 3 * k + 1
    indptr, indices, values = sb.Matrix.from_coo(rows, cols, lengths, nrows=n, ncols=n).to_csr()
    given, found = (indptr, indices, values), np.empty(n)
    zero, sources = np.zeros(n), np.zeros(1, np.int64)
    assert not _cpu.distances_by_potential(*given, zero, sources, found, 1)
    A = sb.Matrix.from_csr(*given, nrows=n, ncols=n)
    nearest = sb.sssp(A, 0).distances.to_dense(0)
    assert _cpu.distances_by_potential(*given, nearest, sources, found, 1)
    np.testing.assert_array_equal(found, nearest)


#: Straight ahead, or by a detour that is found later and is shorter.
_TURN = [(0, 3, 0.0), (0, 1, 1.0), (1, 2, 0.0), (2, 3, -2.0)]


def rounded_cycle(device: str, lengths: list[float], begin: float) -> sb.Matrix:
    """An edge from 0 to a cycle of length 0 whose sums are rounded."""
    k = len(lengths)
    rows, cols = np.arange(k + 1), np.append(np.arange(1, k + 1), 1)
    values = np.array([begin, *lengths])
    return sb.Matrix.from_coo(rows, cols, values, nrows=k + 1, ncols=k + 1).to(device)


@pytest.mark.parametrize(
    ("lengths", "begin", "atol"),
    [
        # Once round it is nearer, and then no more.
        ([1e16, -1e16], 1.0, 2.0),
        # Nearer by 2 every time, 10^15 times.
        ([0.9, 0.9, -1.8], 1e16, 200.0),
    ],
)
def test_a_cycle_that_rounding_makes_shorter_ends(
    device: str, lengths: list[float], begin: float, atol: float
) -> None:
    A = rounded_cycle(device, lengths, begin)
    n = A.nrows
    found = sb.sssp(A, 0)
    exact = np.append(0, begin + np.cumsum([0, *lengths[:-1]]))
    np.testing.assert_allclose(found.distances.to_dense(np.inf), exact, rtol=0, atol=atol)
    assert [found.path_to(v).tolist() for v in range(n)] == [list(range(v + 1)) for v in range(n)]
    np.testing.assert_array_equal(sb.apsp(A), rows_of(A, range(n)))
    assert sb.shortest_path(A, 0, 2).vertices.tolist() == [0, 1, 2]
    # From within, and from two that are both on it: there is a tree from one of them at least.
    for sources in (1, [1, 2], [2, 0, 2]):
        parents = sb.sssp(A, sources).parents.to_dict()
        owned = set(np.ravel(sources).tolist())
        assert sorted(parents) == list(range(0 if 0 in owned else 1, n))
        for v in parents:
            while parents[v] != v:
                v = parents[v]
            assert v in owned


def test_a_cycle_below_0_is_named_beside_one_that_rounding_makes_shorter(device: str) -> None:
    A = rounded_cycle(device, [0.9, 0.9, -1.8], 1e16)
    rows, cols, values = A.to_coo()
    B = sb.Matrix.from_coo(
        np.append(rows, [0, 4, 5]),
        np.append(cols, [4, 5, 4]),
        np.append(values, [0.0, 1.0, -1.5]),
        nrows=6,
        ncols=6,
    ).to(device)
    with pytest.raises(NegativeCycle, match="4 -> 5 -> 4"):
        sb.sssp(B, 0)


def test_a_source_that_rounding_brings_nearer_begins_its_tree(device: str) -> None:
    """Lengths of 0 in all around every cycle, beside potentials that swallow their last bits."""
    came_nearer = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n = 8
        rows, cols = np.nonzero(rng.random((n, n)) < 0.4)
        potential = rng.normal(size=n) * 1e15
        lengths = rng.random(rows.size) / 4 + potential[rows] - potential[cols]
        A = sb.Matrix.from_coo(rows, cols, lengths, nrows=n, ncols=n).to(device)
        for s in range(n):
            try:
                found = sb.sssp(A, s)
            except NegativeCycle:
                continue
            came_nearer += found.distances[s].value < 0
            assert found.parents[s].value == s
            assert found.parents.nvals == found.distances.nvals
            assert all(found.path_to(v)[0] == s for v in found.distances)
    assert came_nearer


def test_potentials_do_not_add_up_along_all_edges(device: str) -> None:
    """Edges by potential are up to twice as long as the longest path."""
    n, long = 200, 2.0**1009
    at = np.arange(n - 1)
    rows, cols = np.append(at, 0), np.append(at + 1, n - 1)
    lengths = np.append(np.full(n - 1, -long), long)
    A = sb.Matrix.from_coo(rows, cols, lengths, nrows=n, ncols=n).to(device)
    sources = [0, 1, n - 1]
    np.testing.assert_array_equal(sb.apsp(A, sources), rows_of(A, sources))
