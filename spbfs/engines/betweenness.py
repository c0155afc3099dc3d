"""What sums the shares of shortest paths, where an engine has a way that is not products."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from spbfs.storage.data import MatrixData

__all__ = ["Dependencies"]

Array = Any  # numpy.ndarray or cupy.ndarray


class Dependencies(Protocol):
    """Dependencies of sources on the vertices of a square matrix, in Brandes's words, summed."""

    def __call__(
        self, A: MatrixData, sources: npt.NDArray[np.int64], scale: float, threads: int | None
    ) -> tuple[Array, int] | None:
        """The sum for every vertex times `scale`, float64, and the edges from what the sources
        reach.

        None where there are more shortest paths between two vertices than a double counts.
        """
