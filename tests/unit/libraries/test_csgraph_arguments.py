"""Arguments that `scipy.sparse.csgraph` takes, whatever their type, and what it says of others."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.exceptions import ComplexWarning
from scipy.sparse import csgraph as theirs

from spbfs import csgraph as ours

GRAPH = sp.csr_array(np.array([[0, 1.0, 0], [0, 0, 2.0], [3.0, 0, 0]]))


@pytest.mark.parametrize("start", [1.0, np.float64(1), np.float32(2), np.True_, False, np.uint8(2)])
@pytest.mark.parametrize("graph", [GRAPH, GRAPH.toarray()])
def test_a_first_vertex_that_is_a_whole_number(start: Any, graph: Any) -> None:
    for mine, expected in zip(
        ours.breadth_first_order(graph, start),
        theirs.breadth_first_order(graph, start),
        strict=True,
    ):
        assert mine.tolist() == expected.tolist()
    tree = ours.breadth_first_tree(graph, start)
    assert (tree != theirs.breadth_first_tree(graph, start)).nnz == 0


@pytest.mark.parametrize("start", [1.5, np.nan, np.inf, -np.inf, "1", None, 1 + 0j, [1]])
def test_a_first_vertex_that_is_none(start: Any) -> None:
    for function in (ours.breadth_first_order, ours.breadth_first_tree):
        with pytest.raises(TypeError, match="i_start: expected an integer index"):
            function(GRAPH, start)
    for far in (3.0, -1.0, 1e30):
        with pytest.raises(IndexError, match="i_start: expected 0 <= i_start < 3"):
            ours.breadth_first_order(GRAPH, far)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("breadth_first_order", (0,)),
        ("breadth_first_tree", (0,)),
        ("connected_components", ()),
        ("dijkstra", ()),
        ("bellman_ford", ()),
        ("johnson", ()),
        ("shortest_path", ()),
        ("minimum_spanning_tree", ()),
    ],
)
def test_of_complex_weights_the_real_part_counts_with_a_warning(name: str, args: Any) -> None:
    for graph in (GRAPH * (1 + 1j), (GRAPH * (1 + 1j)).toarray()):
        said, results = [], []
        for side in (theirs, ours):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                results.append(str(getattr(side, name)(graph, *args)))
            said.append({warning.category for warning in caught})
        assert said[0] == said[1] == {ComplexWarning}
        assert results[0] == results[1]
