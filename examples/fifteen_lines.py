"""An algorithm of one's own in fifteen lines: widest paths, over the semiring (max, min)."""

from __future__ import annotations

import numpy as np

import spbfs as sb
from spbfs import Matrix, Vector, binary, semiring


def widest(A: Matrix, source: int) -> Vector:
    """For every vertex the most that fits through some path to it: its narrowest edge."""
    width = Vector(float, A.nrows)
    width[source] = np.inf
    while True:
        before = width.dup()
        width(binary.max) << semiring.max_min(width @ A)
        if width.isequal(before):
            return width


def main() -> None:
    rng = np.random.default_rng(4)
    rows, columns = rng.integers(0, 1000, (2, 4000))
    pipes = Matrix.from_coo(rows, columns, rng.random(4000), nrows=1000, ncols=1000, dup_op="max")
    width = widest(pipes, 0)
    print(width)
    # Who is reached through pipes that are wide enough has a path that is.
    for least in (0.3, 0.5, 0.7):
        reached = sb.bfs(pipes.select(">=", least).new(), 0).reached
        print(f"through {least} and wider: {reached}, {width.select('>=', least).new().nvals}")


if __name__ == "__main__":
    main()
