"""``C[I, J]`` of a stored object: a delayed extraction that can also be written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.objects.expression import Expression, MatrixExpression, VectorExpression
from spbfs.objects.indexing import Index
from spbfs.objects.region import Region
from spbfs.objects.scalar_expression import ScalarExpression

__all__ = ["MatrixPart", "VectorPart", "writable_part"]


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


class WritableElement(ScalarExpression):
    """``C[i]`` of a stored object: read by ``.new()`` or ``.value``, written by ``<<``."""

    __slots__ = ("_region", "_target")

    _region: tuple[Index, ...]
    _target: Any

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def update(self, value: Any) -> None:
        """Set the element; an empty Scalar deletes it."""
        key = tuple(int(i.array[0]) for i in self._region if i.array is not None)
        self._target[key[0] if len(key) == 1 else key] = value

    def __call__(self, *args: Any, **options: Any) -> Any:
        return Region(self._target, self._region)(*args, **options)


def writable_part(target: Any, region: tuple[Index, ...], expression: Any) -> Any:
    """What ``C[key]`` is: an expression to read, and a region to write."""
    if isinstance(expression, ScalarExpression):
        element = WritableElement(
            expression.operation, expression.operand, expression.dtype, expression._run
        )
        element._target, element._region = target, region
        return element
    part: Any = VectorPart if len(expression.shape) == 1 else MatrixPart
    return part(expression, Region(target, region))
