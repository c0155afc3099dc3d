"""The forms of a statement that writes: ``C << x``, ``C(mask, accum) << x``, ``C[I, J] << x``.

A mask given before the brackets, ``C(mask)[I, J] << x``, covers all of C; one given after, as in
``C[I, J](mask) << x``, covers
these rows and columns only (GraphBLAS calls these assign and subassign).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.assign import assign
from spbfs.objects.assign_indexed import assign_indexed
from spbfs.objects.indexing import Index, element_key, resolve
from spbfs.objects.mask import Mask
from spbfs.operators.definitions import BinaryOp, Monoid

if TYPE_CHECKING:
    from spbfs.objects.stored_object import StoredObject

__all__ = ["IndexedOutput", "Updater", "replace", "with_options"]


class _Replace:
    """``C(mask, replace) << x``: entries the mask does not admit are deleted."""

    def __repr__(self) -> str:
        return "replace"


replace = _Replace()

# As a tuple: a union made at every call costs more than the test.
_ACCUMULATORS = (BinaryOp, Monoid, str)


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
        known = {"mask": self._mask, "accum": self._accum, "replace": self._replace}
        return {k: x for k, x in known.items() if x is not None and x is not False} | self._hints

    def update(self, value: Any) -> None:
        """The same as ``<< value``.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        """
        self << value

    def __getitem__(self, key: Any) -> IndexedOutput:
        target = self._target
        indices = resolve(key, target.shape, target.device)
        return IndexedOutput(target, indices, outer=self._given())

    def __setitem__(self, key: Any, value: Any) -> None:
        self[key].update(value)

    def __delitem__(self, key: Any) -> None:
        raise DomainMismatch("index: deletion takes no mask; write del C[index]")


class _IndexedUpdater(Updater):
    """Rows and columns with their options; the mask covers these only."""

    __slots__ = ()

    def __lshift__(self, value: Any) -> None:
        self._target.update(value, **self._given())

    def __getitem__(self, key: Any) -> IndexedOutput:
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
        self._outer = outer or {}

    @property
    def shape(self) -> tuple[int, ...]:
        """Of what is written: integer indices drop their dimension."""
        return tuple(i.length for i in self._indices if not i.is_int)

    def __call__(self, *args: Any, **options: Any) -> Updater:
        if self._outer:
            raise InvalidValue("C(...)[I](...): options are given before the brackets or after")
        return with_options(self, *args, **options)

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def update(self, value: Any, **inner: Any) -> None:
        """Write into these rows and columns.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        **inner
            As of `Matrix.update`; a mask covers these rows and columns only.
        """
        assign_indexed(self._target, self._indices, value, self._outer, inner)

    def set_element(self, value: Any) -> None:
        """Set the one element that this is; an empty Scalar deletes it.

        Parameters
        ----------
        value : number or Scalar
        """
        self._target[element_key(self._indices)] = value
