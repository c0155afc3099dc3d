"""The forms of a statement that writes: ``C << x``, ``C(mask, accum) << x``, ``C[I, J] << x``.

A mask given before the brackets, ``C(mask)[I, J] << x``, covers all of C, or all of its row or
column where the mask is a vector, as in ``C(mask)[i, J] << x``.  One given after, as in
``C[I, J](mask) << x``, covers these rows and columns only (GraphBLAS calls these assign and
subassign).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidCall, InvalidValue
from spbfs.objects.assignment.assign import assign
from spbfs.objects.assignment.assign_indexed import assign_indexed
from spbfs.objects.checks import as_flag, is_scalar
from spbfs.objects.indexing import Index, element_key, resolve
from spbfs.objects.mask import Mask, as_mask
from spbfs.objects.operands.operand import Operand
from spbfs.objects.scalar import Scalar
from spbfs.operators import lookup
from spbfs.operators.definitions import Operator
from spbfs.operators.kinds.parameterized import ParameterizedUdf
from spbfs.operators.kinds.typed import Typed

if TYPE_CHECKING:
    from spbfs.objects.stored_object import StoredObject

__all__ = ["IndexedOutput", "Updater", "replace", "with_options"]


class _Replace:
    """``C(mask, replace) << x``: entries the mask does not admit are deleted."""

    def __repr__(self) -> str:
        return "replace"


replace = _Replace()

# As a tuple: a union made at every call costs more than the test.
_ACCUMULATORS = (Operator, Typed, ParameterizedUdf, str)
_MASKS = (Mask, Operand, np.ndarray, list, tuple)


class Updater:
    """An output with its mask, accumulator and replace flag, waiting for ``<< value``."""

    __slots__ = ("_accum", "_hints", "_mask", "_replace", "_target")

    __init__ = object.__init__  # `with_options` makes it
    _target: Any
    _mask: Any
    _accum: Any
    _replace: bool
    _hints: dict[str, Any]

    __lshift__ = assign

    def _given(self) -> dict[str, Any]:
        """What stood in the call, by name."""
        given = dict(self._hints)
        if self._mask is not None:
            given["mask"] = self._mask
        if self._accum is not None:
            given["accum"] = self._accum
        if self._replace:
            given["replace"] = True
        return given

    def __repr__(self) -> str:
        return _awaiting(self._target, self._given())

    def update(self, value: Any) -> None:
        """The same as ``<< value``.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        """
        self << value

    def _resolved(self, key: Any) -> tuple[Index, ...]:
        target = self._target
        if "input_mask" in self._hints:
            raise InvalidCall(
                "input_mask: for what is extracted only, as in w(input_mask=m) << v[I]"
            )
        return resolve(key, target.shape, target.device)

    def __getitem__(self, key: Any) -> IndexedOutput:
        return IndexedOutput(self._target, self._resolved(key), outer=self._given())

    def __setitem__(self, key: Any, value: Any) -> None:
        indices = self._resolved(key)
        if is_scalar(value) and all(index.chosen is None for index in indices):
            self << value  # a number everywhere
        else:
            IndexedOutput(self._target, indices, outer=self._given()).update(value)

    def __delitem__(self, key: Any) -> None:
        self[key].update(Scalar(self._target.dtype))

    def __eq__(self, other: object) -> bool:
        raise DomainMismatch("C(...) awaits << value, and is equal to nothing")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise DomainMismatch("C(...) awaits << value, and is neither true nor false")


class _IndexedUpdater(Updater):
    """Rows and columns with their options; the mask covers these only."""

    __slots__ = ()

    def __lshift__(self, value: Any) -> None:
        self._target.update(value, **self._given())

    def _resolved(self, key: Any) -> tuple[Index, ...]:
        raise DomainMismatch("index: what is indexed cannot be indexed again")


def with_options(
    self: StoredObject | IndexedOutput,
    *args: Any,
    mask: Any = None,
    accum: Any = None,
    replace: Any = False,
    **hints: Any,
) -> Updater:
    """``C(mask, accum, replace, direction=..., threads=...) << expression``."""
    if mask is not None:
        mask = as_mask(mask)
    for arg in args:
        if isinstance(arg, Mask) and mask is None:
            mask = arg
        elif isinstance(arg, _Replace):
            replace = True
        elif isinstance(arg, _ACCUMULATORS) and accum is None:
            accum = arg
        elif isinstance(arg, _MASKS):
            mask = as_mask(_once("mask", mask, arg))
        else:
            accum = _once("accum", accum, arg)
    if type(replace) is not bool:
        replace = as_flag(replace, "replace")
    if mask is None and replace and "input_mask" not in hints:
        raise InvalidCall("replace: needs a mask; C.clear() empties an object")
    if accum is not None:
        if isinstance(accum, str) and accum == "replace":
            raise InvalidValue("accum: 'replace' is no operator; spbfs.replace, or replace=True")
        accum = lookup.as_binary(accum)
    if hints and "input_mask" in hints:
        hints["input_mask"] = _once("mask and input_mask", mask, as_mask(hints["input_mask"]))
    made = self._updater()
    made._target = self
    made._mask = mask
    made._accum = accum
    made._replace = replace
    made._hints = hints
    return made


def _once(name: str, known: Any, arg: Any) -> Any:
    """The argument, unless there is one already."""
    if known is not None:
        raise InvalidCall(f"{name}: one is enough, got two")
    return arg


def _awaiting(target: Any, given: dict[str, Any]) -> str:
    """An output that waits, as it could be written."""
    written = _options(given)
    if isinstance(target, IndexedOutput):
        keys = ", ".join(":" if i.chosen is None else brief(i.key) for i in target._indices)
        written = f"{_options(target._outer or {})}[{keys}]{written}"
        target = target._target
    shape = " x ".join(map(str, target.shape))
    return f"<{type(target).__name__} of {shape}: C{written} awaits << value>"


def _options(given: dict[str, Any]) -> str:
    options = ", ".join(f"{name}={value!r}" for name, value in given.items())
    return f"({options})" if options else ""


class IndexedOutput:
    """Rows and columns of a stored object: ``C[I, J]`` on the left of ``<<``.

    Parameters
    ----------
    target : Matrix or Vector
    indices : tuple of Index
    outer : dict, optional
        Mask, accumulator and replace given before the brackets; the mask covers all of `target`.
    """

    __slots__ = ("_indices", "_outer", "_target")

    _updater = _IndexedUpdater

    def __init__(
        self, target: StoredObject, indices: tuple[Index, ...], outer: dict[str, Any] | None = None
    ) -> None:
        self._target = target
        self._indices = indices
        self._outer = outer

    def __repr__(self) -> str:
        return _awaiting(self, {})

    @property
    def shape(self) -> tuple[int, ...]:
        """Of what is written: integer indices drop their dimension."""
        return tuple(i.length for i in self._indices if not i.is_int)

    @property
    def py_indices(self) -> Any:
        """What could stand in the brackets: an integer, an array, a range or ``:`` a dimension."""
        keys = tuple(index.key for index in self._indices)
        return keys[0] if len(keys) == 1 else keys

    def __call__(self, *args: Any, **options: Any) -> Updater:
        if self._outer is not None:
            raise InvalidCall("C(...)[I](...): options are given before the brackets or after")
        return with_options(self, *args, **options)

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def __eq__(self, other: object) -> bool:
        raise DomainMismatch("C[I] awaits << value, and is equal to nothing")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise DomainMismatch("C[I] awaits << value, and is neither true nor false")

    def update(self, value: Any, **inner: Any) -> None:
        """Write into these rows and columns.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        **inner
            As of `Matrix.update`; a mask covers these rows and columns only.
        """
        assign_indexed(self._target, self._indices, value, self._outer or {}, inner)

    def set_element(self, value: Any) -> None:
        """Set the one element that this is; an empty Scalar deletes it.

        Parameters
        ----------
        value : number or Scalar
        """
        self._target[element_key(self._indices)] = value
