"""Where results of matrices end up: accumulation, masks, assignment into new matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines.arrays.matrices.elements import (
    Grid,
    from_keys,
    keep_entries,
    keys_of,
    with_values,
)
from spbfs.engines.arrays.matrices.masks import admitted_by, inside, masked_matrix
from spbfs.engines.arrays.patterns.sets import union_of, unite
from spbfs.engines.arrays.values.value_arrays import dtype_of, same_iso, values_as
from spbfs.engines.protocol import MaskData
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["overlay", "typed_matrix", "write_matrix", "written"]

Array = Any


def overlay(engine: ArrayEngine, A: MatrixData, B: MatrixData) -> MatrixData:
    """The union, `B` where both have entries; of the type of `A`."""
    grid = Grid.of(engine.xp, A, B)
    bv = values_as(engine, B.values, dtype_of(A))
    if A.nvals == 0:
        return with_values(B, bv)
    if B.nvals == 0:
        return A
    if same_iso(engine, A.values, bv):
        keys = union_of(engine.xp, keys_of(engine, grid, A), keys_of(engine, grid, B))
        return from_keys(engine, grid, keys, engine.resized(bv, keys.shape[0]))
    u = unite(engine.xp, keys_of(engine, grid, A), keys_of(engine, grid, B))
    values = engine.xp.empty(u.keys.shape[0], bv.dtype)
    values[slice(None) if u.a_at is None else u.a_at] = A.values
    values[slice(None) if u.b_at is None else u.b_at] = bv
    return from_keys(engine, grid, u.keys, values)


def write_matrix(
    engine: ArrayEngine,
    C: MatrixData,
    T: MatrixData,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> MatrixData:
    """``C<mask, replace> accum= T``."""
    Z = T
    if accum is not None:
        if mask is not None and not replace:
            # What is not admitted stays as it is, so the rest alone is summed into all.
            T, mask = masked_matrix(engine, T, mask), None
        Z = engine.matrix_add(C, T, accum, dtype=dtype_of(C))
    if mask is None:
        return typed_matrix(engine, Z, C)
    if replace or C.nvals == 0:
        return typed_matrix(engine, masked_matrix(engine, Z, mask), C)
    return engine.written(C, Z, mask)


def written(engine: ArrayEngine, C: MatrixData, Z: MatrixData, mask: MaskData) -> MatrixData:
    """`Z` where the mask admits and `C` elsewhere; of the type of `C`."""
    assert isinstance(mask.data, MatrixData)
    grid = Grid.of(engine.xp, C, Z, mask.data)
    admitted = admitted_by(engine, grid, mask)
    Z = keep_entries(engine, Z, inside(engine, admitted, keys_of(engine, grid, Z)))
    rest = keep_entries(engine, C, ~inside(engine, admitted, keys_of(engine, grid, C)))
    return engine.overlay(rest, Z)


def typed_matrix(engine: ArrayEngine, Z: MatrixData, C: MatrixData) -> MatrixData:
    values = values_as(engine, Z.values, dtype_of(C))
    return Z if values is Z.values else with_values(Z, values)
