"""Vertices move to the communities that most of their edges' weight leads to, less chance.

Those of one colour move at once: none of them are neighbours, so that what each gains does not
depend on where the others go, but for the sizes of communities.

Lu, Halappanavar, Kalyanaraman: Parallel heuristics for scalable community detection (2015);
Cordasco, Gargano: Community detection via semi-synchronous label propagation algorithms (2010).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs import binary, semiring
from spbfs.algorithms.communities.weights import membership, sums_of_rows
from spbfs.algorithms.graphs import Method, run_fused, way, without_loops
from spbfs.algorithms.sets.colouring import in_order
from spbfs.algorithms.sets.orders import given, random_order, ranks
from spbfs.base.progress import Report
from spbfs.engines.fused import Aim
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = ["settled"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def settled(
    W: Matrix, aim: Aim, seed: int, method: Method, threads: int | None, report: Report
) -> Ints:
    """A community from 0 to n - 1 for everybody, in which all are content to stay.

    At first everybody is alone, in a community numbered at random; of two that are equally good the
    one with the lesser number is chosen, and to stay is better than an equally good change.  Sweeps
    over all are reported.
    """
    order = random_order(W.nrows, seed)
    edges = without_loops(W)
    colours = on_host(in_order(edges, given(order), method, threads).to_dense())
    members = np.argsort(colours, kind="stable")
    bounds = np.cumsum(np.bincount(colours))
    classes = np.split(members, bounds[:-1]) if bounds.shape[0] else []
    labels, degrees = ranks(order), sums_of_rows(W)
    call = way(W._engine.fused.community_moves, method, W.device)
    if call is None:
        return _moved(edges, degrees, classes, labels, aim, report)
    told = report.onward()
    return run_fused("community_moves", edges, call, degrees, classes, labels, aim, threads, told)


def _moved(
    W: Matrix, degrees: Floats, classes: list[Ints], labels: Ints, aim: Aim, report: Report
) -> Ints:
    """Class by class, those move who have something to gain since neighbours of theirs moved."""
    active = np.ones(W.nrows, np.bool_)
    value, told = _objective(W, degrees, labels, aim), report.onward()
    for sweep in range(aim.sweeps):
        before = labels.copy()
        for members in classes:
            rows = members[active[members]]
            if rows.shape[0] == 0:
                continue
            targets = _best(W, degrees, rows, labels, aim)
            active[rows] = False
            rows, targets = rows[targets != labels[rows]], targets[targets != labels[rows]]
            labels[rows] = targets
            movers = Vector.from_coo(rows, True, size=W.nrows, device=W.device)
            beside = semiring.any_pair(W @ movers).new()
            active[on_host(beside.to_coo(values=False)[0])] = True
        if told is not None:
            told(sweep + 1, (sweep + 1) * W.nvals)
        gain = _objective(W, degrees, labels, aim) - value
        if gain <= 0:
            return before
        if gain <= aim.least_gain:
            break
        value += gain
    return labels


def _best(W: Matrix, degrees: Floats, rows: Ints, labels: Ints, aim: Aim) -> Ints:
    """The community of largest gain for every one of some vertices that are no neighbours."""
    n, device = W.nrows, W.device
    S = membership(labels, n, device)
    own = S[rows, :].new()
    # What leads to every community; to one's own something always does, if only nothing.
    weight = semiring.plus_times(W[rows, :].new() @ S).new()
    weight << weight.ewise_add(own.apply(binary.times, right=0.0).new(), binary.plus)
    # What chance would bring there, oneself not counted.
    volumes: Any = semiring.plus_times(S.T @ Vector.from_dense(degrees, device=device)).new()
    expected = Vector.from_dense(aim.resolution * degrees[rows], device=device).diag()
    itself = Vector.from_dense(degrees[rows], device=device).diag()
    chance = semiring.any_second(weight @ volumes.diag()).new()
    chance << semiring.any_times(expected @ chance)
    oneself = semiring.any_times(expected @ semiring.any_first(itself @ own).new()).new()
    gain = weight.apply(binary.times, right=aim.total).new()
    gain << gain.ewise_mult(chance, binary.minus)
    gain(binary.plus) << oneself
    # Where one is, unless it is better elsewhere.
    stay: Any = gain.ewise_mult(own, binary.first).new().reduce_rowwise().new()
    most: Any = gain.reduce_rowwise("max").new()
    where: Any = gain.reduce_rowwise("argmax").new()
    better = on_host(most.to_dense()) > on_host(stay.to_dense())
    return np.where(better, on_host(where.to_dense()), labels[rows])


def _objective(W: Matrix, degrees: Floats, labels: Ints, aim: Aim) -> float:
    """The weight within communities, both ways, less what chance would bring there."""
    S = membership(labels, W.nrows, W.device)
    inside = semiring.plus_times(W @ S).new(mask=S.S).reduce_scalar().new().value or 0.0
    volumes = np.bincount(labels, weights=degrees, minlength=1)
    return float(aim.total * inside - aim.resolution * np.square(volumes).sum())
