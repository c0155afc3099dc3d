"""Objects of their own, made from whatever stands for a matrix or a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.objects.classes import classes

if TYPE_CHECKING:
    from spbfs.objects.operand import Operand

__all__ = ["dup", "new"]


def new(
    self: Operand, dtype: Any = None, *, mask: Any = None, name: str | None = None, **hints: Any
) -> Any:
    """Compute into a new Matrix or Vector.

    Parameters
    ----------
    dtype : dtype-like, optional
        The operand's own by default.
    mask : Mask or ndarray of bool, optional
        Only where it admits.
    name : str, optional
        Shown by ``repr``.
    **hints
        ``direction`` ({"auto", "push", "pull"}) and ``threads`` (int), for products.

    Returns
    -------
    Matrix or Vector

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_dense([1, 0, 2])
    >>> (v + 1).new(float, mask=v.V).to_dict()
    {0: 2.0, 2: 3.0}
    >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3])
    >>> A.mxm(A).new(mask=~A.S).nvals, A.T.new(name="B").name
    (0, 'B')
    """
    out = _empty_like(self, dtype, name)
    out.update(self, mask=mask, **hints)
    return out


def dup(
    self: Operand,
    dtype: Any = None,
    *,
    clear: bool = False,
    mask: Any = None,
    name: str | None = None,
    **hints: Any,
) -> Any:
    """A copy that shares nothing, perhaps of another dtype, perhaps only where a mask admits.

    Parameters
    ----------
    dtype : dtype-like, optional
        The object's own by default.
    clear : bool, optional
        Of the shape and type only, without an entry.
    mask : Mask or ndarray of bool, optional
    name : str, optional
        Shown by ``repr``.
    **hints
        As of `new`.

    Returns
    -------
    Matrix or Vector

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_dense([1, 0, 2])
    >>> v.dup(float, mask=v.V).to_dict()
    {0: 1.0, 2: 2.0}
    >>> v.dup(clear=True).nvals
    0
    """
    if clear:
        return _empty_like(self, dtype, name)
    return self.new(dtype, mask=mask, name=name, **hints)


def _empty_like(self: Operand, dtype: Any, name: str | None) -> Any:
    make: Any = classes.Vector if self.ndim == 1 else classes.Matrix
    kind = self.dtype if dtype is None else dtype
    out = make(kind, *self.shape, name=name, device=self.device)
    out._bound = self._bound
    return out
