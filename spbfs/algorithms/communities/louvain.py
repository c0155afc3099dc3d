"""Louvain's method: communities of large modularity, and communities of these.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks (2008); Lu,
Halappanavar, Kalyanaraman: Parallel heuristics for scalable community detection (2015).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.arguments import count
from spbfs.algorithms.communities.modularity import as_resolution, worth
from spbfs.algorithms.communities.moves import settled
from spbfs.algorithms.communities.weights import (
    between,
    least_members,
    numbered,
    sums_of_rows,
    within,
)
from spbfs.algorithms.graphs import Method, square
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.engines.fused import MANY_SWEEPS, Aim
from spbfs.objects.display.formatting import format_result, result_html
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector

__all__ = ["Communities", "levels", "louvain"]

Ints = npt.NDArray[np.int64]

#: What a sweep, and what a level, must add to the modularity for another to follow.
LEAST_GAIN = 1e-7


class Communities(NamedTuple):
    """What `louvain` found.

    Attributes
    ----------
    communities : Vector of int64
        The least vertex of everybody's community.
    modularity : float
        Of these communities.
    """

    communities: Vector
    modularity: float

    def __repr__(self) -> str:
        return format_result(self)

    def _repr_html_(self) -> str:
        facts = [("modularity", f"{self.modularity:.6g}")]
        return result_html("Communities", facts, {"communities": self.communities})


@typed_refusals
def louvain(
    A: Any,
    *,
    resolution: float = 1.0,
    seed: int = 0,
    method: Method = "auto",
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Communities:
    """Communities of large modularity, by Louvain's method.

    At first everybody is alone.  Vertices are coloured, and colour by colour move to the community
    next door that adds most to the modularity: with S a 1 where a vertex is in a community, W the
    weights and k the sums of their rows, to the largest entry of a row of ``2m W @ S`` less
    `resolution` times k times ``S.T @ k``.  When a sweep over all adds next to nothing any more,
    communities become vertices, ``S.T @ W @ S`` their weights, and so on until that adds nothing.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix with weights from 0; edges are taken without direction, as by
        `modularity`, and those of weight 0 as none.  Loops count towards the sizes of communities.
    resolution : float, optional
        The larger it is, the smaller are the communities.
    seed : int, optional
        Of the order in which vertices are coloured, and of where a vertex goes that gains the same
        in several communities.
    method : {"auto", "composed", "fused"}, optional
        As the program of products, as one call of the engine a level, or as that call where the
        engine has it: they find the same where sums of weights are exact, as those of integers are.
    threads : int, optional
        Of the fused call on the CPU; the result does not depend on it.
    progress : bool or callable, optional
        True shows a bar of sweeps over all vertices; a function is called with sweeps made, 0 as
        nobody knows how many there will be, and the entries looked at so far.

    Returns
    -------
    Communities
        `communities`, the least vertex of everybody's community, and `modularity`.  A vertex
        without neighbours is alone.

    Raises
    ------
    InvalidValue
        For weights below 0, infinite or NaN, such a resolution, or a negative seed.
    DimensionMismatch, DomainMismatch, OutOfMemory
        As for `bfs`.

    Notes
    -----
    The communities are not those that NetworkX finds, which moves one vertex at a time in an order
    of its own; on graphs of few vertices some seeds end well below others.  A sweep looks at the
    entries of those next to whom something changed; there are some tens of them.  Memory: the
    weights in FP64, twice while a level is made, and some numbers a vertex and thread.

    Zero weights are no edges, negative ones and NaN are refused.  Of one seed the result is the
    same on every run, whatever the number of threads.

    References
    ----------
    Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks (2008);
    Lu, Halappanavar, Kalyanaraman: Parallel heuristics for scalable community detection (2015).

    Examples
    --------
    >>> import spbfs as sb
    >>> two = sb.Matrix.from_edgelist([(0, 1), (1, 2), (0, 2), (3, 4), (2, 3)], nrows=5, ncols=5)
    >>> found = sb.louvain(two)
    >>> found.communities.to_dense(), round(found.modularity, 4)
    (array([0, 0, 0, 3, 3]), 0.22)
    """
    matrix, drawn = square(A), count(seed, "seed", 0)
    gamma = as_resolution(resolution)
    with Report(progress, None, "louvain", "sweep") as report:
        weights = between(matrix)
        *_, (community, value) = levels(weights, gamma, drawn, method, threads, report)
    return Communities(least_members(community, matrix.device), value)


def levels(
    W: Matrix,
    resolution: float,
    seed: int,
    method: Method,
    threads: int | None,
    report: Report,
) -> Iterator[tuple[Ints, float]]:
    """Everybody's community, labels below n, and the modularity, level by level as it grows.

    The first has everybody alone; W is the weight between any two vertices.
    """
    total = float(sums_of_rows(W).sum())
    aim = Aim(total, resolution, LEAST_GAIN * total * total, MANY_SWEEPS)
    community, value = np.arange(W.nrows), worth(W, resolution)
    yield community, value
    while W.nvals:
        labels, communities = numbered(settled(W, aim, seed, method, threads, report))
        W = within(W, labels, communities)
        before, value = value, worth(W, resolution)
        if value <= before:
            return
        community = labels[community]
        yield community, value
        if value - before <= LEAST_GAIN:
            return
