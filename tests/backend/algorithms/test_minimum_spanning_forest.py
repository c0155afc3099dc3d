"""Minimum spanning forests equal Kruskal's, edge by edge, composed and fused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import minimum_spanning_tree

import spbfs as sb
from spbfs.exceptions import InvalidValue, VerificationError
from tests.backend.algorithm_cases import DIRECTED, cases, on, pattern, ways, weighted

WEIGHTS = [("FP64", -3, 3), ("FP32", 0, 1), ("INT64", -2, 2), ("INT8", -99, 99), ("UINT64", 0, 9)]


def kruskal(S: sp.csr_array) -> dict[tuple[int, int], Any]:
    """Every edge of the one forest, both ways, with its weight."""
    C, lightest = S.tocoo(), {}
    for u, v, w in zip(C.row.tolist(), C.col.tolist(), C.data.tolist(), strict=True):
        ends = min(u, v), max(u, v)
        lightest[ends] = min(w, lightest.get(ends, w))
    part = list(range(S.shape[0]))
    chosen = {}
    for (u, v), w in sorted(lightest.items(), key=lambda edge: (edge[1], edge[0])):
        if part[u] != part[v]:
            part = [part[v] if p == part[u] else p for p in part]
            chosen[u, v] = chosen[v, u] = w
    return chosen


def entries(A: sb.Matrix) -> dict[tuple[int, int], Any]:
    rows, cols, values = (a.tolist() for a in A.to_coo())
    return dict(zip(zip(rows, cols, strict=True), values, strict=True))


def test_equals_kruskal(device: str) -> None:
    for k, (name, graph) in enumerate(cases(device)):
        dtype, low, high = WEIGHTS[k % len(WEIGHTS)]
        np_type = sb.dtypes.lookup_dtype(dtype).np_type
        S = weighted(pattern(graph), np_type, low, high)
        if k % 2:  # (u, v) and (v, u) have other weights
            S.data = np.random.default_rng(k).permutation(S.data)
        A = on(S, device)
        for method in ways(device, "minimum_spanning_forest"):
            forest = sb.minimum_spanning_forest(A, method=method)
            assert entries(forest) == kruskal(S), (name, dtype, method)
            assert (forest.dtype, forest.device) == (dtype, device)
        sb.verify.minimum_spanning_forest(A, forest)


def test_awkward_weights(device: str) -> None:
    rows, cols = [0, 1, 2, 3, 0], [1, 2, 3, 0, 2]
    for weights in (
        [0.0, -0.0, np.inf, -np.inf, 5e-324],
        [-0.0, 0.0, 0.0, -0.0, 0.0],
        [True, False, True, True, False],
        [1, 1, 1, 1, 1],
        [2**63 - 1, -(2**63), 0, -1, 1],
    ):
        S = sp.coo_array((weights, (rows, cols)), shape=(4, 4)).tocsr()
        A = sb.Matrix.from_coo(rows, cols, weights, nrows=4, ncols=4, device=device)
        for method in ways(device, "minimum_spanning_forest"):
            assert entries(sb.minimum_spanning_forest(A, method=method)) == kruskal(S), weights


def test_pattern_only(device: str) -> None:
    S = pattern(DIRECTED["random-300-400"])
    A = sb.Matrix.from_coo(*S.nonzero(), True, nrows=300, ncols=300, device=device)
    for method in ways(device, "minimum_spanning_forest"):
        assert entries(sb.minimum_spanning_forest(A, method=method)).keys() == kruskal(S).keys()


def test_nan_is_refused(device: str) -> None:
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, np.nan], device=device)
    for method in ways(device, "minimum_spanning_forest"):
        with pytest.raises(InvalidValue, match=r"A: expected .*NaN at \(2, 0\)"):
            sb.minimum_spanning_forest(A, method=method)


def test_weighs_as_much_as_scipys(device: str) -> None:
    if device == "reference":
        pytest.skip("takes as long as the graph is large")
    for A, dtype in (
        (sb.generate.kronecker(11, 8, seed=2), float),
        # Some of the edges are light enough to be taken first.
        (sb.generate.uniform(2000, 40, seed=3), np.int32),
        (sb.generate.path(6000), np.float32),
    ):
        S = weighted(A.to_scipy().astype(dtype), dtype, 1, 100)
        expected = minimum_spanning_tree(S)
        for threads in (1, 4):
            forest = sb.minimum_spanning_forest(on(S, device), threads=threads)
            assert forest.nvals == 2 * expected.nnz
            assert forest.reduce_scalar().new().value == pytest.approx(2 * expected.sum())


def test_wrong_forests_are_found() -> None:
    A = sb.Matrix.from_edgelist(
        [(0, 1, 4), (1, 2, 2), (2, 0, 3), (2, 3, 1)], nrows=4, directed=False
    )
    for edges, why in (
        ([(0, 1, 4), (1, 2, 2), (2, 3, 1)], r"edge \(0, 2\) of weight 3 is lighter .* weight 4"),
        ([(0, 2, 3), (1, 2, 1), (2, 3, 1)], r"edge \(1, 2\) has weight 1, which A has not there"),
        ([(0, 2, 3), (1, 2, 2)], "does not connect 2 and 3"),
    ):
        forest = sb.Matrix.from_edgelist(edges, nrows=4, directed=False)
        with pytest.raises(VerificationError, match=why):
            sb.verify.minimum_spanning_forest(A, forest)
