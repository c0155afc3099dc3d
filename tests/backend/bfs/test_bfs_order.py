"""Breadth-first order equals SciPy's, composed and fused, on every engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import breadth_first_order

import spbfs as sb
from tests.backend.algorithm_cases import cases, on, pattern, ways


def _host(array: Any) -> Any:
    return array.get() if hasattr(array, "get") else array


@pytest.mark.parametrize("directed", [True, False])
def test_as_scipy(device: str, directed: bool) -> None:
    for name, graph in cases(device):
        S = pattern(graph)
        n = graph.nrows
        for source in sorted({0, n // 2}) if n else []:
            order, before = breadth_first_order(S, source, directed=directed)
            before[source] = source
            for method in ways(device, "bfs_order"):
                found = sb.bfs_order(on(S, device), source, directed=directed, method=method)
                case = f"{name}, source {source}, {method}"
                np.testing.assert_array_equal(_host(found.order), order, case)
                parents, levels = found.parents.to("cpu"), found.levels.to("cpu")
                np.testing.assert_array_equal(parents.to_dense(-9999), before, case)
                both = S if directed else (S + S.T).tocsr()
                expected = sb.bfs(sb.Matrix.from_scipy(both), source).levels
                assert levels.isequal(expected), case


def test_several_sources_and_depth(device: str) -> None:
    # A path of 7 with vertices 5 and 1 in the queue, in this order.
    A = sb.generate.path(7).to(device)
    for method in ways(device, "bfs_order"):
        order, parents, levels = sb.bfs_order(A, [5, 1, 5], method=method)
        assert _host(order).tolist() == [5, 1, 4, 6, 0, 2, 3]
        assert parents.to_dict() == {0: 1, 1: 1, 2: 1, 3: 4, 4: 5, 5: 5, 6: 5}
        assert levels.to_dict() == {0: 1, 1: 0, 2: 1, 3: 2, 4: 1, 5: 0, 6: 1}
        near = sb.bfs_order(A, [5, 1], max_depth=1, method=method)
        assert _host(near.order).tolist() == [5, 1, 4, 6, 0, 2]
        assert near.levels.nvals == near.parents.nvals == 6
        alone = sb.bfs_order(A, 3, max_depth=0, method=method)
        assert _host(alone.order).tolist() == [3]


def test_bad_arguments(device: str) -> None:
    A = sb.generate.path(3).to(device)
    for source, error in ((3, sb.exceptions.IndexOutOfBound), ("a", sb.exceptions.DomainMismatch)):
        with pytest.raises(error, match="source"):
            sb.bfs_order(A, source)  # type: ignore[arg-type]
    with pytest.raises(sb.exceptions.DomainMismatch, match="directed"):
        sb.bfs_order(A, 0, directed="no")  # type: ignore[arg-type]
    with pytest.raises(sb.exceptions.DimensionMismatch):
        sb.bfs_order(sp.csr_array((2, 3)), 0)


def test_traced() -> None:
    with sb.trace() as t:
        sb.bfs_order(sb.generate.path(4), 0)
    assert [r["kernel"] for r in t] == ["bfs_order"]
    assert t.records[0]["nvals"] == 4
