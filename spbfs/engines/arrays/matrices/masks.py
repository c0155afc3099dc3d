"""Masks of matrices: what one admits, as the sorted keys of its entries or as a pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spbfs.engines.arrays.matrices.elements import Grid, empty_matrix, keep_entries, keys_of
from spbfs.engines.arrays.patterns.sets import member
from spbfs.engines.arrays.values.value_arrays import dtype_of, truths
from spbfs.engines.protocol import MaskData
from spbfs.storage.data import MatrixData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["admitted", "admitted_by", "inside", "mask_pattern", "masked_matrix"]

Array = Any


@dataclass(slots=True)
class _Admitted:
    """The positions that a mask admits: sorted keys, or all but those."""

    keys: Array
    complement: bool


def admitted_by(engine: ArrayEngine, grid: Grid, mask: MaskData) -> _Admitted:
    """What a mask admits, as keys."""
    M = mask.data
    assert isinstance(M, MatrixData)
    keys = keys_of(engine, grid, M)
    if not mask.structural:
        keys = keys[truths(engine, M.values)]
    return _Admitted(keys, mask.complement)


def inside(engine: ArrayEngine, admitted: _Admitted, keys: Array) -> Array:
    """For each key, whether it is admitted."""
    hit = member(engine.xp, keys, admitted.keys)
    return ~hit if admitted.complement else hit


def mask_pattern(engine: ArrayEngine, mask: MaskData) -> MatrixData:
    """The entries of a mask that count: all of them, or those that are true."""
    M = mask.data
    assert isinstance(M, MatrixData)
    if mask.structural or M.nvals == 0:
        return M
    if is_iso(M.values):
        alike = bool(engine.iso_value(M.values))
        return M if alike else empty_matrix(engine, M.nrows, M.ncols, dtype_of(M))
    return keep_entries(engine, M, truths(engine, M.values))


def masked_matrix(engine: ArrayEngine, C: MatrixData, mask: MaskData | None) -> MatrixData:
    """The entries that the mask admits."""
    return C if mask is None else engine.admitted(C, mask)


def admitted(engine: ArrayEngine, C: MatrixData, mask: MaskData) -> MatrixData:
    """The entries that the mask admits, by their keys."""
    assert isinstance(mask.data, MatrixData)
    grid = Grid.of(engine.xp, C, mask.data)
    return keep_entries(
        engine, C, inside(engine, admitted_by(engine, grid, mask), keys_of(engine, grid, C))
    )
