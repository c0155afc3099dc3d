"""Writing: ``C << x``, ``C(mask, accum, replace) << x``, ``C[I, J] << x`` and their combinations.

`update` writes over a whole output; `update_region` into rows and columns of it.  A mask given
before the brackets, ``C(mask)[I, J] << x``, covers all of C; one given after, as in
``C[I, J](mask) << x``, covers the region only (GraphBLAS calls these assign and subassign).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs import burble
from spbfs.backends import get_backend
from spbfs.backends.protocol import Hints, MaskData
from spbfs.core.checks import as_array, is_scalar, to_scalar
from spbfs.core.dtypes import DType
from spbfs.core.entries import column_matrix, row_matrix
from spbfs.core.gpu_arrays import on_gpu
from spbfs.core.indexing import Index, resolve
from spbfs.core.infix import Infix
from spbfs.core.mask import Mask, as_mask
from spbfs.core.memory import refusal, typed_refusals
from spbfs.core.operand import Operand, common_backend, scalar_operand
from spbfs.core.operators import lookup
from spbfs.core.operators.definitions import BinaryOp, Monoid, TypedBinary
from spbfs.core.scalar import Scalar
from spbfs.core.scalar_expression import ScalarExpression
from spbfs.core.threads import resolve_threads
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory

if TYPE_CHECKING:
    from spbfs.core.stored import Stored

__all__ = ["Region", "Updater", "replace", "update", "update_region"]


class _Replace:
    """``C(mask, replace) << x``: entries the mask does not admit are deleted."""

    def __repr__(self) -> str:
        return "replace"


replace = _Replace()

# As tuples: a union made at every call costs more than the test.
_MASKS = (Mask, np.ndarray)
_ACCUMULATORS = (BinaryOp, Monoid, str)
_DIRECTIONS = ("auto", "push", "pull")


class Updater:
    """An output with its mask, accumulator and replace flag, waiting for ``<< value``."""

    __slots__ = ("_accum", "_mask", "_options", "_replace", "_target")

    def __init__(self, target: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        self._target = target
        self._mask = self._accum = None
        self._replace: Any = False
        self._options = options
        count = len(args)
        if options or count == 0 or type(args[0]) is not Mask:
            self._parse(args, dict(options))
        # What most statements of a loop say, and the next to it, need no sorting.
        elif count == 1:
            self._mask = args[0]
        elif count == 2 and args[1] is replace:
            self._mask, self._replace = args[0], True
        else:
            self._parse(args, {})

    def _parse(self, args: tuple[Any, ...], known: dict[str, Any]) -> None:
        """Sort what stood in the call into mask, accum and replace; the rest are engine hints."""
        for arg in args:
            if isinstance(arg, _MASKS):
                name = "mask"
            elif isinstance(arg, _Replace):
                arg, name = True, "replace"
            elif isinstance(arg, _ACCUMULATORS):
                name = "accum"
            else:
                raise DomainMismatch(
                    f"C(...): expected a mask, an accumulator or replace, got {type(arg).__name__}"
                )
            if known.get(name) not in (None, False):
                raise InvalidValue(f"{name}: given twice")
            known[name] = arg
        self._mask, self._accum = known.pop("mask", None), known.pop("accum", None)
        self._replace = known.pop("replace", False)
        self._options = known

    def __lshift__(self, value: Any) -> None:
        target = self._target
        if isinstance(target, Region):
            target.update(value, **self._given())
        elif self._options:
            update(target, value, self._mask, self._accum, self._replace, **self._options)
        else:
            update(target, value, self._mask, self._accum, self._replace)

    def _given(self) -> dict[str, Any]:
        """What stood in the call, by name."""
        known = {"mask": self._mask, "accum": self._accum, "replace": self._replace}
        return {k: x for k, x in known.items() if x is not None and x is not False} | self._options

    def update(self, value: Any) -> None:
        """The same as ``<< value``.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        """
        self << value

    def __getitem__(self, key: Any) -> Region:
        if isinstance(self._target, Region):
            raise DomainMismatch("index: a region cannot be indexed again")
        return Region(self._target, resolve(key, self._target.shape), outer=self._given())

    def __setitem__(self, key: Any, value: Any) -> None:
        self[key].update(value)

    def __delitem__(self, key: Any) -> None:
        raise DomainMismatch("index: deletion takes no mask; write del C[index]")


_NO_HINTS = Hints()


def _hints(direction: Any = "auto", threads: Any = None, **unknown: Any) -> Hints:
    if unknown:
        name = next(iter(unknown))
        raise InvalidValue(
            f"{name}: no such option; expected mask, accum, replace, direction or threads"
        )
    if direction not in _DIRECTIONS:
        raise InvalidValue(f"direction: expected one of {_DIRECTIONS}, got {direction!r}")
    return Hints(direction, None if threads is None else resolve_threads(threads))


def _accumulator(accum: Any, out: DType) -> TypedBinary | None:
    """Accumulators work in the type of the output, to which what is written is cast first."""
    return None if accum is None else lookup.as_binary(accum).resolve(out, out)


def _plain(value: Any) -> Any:
    """A number from anything scalar, or the value itself."""
    if isinstance(value, ScalarExpression):
        value = value.new()
    if isinstance(value, Scalar):
        return scalar_operand(value, "value")
    return value


def element_value(value: Any, dtype: DType) -> Any:
    """What one element is set to; None, which deletes it, for an empty Scalar."""
    if isinstance(value, ScalarExpression):
        value = value.new()
    if isinstance(value, Scalar) and value.is_empty:
        return None
    return to_scalar(_plain(value), dtype)


def _as_operand(value: Any, shape: tuple[int, ...], device: str) -> Operand:
    """What is written, as an operand: dense arrays and lists are taken as full objects."""
    if isinstance(value, Infix):
        return value.expression()
    if isinstance(value, Operand):
        return value
    from spbfs.core.matrix import Matrix
    from spbfs.core.vector import Vector

    if isinstance(value, list | tuple | np.ndarray) or on_gpu(value):
        array = as_array(value, "value")
        if array.ndim == 1:
            return Vector.from_dense(array, device=device)
        if array.ndim == 2:
            return Matrix.from_dense(array, device=device)
        raise DimensionMismatch(f"value: expected 1 or 2 dimensions, got shape {array.shape}")
    raise DomainMismatch(
        f"value: expected a matrix, vector, expression, number or array, got {type(value).__name__}"
    )


def _check_replace(mask: Any, replaces: Any) -> bool:
    if replaces and mask is None:
        raise InvalidValue("replace: needs a mask; C.clear() empties an object")
    return bool(replaces)


def update(
    C: Stored,
    value: Any,
    mask: Any = None,
    accum: Any = None,
    replace: Any = False,
    **options: Any,
) -> None:
    """``C<mask, replace> accum= value`` over all of C."""
    hints = _hints(**options) if options else _NO_HINTS
    if replace:
        replace = _check_replace(mask, replace)
    shape = C.shape
    if mask is not None:
        if type(mask) is not Mask:
            mask = as_mask(mask, C.ndim)
        if mask.parent.shape != shape:
            mask.check_shape(shape)
    try:
        if not isinstance(value, Operand):
            if type(value) is not int:
                value = _plain(value)
            if is_scalar(value):
                _assign_scalar(C, value, None, mask, accum, replace)
                return
            value = _as_operand(value, shape, C.device)
        if value.shape != shape:
            raise DimensionMismatch(f"value: expected shape {shape}, got {value.shape}")
        _write(C, value, mask, accum, replace, hints)
    except OutOfMemory:
        raise
    except MemoryError as error:
        raise refusal(error) from error


def _write(
    C: Stored, operand: Any, mask: Mask | None, accum: Any, replaces: bool, hints: Hints
) -> None:
    typed = None if accum is None else _accumulator(accum, C.dtype)
    # An expression answers for its first operand only, so all of them are asked.
    operands = getattr(operand, "operands", (operand,))
    backend = common_backend(C, *operands, mask.parent if mask is not None else None)
    mask_data = None if mask is None else mask._data()
    compute = getattr(operand, "compute", None)
    T = operand._ready() if compute is None else compute(backend, mask_data, hints)
    applied = getattr(operand, "applies_mask", False)
    if typed is None and (mask_data is None or (replaces and applied)):
        # A product just computed is nobody else's, so it need not be copied.
        if applied and T is not getattr(operand, "_result", None) and T.dtype == C.dtype.np_type:
            C._own(T)
            return
        result = backend.cast(T, C.dtype)
    else:
        result = backend.write(C._writable(), T, mask_data, typed, replaces)
    C._take(result, operand)


#: The indices of an assignment to all of a vector, of a matrix.
_EVERYWHERE = {1: (None,), 2: (None, None)}


def _assign_scalar(
    C: Stored,
    value: Any,
    region: tuple[Index, ...] | None,
    mask: Mask | None,
    accum: Any,
    replaces: bool,
) -> None:
    if mask is None or mask.parent.device == C.device:
        backend = get_backend(C.device)
    else:
        backend = common_backend(C, mask.parent)
    bound = to_scalar(value, C.dtype)
    typed = None if accum is None else _accumulator(accum, C.dtype)
    indices = None
    if region is not None:
        indices = tuple(None if i.array is None else backend.asarray(i.array) for i in region)
    mask_data = None if mask is None else mask._data()
    start = time.perf_counter() if burble.active() else 0.0
    made: Any
    old = C._writable()
    if C.ndim == 2:
        rows, cols = (None, None) if indices is None else indices
        made = backend.assign_scalar_matrix(old, bound, rows, cols, mask_data, typed, replaces)
    else:
        (at,) = (None,) if indices is None else indices
        made = backend.assign_scalar_vector(old, bound, at, mask_data, typed, replaces)
    if made is not old:
        C._keep(made)
    if start:
        seconds = time.perf_counter() - start
        burble.finish("assign scalar", backend.name, seconds, backend.nvals(C._ready()))


class Region:
    """Rows and columns of a stored object: ``C[I, J]`` on the left of ``<<``.

    Parameters
    ----------
    target : Matrix or Vector
    region : tuple of Index
    outer : dict, optional
        Mask, accumulator and replace given before the brackets; the mask covers all of `target`.
    """

    __slots__ = ("_outer", "_region", "_target")

    def __init__(
        self, target: Stored, region: tuple[Index, ...], outer: dict[str, Any] | None = None
    ) -> None:
        self._target = target
        self._region = region
        self._outer = outer or {}

    @property
    def shape(self) -> tuple[int, ...]:
        """Of what is written: integer indices drop their dimension."""
        return tuple(i.length for i in self._region if not i.is_int)

    def __call__(self, *args: Any, **options: Any) -> Updater:
        if self._outer:
            raise InvalidValue("C(...)[I](...): options are given before the brackets or after")
        return Updater(self, args, options)

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def update(self, value: Any, **inner: Any) -> None:
        """Write into the region.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        **inner
            As of `Matrix.update`; a mask covers the region only.
        """
        update_region(self._target, self._region, value, self._outer, inner)


@typed_refusals
def update_region(
    C: Stored,
    region: tuple[Index, ...],
    value: Any,
    outer: dict[str, Any],
    inner: dict[str, Any],
) -> None:
    """``C<outer mask>[region]<inner mask> accum= value``."""
    for index, name in zip(region, ("row", "column") if C.ndim == 2 else ("index",), strict=True):
        index.check_distinct(name)
    options = {**outer, **inner}
    inner_mask = inner.get("mask") is not None
    mask, accum = options.pop("mask", None), options.pop("accum", None)
    replaces = _check_replace(mask, options.pop("replace", False))
    _hints(**options)
    value = _plain(value)
    shape = tuple(i.length for i in region if not i.is_int)
    mask = None if mask is None else as_mask(mask, len(shape) if inner_mask else C.ndim)
    # GraphBLAS masks the assignment of one row or column by a vector along it.
    local = mask is not None and (inner_mask or mask.parent.ndim < C.ndim)
    if mask is not None:
        mask.check_shape(shape if local else C.shape)
    if local and len(shape) == 0:
        raise DimensionMismatch("mask: a single element takes no mask")
    if is_scalar(value) and not local:
        _assign_scalar(C, value, region, mask, accum, replaces)
        return
    backend, T = _source(C, value, shape, region, mask)
    arrays = tuple(None if i.array is None else backend.asarray(i.array) for i in region)
    assign = backend.assign_vector if C.ndim == 1 else backend.assign_matrix
    typed = _accumulator(accum, C.dtype)
    old = C._writable()
    if local:
        assert mask is not None
        extract = backend.extract_vector if C.ndim == 1 else backend.extract_matrix
        part = extract(old, *arrays)
        mask_data = _oriented(mask, region, backend)
        if T is None:
            bound = to_scalar(value, C.dtype)
            T = _fill(backend, backend.copy(part), bound, mask_data, typed, replaces)
        else:
            T = backend.write(part, T, mask_data, typed, replaces)
        C._keep(assign(old, T, *arrays, None))
        return
    result = assign(old, T, *arrays, typed)
    if mask is not None:
        result = backend.write(old, result, mask._data(), None, replaces)
    C._keep(result)


def _fill(
    backend: Any, part: Any, value: Any, mask: MaskData, accum: TypedBinary | None, replaces: bool
) -> Any:
    if hasattr(part, "nrows"):
        return backend.assign_scalar_matrix(part, value, None, None, mask, accum, replaces)
    return backend.assign_scalar_vector(part, value, None, mask, accum, replaces)


def _source(
    C: Stored, value: Any, shape: tuple[int, ...], region: tuple[Index, ...], mask: Mask | None
) -> tuple[Any, Any]:
    """Engine and storage of what goes into a region; storage None for a number."""
    masked = mask.parent if mask is not None else None
    if is_scalar(value):
        return common_backend(C, masked), None
    operand = _as_operand(value, shape, C.device)
    if operand.shape != shape:
        raise DimensionMismatch(f"value: expected shape {shape}, got {operand.shape}")
    backend = common_backend(C, operand, masked)
    data = operand._ready()
    if operand.ndim < C.ndim:
        # Copied: a matrix must not share arrays with a vector, which is written in place.
        data = _lift(backend.copy(data), region, backend)
    elif C.ndim == 1:
        data = backend.copy(data)
    return backend, data


def _lift(data: Any, region: tuple[Index, ...], backend: Any) -> Any:
    """A vector as the one row or column of a matrix that it is assigned to."""
    return row_matrix(data) if region[0].is_int else column_matrix(data, backend)


def _oriented(mask: Mask, region: tuple[Index, ...], backend: Any) -> MaskData:
    data = mask._data()
    if len(region) == 2 and mask.parent.ndim == 1:
        return MaskData(_lift(data.data, region, backend), data.structural, data.complement)
    return data
