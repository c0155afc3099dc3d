"""Writing into rows and columns of an object: what ``C[I, J] << x`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.memory import typed_refusals
from spbfs.engines.protocol import MaskData
from spbfs.exceptions import DimensionMismatch
from spbfs.objects.assign import (
    accumulator,
    as_operand,
    assign_scalar,
    check_replace,
    indices_of,
)
from spbfs.objects.checks import as_hints, is_scalar, to_scalar
from spbfs.objects.devices import common_engine
from spbfs.objects.indexing import Index
from spbfs.objects.mask import Mask, as_mask
from spbfs.objects.scalar_arithmetic import ScalarArithmetic, as_number
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.entries import column_matrix, row_matrix

if TYPE_CHECKING:
    from spbfs.objects.stored_object import StoredObject

__all__ = ["assign_indexed"]


@typed_refusals
def assign_indexed(
    C: StoredObject,
    indices: tuple[Index, ...],
    value: Any,
    outer: dict[str, Any],
    inner: dict[str, Any],
) -> None:
    """``C<outer mask>[indices]<inner mask> accum= value``."""
    for index, name in zip(indices, ("row", "column") if C.ndim == 2 else ("index",), strict=True):
        index.check_distinct(name)
    options = {**outer, **inner}
    inner_mask = inner.get("mask") is not None
    mask, accum = options.pop("mask", None), options.pop("accum", None)
    replaces = check_replace(mask, options.pop("replace", False))
    as_hints(**options)
    if isinstance(value, ScalarArithmetic):
        value = as_number(value, "value")
    shape = tuple(i.length for i in indices if not i.is_int)
    mask = None if mask is None else as_mask(mask, len(shape) if inner_mask else C.ndim)
    # GraphBLAS masks the assignment of one row or column by a vector along it.
    local = mask is not None and (inner_mask or mask.parent.ndim < C.ndim)
    if mask is not None:
        mask.check_shape(shape if local else C.shape)
    if local and len(shape) == 0:
        raise DimensionMismatch("mask: a single element takes no mask")
    if is_scalar(value) and not local:
        assign_scalar(C, value, indices, mask, accum, replaces)
        return
    engine, T = _source(C, value, shape, indices, mask)
    arrays = indices_of(indices, engine)
    assign = engine.assign_vector if C.ndim == 1 else engine.assign_matrix
    typed = accumulator(accum, C.dtype)
    old = C._writable()
    if local:
        assert mask is not None
        extract = engine.extract_vector if C.ndim == 1 else engine.extract_matrix
        part = extract(old, *arrays)
        mask_data = _oriented(mask, indices, engine)
        if T is None:
            bound = to_scalar(value, C.dtype)
            T = _fill(engine, engine.copy(part), bound, mask_data, typed, replaces)
        else:
            T = engine.write(part, T, mask_data, typed, replaces)
        C._data = assign(old, T, *arrays, None)
        return
    result = assign(old, T, *arrays, typed)
    if mask is not None:
        result = engine.write(old, result, mask.resolved(), None, replaces)
    C._data = result


def _fill(
    engine: Any, part: Any, value: Any, mask: MaskData, accum: TypedBinary | None, replaces: bool
) -> Any:
    if hasattr(part, "nrows"):
        return engine.assign_scalar_matrix(part, value, None, None, mask, accum, replaces)
    return engine.assign_scalar_vector(part, value, None, mask, accum, replaces)


def _source(
    C: StoredObject,
    value: Any,
    shape: tuple[int, ...],
    indices: tuple[Index, ...],
    mask: Mask | None,
) -> tuple[Any, Any]:
    """Engine and storage of what is written; storage None for a number."""
    masked = () if mask is None else (mask.parent,)
    if is_scalar(value):
        return common_engine(C, *masked), None
    operand = as_operand(value, shape, C.device)
    if operand.shape != shape:
        raise DimensionMismatch(f"value: expected shape {shape}, got {operand.shape}")
    engine = common_engine(C, operand, *masked)
    data = operand._ready()
    if operand.ndim < C.ndim:
        # Copied: a matrix must not share arrays with a vector, which is written in place.
        data = _lift(engine.copy(data), indices, engine)
    elif C.ndim == 1:
        data = engine.copy(data)
    return engine, data


def _lift(data: Any, indices: tuple[Index, ...], engine: Any) -> Any:
    """A vector as the one row or column of a matrix that it is assigned to."""
    return row_matrix(data) if indices[0].is_int else column_matrix(data, engine)


def _oriented(mask: Mask, indices: tuple[Index, ...], engine: Any) -> MaskData:
    if len(indices) == 2 and mask.parent.ndim == 1:
        data = _lift(mask.parent._ready(), indices, engine)
        return MaskData(data, mask.structural, mask.complement)
    return mask.resolved()
