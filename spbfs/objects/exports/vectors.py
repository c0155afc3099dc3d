"""Vectors as what others understand: NumPy arrays and dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import as_number, as_wanted, to_scalar
from spbfs.objects.placement.gpu_arrays import own_array
from spbfs.operators.casts import cast
from spbfs.operators.dtypes import UINT64, DType, lookup_dtype, scalar_dtype, unify

if TYPE_CHECKING:
    from spbfs.objects.operands.vector_operand import VectorOperand

__all__ = ["fill_dense", "to_coo", "to_dense", "to_dict"]


def to_coo(
    self: VectorOperand,
    dtype: Any = None,
    *,
    indices: bool = True,
    values: bool = True,
    sort: bool = True,
    device: str = "cpu",
) -> tuple[Any, Any]:
    """Indices (int64) and values of the stored entries, as arrays of one's own, in order.

    Parameters
    ----------
    dtype : dtype-like, optional
        Of the values; their own by default.
    indices, values : bool, optional
        Which of the two to make; in place of the other there is None.
    sort : bool, optional
        Entries come sorted whether asked or not.
    device : {"cpu", "cuda"}, optional
        Where the arrays are to be, whatever the vector's device.

    Returns
    -------
    tuple of two numpy.ndarray or cupy.ndarray

    Examples
    --------
    >>> import spbfs as sb
    >>> [a.tolist() for a in sb.Vector.from_coo([2, 0], [6, 4]).to_coo()]
    [[0, 2], [4, 6]]
    """
    engine = self._engine
    i, x = self._entries(engine)
    kind = self.dtype if dtype is None else lookup_dtype(dtype)
    indices, values = as_wanted(indices, "indices"), as_wanted(values, "values")
    return (
        own_array(engine, i, np.int64, device) if indices else None,
        own_array(engine, x, kind.np_type, device) if values else None,
    )


def to_dict(self: VectorOperand) -> dict[int, Any]:
    """Stored entries as ``{index: value}``.

    Returns
    -------
    dict

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.Vector.from_coo([2, 0], [6, 4]).to_dict()
    {0: 4, 2: 6}
    """
    indices, values = self.to_coo()
    return dict(zip(indices.tolist(), values.tolist(), strict=True))


def to_dense(self: VectorOperand, fill_value: Any = None, dtype: Any = None) -> Any:
    """A NumPy array of all elements, absent ones replaced.

    Parameters
    ----------
    fill_value : number, optional
        Stands for absent elements; needed where there are any.
    dtype : dtype-like, optional
        By default one that holds the vector's values and `fill_value`, whose type counts: INT64
        for Python's integers.

    Returns
    -------
    numpy.ndarray
        Of length ``self.size``.

    Raises
    ------
    DomainMismatch
        When elements are absent and no `fill_value` is given.
    OutOfMemory
        When the array cannot fit.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.Vector.from_coo([2, 0], [6, 4]).to_dense(-1)
    array([ 4, -1,  6])
    """
    indices, values = self.to_coo()
    target = self.dtype if dtype is None else lookup_dtype(dtype)
    if indices.shape[0] == self.size:
        return cast(np, values, target.np_type)
    return fill_dense(self.shape, target, fill_value, dtype is None, (indices,), values)


@typed_refusals
def fill_dense(
    shape: tuple[int, ...],
    dtype: Any,
    fill_value: Any,
    widen: bool,
    where: tuple[Any, ...],
    values: Any,
) -> Any:
    """A dense array of `fill_value` with `values` put at `where`."""
    if fill_value is None:
        raise DomainMismatch(
            "fill_value: elements are absent, so a dense array needs a value for them; got None"
        )
    fill = as_number(fill_value, "fill_value")
    if widen:
        dtype = _type_of_both(dtype, fill)
    require_bytes(int(np.prod(shape, dtype=object)) * dtype.np_type.itemsize, "to_dense: the array")
    out = np.full(shape, to_scalar(fill, dtype, "fill_value"), dtype.np_type)
    out[where] = cast(np, values, dtype.np_type)
    return out


def _type_of_both(dtype: DType, fill: Any) -> DType:
    """The type of a dense array: that of the values unified with that of what fills the gaps."""
    if dtype is UINT64 and isinstance(fill, int) and fill >= 0:
        return dtype  # FP64, which UINT64 and INT64 unify to, would round
    return unify(dtype, scalar_dtype(fill, "fill_value"))
