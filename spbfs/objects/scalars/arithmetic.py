"""Arithmetic of scalars: that of vectors of one element, whose types and absences they follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import check_wait, is_scalar
from spbfs.objects.classes import classes
from spbfs.objects.scalars import comparison, operations
from spbfs.objects.symbols import arithmetic, in_place
from spbfs.objects.symbols.calls import call
from spbfs.objects.symbols.infix import join
from spbfs.operators.dtypes import DType, scalar_dtype

if TYPE_CHECKING:
    from spbfs.objects.scalar import Scalar

__all__ = ["ScalarArithmetic", "number_dtype", "when_run"]

T = TypeVar("T")


class ScalarArithmetic:
    """What takes part in formulas such as ``s + 1`` or ``r.reduce() / n``: the result is a Scalar.

    An empty Scalar stays empty beside a number; of two Scalars, ``+`` and ``-`` are unions and the
    others intersections, as between vectors.
    """

    __slots__ = ("__weakref__",)

    #: ``|``, ``&`` or ``@``, where it is one.
    symbol: str | None = None
    ndim = 0
    shape = ()
    dtype: DType
    value: Any
    #: That of an expression is what `new` makes.
    _is_cscalar: bool = False

    def _filled(self) -> Scalar:
        """The Scalar itself, or one with the result."""
        raise NotImplementedError

    def new(self, dtype: Any = None) -> Scalar:
        """The value in a Scalar of its own.

        Parameters
        ----------
        dtype : dtype-like, optional
            Its own by default.

        Returns
        -------
        Scalar
        """
        raise NotImplementedError

    # -- what it holds ---------------------------------------------------------------------------
    @property
    def is_empty(self) -> bool:
        """Whether there is no value."""
        return self.value is None

    @property
    def nvals(self) -> int:
        """1 with a value, 0 without."""
        return 0 if self.value is None else 1

    @property
    def is_cscalar(self) -> bool:
        """What was asked for when it was made; nothing depends on it."""
        return self._is_cscalar

    @property
    def is_grbscalar(self) -> bool:
        """The opposite of `is_cscalar`."""
        return not self._is_cscalar

    def get(self, default: Any = None) -> Any:
        """The value as a Python number.

        Parameters
        ----------
        default : optional
            What to return where there is none.

        Returns
        -------
        number

        Examples
        --------
        >>> from spbfs import Scalar, Vector
        >>> Scalar.from_value(3).get(), Vector(int, 3).reduce().get(default=0)
        (3, 0)
        """
        value = self.value
        return default if value is None else value

    def wait(self, how: str = "materialize") -> Any:
        """Finish what was put off, of which a scalar has nothing.

        Parameters
        ----------
        how : {"materialize", "complete"}, optional

        Returns
        -------
        Scalar or expression
            The object itself.
        """
        check_wait(how)
        return self

    isequal = comparison.isequal
    isclose = comparison.isclose

    def _number(self) -> Any:
        value = self._filled()._value
        if value is None:
            raise DomainMismatch(f"an empty {self.dtype} Scalar is no number; see .is_empty, .get")
        return value

    def __sizeof__(self) -> int:
        raise DomainMismatch("the size of a Scalar is that of its number, .dtype.np_type.itemsize")

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        if self.dtype.is_float or self.dtype.is_bool:
            raise DomainMismatch(f"a {self.dtype} Scalar is no index")
        return int(self._number())

    def __round__(self, ndigits: int | None = None) -> Any:
        return round(self._number().item(), ndigits)

    def __format__(self, spec: str) -> str:
        """The number's: an empty one is shown, and has no format of numbers."""
        return format(self._number().item(), spec) if spec else str(self.value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self._number(), self.dtype.np_type if dtype is None else dtype)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ScalarArithmetic) or other is None or is_scalar(other):
            return self.isequal(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    # -- symbols -----------------------------------------------------------------------------------
    def _as_vector(self) -> Any:
        """The vector of one element, by the name that python-graphblas's recipes call."""
        return classes.OneElement(self).new()

    def _called_by(self, op: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        return call(op, args, options)

    def __or__(self, other: Any) -> Any:
        return join("|", self, other)

    def __ror__(self, other: Any) -> Any:
        return join("|", other, self)

    def __and__(self, other: Any) -> Any:
        return join("&", self, other)

    def __rand__(self, other: Any) -> Any:
        return join("&", other, self)

    def __matmul__(self, other: Any) -> Any:
        raise DomainMismatch("@: a Scalar has no matrix product")

    __rmatmul__ = __matmul__

    _arithmetic = operations.arithmetic
    apply = operations.apply
    select = operations.select
    ewise_add = operations.ewise_add
    ewise_mult = operations.ewise_mult
    ewise_union = operations.ewise_union

    __add__ = arithmetic.symbol("plus", "add")
    __radd__ = arithmetic.symbol("plus", "add", reflected=True)
    __sub__ = arithmetic.symbol("minus", "union")
    __rsub__ = arithmetic.symbol("minus", "union", reflected=True)
    __mul__ = arithmetic.symbol("times")
    __rmul__ = arithmetic.symbol("times", reflected=True)
    __truediv__ = arithmetic.symbol("truediv")
    __rtruediv__ = arithmetic.symbol("truediv", reflected=True)
    __floordiv__ = arithmetic.symbol("floordiv")
    __rfloordiv__ = arithmetic.symbol("floordiv", reflected=True)
    __mod__ = arithmetic.symbol("mod")
    __rmod__ = arithmetic.symbol("mod", reflected=True)
    __divmod__ = arithmetic.divmod_
    __rdivmod__ = arithmetic.rdivmod
    __pow__ = arithmetic.symbol("pow")
    __rpow__ = arithmetic.symbol("pow", reflected=True)
    __xor__ = arithmetic.symbol("lxor", "add")
    __rxor__ = arithmetic.symbol("lxor", "add", reflected=True)
    __lt__ = arithmetic.symbol("lt")
    __le__ = arithmetic.symbol("le")
    __gt__ = arithmetic.symbol("gt")
    __ge__ = arithmetic.symbol("ge")
    # s += x is for what is stored.
    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = in_place.refuse
    __ipow__ = __ixor__ = __ior__ = __iand__ = in_place.refuse
    __abs__ = arithmetic.unary("abs")
    __neg__ = arithmetic.unary("ainv")
    __invert__ = arithmetic.invert


def when_run(given: Any, make: Callable[[], T]) -> Callable[[], T]:
    """What gives, when an operation runs, what `make` makes of a scalar argument.

    It is made here, too, so that what cannot be an argument is refused at once; and then again of a
    Scalar, which may hold another number by that time.
    """
    made = make()
    return make if isinstance(given, classes.Scalar) else lambda: made


def number_dtype(value: Any, name: str) -> DType:
    """The type of a scalar argument: a Scalar's own, a number's as `scalar_dtype` has it."""
    if isinstance(value, ScalarArithmetic):
        made: DType = value.new().dtype
        return made
    return scalar_dtype(value, name)
