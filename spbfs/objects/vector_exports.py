"""Vectors as what others understand: NumPy arrays and dictionaries."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.exceptions import InvalidValue
from spbfs.objects.arithmetic import Arithmetic
from spbfs.objects.checks import to_scalar
from spbfs.objects.gpu_arrays import own_array
from spbfs.objects.operand import scalar_operand
from spbfs.operators.dtypes import lookup_dtype, scalar_dtype, unify

__all__ = ["VectorExports", "fill_dense"]


class VectorExports(Arithmetic):
    """What a vector can be turned into outside of the algebra."""

    __slots__ = ()

    ndim = 1

    @property
    def size(self) -> int:
        """Number of elements, stored or not."""
        return self.shape[0]

    def to_coo(
        self, dtype: Any = None, *, sort: bool = True, device: str = "cpu"
    ) -> tuple[Any, Any]:
        """Indices (int64) and values of the stored entries, as arrays of one's own, in order.

        Parameters
        ----------
        dtype : dtype-like, optional
            Of the values; their own by default.
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
        indices, values = self._entries(engine)
        kind = self.dtype if dtype is None else lookup_dtype(dtype)
        return (
            own_array(engine, indices, np.int64, device),
            own_array(engine, values, kind.np_type, device),
        )

    def to_dict(self) -> dict[int, Any]:
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

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """A NumPy array of all elements, absent ones replaced.

        Parameters
        ----------
        fill_value : number, optional
            Stands for absent elements; needed where there are any.
        dtype : dtype-like, optional
            By default that of the vector, or one that holds `fill_value`, too.

        Returns
        -------
        numpy.ndarray
            Of length ``self.size``.

        Raises
        ------
        InvalidValue
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
            return values.astype(target.np_type)
        return fill_dense(self.shape, target, fill_value, dtype is None, (indices,), values)

    # -- to whoever speaks the protocols of GPU arrays -----------------------------------------
    @property
    def _shares_values(self) -> bool:
        """Whether this is a vector on the GPU that has every element."""
        return self.device == "cuda" and self._ready().form == "full"

    @property
    def _shared_values(self) -> Any:
        """Its values, one element of memory each: who has them may write to them."""
        engine: Any = self._engine
        return engine.writable(self._ready()).values

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if not self._shares_values:
            # As of an object without one.
            raise AttributeError("only a vector on the GPU that has every element is an array")
        interface: dict[str, Any] = self._shared_values.__cuda_array_interface__
        return interface

    def __dlpack__(self, **options: Any) -> Any:
        """The values, shared, of a vector on the GPU that has every element."""
        if not self._shares_values:
            raise BufferError("only a vector on the GPU that has every element is an array")
        return self._shared_values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The GPU that the values are on, the host where they are not shared."""
        if not self._shares_values:
            return (1, 0)
        device: tuple[int, int] = self._ready().values.__dlpack_device__()
        return device


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
        raise InvalidValue(
            "fill_value: elements are absent, so a dense array needs a value for them; got None"
        )
    fill = scalar_operand(fill_value, "fill_value")
    if widen and scalar_dtype(fill).is_float and not dtype.is_float:
        dtype = unify(dtype, scalar_dtype(fill))
    require_bytes(int(np.prod(shape, dtype=object)) * dtype.np_type.itemsize, "to_dense: the array")
    out = np.full(shape, to_scalar(fill, dtype, "fill_value"), dtype.np_type)
    out[where] = values
    return out
