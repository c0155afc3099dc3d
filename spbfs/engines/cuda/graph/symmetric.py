"""Whether a pattern on the GPU, of int32 columns, is symmetric."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import known_symmetry

__all__ = ["is_symmetric", "specialisations"]

THREADS, RESIDENT = 256, 4


def is_symmetric(A: MatrixData) -> bool:
    """Whether (j, i) is stored wherever (i, j) is, whatever the values; found once, then kept."""
    return known_symmetry(A, _looked_up)


def _looked_up(A: MatrixData) -> bool:
    import cupy as cp

    if A.nvals == 0:
        return True
    specialisation = _specialisation(A.indptr.dtype == np.int64)
    function = specialisation.load().get_function(specialisation.kernels[0])
    asymmetric = cp.zeros(1, np.int32)
    grid = RESIDENT * int(cp.cuda.Device().attributes["MultiProcessorCount"])
    sizes = np.int64(A.nrows), np.int64(A.nvals)
    function((grid,), (THREADS,), (A.indptr, A.indices, *sizes, asymmetric))
    return not int(asymmetric[0])


def _specialisation(wide: bool) -> Specialisation:
    return Specialisation("symmetric", (f"symmetric<{'long long' if wide else 'int'}>",))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (_specialisation(wide) for wide in (False, True))
