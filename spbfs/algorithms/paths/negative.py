"""Cycles of negative length: found where distances fall without end, and named.

Cherkassky, Goldberg: Negative-cycle detection algorithms (1999): a cycle of parents is one, or has
length 0.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from spbfs.exceptions import NegativeCycle
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector

__all__ = ["Cycle", "growing_cycle", "refuse_cycle"]

Ints = npt.NDArray[np.int64]
Array = npt.NDArray[Any]
#: Its vertices in the order of its edges, from the least of them, and its length.
Cycle = tuple[list[int], Any]

#: Vertices of a cycle that a message names.
_NAMED = 8


def growing_cycle(A: MatrixOperand, d: Vector, *, certain: bool) -> Cycle | None:
    """A cycle of negative length through vertices of `d`, which are lengths of walks after some
    rounds.

    It may be missed unless it is `certain`, since walks of more edges than paths have became
    shorter: then there is none if rounding did that, by which a cycle of length 0 or more looks
    shorter for some rounds, or for as many as nobody can wait for.
    """
    reached, length = d.to_coo()
    if reached.shape[0] < A.nrows:
        A = A[reached, reached].new()
    edges = A.to_coo()
    v, u, step, least = _nearest(*edges, length)
    parents, steps = np.full(len(reached), -1), np.zeros(len(reached), step.dtype)
    # Of everybody first: whoever was reached was so by an edge that still is no longer than that.
    nearer = least <= length[v]
    # Whoever comes nearer after so many rounds does so along a cycle of parents; where sums are not
    # rounded its length is negative.
    for _ in range(len(reached) + 1):
        v, u, step, least = v[nearer], u[nearer], step[nearer], least[nearer]
        length[v], parents[v], steps[v] = least, u, step
        cycle = _negative(parents, steps)
        if cycle is not None:
            return reached[cycle[0]].tolist(), cycle[1]
        if not certain:
            return None
        v, u, step, least = _nearest(*edges, length)
        nearer = least < length[v]
        if not nearer.any():
            return None
    return None


def refuse_cycle(cycle: Cycle) -> NoReturn:
    """Raise for a cycle."""
    vertices, length = cycle
    named = [f"{{{k}}}" for k in range(min(len(vertices), _NAMED))]
    named += ["..."] if len(vertices) > _NAMED else []
    around = " -> ".join([*named, "{0}"])
    raise NegativeCycle(
        f"A: the cycle {around} has length {length}, so that no path through it is the shortest; "
        "expected none of negative length",
        *vertices,
    )


def _nearest(rows: Ints, cols: Ints, weights: Array, length: Array) -> tuple[Array, ...]:
    """For every end of an edge the nearest of those it comes from: (v, u, weight, distance).

    Edges are in the order of `rows`; of several that are as near it is the first.
    """
    walks = length[rows] + weights
    least = np.full(length.shape, walks.max(initial=length.max()), walks.dtype)
    np.fmin.at(least, cols, walks)
    nearest = np.flatnonzero(walks == least[cols])[::-1]
    edge = np.full(length.shape, -1)
    edge[cols[nearest]] = nearest  # of several the last that is written stays
    v = np.flatnonzero(edge >= 0)
    edge = edge[v]
    return v, rows[edge], weights[edge], walks[edge]


def _negative(parents: Ints, steps: Array) -> Cycle | None:
    """A cycle of parents whose edges, `steps` into their ends, have a negative sum."""
    n = parents.shape[0]
    far = np.append(np.where(parents < 0, n, parents), n)
    for _ in range(n.bit_length()):
        far = far[far]
    # So far up there are cycles alone.
    left = set(far.tolist()) - {n}
    while left:
        cycle = [left.pop()]
        while (above := int(parents[cycle[-1]])) != cycle[0]:
            cycle.append(above)
        left.difference_update(cycle)
        along = steps[cycle].tolist()
        length = math.fsum(along) if steps.dtype.kind == "f" else sum(along)
        if length < 0:
            cycle.reverse()
            least = cycle.index(min(cycle))
            return cycle[least:] + cycle[:least], length
    return None
