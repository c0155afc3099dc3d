"""The permutation by which vertices are dealt out to ranks: ``cpu/matrices/numbering.cpp``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spbfs.base.threads import get_threads
from spbfs.engines.cpu.native import kernels

__all__ = ["permuted"]

Ints = npt.NDArray[np.int64]


def permuted(numbers: Ints, n: int, seed: int, *, backward: bool) -> Ints:
    """Numbers from 0 to n - 1, n being at least 3, each as the permutation of a seed has it."""
    made = np.empty(numbers.shape[0], np.int64)
    given = np.ascontiguousarray(numbers)
    kernels.numbering(given, n, seed % 2**64, backward, made, get_threads())
    return made
