"""Label propagation: everybody takes the label that most of their neighbours have.

Raghavan, Albert, Kumara: Near linear time algorithm to detect community structures in large-scale
networks (2007); Cordasco, Gargano: Community detection via semi-synchronous label propagation
algorithms (2010), for its order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.arguments import count
from spbfs.algorithms.communities.moves import settled
from spbfs.algorithms.communities.weights import between, least_members
from spbfs.algorithms.graphs import Method, square
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.engines.fused import MANY_SWEEPS, Aim
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector

__all__ = ["label_propagation", "spread"]

Ints = npt.NDArray[np.int64]


@typed_refusals
def label_propagation(
    A: Any,
    *,
    seed: int = 0,
    max_sweeps: int | None = None,
    method: Method = "auto",
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Vector:
    """Communities found by everybody taking the label that most of their neighbours have.

    Vertices are coloured, and colour by colour take the label of the largest weight next door,
    which ``plus_times(W @ S)`` sums, S having a 1 where a vertex has a label.  Who has such a label
    keeps it.  No two neighbours change at once, so that every change adds to the weight between
    vertices of one label, and there is an end: then everybody's label is among those of the largest
    weight next door.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix with weights from 0; edges are taken without direction, as by
        `modularity`, and those of weight 0 as none.  Loops do not matter.
    seed : int, optional
        Of the order in which vertices are coloured, and of which label is taken where several have
        the same weight.
    max_sweeps : int, optional
        Stop when everybody has been asked so often.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine, or as that call where the engine has
        it: they find the same where sums of weights are exact, as those of integers are.
    threads : int, optional
        Of the fused call on the CPU; the result does not depend on it.
    progress : bool or callable, optional
        True shows a bar of sweeps over all vertices; a function is called with sweeps made, 0 as
        nobody knows how many there will be, and the entries looked at so far.

    Returns
    -------
    Vector of int64
        The least vertex of everybody's community; of a vertex without neighbours itself.

    Raises
    ------
    InvalidValue
        For weights below 0, infinite or NaN, a negative seed, or `max_sweeps` below 1.
    DimensionMismatch, DomainMismatch, OutOfMemory
        As for `bfs`.

    Notes
    -----
    Every sweep looks at the entries of those next to whom something changed.  Memory: the weights
    in FP64, and some numbers a vertex and thread.

    Work is that of the sweeps, of a few on most graphs.  Zero weights are no edges, negative ones
    and NaN are refused.

    References
    ----------
    Raghavan, Albert, Kumara: Near linear time algorithm to detect community structures in
    large-scale networks (2007); Cordasco, Gargano: Community detection via semi-synchronous label
    propagation algorithms (2010), for its order.

    Examples
    --------
    >>> import spbfs as sb
    >>> two = sb.Matrix.from_edgelist([(0, 1), (1, 2), (0, 2), (3, 4)], nrows=5, ncols=5)
    >>> sb.label_propagation(two).to_dense()
    array([0, 0, 0, 3, 3])
    """
    matrix, drawn = square(A), count(seed, "seed", 0)
    sweeps = MANY_SWEEPS if max_sweeps is None else count(max_sweeps, "max_sweeps", 1)
    with Report(progress, max_sweeps, "label_propagation", "sweep") as report:
        labels = spread(between(matrix), drawn, sweeps, method, threads, report)
    return least_members(labels, matrix.device)


def spread(
    W: Matrix, seed: int, sweeps: int, method: Method, threads: int | None, report: Report
) -> Ints:
    """Everybody's label, below n, W being the weight between any two vertices."""
    # What only weight counts for: chance brings nothing anywhere.
    aim = Aim(total=1.0, resolution=0.0, least_gain=0.0, sweeps=min(sweeps, MANY_SWEEPS))
    return settled(W, aim, seed, method, threads, report)
