"""The symbols of Python for the operations of operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from spbfs.exceptions import DimensionMismatch, DomainMismatch
from spbfs.objects.checks import is_scalar
from spbfs.objects.elementwise import ElementWise
from spbfs.objects.operand import Operand
from spbfs.objects.scalar_arithmetic import ScalarArithmetic
from spbfs.operators.builtin import BINARY, UNARY

if TYPE_CHECKING:
    from spbfs.objects.infix import Infix, MatrixProduct

__all__ = ["Arithmetic"]


def _no_operand(symbol: str, right: Any) -> DomainMismatch:
    found = type(right).__name__
    return DomainMismatch(f"right of {symbol}: expected a matrix or vector, got {found}")


class Arithmetic(ElementWise):
    """An operand that takes part in formulas: ``A @ B``, ``u + v``, ``2 * A``, ``u < 3`` ...

    ``+`` and ``-`` are unions, the others intersections; with a number they apply to stored values.
    """

    __slots__ = ()

    #: The class of ``A @ B``: `core.infix`, which is above this module, puts it here.
    _product: ClassVar[type[MatrixProduct]]

    def _infix(self, symbol: str, left: Any, right: Any) -> Infix:
        from spbfs.objects.infix import Infix

        if not isinstance(right, Operand):
            raise _no_operand(symbol, right)
        return Infix(symbol, left, right)

    def __or__(self, other: Any) -> Any:
        return self._infix("|", self, other)

    def __and__(self, other: Any) -> Any:
        return self._infix("&", self, other)

    def __matmul__(self, other: Any) -> Any:
        if not isinstance(other, Operand):
            raise _no_operand("@", other)
        if self.shape[-1] != other.shape[0]:
            raise DimensionMismatch(
                f"right of @: expected {self.shape[-1]} rows to match the left operand's shape "
                f"{self.shape}, got shape {other.shape}"
            )
        made = Arithmetic._product()
        made.left = self
        made.right = other
        return made

    def _arithmetic(self, other: Any, name: str, how: str, reflected: bool = False) -> Any:
        op = BINARY[name]
        if isinstance(other, Arithmetic):
            left, right = (other, self) if reflected else (self, other)
            if how == "union":
                return left.ewise_union(right, op, False, False)
            return left.ewise_add(right, op) if how == "add" else left.ewise_mult(right, op)
        if not (is_scalar(other) or isinstance(other, ScalarArithmetic)):
            return NotImplemented
        return self.apply(op, left=other) if reflected else self.apply(op, right=other)

    def __add__(self, other: Any) -> Any:
        return self._arithmetic(other, "plus", "add")

    def __radd__(self, other: Any) -> Any:
        return self._arithmetic(other, "plus", "add", reflected=True)

    def __sub__(self, other: Any) -> Any:
        return self._arithmetic(other, "minus", "union")

    def __rsub__(self, other: Any) -> Any:
        return self._arithmetic(other, "minus", "union", reflected=True)

    def __mul__(self, other: Any) -> Any:
        return self._arithmetic(other, "times", "mult")

    def __rmul__(self, other: Any) -> Any:
        return self._arithmetic(other, "times", "mult", reflected=True)

    def __truediv__(self, other: Any) -> Any:
        return self._arithmetic(other, "truediv", "mult")

    def __rtruediv__(self, other: Any) -> Any:
        return self._arithmetic(other, "truediv", "mult", reflected=True)

    def __floordiv__(self, other: Any) -> Any:
        return self._arithmetic(other, "floordiv", "mult")

    def __rfloordiv__(self, other: Any) -> Any:
        return self._arithmetic(other, "floordiv", "mult", reflected=True)

    def __mod__(self, other: Any) -> Any:
        return self._arithmetic(other, "remainder", "mult")

    def __rmod__(self, other: Any) -> Any:
        return self._arithmetic(other, "remainder", "mult", reflected=True)

    def __pow__(self, other: Any) -> Any:
        return self._arithmetic(other, "pow", "mult")

    def __rpow__(self, other: Any) -> Any:
        return self._arithmetic(other, "pow", "mult", reflected=True)

    def __lt__(self, other: Any) -> Any:
        return self._arithmetic(other, "lt", "mult")

    def __le__(self, other: Any) -> Any:
        return self._arithmetic(other, "le", "mult")

    def __gt__(self, other: Any) -> Any:
        return self._arithmetic(other, "gt", "mult")

    def __ge__(self, other: Any) -> Any:
        return self._arithmetic(other, "ge", "mult")

    def __eq__(self, other: Any) -> Any:
        return self._arithmetic(other, "eq", "mult")

    def __ne__(self, other: Any) -> Any:
        return self._arithmetic(other, "ne", "mult")

    __hash__ = None  # type: ignore[assignment]

    def __abs__(self) -> Any:
        return self.apply(UNARY["abs"])

    def __neg__(self) -> Any:
        return self.apply(UNARY["ainv"])

    def __invert__(self) -> Any:
        if not self.dtype.is_bool:
            raise DomainMismatch(f"~: expected a BOOL operand, got {self.dtype}")
        return self.apply(UNARY["lnot"])
