"""Whether a pattern on the GPU, of int32 columns, is symmetric."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import Kernel, words_of
from spbfs.engines.cuda.runtime.modules import begin
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import known_symmetry

__all__ = ["begin_symmetric", "is_symmetric", "specialisations"]

RESIDENT = 4


def is_symmetric(A: MatrixData) -> bool:
    """Whether (j, i) is stored wherever (i, j) is, whatever the values; found once, then kept."""
    return known_symmetry(A, _looked_up)


def begin_symmetric(A: MatrixData) -> None:
    """Have the kernel compiled where `is_symmetric` will run it."""
    if A.derived.symmetric is None:
        begin(_specialisation(A.indptr.dtype == np.int64))


def _looked_up(A: MatrixData) -> bool:
    import cupy as cp

    if A.nvals == 0:
        return True
    specialisation = _specialisation(A.indptr.dtype == np.int64)
    asymmetric = cp.zeros(1, np.int32)
    grid = RESIDENT * limits().sms
    arguments = words_of(A.indptr, A.indices, A.nrows, A.nvals, asymmetric)
    Kernel(specialisation)(grid, arguments)
    return not int(asymmetric[0])


def _specialisation(wide: bool) -> Specialisation:
    return Specialisation("symmetric", (f"symmetric<{'long long' if wide else 'int'}>",))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from (_specialisation(wide) for wide in (False, True))
