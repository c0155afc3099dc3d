"""The permutation by which vertices are dealt out: computed, not stored.

A table of it would take every rank as much as the whole graph has vertices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Numbering"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Numbering:
    """Where each of n vertices stands among all.

    Parameters
    ----------
    n : int
    seed : int or None
        None leaves every vertex where it is.

    Examples
    --------
    >>> import numpy as np
    >>> shuffled = Numbering(10, 0)
    >>> places = shuffled.places(np.arange(10))
    >>> sorted(places.tolist()) == list(range(10)), shuffled.vertices(places).tolist()
    (True, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    """

    n: int
    seed: int | None

    def places(self, vertices: Any) -> Ints:
        """The place of each of some vertices."""
        return self._permuted(vertices, False)

    def vertices(self, places: Any) -> Ints:
        """The vertex at each of some places."""
        return self._permuted(places, True)

    def _permuted(self, numbers: Any, backward: bool) -> Ints:
        numbers = np.asarray(numbers, np.int64)
        if self.seed is None or self.n < 3:
            return numbers
        from spbfs.engines.cpu.graph.numbering import permuted  # compiled

        return permuted(numbers, self.n, self.seed, backward=backward)
