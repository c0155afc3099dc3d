"""Vertices that move between communities, on the CPU: ``community_moves.cpp``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.progress import Told
from spbfs.base.threads import resolve_threads
from spbfs.engines.cpu.native import kernels
from spbfs.engines.fused import Aim
from spbfs.storage.data import MatrixData

__all__ = ["community_moves"]


def community_moves(
    A: MatrixData,
    degrees: npt.NDArray[np.float64],
    classes: list[npt.NDArray[np.int64]],
    labels: npt.NDArray[np.int64],
    aim: Aim,
    threads: int | None,
    told: Told | None = None,
) -> npt.NDArray[np.int64]:
    """See `CommunityMoves`."""
    workers, itype = resolve_threads(threads), A.indices.dtype
    require_bytes(A.nrows * (26 + 6 * itype.itemsize + 16 * workers), "A: its communities")
    found = labels.astype(itype)
    sweeps = kernels.community_moves(
        A.indptr,
        A.indices,
        A.values,
        degrees,
        np.concatenate([*classes, labels[:0]]).astype(itype),
        np.cumsum([0, *(c.shape[0] for c in classes)], dtype=np.int64),
        found,
        aim.total,
        aim.resolution,
        aim.least_gain,
        aim.sweeps,
        workers,
        told,
    )
    if told is not None:
        told(sweeps, sweeps * A.nvals)
    return found.astype(np.int64, copy=False)
