"""Writing over a whole output: ``C << x``, ``C(mask, accum, replace) << x``.

`region` writes into rows and columns of one.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.memory import refusal
from spbfs.base.threads import resolve_threads
from spbfs.engines import get_engine
from spbfs.engines.protocol import Hints
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
from spbfs.objects.checks import as_array, is_scalar, to_scalar
from spbfs.objects.gpu_arrays import on_gpu
from spbfs.objects.indexing import Index, resolve
from spbfs.objects.infix import Infix
from spbfs.objects.mask import Mask, as_mask
from spbfs.objects.operand import Operand, common_engine, scalar_operand
from spbfs.objects.scalar import Scalar
from spbfs.objects.scalar_expression import ScalarExpression
from spbfs.operators import lookup
from spbfs.operators.definitions import BinaryOp, Monoid, TypedBinary
from spbfs.operators.dtypes import DType

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine
    from spbfs.objects.region import Region
    from spbfs.objects.stored import Stored

__all__ = [
    "Output",
    "Updater",
    "accumulator",
    "as_hints",
    "as_operand",
    "assign_scalar",
    "check_replace",
    "element_value",
    "indices_of",
    "plain",
    "replace",
]


class _Replace:
    """``C(mask, replace) << x``: entries the mask does not admit are deleted."""

    def __repr__(self) -> str:
        return "replace"


replace = _Replace()

# As a tuple: a union made at every call costs more than the test.
_ACCUMULATORS = (BinaryOp, Monoid, str)


_DIRECTIONS = ("auto", "push", "pull")
_NO_HINTS = Hints()


def as_hints(given: dict[str, Any]) -> Hints:
    """What was asked of the engine."""
    return _hints(**given) if given else _NO_HINTS


def _hints(direction: Any = "auto", threads: Any = None, **unknown: Any) -> Hints:
    if unknown:
        name = next(iter(unknown))
        raise InvalidValue(
            f"{name}: no such option; expected mask, accum, replace, direction or threads"
        )
    if direction not in _DIRECTIONS:
        raise InvalidValue(f"direction: expected one of {_DIRECTIONS}, got {direction!r}")
    return Hints(direction, None if threads is None else resolve_threads(threads))


def accumulator(accum: Any, out: DType) -> TypedBinary | None:
    """Accumulators work in the type of the output, to which what is written is cast first."""
    return None if accum is None else lookup.as_binary(accum).resolve(out, out)


def plain(value: Any) -> Any:
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
    return to_scalar(plain(value), dtype)


def as_operand(value: Any, shape: tuple[int, ...], device: str) -> Operand:
    """What is written, as an operand: dense arrays and lists are taken as full objects."""
    if isinstance(value, Infix):
        return value.expression()
    if isinstance(value, Operand):
        return value
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.vector import Vector

    if isinstance(value, list | tuple | np.ndarray) or on_gpu(value):
        array = as_array(value, "value", gpu=device == "cuda")
        if array.ndim == 1:
            return Vector.from_dense(array, device=device)
        if array.ndim == 2:
            return Matrix.from_dense(array, device=device)
        raise DimensionMismatch(f"value: expected 1 or 2 dimensions, got shape {array.shape}")
    raise DomainMismatch(
        f"value: expected a matrix, vector, expression, number or array, got {type(value).__name__}"
    )


def check_replace(mask: Any, replaces: Any) -> bool:
    if replaces and mask is None:
        raise InvalidValue("replace: needs a mask; C.clear() empties an object")
    return bool(replaces)


class Updater:
    """An output with its mask, accumulator and replace flag, waiting for ``<< value``."""

    __slots__ = ("_accum", "_hints", "_mask", "_replace", "_target")

    __init__ = object.__init__  # `Output` makes it
    _target: Any
    _mask: Any
    _accum: Any
    _replace: bool
    _hints: dict[str, Any]

    def __lshift__(self, value: Any) -> None:
        """``C<mask, replace> accum= value`` over all of C."""
        C, mask = self._target, self._mask
        hints = as_hints(self._hints) if self._hints else _NO_HINTS
        if mask is None:
            check_replace(mask, self._replace)
        else:
            if type(mask) is not Mask:
                mask = as_mask(mask, C.ndim)
            if mask.parent.shape != C.shape:
                mask.check_shape(C.shape)
        try:
            if isinstance(value, Operand):
                _write(C, value, mask, self._accum, self._replace, hints)
            elif type(value) is int or is_scalar(value := plain(value)):
                assign_scalar(C, value, None, mask, self._accum, self._replace)
            else:
                value = as_operand(value, C.shape, C.device)
                _write(C, value, mask, self._accum, self._replace, hints)
        except OutOfMemory:
            raise
        except MemoryError as error:
            raise refusal(error) from error

    def _given(self) -> dict[str, Any]:
        """What stood in the call, by name."""
        known = {"mask": self._mask, "accum": self._accum, "replace": self._replace}
        return {k: x for k, x in known.items() if x is not None and x is not False} | self._hints

    def update(self, value: Any) -> None:
        """The same as ``<< value``.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        """
        self << value

    def __getitem__(self, key: Any) -> Region:
        from spbfs.objects.region import Region

        target = self._target
        region = resolve(key, target.shape, target.device)
        return Region(target, region, outer=self._given())

    def __setitem__(self, key: Any, value: Any) -> None:
        self[key].update(value)

    def __delitem__(self, key: Any) -> None:
        raise DomainMismatch("index: deletion takes no mask; write del C[index]")


class Output:
    """What is written to by ``C << x`` and ``C(mask, accum, replace) << x``."""

    __slots__ = ()

    _updater = Updater

    def __call__(
        self,
        *args: Any,
        mask: Any = None,
        accum: Any = None,
        replace: Any = False,
        **hints: Any,
    ) -> Updater:
        """``C(mask, accum, replace, direction=..., threads=...) << expression``."""
        for arg in args:
            kind = type(arg)
            if kind is Mask and mask is None:
                mask = arg
            elif kind is _Replace and not replace:
                replace = True
            elif isinstance(arg, _ACCUMULATORS) and accum is None:
                accum = arg
            elif isinstance(arg, np.ndarray) and mask is None:
                mask = arg
            else:
                raise _refused(arg)
        made = self._updater()
        made._target = self
        made._mask = mask
        made._accum = accum
        made._replace = replace if type(replace) is bool else bool(replace)
        made._hints = hints
        return made


def _refused(arg: Any) -> Exception:
    """What to raise for an argument of an output that is of no use, or of no use any more."""
    kinds: Any = {"replace": _Replace, "mask": (Mask, np.ndarray), "accum": _ACCUMULATORS}
    for name, kind in kinds.items():
        if isinstance(arg, kind):
            return InvalidValue(f"{name}: given twice")
    found = type(arg).__name__
    return DomainMismatch(f"C(...): expected a mask, an accumulator or replace, got {found}")


def _write(
    C: Stored, operand: Operand, mask: Mask | None, accum: Any, replaces: bool, hints: Hints
) -> None:
    if operand.shape != C.shape:
        raise DimensionMismatch(f"value: expected shape {C.shape}, got {operand.shape}")
    device = C.device
    if operand._lives_on(device) and (mask is None or mask.parent.device == device):
        engine = get_engine(device)
    else:
        masks = () if mask is None else (mask.parent,)
        # An expression answers for its first operand only, so all of them are asked.
        engine = common_engine(C, *(operand.operands or (operand,)), *masks)
    T = operand._result
    # What was computed before was so without the mask, and is its expression's.
    own = T is None and operand.applies_mask
    if T is None:
        T = operand.compute(engine, mask, hints)
    if accum is None and (mask is None or (replaces and own)):
        if own and T.dtype == C.dtype.np_type:
            C._data = T
            if C._pending:
                C._pending = {}
            return
        result = engine.cast(T, C.dtype)
    else:
        typed = None if accum is None else accumulator(accum, C.dtype)
        old = C._writable()
        result = engine.write(old, T, mask, typed, replaces)
        if result is old:
            return
    C._take(result, operand)


def assign_scalar(
    C: Stored,
    value: Any,
    region: tuple[Index, ...] | None,
    mask: Mask | None,
    accum: Any,
    replaces: bool,
) -> None:
    """``C<mask, replaces>(region) accum= value``; without a region everywhere."""
    device = C.device
    if mask is None or mask.parent.device == device:
        engine = get_engine(device)
    else:
        engine = common_engine(C, mask.parent)
    bound = to_scalar(value, C.dtype)
    typed = None if accum is None else accumulator(accum, C.dtype)
    start = 0.0 if tracing.current() is None else time.perf_counter()
    made: Any
    old = C._writable()
    if C.ndim == 1:
        at = None if region is None else indices_of(region, engine)[0]
        made = engine.assign_scalar_vector(old, bound, at, mask, typed, replaces)
    else:
        rows, cols = (None, None) if region is None else indices_of(region, engine)
        made = engine.assign_scalar_matrix(old, bound, rows, cols, mask, typed, replaces)
    if made is not old:
        C._keep(made)
    if start:
        seconds = time.perf_counter() - start
        tracing.finish("assign scalar", engine.name, seconds, engine.nvals(C._ready()))


def indices_of(region: tuple[Index, ...], engine: Engine) -> tuple[Any, ...]:
    """The arrays of an engine for the indices of a region; None stands for all."""
    return tuple(None if i.array is None else engine.asarray(i.array) for i in region)
