"""``C[I, J]`` of a stored object: a delayed extraction that can also be written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.core.assign import Region
from spbfs.core.expression import Expression, MatrixExpression, VectorExpression

__all__ = ["MatrixPart", "VectorPart"]


class _Writable(Expression):
    # Slots stand in the subclasses: two bases with slots of their own cannot be combined.
    if not TYPE_CHECKING:
        __slots__ = ()

    _region: Region

    def __init__(self, expression: Expression, region: Region) -> None:
        super().__init__(
            expression.operation,
            expression.operands,
            expression.shape,
            expression.dtype,
            expression._run,
        )
        self._region = region

    def __call__(self, *args: Any, **options: Any) -> Any:
        """``C[I, J](mask, accum, replace) << value``: the mask covers the part."""
        return self._region(*args, **options)

    def __lshift__(self, value: Any) -> None:
        self._region.update(value)

    def update(self, value: Any, **options: Any) -> None:
        """``C[I, J](**options) << value``."""
        self._region.update(value, **options)


class VectorPart(_Writable, VectorExpression):
    """A part of a vector, or of one row or column of a matrix."""

    __slots__ = ("_region",)


class MatrixPart(_Writable, MatrixExpression):
    """A part of a matrix."""

    __slots__ = ("_region",)
