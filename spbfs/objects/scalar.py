"""A single value that may be absent."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from spbfs.base.pickling import added_to
from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import as_flag, as_hints, as_number, is_scalar, to_scalar
from spbfs.objects.classes import classes
from spbfs.objects.scalars.arithmetic import ScalarArithmetic
from spbfs.objects.symbols.in_place import accumulated, iand, in_place
from spbfs.operators import lookup
from spbfs.operators.dtypes import DType, lookup_dtype, scalar_dtype

__all__ = ["Scalar"]


class Scalar(ScalarArithmetic):
    """One value of one dtype, or none.

    Parameters
    ----------
    dtype : dtype-like, optional
        As for `Matrix`.
    is_cscalar : bool, optional
        Kept for programs of python-graphblas, where it says who knows about emptiness.
    name : str, optional

    Examples
    --------
    >>> from spbfs import Scalar
    >>> s = Scalar(int)
    >>> s.is_empty
    True
    >>> s << 7
    >>> s.value, s == 7
    (7, True)

    Scalars take part in formulas, and so do delayed ones.

    >>> (s + 1).value, (s / 2).value, bool(s < 10)
    (8, 3.5, True)
    """

    __slots__ = ("_is_cscalar", "_value", "dtype", "name")

    def __init__(
        self, dtype: Any = "FP64", *, is_cscalar: bool = False, name: str | None = None
    ) -> None:
        self.dtype: DType = lookup_dtype(dtype)
        self.name = name
        self._is_cscalar = as_flag(is_cscalar, "is_cscalar")
        self._value: np.generic | None = None

    @classmethod
    def from_value(
        cls, value: Any, dtype: Any = None, *, is_cscalar: bool = False, name: str | None = None
    ) -> Scalar:
        """A Scalar that holds a number.

        Parameters
        ----------
        value : number, Scalar or delayed scalar
            None, too, where `dtype` is given: the Scalar is empty then.
        dtype : dtype-like, optional
            That of `value` by default.
        is_cscalar, name : optional
            As of the constructor.

        Returns
        -------
        Scalar

        Examples
        --------
        >>> from spbfs import Scalar
        >>> Scalar.from_value(3), Scalar.from_value(3, float)
        (Scalar(3, dtype=INT64), Scalar(3.0, dtype=FP64))
        """
        if isinstance(value, ScalarArithmetic):
            value = value.new()
        if dtype is None:
            dtype = value.dtype if isinstance(value, Scalar) else scalar_dtype(value)
        scalar = cls(dtype, is_cscalar=is_cscalar, name=name)
        scalar.value = value
        return scalar

    @property
    def value(self) -> Any:
        """The value as a Python number, or None when there is none."""
        return None if self._value is None else self._value.item()

    @value.setter
    def value(self, value: Any) -> None:
        if isinstance(value, ScalarArithmetic):
            value = value.new()._value
        if value is None:
            self._value = None
        elif is_scalar(value):
            self._value = to_scalar(value, self.dtype)
        else:
            raise DomainMismatch(f"value: expected a number, got {type(value).__name__}")

    def _filled(self) -> Scalar:
        return self

    def clear(self) -> None:
        """Remove the value."""
        self._value = None

    def dup(
        self,
        dtype: Any = None,
        *,
        clear: bool = False,
        is_cscalar: bool | None = None,
        name: str | None = None,
    ) -> Scalar:
        """A copy, perhaps of another dtype.

        Parameters
        ----------
        dtype : dtype-like, optional
            The Scalar's own by default.
        clear : bool, optional
            Of the type only, without the value.
        is_cscalar, name : optional
            As of the constructor.

        Returns
        -------
        Scalar

        Examples
        --------
        >>> from spbfs import Scalar
        >>> Scalar.from_value(3).dup(float)
        Scalar(3.0, dtype=FP64)
        """
        kind = self.dtype if dtype is None else dtype
        same = self._is_cscalar if is_cscalar is None else is_cscalar
        out = Scalar(kind, is_cscalar=same, name=name)
        if not as_flag(clear, "clear"):
            out.value = self._value
        return out

    new = dup

    def _vector(self) -> Any:
        """The vector of one element, stored where there is a value."""
        v = classes.Vector(self.dtype, 1)
        if self._value is not None:
            v[0] = self._value
        return v

    def update(self, value: Any, accum: Any = None) -> None:
        """Set the value: ``s << value`` and ``s(accum) << value``.

        Parameters
        ----------
        value : number, Scalar or delayed scalar
            An empty one clears this Scalar, unless `accum` is given.
        accum : binary operator or name, optional
            Combines the old value and the new one.

        Examples
        --------
        >>> from spbfs import Scalar, Vector
        >>> s = Scalar(int)
        >>> s.update(Vector.from_dense([1, 2]).reduce())
        >>> s.update(4, accum="times")
        >>> s.value
        12
        """
        if isinstance(value, ScalarArithmetic):
            value = value.new()._value
        if accum is None:
            self.value = value
            return
        accum = lookup.as_binary(accum)
        if value is not None:
            both = self._vector()
            both.update(as_number(value, "value"), accum=accum)
            self.value = both[0].new()

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def __call__(self, *args: Any, accum: Any = None, **options: Any) -> _ScalarUpdater:
        if len(args) + (accum is not None) > 1:
            raise DomainMismatch(f"accum: expected one, got {(*args, accum)}")
        return _ScalarUpdater(self, args[0] if args else accum, options)

    __iadd__ = accumulated("plus", "+=")
    __isub__ = in_place(operator.sub)
    __imul__ = in_place(operator.mul)
    __itruediv__ = in_place(operator.truediv)
    __ifloordiv__ = in_place(operator.floordiv)
    __imod__ = in_place(operator.mod)
    __ipow__ = in_place(operator.pow)
    __ixor__ = accumulated("lxor", "^=")
    __ior__ = accumulated("lor", "|=")
    __iand__ = iand

    def __reduce__(self) -> Any:
        held = type(self), self.dtype, self._value, self._is_cscalar, self.name
        return _restored, held, self.__getstate__()

    def __getstate__(self) -> Any:
        return added_to(self, Scalar)

    def __repr__(self) -> str:
        return f"Scalar({'empty' if self.is_empty else self.value}, dtype={self.dtype})"


def _restored(kind: Any, dtype: DType, value: Any, is_cscalar: bool, name: str | None) -> Any:
    """What `pickle` makes of a Scalar; the constructor of a subclass may ask for more."""
    made = kind.__new__(kind)
    Scalar.__init__(made, dtype, is_cscalar=is_cscalar, name=name)
    made._value = value
    return made


class _ScalarUpdater:
    """``s(accum) << value``."""

    __slots__ = ("_accum", "_scalar")

    def __init__(self, scalar: Scalar, accum: Any, options: dict[str, Any]) -> None:
        for name in ("mask", "input_mask", "replace"):
            if options.pop(name, None):
                raise DomainMismatch(f"{name}: a Scalar takes an accumulator only")
        as_hints(**options)
        self._scalar = scalar
        self._accum = None if accum is None else lookup.as_binary(accum)

    def __repr__(self) -> str:
        accum = "" if self._accum is None else f"accum={self._accum!r}"
        return f"<{self._scalar!r}: s({accum}) awaits << value>"

    def __lshift__(self, value: Any) -> None:
        self._scalar.update(value, self._accum)

    update = __lshift__
