"""Where searches start: vertices that have an edge, drawn from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class SourcesWithAnEdge:
    """Vertices that have an edge, whatever their component; new ones at every draw.

    Parameters
    ----------
    indptr : array
        Of a graph in CSR, on the host.
    """

    def __init__(self, indptr: Any, seed: int = 27) -> None:
        self._candidates = np.flatnonzero(np.diff(indptr))
        self._rng = np.random.default_rng(seed)

    def draw(self, count: int) -> npt.NDArray[np.int64]:
        """So many distinct vertices, or all where there are no more."""
        count = min(count, self._candidates.size)
        return self._rng.choice(self._candidates, count, replace=False)
