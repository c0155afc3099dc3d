"""Distances by rounds of products over (min, +): whoever came nearer tells those next door.

Bellman: On a routing problem (1958); Ford: Network flow theory (1956); Moore: The shortest path
through a maze (1959), for the frontier.  As products: Kepner, Gilbert: Graph Algorithms in the
Language of Linear Algebra (SIAM 2011).
"""

from __future__ import annotations

from spbfs import binary, select, semiring
from spbfs.algorithms.paths.negative import growing_cycle, refuse_cycle
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector

__all__ = ["bellman_ford"]

#: The round after which a cycle is looked for: while nearly everybody moves, as in those before, a
#: look takes as long as eight rounds.
_FIRST_LOOK = 8
#: Rounds for every vertex, where rounding makes walks along a cycle of length 0 ever shorter: no
#: fewer than the turns of ``kernels/cpu/paths/distances_by_potential.cpp``, which finds the same.
_MOST_ROUNDS = 16


def bellman_ford(
    A: MatrixOperand,
    start: Vector,
    *,
    limit: float | None = None,
    target: int | None = None,
    negative: bool = False,
) -> Vector:
    """The least lengths of walks over `A` that begin with the values of `start`.

    Farther than `limit`, and than `target` is, they are lengths of some walks only; so they are
    where rounding brings somebody nearer in every round.
    """
    d, q, bound, rounds = start.dup(), start, limit, 0
    moved: Vector | None = None
    most = _MOST_ROUNDS * min(A.nrows, A.nvals + start.nvals) if negative else None
    rounded = False
    while True:
        step = semiring.min_plus(q @ A).new()
        if target is not None:
            known = d[target].new().value
            bound = bound if known is None else known
        if bound is not None:
            step << select.valuele(step, bound)
        no_nearer = step.ewise_mult(d, binary.ge).new()
        q = step.dup(mask=~no_nearer.V)
        if not q.nvals:
            return d
        d(binary.min) << q
        rounds += 1
        if most is None:
            continue
        if rounds > most:
            return d
        # A cycle that makes walks shorter for ever shows long before a walk has more edges than
        # paths have, so that it is looked for now and then.  Its vertices are among those that
        # came nearer of late, which after the first rounds are few.
        certain = rounds >= d.nvals
        moved = q if moved is None else moved.ewise_add(q, binary.first).new()
        if rounds & (rounds - 1) and (rounded or not certain):
            continue
        if certain or rounds >= _FIRST_LOOK:
            near = d if certain else d.dup(mask=moved.S)
            cycle = growing_cycle(A, near, certain=certain)
            if cycle is not None:
                refuse_cycle(cycle)
            rounded = certain
        moved = None
