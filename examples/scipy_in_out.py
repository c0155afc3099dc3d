"""SciPy sparse arrays go in as they are, and come out."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order

import spbfs as sb
from spbfs import Matrix, semiring


def main() -> None:
    S = sparse.random_array((1000, 1000), density=0.004, rng=np.random.default_rng(7))

    # Every search takes what SciPy has; a stored entry (u, v) is the edge from u to v.
    result = sb.bfs(S, 0)
    print(f"{result.reached} of 1000 vertices reached in {result.depth} steps")
    order, _ = breadth_first_order(S.tocsr(), 0)
    print(f"SciPy agrees: {result.reached == len(order)}")

    # Converted once, searched often: a Matrix keeps its transpose and its workspace.
    A = Matrix.from_scipy(S)
    depths = [sb.bfs(A, source).depth for source in range(100)]
    print(f"the deepest of a hundred searches has {max(depths)} levels")

    # Two steps from everywhere: the pattern of the square, counted, as a SciPy array again.
    paths = semiring.plus_pair(A @ A).new().to_scipy()
    print(f"{paths.sum():.0f} paths of two edges, {paths.nnz} pairs at their ends")


if __name__ == "__main__":
    main()
