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
