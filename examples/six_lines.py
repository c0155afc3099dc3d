"""Breadth-first search in six lines of algebra.

A step of the search is a product of the frontier `q` with the adjacency matrix over a Boolean
semiring, masked so that only vertices without a level come out.
"""

from __future__ import annotations

from pathlib import Path

import spbfs as sb
from spbfs import Matrix, Vector, replace, semiring

KARATE = Path(__file__).parent / "data" / "karate.mtx"


def levels_from(A: Matrix, source: int) -> Vector:
    """The distance of every vertex that can be reached from `source`."""
    q, levels, depth = Vector(bool, A.nrows), Vector(int, A.nrows), 0
    q[source] = True
    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, replace) << semiring.any_pair(q @ A)
        depth += 1
    return levels


def main() -> None:
    A = sb.read(KARATE)
    with sb.trace() as steps:
        levels = levels_from(A, source=0)
    print(levels)
    print("\nWhat ran, and in which direction:")
    steps.table()


if __name__ == "__main__":
    main()
