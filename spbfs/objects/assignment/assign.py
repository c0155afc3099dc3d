"""Writing over a whole object: what ``C << x`` and ``C(mask, accum, replace) << x`` do.

`assign_indexed` writes into rows and columns of one, `statement` holds the forms that a user
writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.memory import refusal
from spbfs.engines import get_engine
from spbfs.engines.protocol import NO_HINTS, Hints
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidCall, OutOfMemory
from spbfs.objects.checks import as_array, as_hints, check_covers, is_scalar, listed, to_scalar
from spbfs.objects.classes import classes
from spbfs.objects.mask import Mask
from spbfs.objects.masked_arrays import masked_in
from spbfs.objects.number_lists import as_listed
from spbfs.objects.operands.operand import Operand
from spbfs.objects.operations.extraction import through_input_mask
from spbfs.objects.placement.devices import common_engine
from spbfs.objects.placement.gpu_arrays import on_gpu
from spbfs.objects.placement.sharing import own_storage
from spbfs.objects.scalars.arithmetic import ScalarArithmetic
from spbfs.objects.waiting import drop
from spbfs.operators import lookup
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import DType, scalar_dtype

if TYPE_CHECKING:
    from spbfs.objects.assignment.statement import Updater
    from spbfs.objects.stored_object import StoredObject

__all__ = [
    "accumulator",
    "as_operand",
    "assign",
    "assign_scalar",
    "assigned",
    "assigned_number",
    "check_replace",
    "element_value",
]


def assign(self: Updater, value: Any) -> None:
    """``C<mask, replace> accum= value`` over all of C."""
    C, mask = self._target, self._mask
    hints = NO_HINTS
    if self._hints:
        options = dict(self._hints)
        if "input_mask" in options:
            mask = through_input_mask(value, options.pop("input_mask"))
        hints = as_hints(**options)
    if mask is not None and mask.parent.shape != C.shape:
        mask.check_shape(C.shape)
    try:
        if isinstance(value, Operand):
            placed = getattr(value, "_placed", None) if value._semiring is None else None
            if placed is not None:
                check_covers(value.shape, C.shape, "value")
                part, indices = placed
                classes.IndexedOutput(C, indices, outer=self._given()).update(part)
                return
            # An expression says itself what it does.
            plain = value._data is None or tracing.current() is None
            write = _write if plain else _write_traced
            write(C, value, mask, self._accum, self._replace, hints)
            return
        if type(value) is int:
            assign_scalar(C, value, mask, self._accum, self._replace)
            return
        if isinstance(value, ScalarArithmetic):
            value = assigned(value)
            if value is None:
                empty: Any = type(C)
                value = empty(C.dtype, *C.shape, device=C.device)
        if is_scalar(value):
            assign_scalar(C, value, mask, self._accum, self._replace)
        else:
            operand = as_operand(value, C, self._accum)
            write = _write if tracing.current() is None else _write_traced
            write(C, operand, mask, self._accum, self._replace, hints)
    except OutOfMemory:
        raise
    except MemoryError as error:
        raise refusal(error) from error


def _write(
    C: StoredObject, operand: Operand, mask: Mask | None, accum: Any, replaces: bool, hints: Hints
) -> None:
    if operand.shape != C.shape:
        check_covers(operand.shape, C.shape, "value")
    device = C.device
    engine = get_engine(device)
    # An expression answers for its first operand only, so all of them are asked.
    involved = operand.operands or (operand,)
    for one in involved:
        if one.device != device:
            engine = common_engine(C, *involved, *(() if mask is None else (mask.parent,)))
            break
    admitted = None
    if mask is not None:
        if mask.parent.device != device:
            engine = common_engine(C, *involved, mask.parent)
        admitted = mask.resolved()
    # What was computed before was so without the mask, and is its expression's.
    own = operand._semiring is not None and operand._result is None
    T = operand.compute(engine, admitted, hints, C.dtype)
    if own and accum is None and not replaces and mask is not None:
        replaces = _is_blank(C)  # there is nothing that could stay
    if accum is None and (mask is None or (replaces and own)):
        # Its own `dtype`: the values of a frontier computed ahead would be written to be asked.
        if not (own and T.dtype == C.dtype.np_type):
            T = own_storage(T, operand, C.dtype, engine, C)
    else:
        typed = None if accum is None else accum.resolve(C.dtype, C.dtype)
        if own and typed is not None and not replaces:
            admitted = None  # a product has no entries elsewhere, and what is there stays
        old = C._writable()
        T = engine.write(old, T, admitted, typed, replaces)
        C._value_labels = None
        if T is old:
            return
        # Matrices are not written in place, and of a product all is its own.
        if C.ndim == 1 and not (own and T.dtype == C.dtype.np_type):
            T = own_storage(T, operand, C.dtype, engine, C)
    if C._pending:
        drop(C, T)
    C._data, C._value_labels = T, None  # what is written may be anything


def _write_traced(C: StoredObject, *given: Any) -> None:
    start = tracing.clock()
    _write(C, *given)
    tracing.finished("assign", C._engine, start, C._ready())


def _is_blank(C: StoredObject) -> bool:
    """Whether nothing is stored, where nobody need be asked: a bitmap would have to be counted, and
    other processes have entries, too."""
    held = C._ready()
    if C.ndim == 2:
        return bool(held.nvals == 0)
    if C._engine.spread is not None:
        return False
    return held.indices is not None and held.indices.shape[0] == 0


def assign_scalar(
    C: StoredObject,
    value: Any,
    mask: Mask | None,
    accum: Any,
    replaces: bool,
) -> None:
    """``C<mask, replaces> accum= value``, everywhere."""
    device = C.device
    if mask is None or mask.parent.device == device:
        engine = get_engine(device)
    else:
        engine = common_engine(C, mask.parent)
    admitted = None if mask is None else mask.resolved()
    typed = None
    if accum is None:
        bound = to_scalar(value, C.dtype)
    else:
        bound, typed = assigned_number(value, C.dtype, accum), accumulator(accum, C.dtype)
    start = 0.0 if tracing.current() is None else tracing.clock()
    made: Any
    old = C._writable()
    if C.ndim == 1:
        made = engine.assign_scalar_vector(old, bound, None, admitted, typed, replaces)
    else:
        made = engine.assign_scalar_matrix(old, bound, None, None, admitted, typed, replaces)
    C._data, C._value_labels = made, None
    if start:
        tracing.finished("assign scalar", engine, start, C._ready())


def accumulator(accum: Any, out: DType) -> TypedBinary | None:
    """The accumulator for the type of the output; the operator casts what is written."""
    return None if accum is None else lookup.as_binary(accum).resolve(out, out)


def assigned(value: Any) -> Any:
    """What is written: the number in a Scalar, None for an empty one, which deletes."""
    if value is None:
        raise DomainMismatch("value: expected a number, a Scalar or an object, got None")
    return value.new().value if isinstance(value, ScalarArithmetic) else value


def assigned_number(value: Any, dtype: DType, accum: Any) -> Any:
    """The number for an engine: of the output's type, or of its own for an accumulator to cast."""
    return to_scalar(value, dtype if accum is None else scalar_dtype(value, "value"))


def element_value(value: Any, dtype: DType) -> Any:
    """What one element is set to; None, which deletes it, for an empty Scalar."""
    value = assigned(value)
    return None if value is None else to_scalar(value, dtype)


def as_operand(value: Any, C: StoredObject, accum: Any) -> Operand:
    """What is written, as an operand: dense arrays and lists are taken as full objects.

    The numbers of a list are of the type that they are written as; floats are cast, as one alone.
    """
    device = C.device
    if isinstance(value, Operand):
        return value
    if isinstance(value, list | tuple | np.ndarray) or on_gpu(value):
        value = listed(value)
        array, kind = value, None
        if masked_in(value) is None:
            array = as_array(value, "value", gpu=device == "cuda")
        if isinstance(value, list | tuple):
            typed = accumulator(accum, C.dtype)
            kind = C.dtype if typed is None else typed.in_type
            array = as_listed(value, array, kind, "value", floats_are_cast=True)
        if array.ndim == 1:
            return classes.Vector.from_dense(array, dtype=kind, device=device)
        if array.ndim == 2:
            return classes.Matrix.from_dense(array, dtype=kind, device=device)
        raise DimensionMismatch(f"value: expected 1 or 2 dimensions, got shape {array.shape}")
    raise DomainMismatch(
        f"value: expected a matrix, vector, expression, number or array, got {type(value).__name__}"
    )


def check_replace(mask: Any, replaces: Any) -> bool:
    """Refuse `replace` without a mask."""
    if replaces and mask is None:
        raise InvalidCall("replace: needs a mask; C.clear() empties an object")
    return bool(replaces)
