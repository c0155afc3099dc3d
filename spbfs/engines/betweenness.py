"""What sums the shares of shortest paths, where an engine has a way that is not products."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["Dependencies"]


class Dependencies(Protocol):
    """Dependencies of sources on the vertices of one matrix, in Brandes's words, summed."""

    #: The sums, perhaps in parts, flat and in host memory; `add` adds to them in place.
    partial: npt.NDArray[np.float64]

    def add(self, sources: npt.NDArray[np.int64], first: int) -> int | None:
        """Add those of these sources, of all of them from `first`; the edges from what they reach.

        None where there are more shortest paths between two vertices than a double counts.
        """

    def sums(self) -> npt.NDArray[np.float64]:
        """The sum for every vertex."""
