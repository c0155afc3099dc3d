"""Components equal SciPy's, composed and fused, on every engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

import spbfs as sb
from tests.backend.algorithm_cases import DIRECTED, on, pattern
from tests.graphs import Graph


@pytest.fixture(params=sorted(DIRECTED))
def graph(request: pytest.FixtureRequest) -> Graph:
    return DIRECTED[request.param]


def least_of_each(S: sp.csr_array) -> np.ndarray:
    """Weak components by SciPy, named after their least vertices."""
    _, label = connected_components(S, directed=True, connection="weak")
    least = np.full(S.shape[0], S.shape[0])
    np.minimum.at(least, label, np.arange(S.shape[0]))
    return least[label]


@pytest.mark.parametrize("method", ["composed", "auto"])
def test_components(graph: Graph, device: str, method: Any) -> None:
    S = pattern(graph)
    found = sb.components(on(S, device), method=method)
    assert found.dtype == sb.dtypes.INT64
    np.testing.assert_array_equal(found.to("cpu").to_dense(), least_of_each(S))


@pytest.mark.parametrize("threads", [1, 4])
def test_what_is_known_of_the_transpose_does_not_matter(threads: int) -> None:
    rng = np.random.default_rng(5)
    for A in (
        sb.generate.kronecker(15, 6, seed=1),
        sb.generate.uniform(40_000, 2.5, seed=2),
        sb.generate.uniform(40_000, 7, seed=3),
        sb.generate.grid2d(200),
        sb.generate.path(70_000),
    ):
        expected = least_of_each(A.to_scipy())
        np.testing.assert_array_equal(sb.components(A, threads=threads).to_dense(), expected)
        # Edges one way, the other, both ways, and none.
        S = sp.coo_array(A.to_scipy())
        keep = rng.random(S.nnz) < 0.7
        S = sp.coo_array((S.data[keep], (S.row[keep], S.col[keep])), S.shape).tocsr()
        B = sb.Matrix.from_scipy(S)
        expected = least_of_each(S)
        for _ in range(2):
            np.testing.assert_array_equal(sb.components(B, threads=threads).to_dense(), expected)
            sb.bfs(B, 0, direction="pull")  # looks for symmetry, and makes the transpose
            assert B._ready().derived.symmetric is False
