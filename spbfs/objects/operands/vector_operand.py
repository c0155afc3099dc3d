"""What stands for a vector: stored or delayed."""

from __future__ import annotations

from typing import Any

from spbfs.base.memory import typed_refusals
from spbfs.objects.checks import as_one_index
from spbfs.objects.exports import vectors
from spbfs.objects.operands.operand import Operand
from spbfs.objects.operations import (
    columns,
    diagonals,
    extraction,
    products,
    reductions,
    reposition,
)
from spbfs.storage.entries import vector_entries

__all__ = ["VectorOperand"]


class VectorOperand(Operand):
    """Operations of `Vector` and of delayed vectors."""

    __slots__ = ()

    ndim = 1

    @property
    def size(self) -> int:
        """Number of elements, stored or not."""
        return self.shape[0]

    @typed_refusals
    def _entries(self, engine: Any) -> tuple[Any, Any]:
        return vector_entries(self._ready())

    _as_matrix = columns.as_column
    vxm = products.vxm
    inner = products.inner
    outer = products.outer
    reduce = reductions.reduce
    diag = diagonals.diagonal_matrix
    reposition = reposition.reposition_vector
    to_coo = vectors.to_coo
    to_dict = vectors.to_dict
    to_dense = vectors.to_dense

    # -- rows and elements -----------------------------------------------------------------------
    def get(self, index: Any, default: Any = None) -> Any:
        """The value at one index as a Python number.

        Parameters
        ----------
        index : int
            A negative one counts from the end.
        default : optional
            What to return where nothing is stored.

        Returns
        -------
        number

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_coo([0, 2], [4, 6])
        >>> v.get(-1), v.get(1), v.get(1, default=0)
        (6, None, 0)
        """
        at = as_one_index(index, self.size, "index")
        value = extraction.vector_element(self, at)
        return default if value is None else value.item()

    def __contains__(self, index: Any) -> bool:
        return self.get(index) is not None

    def __iter__(self) -> Any:
        indices, _ = self._entries(self._engine)
        return iter(self._engine.to_numpy(indices).tolist())

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
