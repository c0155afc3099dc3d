"""The singular vector of the greatest singular value, by few products.

Golub, Kahan: Calculating the singular values and pseudo-inverse of a matrix (1965); Baglama,
Reichel: Augmented implicitly restarted Lanczos bidiagonalization methods (2005), for what is kept
when a round is over.  ARPACK, which SciPy calls, makes all steps of a round before it looks whether
the first of them would have done.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spbfs.networkx.conversion.structure import Array

__all__ = ["leading_vector"]

#: Vectors held on either side, as many as ARPACK holds for one that is sought, and how many of the
#: next round's are the best ones of the last.
STEPS, KEPT = 20, 10


def leading_vector(
    times: Callable[[Array], Array],
    transposed_times: Callable[[Array], Array],
    start: Array,
    tolerance: float,
    rounds: int,
) -> Array | None:
    """The right one, of length 1; None where it is not known after so many rounds.

    It is known when ``A.T @ A`` makes its square of the singular value, but for a share of that
    which is no greater than the tolerance: ARPACK's rule.
    """
    least = max(tolerance, float(np.finfo(float).eps))
    # A @ right = left @ B, and of A.T @ left = right @ B.T only the last column lacks the rest.
    left, right = np.zeros((2, STEPS, start.shape[0]))
    B = np.zeros((STEPS, STEPS + 1))
    v, _ = _apart(start, left[:0])
    begin = 0
    for _ in range(rounds):
        for k in range(begin, STEPS):
            right[k] = v
            left[k], B[k, k] = _apart(times(v), left[:k])
            v, rest = _apart(transposed_times(left[k]), right[: k + 1])
            p, values, q = np.linalg.svd(B[: k + 1, : k + 1])
            if rest * abs(p[k, 0]) <= least * values[0]:
                return np.asarray(q[0] @ right[: k + 1])
            B[k, k + 1] = rest
        begin = KEPT
        left[:begin], right[:begin] = p.T[:begin] @ left, q[:begin] @ right
        B[:] = 0
        np.fill_diagonal(B[:begin], values[:begin])
        B[:begin, begin] = rest * p[-1, :begin]
    return None


def _apart(x: Array, others: Array) -> tuple[Array, float]:
    """What of x is orthogonal to the others, of length 1 unless nothing is, and how long it was."""
    # Not by BLAS, whose threads would wait for the cores that those of a product leave late.
    x = x - np.einsum("i,ij", np.einsum("ij,j", others, x), others)
    length = float(np.sqrt(np.einsum("i,i", x, x)))
    return (x / length if length else x), length
