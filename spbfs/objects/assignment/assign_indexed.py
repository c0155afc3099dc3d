"""Writing into rows and columns of an object: what ``C[I, J] << x`` does.

A mask covers all of C, or the part that is written, or, being a vector, the row or the column of a
matrix that is written into.  The last two are assignments to something smaller, the window, which
is cut out, written under the mask, and put back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.engines.protocol import MaskData
from spbfs.exceptions import IndexOutOfBound, InvalidCall
from spbfs.objects.assignment.assign import (
    accumulator,
    as_operand,
    assigned,
    assigned_number,
    check_replace,
)
from spbfs.objects.assignment.assign_few import assign_few
from spbfs.objects.checks import as_hints, check_covers, is_scalar
from spbfs.objects.indexing import Index
from spbfs.objects.mask import Mask, as_mask
from spbfs.objects.operands.operand import Operand
from spbfs.objects.placement.devices import common_engine
from spbfs.objects.waiting import WAITING
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.entries import column_matrix, row_matrix

if TYPE_CHECKING:
    from spbfs.objects.stored_object import StoredObject

__all__ = ["assign_indexed"]

Arrays = tuple[Any, ...]


@typed_refusals
def assign_indexed(
    C: StoredObject,
    indices: tuple[Index, ...],
    value: Any,
    outer: dict[str, Any],
    inner: dict[str, Any],
) -> None:
    """``C<outer mask>[indices]<inner mask> accum= value``."""
    sizes = tuple([index.size for index in indices])
    if sizes != C.shape:
        raise IndexOutOfBound(
            f"index: C[index] was written where C had shape {sizes}, and it has {C.shape} now; "
            "write it again"
        )
    options = {**outer, **inner}
    mask, accum = options.pop("mask", None), options.pop("accum", None)
    replaces = check_replace(mask, options.pop("replace", False))
    if options:
        as_hints(**options)
    is_part = inner.get("mask") is not None
    start = 0.0 if tracing.current() is None else tracing.clock()
    if mask is not None:
        mask = as_mask(mask)
        _check_mask(mask, C.shape, indices, is_part)
    # Of all there is, a part's mask covers all of C.
    is_part = is_part and any(index.chosen is not None for index in indices)
    value = assigned(value)
    engine, data = _source(C, value, indices, mask, accum)
    number = assigned_number(value, C.dtype, accum) if data is None else None
    typed = accumulator(accum, C.dtype)
    indices, kept = _distinct(indices, engine)
    if engine.keeps_edits and C.ndim == 2 and kept is None:
        what, admitted = number if data is None else data, None if mask is None else mask.resolved()
        with WAITING:  # what is looked at must not be applied meanwhile
            done = assign_few(C, engine, indices, what, admitted, is_part, typed, replaces)
        if done:
            _finish(C, engine, data, start)
            return
    if data is not None:
        data = _own(C, data, indices, engine)
        data = data if kept is None else _cut(engine, data, kept)
    write = _Write(engine, number, data, None, typed, replaces)
    arrays = tuple([index.on(engine) for index in indices])
    old = C._writable()
    if mask is None or (not is_part and mask.parent.ndim == C.ndim):
        write.mask = None if mask is None else mask.resolved()
        C._data = write.into(old, arrays)
    else:
        write.mask = _lifted(mask, indices, engine)
        if is_part and kept is not None:
            write.mask = write.mask._replace(data=_cut(engine, write.mask.data, kept))
        window, within = _window(indices, arrays, is_part)
        part = write.into(engine.copy(_cut(engine, old, window)), within)
        C._data = _Write(engine, None, part, None, None, False).into(old, window)
    _finish(C, engine, data, start)


def _finish(C: StoredObject, engine: Any, data: Any, start: float) -> None:
    C._value_labels = None
    if start:
        nvals = C.nvals
        what = "assign scalar" if data is None else "assign"
        tracing.finish(what, engine.name, tracing.clock() - start, nvals)


@dataclass(slots=True)
class _Write:
    """What is written, every argument checked: a number, or `data` of the region's shape."""

    engine: Any
    number: Any
    data: Any
    mask: MaskData | None
    accum: TypedBinary | None
    replaces: bool

    def into(self, old: Any, arrays: Arrays) -> Any:
        """`old` with the region written; the mask has the shape of `old`."""
        engine, is_vector = self.engine, len(arrays) == 1
        if self.data is None:
            assign = engine.assign_scalar_vector if is_vector else engine.assign_scalar_matrix
            return assign(old, self.number, *arrays, self.mask, self.accum, self.replaces)
        if not is_vector:
            result = engine.assign_matrix(old, self.data, *arrays, self.accum)
        else:
            # Under a mask some of what it writes into stays, too.
            kept = old if self.mask is None or arrays[0] is None else engine.copy(old)
            result = engine.assign_vector(kept, self.data, *arrays, self.accum)
        if self.mask is None:
            return result
        return engine.write(old, result, self.mask, None, self.replaces)


def _window(indices: tuple[Index, ...], arrays: Arrays, is_part: bool) -> tuple[Arrays, Arrays]:
    """What a mask covers, the part or the row or column, and where the part is in it."""
    if is_part:
        return arrays, (None,) * len(arrays)
    line = tuple(a if i.is_int else None for i, a in zip(indices, arrays, strict=True))
    return line, tuple(None if i.is_int else a for i, a in zip(indices, arrays, strict=True))


def _cut(engine: Any, data: Any, arrays: Arrays) -> Any:
    return (
        engine.extract_vector(data, *arrays)
        if len(arrays) == 1
        else engine.extract_matrix(data, *arrays)
    )


def _shape(indices: tuple[Index, ...]) -> tuple[int, ...]:
    return tuple([i.length for i in indices if not i.is_int])  # a list is made faster


def _check_mask(
    mask: Mask, shape: tuple[int, ...], indices: tuple[Index, ...], is_part: bool
) -> None:
    """Refuse a mask that fits neither the part that is written, nor its row or column, nor all."""
    part = _shape(indices)
    if is_part:
        if not part:
            raise InvalidCall("mask: a single element takes no mask of its own, C[i](mask)")
        shape = part
    elif mask.parent.ndim < len(shape) and len(part) == 1:
        shape = tuple(size for i, size in zip(indices, shape, strict=True) if not i.is_int)
    mask.check_shape(shape)


def _distinct(indices: tuple[Index, ...], engine: Any) -> tuple[tuple[Index, ...], Arrays | None]:
    """The indices without repetitions, and where they stood; None where there are none.

    Of what is written by several indices to one element, the last counts.
    """
    last = [index.last_ones() for index in indices]
    if not [kept for kept in last if kept is not None]:
        return indices, None
    once = tuple(
        index if kept is None else Index(index.chosen[kept], kept.shape[0], index.size)
        for index, kept in zip(indices, last, strict=True)
    )
    return once, tuple(None if kept is None else engine.asarray(kept) for kept in last)


def _source(
    C: StoredObject, value: Any, indices: tuple[Index, ...], mask: Mask | None, accum: Any
) -> tuple[Any, Any]:
    """Engine and storage of what is written; storage None for a number."""
    masked = () if mask is None else (mask.parent,)
    if not isinstance(value, Operand) and is_scalar(value):
        return common_engine(C, *masked), None
    if value is None:
        engine = common_engine(C, *masked)
        return engine, _nothing(engine, [i.length for i in indices], C.dtype.np_type)
    operand = as_operand(value, C, accum)
    check_covers(operand.shape, _shape(indices), "value")
    engine = common_engine(C, operand, *masked)
    return engine, operand._ready()


def _own(C: StoredObject, data: Any, indices: tuple[Index, ...], engine: Any) -> Any:
    """What is written, as storage of as many dimensions as `C` has that `C` may share."""
    is_vector = len(data.shape) == 1
    if is_vector:
        # Copied: nothing may share arrays with a vector, which is written in place.
        data = engine.copy(data)
    return _lift(data, indices, engine) if is_vector and C.ndim == 2 else data


def _nothing(engine: Any, lengths: list[int], dtype: Any) -> Any:
    """Storage of these lengths without an entry: what an empty Scalar assigns."""
    none, values = engine.asarray(np.empty(0, np.int64)), engine.asarray(np.empty(0, dtype))
    build = engine.build_vector if len(lengths) == 1 else engine.build_matrix
    return build(*lengths, *[none] * len(lengths), values, None)


def _lift(data: Any, indices: tuple[Index, ...], engine: Any) -> Any:
    """A vector as the one row or column of a matrix that it is assigned to."""
    return row_matrix(data) if indices[0].is_int else column_matrix(data, engine)


def _lifted(mask: Mask, indices: tuple[Index, ...], engine: Any) -> MaskData:
    data = mask.resolved().data
    if len(indices) == 2 and mask.parent.ndim == 1:
        data = _lift(data, indices, engine)
    return MaskData(data, mask.structural, mask.complement)
