"""The sparse vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.engines import get_engine
from spbfs.engines.protocol import MaskData
from spbfs.exceptions import DomainMismatch, OutputNotEmpty
from spbfs.objects.checks import as_flag, as_size
from spbfs.objects.constructors import vectors
from spbfs.objects.constructors.entries_to_storage import vector_of_entries
from spbfs.objects.display.formatting import format_vector, vector_html
from spbfs.objects.display.makers import dtype_of_empty
from spbfs.objects.exports import arrow_tables, tables
from spbfs.objects.labels import Labels
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.objects.placement.devices import check_device, on_device, placed
from spbfs.objects.placement.parts import to_file
from spbfs.objects.placement.sharing import is_read, unshare_flags
from spbfs.objects.stored_object import StoredObject
from spbfs.objects.waiting import drop
from spbfs.operators.dtypes import DType
from spbfs.storage.data import VectorData
from spbfs.storage.entries import take

__all__ = ["Vector"]


class Vector(StoredObject, VectorOperand):
    """A sparse vector of one dtype.

    Parameters
    ----------
    dtype : dtype-like, optional
        ``bool``, ``int``, ``float``, a NumPy dtype or a name such as ``"INT32"``; FP64 by default.
    size : int, optional
        Number of elements, stored or not.
    name : str, optional
        Shown by ``repr``.
    device : {"cpu", "cuda", "reference"}, optional
        Where it lives; without one an empty vector follows the first operands it meets.

    Examples
    --------
    >>> from spbfs import Vector
    >>> v = Vector(int, 5)
    >>> v[3] = 7
    >>> v.nvals, v.to_dict()
    (1, {3: 7})
    """

    __slots__ = ()

    def __init__(
        self,
        dtype: Any = "FP64",
        size: Any = 0,
        *,
        name: str | None = None,
        device: str | None = None,
    ) -> None:
        kind = dtype_of_empty(dtype, "Vector(float, 3)")
        length = as_size(size, "size")
        where = "cpu" if device is None else check_device(device)
        super().__init__(_empty(length, kind, where), kind, where, device is not None, name)

    @property
    def nvals(self) -> int:
        """Number of stored entries."""
        data = self._ready() if self._pending else self._data
        counted: int = data.counted
        return counted if counted >= 0 else self._engine.nvals(data)

    from_coo = classmethod(vectors.from_coo)
    from_pairs = classmethod(vectors.from_pairs)
    from_dict = classmethod(vectors.from_dict)
    from_scalar = classmethod(vectors.from_scalar)
    from_dense = classmethod(vectors.from_dense)
    to_pandas = tables.to_pandas
    __arrow_c_stream__ = arrow_tables.vector_stream
    to_file = to_file

    @property
    def value_labels(self) -> Labels | None:
        """What the values are called, where they are vertices of a graph that has names; else None.

        Parents, components and communities have them from algorithms over a matrix with labels.
        Copies, and what is selected or extracted, keep them; whatever is written ends them.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 2], [1, 2], True, nrows=3, ncols=3)
        >>> A.labels = ["ann", "bob", "eve"]
        >>> sb.components(A).to_pandas().to_dict()
        {'ann': 'ann', 'bob': 'ann', 'eve': 'eve'}
        """
        return self._value_labels

    @value_labels.setter
    def value_labels(self, labels: Any) -> None:
        if labels is not None:
            labels = labels if isinstance(labels, Labels) else Labels(labels)
            if not self.dtype.is_integer:
                raise DomainMismatch(
                    f"value_labels: expected None for values that are no vertices, but {self.dtype}"
                )
        self._value_labels = labels

    # -- changing ------------------------------------------------------------------------------
    def clear(self) -> None:
        """Remove all entries; size and dtype stay."""
        drop(self, _empty(self.size, self.dtype, self.device))

    def resize(self, size: Any) -> None:
        """Change the size; entries beyond it are dropped.

        Parameters
        ----------
        size : int

        Examples
        --------
        >>> from spbfs import Vector
        >>> v = Vector.from_dense([5, 0, 7])
        >>> v.resize(2)
        >>> v.to_dict()
        {0: 5, 1: 0}
        """
        length = as_size(size, "size")
        engine, start = self._engine, tracing.clock()
        indices, values = self._entries(engine)
        kept = np.flatnonzero(indices < length)
        self._hold(engine.build_vector(length, indices[kept], take(values, kept), None))
        if start:
            tracing.finished("resize", engine, start, self._data)

    def build(
        self,
        indices: Any,
        values: Any = 1.0,
        *,
        dup_op: Any = None,
        clear: bool = False,
        size: Any = None,
    ) -> None:
        """Fill an empty vector as `from_coo` does, its dtype kept.

        Parameters
        ----------
        indices, values, dup_op : optional
            As for `from_coo`.
        clear : bool, optional
            Whether entries that are there may go.
        size : int, optional
            The vector's own by default.

        Raises
        ------
        OutputNotEmpty
            When there are entries and `clear` is false.

        Examples
        --------
        >>> from spbfs import Vector
        >>> v = Vector(float, 4)
        >>> v.build([0, 3], [1, 2])
        >>> v.to_dict()
        {0: 1.0, 3: 2.0}
        """
        if not as_flag(clear, "clear") and self.nvals:
            raise OutputNotEmpty(f"build: the vector has {self.nvals} entries; give clear=True")
        limit = self.size if size is None else size
        engine, start = self._engine, tracing.clock()
        self._hold(vector_of_entries(engine, indices, values, self.dtype, limit, dup_op))
        if start:
            tracing.finished("build", engine, start, self._data)

    @typed_refusals
    def _apply_pending(self) -> None:
        engine = self._engine
        # What is written in place must not change under another thread, which may have counted it.
        if isinstance(self._data, VectorData) and is_read(self):
            self._data = engine.copy(self._data)
        data = self._data
        unshare_flags(data)
        deleted = [i for i, x in self._pending.items() if x is None]
        if deleted:
            gone = self._storage_of(deleted, np.ones(len(deleted), np.bool_))
            data = engine.write(data, data, MaskData(gone, True, True), None, True)
        stored = {i: x for i, x in self._pending.items() if x is not None}
        if stored:
            new = self._storage_of(list(stored), np.array([*stored.values()], self.dtype.np_type))
            if isinstance(data, VectorData) and data.indices is not None and not data.indices.size:
                data = new
            else:
                data = engine.write(data, new, MaskData(new, True), None, False)
        self._data = data

    def _storage_of(self, indices: list[int], values: Any) -> VectorData:
        engine, at = self._engine, np.array(indices, np.int64)
        if engine.spread is not None:
            # A rank reads what it has set when it likes.
            return engine.spread.keep(get_engine("cpu").build_vector(self.size, at, values, None))
        return engine.build_vector(self.size, engine.asarray(at), engine.asarray(values), None)

    def __repr__(self) -> str:
        return format_vector(self)

    def _repr_html_(self) -> str:
        return vector_html(self)


def _empty(size: int, dtype: DType, device: str) -> Any:
    arrays: list[Any] = [np.empty(0, dtype.np_type), np.empty(0, np.int64)]
    if device == "cuda":
        arrays = [on_device(a, device) for a in arrays]
    return placed(VectorData(size, *arrays), device)
