"""Communities checked by their names, and by their modularity summed edge by edge."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spbfs.algorithms.bfs.arguments import square
from spbfs.algorithms.communities.louvain import Communities
from spbfs.algorithms.communities.modularity import as_resolution
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import InvalidValue, VerificationError
from spbfs.verify.arrays import first_of, vertex_integers

__all__ = ["communities"]

#: What sums in another order may differ by.
_TOLERANCE = 1e-9


@typed_refusals
def communities(
    A: Any, communities: Any, modularity: float | None = None, *, resolution: float = 1.0
) -> None:
    """Check that every vertex has the least of its community for a name, and the modularity.

    Edges are summed one by one by SciPy, on the host.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n; weights and directions count as for `spbfs.modularity`.
    communities : Communities, Vector or array_like of int
        What `louvain` returned, or n names.
    modularity : float, optional
        Beside names: the modularity that they are to have.
    resolution : float, optional
        That the modularity was for.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertex or the two values.
    InvalidValue
        When there is a modularity beside a whole result.
    DimensionMismatch, DomainMismatch
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.grid2d(4)
    >>> sb.verify.communities(A, sb.louvain(A))
    >>> sb.verify.communities(A, [0] * 16, 0.5)
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: modularity: expected 0.0, got 0.5
    """
    matrix = square(A)
    if isinstance(communities, Communities):
        if modularity is not None:
            raise InvalidValue("modularity: expected None beside a whole result")
        communities, modularity = communities
    names = vertex_integers(np, communities, matrix.nrows, "communities")
    v = first_of(names < 0)
    if v is not None:
        raise VerificationError("communities: vertex {} has none from 0", v)
    vertices = np.arange(matrix.nrows)
    v = first_of((names > vertices) | (names[np.minimum(names, vertices)] != names))
    if v is not None:
        raise VerificationError(
            "communities: vertex {} has {}, which is not the least of its own", v, int(names[v])
        )
    if modularity is None:
        return
    expected = _modularity(matrix.to_scipy(), names, as_resolution(resolution))
    if not math.isclose(modularity, expected, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE):
        raise VerificationError(f"modularity: expected {expected}, got {modularity}")


def _modularity(S: Any, names: Any, resolution: float) -> float:
    """By the definition, over the entries of a SciPy array."""
    W = S.astype(np.float64)
    W = W + W.T if (W != W.T).nnz else W.tolil()
    W.setdiag(2.0 * S.diagonal().astype(np.float64))
    W = W.tocoo()
    total = float(W.data.sum())
    if total == 0.0:
        return 0.0
    inside = float(W.data[names[W.row] == names[W.col]].sum())
    volumes = np.bincount(names[W.row], weights=W.data)
    return inside / total - resolution * float(((volumes / total) ** 2).sum())
