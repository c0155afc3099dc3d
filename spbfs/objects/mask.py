"""Masks: where an operation may write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.pickling import by_any_protocol
from spbfs.engines.protocol import MaskData
from spbfs.exceptions import DomainMismatch, KindMismatch
from spbfs.objects.checks import as_array, as_flag, check_covers
from spbfs.objects.classes import classes

if TYPE_CHECKING:
    from spbfs.objects.operands.operand import Operand

__all__ = [
    "ComplementedStructuralMask",
    "ComplementedValueMask",
    "Mask",
    "StructuralMask",
    "ValueMask",
    "as_mask",
    "mask_of",
]


_new = object.__new__
_new_tuple = tuple.__new__


class Mask:
    """The pattern (``v.S``) or the true values (``v.V``) of an object, perhaps complemented.

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_coo([0, 2], [True, False], size=3)
    >>> v.S, ~v.V
    (Mask(structural, Vector of 3), Mask(complement, valued, Vector of 3))

    Masks combine: an entry is admitted by both, or by one of the two.

    >>> (v.S & ~v.V).new().to_dict()
    {2: True}
    >>> (v.V | ~v.S).new().to_dict()
    {0: True, 1: True}
    """

    __slots__ = ("__weakref__", "parent")

    #: A Matrix or a Vector.
    parent: Any
    structural: bool
    complement: bool
    #: The kind of its complement.
    _inverse: type[Mask]

    def __init__(self, parent: Operand) -> None:
        self.parent = parent

    def __invert__(self) -> Mask:
        # Without `__init__`, here and in ``v.S``: a loop makes three masks a level, and a call
        # takes longer than what it does.
        made = _new(self._inverse)
        made.parent = self.parent
        return made

    def __and__(self, other: Any) -> Mask:
        """The mask that admits what both admit."""
        other = self._other(other)
        if self.complement and other.complement:
            return ~(~self | ~other)
        if self.complement:
            return other & self
        return mask_of(self.new().select(other).new(), structural=True)

    def __or__(self, other: Any) -> Mask:
        """The mask that admits what one of the two admits."""
        other = self._other(other)
        if self.complement or other.complement:
            return ~(~self & ~other)
        return mask_of(self.new().ewise_add(other.new(), "lor").new(), structural=True)

    # NumPy must leave `array & mask` to these.
    __array_ufunc__ = None
    __reduce_ex__ = by_any_protocol
    __rand__ = __and__
    __ror__ = __or__

    def _other(self, other: Any) -> Mask:
        mask = as_mask(other)
        mask.check_shape(self.parent.shape)
        return mask

    def __bool__(self) -> bool:
        raise DomainMismatch("the truth of a Mask is ambiguous; combine masks by & and |")

    def __eq__(self, other: object) -> bool:
        raise DomainMismatch("masks are not compared; compare m.new() with another's")

    __hash__ = None  # type: ignore[assignment]

    def new(
        self,
        dtype: Any = None,
        *,
        complement: bool = False,
        mask: Any = None,
        name: str | None = None,
    ) -> Any:
        """An object with the value 1 (true) wherever the mask admits.

        Parameters
        ----------
        dtype : dtype-like, optional
            BOOL by default.
        complement : bool, optional
            Whether to have the value everywhere else instead.
        mask : Mask, ndarray of bool or BOOL Matrix or Vector, optional
            Another, which must admit as well.
        name : str, optional
            Of the object.

        Returns
        -------
        Matrix or Vector
            Of the mask's shape, on its device; that of a complement may be much larger.

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_coo([0, 2], [5, 0], size=4)
        >>> v.V.new().to_dict(), (~v.S).new(int).to_dict()
        ({0: True}, {1: 1, 3: 1})
        """
        both, turned = self if mask is None else self & mask, as_flag(complement, "complement")
        kind: Any = classes.Vector if self.parent.ndim == 1 else classes.Matrix
        dtype = "BOOL" if dtype is None else dtype
        out = kind(dtype, *self.parent.shape, name=name, device=self.parent.device)
        out._bound = self.parent._bound
        out(~both if turned else both) << True
        return out

    def __repr__(self) -> str:
        kind = "structural" if self.structural else "valued"
        name = "Vector" if self.parent.ndim == 1 else "Matrix"
        size = " x ".join(map(str, self.parent.shape))
        return f"Mask({'complement, ' if self.complement else ''}{kind}, {name} of {size})"

    def resolved(self) -> MaskData:
        """What an engine takes: the mask with the storage of its object as it is now.

        Returns
        -------
        MaskData
        """
        parent = self.parent
        data = parent._ready() if parent._pending else parent._data
        # What its `__new__` does, a call less: up to Python 3.12 that takes longer than the rest.
        return _new_tuple(MaskData, (data, self.structural, self.complement))

    def check_shape(self, shape: tuple[int, ...]) -> None:
        """Raise unless the mask covers an output.

        Parameters
        ----------
        shape : tuple of int
            That of the output.

        Raises
        ------
        DimensionMismatch
        """
        check_covers(self.parent.shape, shape, "mask")


class StructuralMask(Mask):
    """``C.S``: admits where an entry is stored."""

    __slots__ = ()
    structural, complement = True, False


class ValueMask(Mask):
    """``C.V``: admits where a true value is stored."""

    __slots__ = ()
    structural, complement = False, False


class ComplementedStructuralMask(Mask):
    """``~C.S``: admits where no entry is stored."""

    __slots__ = ()
    structural, complement = True, True
    _inverse = StructuralMask


class ComplementedValueMask(Mask):
    """``~C.V``: admits where no true value is stored."""

    __slots__ = ()
    structural, complement = False, True
    _inverse = ValueMask


StructuralMask._inverse = ComplementedStructuralMask
ValueMask._inverse = ComplementedValueMask


def mask_of(parent: Operand, structural: bool) -> Mask:
    """``parent.S`` or ``parent.V``."""
    return StructuralMask(parent) if structural else ValueMask(parent)


def as_mask(value: Any) -> Mask:
    """A mask from a mask, or from what is Boolean and taken as a valued one.

    A dense array, a list, a Matrix, a Vector, or an expression, which is computed: what it is made
    of may change before the mask is used.
    """
    if isinstance(value, Mask):
        return value
    if isinstance(value, list | tuple):
        value = as_array(value, "mask") if value else np.empty(0, np.bool_)
    if isinstance(value, np.ndarray):
        return _mask_of_array(value)
    if not isinstance(value, classes.Operand):
        raise DomainMismatch(
            "mask: expected a mask such as v.S or ~v.V, or something Boolean, "
            f"got {type(value).__name__}"
        )
    if not value.dtype.is_bool:
        raise DomainMismatch(
            f"mask: expected BOOL values, got {value.dtype}; say which entries count by .V (true "
            "values) or .S (all that are stored)"
        )
    stored = isinstance(value, classes.Vector | classes.Matrix)
    return mask_of(value if stored else value.new(), structural=False)


def _mask_of_array(array: Any) -> Mask:
    if array.dtype != np.bool_:
        raise DomainMismatch(f"mask: a dense mask must be Boolean, got dtype {array.dtype}")
    if array.ndim not in (1, 2):
        raise KindMismatch(f"mask: expected 1 or 2 dimensions, got shape {array.shape}")
    kind: Any = classes.Vector if array.ndim == 1 else classes.Matrix
    dense = kind.from_dense(array)
    dense._bound = False
    return mask_of(dense, structural=False)
