"""Other traversals from the same few operations: shortest paths and connected components."""

from __future__ import annotations

import numpy as np

import spbfs as sb
from spbfs import Matrix, Vector, binary, semiring


def shortest_paths(A: Matrix, source: int) -> Vector:
    """Distances by Bellman and Ford: relax every edge at once until nothing becomes shorter.

    A step is one product over the (min, +) semiring, accumulated by min.
    """
    distances = Vector(float, A.nrows)
    distances[source] = 0.0
    for _ in range(A.nrows):
        before = distances.dup()
        distances(binary.min) << semiring.min_plus(distances @ A)
        if distances.isequal(before):
            return distances
    raise ValueError("a cycle of negative length can be reached from the source")


def components(A: Matrix) -> Vector:
    """The least vertex of everyone's component: labels spread until they stay as they are.

    `A` is symmetric.  A step hands every vertex the least label among its neighbours.
    """
    labels = Vector.from_coo(np.arange(A.nrows), np.arange(A.nrows), size=A.nrows)
    while True:
        before = labels.dup()
        labels(binary.min) << semiring.min_first(labels @ A)
        if labels.isequal(before):
            return labels


def main() -> None:
    roads = Matrix.from_coo(
        [0, 0, 1, 2, 3], [1, 2, 3, 3, 4], [7.0, 2.0, 1.0, 3.0, 2.0], nrows=6, ncols=6
    )
    print("distances from vertex 0")
    print(shortest_paths(roads, 0))

    islands = sb.generate.uniform(200, 1.0, seed=4)
    labels = components(islands)
    sizes = np.bincount(labels.to_dense())
    print(f"\n{np.count_nonzero(sizes)} components, the largest of {sizes.max()} vertices")
    print(f"deepest search: {max(sb.bfs(islands, v).depth for v in range(200))} levels")


if __name__ == "__main__":
    main()
