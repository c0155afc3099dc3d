"""Single entries of a matrix set and deleted, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.protocol import MaskData
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["edited"]

Array = Any


def edited(
    engine: ArrayEngine,
    C: MatrixData,
    rows: Array,
    cols: Array,
    values: Array,
    gone: Array | None,
    sole: bool,
) -> MatrixData:
    """See `Engine.edited`."""
    if gone is not None:
        at, rest = np.flatnonzero(gone), np.flatnonzero(~gone)
        everywhere = np.ones(at.shape[0], np.bool_)
        deleted = MaskData(_matrix(engine, C, rows[at], cols[at], everywhere), True, True)
        C = engine.write(C, C, deleted, None, True)
        rows, cols, values = rows[rest], cols[rest], values[rest]
    if not rows.shape[0]:
        return C
    stored = _matrix(engine, C, rows, cols, values)
    return engine.write(C, stored, MaskData(stored, True), None, False)


def _matrix(engine: ArrayEngine, C: MatrixData, rows: Array, cols: Array, x: Array) -> MatrixData:
    """A matrix of the shape of `C` from arrays in host memory."""
    rows, cols, x = (engine.asarray(a) for a in (rows, cols, x))
    return engine.build_matrix(C.nrows, C.ncols, rows, cols, x, None)
