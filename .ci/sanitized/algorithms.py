"""Algorithms that the GPU has calls of its own for."""

from __future__ import annotations

import numpy as np

import spbfs as sb
from sanitized.graphs import DEVICE, directed, graphs, star

__all__ = ["algorithms"]


def algorithms() -> None:
    """Algorithms in calls of the GPU's own, and rows that are cut into pieces."""
    for A in (graphs()[1], directed(300), star(5000)):
        lengths = A.apply(sb.binary.plus, right=1).new("FP32")
        for call in (
            sb.components,
            sb.core_numbers,
            sb.triangles,
            sb.maximal_independent_set,
            sb.colouring,
            sb.minimum_spanning_forest,
            lambda G: sb.sssp(G, 5).distances,
        ):
            expected, found = call(lengths), call(lengths.to(DEVICE))
            assert found.to("cpu").isequal(expected)
        paths = sb.sssp(lengths.to(DEVICE), 5)
        sb.verify.sssp(lengths, 5, paths.distances.to("cpu"), paths.parents.to("cpu"))
        for call in (
            lambda G: sb.betweenness(G, [5, 0, 9]),
            sb.pagerank,
            lambda G: sb.pagerank(G, weighted=True),
        ):
            expected, found = call(lengths), call(lengths.to(DEVICE))
            np.testing.assert_allclose(found.to("cpu").to_dense(), expected.to_dense(), rtol=1e-9)
