"""Objects of their own, made from whatever stands for a matrix or a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.engines.protocol import NO_HINTS
from spbfs.objects.checks import as_flag
from spbfs.objects.classes import classes
from spbfs.objects.mask import as_mask
from spbfs.objects.placement.devices import common_engine
from spbfs.objects.placement.sharing import own_storage
from spbfs.operators.dtypes import lookup_dtype

if TYPE_CHECKING:
    from spbfs.objects.labels import Labels
    from spbfs.objects.operands.operand import Operand
    from spbfs.operators.dtypes import DType

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
    kind = self.dtype if dtype is None else lookup_dtype(dtype)
    # Of a product only what the mask admits is computed, unless it was computed before.
    is_made = self._semiring is not None and self._result is None
    # Arrays of a matrix are never written, so that it may be its own output.
    if not hints and (is_made or mask is None or self.ndim == 2):
        out = _computed(self, is_made, mask, kind, name)
    else:
        out = _empty_like(self, kind, name)
        # Nothing is there to be kept.
        out.update(self, mask=mask, **{"replace": mask is not None} | hints)
    # Few have labels: whoever is not computed itself is looked at without a call.
    for operand in self.operands or (self,):
        if (
            operand.operands
            or getattr(operand, "_labels", None) is not None
            or getattr(operand, "_value_labels", None) is not None
        ):
            out.labels = self.labels
            if _holds(out.dtype, self.value_labels):
                out._value_labels = self.value_labels
            break
    return out


def _holds(dtype: DType, called: Labels | None) -> bool:
    """Whether a type has room for the numbers of all vertices, which others then are not."""
    if called is None or not dtype.is_integer:
        return False
    return len(called) - 1 <= np.iinfo(dtype.np_type).max


@typed_refusals
def _computed(self: Operand, is_made: bool, mask: Any, dtype: DType, name: str | None) -> Any:
    """An object around what an operand is computed to, which is its own where it `is_made` anew."""
    involved: Any = self.operands or (self,)
    admitted = None
    if mask is not None:
        mask = as_mask(mask)
        mask.check_shape(self.shape)
        involved = (*involved, mask.parent)
    engine = common_engine(*involved)
    if mask is not None:
        admitted = mask.resolved()
    plain = self._data is None or tracing.current() is None
    start = 0.0 if plain else tracing.clock()
    data = self.compute(engine, admitted, NO_HINTS, dtype)
    if admitted is not None and not is_made:
        data = engine.write(data, data, admitted, None, True)
    if self._data is not None and admitted is None:
        data = engine.cast(data, dtype)  # its own, which need not be found out
    elif not (is_made and data.dtype == dtype.np_type):
        data = own_storage(data, self, dtype, engine)
    if start:
        tracing.finished("dup", engine, start, data)
    make: Any = classes.Vector if self.ndim == 1 else classes.Matrix
    out = make._from_data(data, engine.name, name)
    out._bound = self._bound
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
        A plain one, as `to` and all operations make; `copy.copy`, `copy.deepcopy` and `pickle` give
        an object of a subclass with all that the subclass has added.

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_dense([1, 0, 2])
    >>> v.dup(float, mask=v.V).to_dict()
    {0: 1.0, 2: 2.0}
    >>> v.dup(clear=True).nvals
    0
    """
    if as_flag(clear, "clear"):
        made = _empty_like(self, self.dtype if dtype is None else lookup_dtype(dtype), name)
    else:
        made = self.new(dtype, mask=mask, name=name, **hints)
    if isinstance(self, classes.Matrix) and len(self.residences) > 1:
        made._on_both = True
    return made


def _empty_like(self: Operand, dtype: DType, name: str | None) -> Any:
    make: Any = classes.Vector if self.ndim == 1 else classes.Matrix
    out = make(dtype, *self.shape, name=name, device=self.device)
    out._bound = self._bound
    return out
