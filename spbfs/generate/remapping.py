"""How many vertices of a Kronecker graph have edges, counted while its edges are drawn."""

from __future__ import annotations

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.generate._arguments import integer, real, rng_of
from spbfs.generate._random import GRAPH500, Seed, _rmat_edges

__all__ = ["remapped_vertices"]


def remapped_vertices(scale: int, edge_factor: float = 16, *, seed: Seed = 0) -> tuple[int, int]:
    """Vertices of `kronecker` with these arguments before and after zero-degree remapping.

    Edges are drawn and forgotten, so that it takes 9 bytes a vertex and none an edge.

    Parameters
    ----------
    scale, edge_factor, seed
        As for `kronecker`.

    Returns
    -------
    before, after : int
        All vertices, and those with an entry: what a search with ``relabel="compact"`` numbers.

    Examples
    --------
    >>> import numpy as np
    >>> import spbfs as sb
    >>> A = sb.generate.kronecker(10, seed=1)
    >>> before, after = remapped_vertices(10, seed=1)
    >>> before == A.nrows, after == int(np.count_nonzero(np.diff(A.to_csr()[0])))
    (True, True)
    """
    scale = integer("scale", scale, 0, 30)
    n = 1 << scale
    drawn = round(n * real("edge_factor", edge_factor, 0, 2**20))
    require_bytes(9 * n, f"remapped_vertices(scale={scale})")
    filled = np.zeros(n, np.bool_)
    for u, v in _rmat_edges(rng_of(seed), scale, drawn, GRAPH500):
        # Self-loops are not stored.
        proper = u != v
        filled[u[proper]] = True
        filled[v[proper]] = True
    return n, int(np.count_nonzero(filled))
