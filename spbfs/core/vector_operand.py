"""The operations of everything that stands for a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.core.arithmetic import Arithmetic
from spbfs.core.checks import as_index, as_offset, as_size, scalar_dtype, to_scalar
from spbfs.core.dtypes import lookup_dtype, unify
from spbfs.core.entries import column_matrix, row_matrix, vector_entries
from spbfs.core.indexing import Index, resolve
from spbfs.core.memory import require_bytes
from spbfs.core.operand import common_backend, scalar_operand
from spbfs.core.operators import lookup
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue

if TYPE_CHECKING:
    from spbfs.core.matrix import Matrix
    from spbfs.core.scalar import ScalarExpression
    from spbfs.core.vector import Vector

__all__ = ["VectorOperand"]


class VectorOperand(Arithmetic):
    """Operations of `Vector` and of delayed vectors."""

    __slots__ = ()

    ndim = 1

    @property
    def size(self) -> int:
        """Number of elements, stored or not."""
        return self.shape[0]

    def _entries(self, backend: Any) -> tuple[Any, Any]:
        return vector_entries(self._ready())

    # -- products ------------------------------------------------------------------------------
    def vxm(self, other: Any, op: Any = "plus_times") -> Any:
        """``u A``: the vector as a row times a matrix.

        Parameters
        ----------
        other : Matrix
            ``self.size x n``.
        op : semiring or name, optional
            ``plus_times`` by default.

        Returns
        -------
        VectorExpression
            Of size n.  The engine expands the entries of the vector (push) or scans the columns
            that the mask admits (pull), whichever is less work; ``C(direction="push") << ...``
            decides for it.
        """
        from spbfs.core.matrix_operand import MatrixOperand, vector_product

        if not isinstance(other, MatrixOperand):
            raise DomainMismatch(f"other: expected a matrix, got {type(other).__name__}")
        if other.nrows != self.size:
            raise DimensionMismatch(
                f"other: expected {self.size} rows to match the vector, got shape {other.shape}"
            )
        return vector_product("vxm", other, self, op, vector_first=True)

    def inner(self, other: Any, op: Any = "plus_times") -> ScalarExpression:
        """The inner product with another vector of the same size, delayed."""
        from spbfs.core.scalar import ScalarExpression

        self._same_shape(other)
        semiring = lookup.as_semiring(op).resolve(self.dtype, other.dtype)

        def run(_: Any) -> Any:
            backend = common_backend(self, other)
            products = backend.ewise_mult(self._ready(), other._ready(), semiring.multiply)
            return backend.reduce(products, semiring.add)

        return ScalarExpression(f"inner {semiring.op.name}", self, semiring.out_type, run)

    def outer(self, other: Any, op: Any = "times") -> Any:
        """The matrix of ``op(self[i], other[j])``, delayed."""
        if not isinstance(other, VectorOperand):
            raise DomainMismatch(f"other: expected a vector, got {type(other).__name__}")
        typed = self._binary(op, other)
        from spbfs.core.expression import delayed

        return delayed(
            f"outer {typed.op.name}",
            (self, other),
            (self.size, other.size),
            typed.out_type,
            lambda b, mask, hints: b.kronecker(
                column_matrix(self._ready(), b), row_matrix(other._ready()), typed
            ),
        )

    def reduce(self, op: Any = "plus", *, allow_empty: bool = True) -> ScalarExpression:
        """All stored values summed by a monoid, delayed.

        Parameters
        ----------
        op : monoid or name, optional
            ``plus`` by default.
        allow_empty : bool, optional
            Whether an empty vector gives an empty Scalar (else the monoid's identity).
        """
        return self._reduce_scalar(op, allow_empty)

    # -- parts -----------------------------------------------------------------------------------
    def __getitem__(self, key: Any) -> Any:
        (index,) = resolve(key, self.shape)
        return self._extract(index)

    def _element(self, index: int) -> Any:
        """The value at `index` as a host scalar, or None."""
        backend = self._backend
        part = backend.extract_vector(self._ready(), backend.asarray(np.array([index])))
        _, values = vector_entries(part)
        return backend.to_numpy(values)[0] if values.shape[0] else None

    def _extract(self, index: Index) -> Any:
        if index.is_int:
            from spbfs.core.scalar import ScalarExpression

            assert index.array is not None
            position = int(index.array[0])
            return ScalarExpression(
                "extract element", self, self.dtype, lambda b: self._element(position)
            )
        from spbfs.core.expression import delayed

        return delayed("extract", (self,), (index.length,), self.dtype, extract_vector(self, index))

    def get(self, index: Any, default: Any = None) -> Any:
        """The value at `index` as a Python number, or `default` where nothing is stored."""
        value = self._element(as_index(index, self.size, "index", negative=True))
        return default if value is None else value.item()

    def __contains__(self, index: Any) -> bool:
        return self.get(index) is not None

    def __iter__(self) -> Any:
        indices, _ = self._entries(self._backend)
        return iter(self._backend.to_numpy(indices).tolist())

    def __len__(self) -> int:
        return self.nvals

    def diag(self, k: int = 0) -> Matrix:
        """The square matrix with this vector on its k-th diagonal."""
        from spbfs.core.matrix import Matrix

        offset = as_offset(k, "k")
        side = as_size(self.size + abs(offset), "k")
        require_bytes(8 * (side + 1), f"k: a matrix of {side} rows")
        data = self._backend.diag_matrix(self._ready(), offset)
        return Matrix._from_data(data, self.device)

    # -- out of the algebra ------------------------------------------------------------------
    def to_coo(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any]:
        """Indices (int64) and values of the stored entries, as NumPy arrays in order.

        Parameters
        ----------
        dtype : dtype-like, optional
            Of the values; their own by default.
        sort : bool, optional
            Entries come sorted whether asked or not.
        """
        backend = self._backend
        indices, values = self._entries(backend)
        out = backend.to_numpy(values)
        if dtype is not None:
            out = out.astype(lookup_dtype(dtype).np_type)
        return np.array(backend.to_numpy(indices)), np.array(out)

    def to_dict(self) -> dict[int, Any]:
        """Stored entries as ``{index: value}``."""
        indices, values = self.to_coo()
        return dict(zip(indices.tolist(), values.tolist(), strict=True))

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """A NumPy array of all elements, absent ones replaced by `fill_value`.

        Raises
        ------
        InvalidValue
            When elements are absent and no `fill_value` is given.
        """
        indices, values = self.to_coo()
        target = self.dtype if dtype is None else lookup_dtype(dtype)
        if indices.shape[0] == self.size:
            return values.astype(target.np_type)
        return fill_dense(self.shape, target, fill_value, dtype is None, (indices,), values)

    def new(self, dtype: Any = None, *, mask: Any = None) -> Vector:
        raise NotImplementedError


def extract_vector(u: VectorOperand, index: Index) -> Any:
    """The run function of ``u[index]``."""

    def run(backend: Any, mask: Any, hints: Any) -> Any:
        array = None if index.array is None else backend.asarray(index.array)
        return backend.extract_vector(u._ready(), array)

    return run


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
