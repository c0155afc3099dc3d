"""``x | y`` and ``x & y``, and what ``A @ B`` shares: two operands that wait for an operator.

``semiring.min_plus(A @ v)`` and ``binary.plus(x | y)`` supply it.  For BOOL operands the operator
is known (``lor_land``, ``lor``, ``land``) and the pair may be used as it is.
"""

from __future__ import annotations

from typing import Any

from spbfs.exceptions import DomainMismatch
from spbfs.objects.calls import call_on_infix
from spbfs.objects.checks import check_same_shape

__all__ = ["Infix"]

_BOOLEAN = {"@": "lor_land", "|": "lor", "&": "land"}


class Infix:
    """Two operands and the symbol between them."""

    __slots__ = ("left", "right", "symbol")

    def __init__(self, symbol: str, left: Any, right: Any) -> None:
        check_same_shape(right, left.shape, "right")
        self.symbol, self.left, self.right = symbol, left, right

    def _called_by(self, op: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        return call_on_infix(op, args, options)

    def with_operator(self, op: Any, **defaults: Any) -> Any:
        """The delayed operation, the operator supplied.

        Parameters
        ----------
        op : binary operator or monoid, or name
        **defaults
            ``left_default`` and ``right_default``, for ``|``: see `Matrix.ewise_union`.

        Returns
        -------
        Expression
        """
        if defaults:
            if self.symbol == "&" or set(defaults) != {"left_default", "right_default"}:
                raise DomainMismatch("x | y takes both left_default and right_default, x & y none")
            return self.left.ewise_union(self.right, op, **defaults)
        if self.symbol == "|":
            return self.left.ewise_add(self.right, op)
        return self.left.ewise_mult(self.right, op)

    def expression(self) -> Any:
        """The delayed operation where the operands are BOOL and say which it is."""
        if not (self.left.dtype.is_bool and self.right.dtype.is_bool):
            kind = "semiring" if self.symbol == "@" else "binary operator"
            raise DomainMismatch(
                f"x {self.symbol} y: needs a {kind} for operands of {self.left.dtype} and "
                f"{self.right.dtype}; call one on it"
            )
        return self.with_operator(_BOOLEAN[self.symbol])

    def new(self, dtype: Any = None, *, mask: Any = None, **hints: Any) -> Any:
        """Compute (BOOL operands only) into a new object.

        Parameters
        ----------
        dtype : dtype-like, optional
            BOOL by default.
        mask : Mask or ndarray of bool, optional
            Only where it admits.
        **hints
            As of `Matrix.update`.

        Returns
        -------
        Matrix or Vector

        Examples
        --------
        >>> import spbfs as sb
        >>> u = sb.Vector.from_coo([0, 1], True, size=3)
        >>> (u | sb.Vector.from_coo([2], True)).new().to_dict()
        {0: True, 1: True, 2: True}
        """
        options = {} if mask is None else {"mask": mask}
        return self.expression().new(dtype, **options, **hints)

    def __repr__(self) -> str:
        return f"Infix({self.left!r} {self.symbol} {self.right!r}; call an operator on it)"
