"""Hubs and authorities: who points at good pages, and at whom good pointers point.

Kleinberg: Authoritative sources in a hyperlinked environment (1999).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from spbfs import binary
from spbfs.algorithms.graphs import square
from spbfs.algorithms.rank.arguments import constant, limits, product, rounds, started
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.objects.display.formatting import format_result, result_html
from spbfs.objects.exports.tables import table
from spbfs.objects.vector import Vector

__all__ = ["HITS", "hits"]


class HITS(NamedTuple):
    """What `hits` finds: two scores a vertex, which sum to 1 each."""

    hubs: Vector
    authorities: Vector

    def to_pandas(self) -> Any:
        """A table of the vertices, by names where the matrix has labels: hub and authority.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        PackageMissing
            When pandas is not installed.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0], [1], True, nrows=2, ncols=2)
        >>> sb.hits(A).to_pandas().to_dict("list")
        {'hub': [1.0, 0.0], 'authority': [0.0, 1.0]}
        """
        return table(self.hubs.labels, {"hub": self.hubs, "authority": self.authorities})

    def __repr__(self) -> str:
        return format_result(self)

    def _repr_html_(self) -> str:
        facts = [("vertices", f"{self.hubs.size:,}")]
        return result_html("Hubs and authorities", facts, self._asdict())


@typed_refusals
def hits(
    A: Any,
    *,
    weighted: bool = False,
    start: Any = None,
    tolerance: float | None = 1e-6,
    iterations: int = 100,
    progress: bool | Progress | None = None,
) -> HITS:
    """Hubs point at authorities, at which hubs point: the leading singular vectors.

    A round is ``a = h plus.first A`` and ``h = A plus.second a``, scaled to sum 1: the power
    method for ``A A'``.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, entry (u, v) for the edge from u to v; loops are edges.
    weighted : bool, optional
        Take the values, which must be finite and not below 0.  By default all edges are alike.
    start : Vector, array_like or mapping, optional
        Hubs to begin with, not below 0 and not all 0; by default everybody alike.
    tolerance : float or None, optional
        Rounds end with one that changes hubs by no more than this, in the L1 norm.
        None: `iterations` rounds are made.
    iterations : int, optional
        Rounds that may be made.
    progress : bool or callable, optional
        True shows a bar of rounds; a function is called with rounds made, how many may be, and the
        edges followed so far.

    Returns
    -------
    HITS
        ``hubs, authorities``: Vectors of float64 with n values of at least 0, on the device of `A`,
        which sum to 1 each.  All are 0 where there is no edge.

    Raises
    ------
    ConvergenceFailure
        When so many iterations do not suffice.
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        When an argument is not of the kind described.

    Notes
    -----
    A round takes twice the work of the number of edges, and once that of vertices.  Where a graph
    has several parts with the same largest singular value, the result depends on `start`.
    Equal to ``networkx.hits(normalized=True)``, which scales to sum 1 as well, and takes weights
    where edges have them.

    Memory is some numbers a vertex, and the transpose of `A`.  Without `weighted` values do not
    matter, zero, negative and NaN neither; with it a NaN is refused.  The result is the same on
    every run of one engine, up to rounding on another.

    References
    ----------
    Kleinberg: Authoritative sources in a hyperlinked environment (1999).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 3], [1, 2, 2, 2], 1.0, nrows=4, ncols=4)
    >>> hubs, authorities = sb.hits(A)
    >>> hubs.to_dense().round(3), authorities.to_dense().round(3)
    (array([0.414, 0.293, 0.   , 0.293]), array([0.   , 0.293, 0.707, 0.   ]))
    """
    matrix = square(A)
    n, device = matrix.nrows, matrix.device
    ends = limits(tolerance, iterations)
    step = product(matrix, weighted)
    back = product(matrix.T, weighted)
    h, a = started(start, n, device), constant(0.0, n, device)
    with Report(progress, ends[1], "hits", "round") as report:
        for _ in report.rounds(rounds(h, *ends), 2 * matrix.nvals):
            _set(a, step(h @ matrix))
            _set(h, back(a @ matrix.T))
    return HITS(h, a)


def _set(x: Vector, found: Any) -> None:
    """`x` becomes what was found, scaled to sum 1, with zeros where nothing was."""
    x << 0.0
    x(binary.plus) << found
    total = x.reduce().new().value
    if total:
        x << x.apply(binary.truediv, right=total)
