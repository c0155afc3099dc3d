"""The operations of everything that stands for a vector."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.exceptions import DimensionMismatch, DomainMismatch
from spbfs.objects.checks import as_index, as_offset, as_size
from spbfs.objects.indexing import Index, resolve
from spbfs.objects.operand import common_engine
from spbfs.objects.vector_exports import VectorExports
from spbfs.operators import lookup
from spbfs.storage.entries import column_matrix, row_matrix, vector_entries

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.scalar_expression import ScalarExpression
    from spbfs.objects.vector import Vector

__all__ = ["VectorOperand"]


@cache
def _matrix_class() -> Any:
    from spbfs.objects.matrix_products import MatrixProducts

    return MatrixProducts


class VectorOperand(VectorExports):
    """Operations of `Vector` and of delayed vectors."""

    __slots__ = ()

    ndim = 1

    @typed_refusals
    def _entries(self, engine: Any) -> tuple[Any, Any]:
        return vector_entries(self._ready())

    # -- products ------------------------------------------------------------------------------
    def vxm(self, other: Any, op: Any = "plus_times") -> Any:
        """``u A``: the vector as a row times a matrix, delayed.

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
            that the mask admits (pull), whichever is less work; ``w(direction="push") << ...``
            decides for it.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3])
        >>> sb.Vector.from_dense([10, 1]).vxm(A).new().to_dict()
        {0: 10, 1: 23}
        """
        if not isinstance(other, _matrix_class()):
            raise DomainMismatch(f"other: expected a matrix, got {type(other).__name__}")
        if other.nrows != self.size:
            raise DimensionMismatch(
                f"other: expected {self.size} rows to match the vector, got shape {other.shape}"
            )
        return lookup.as_semiring(op)(self @ other)

    def inner(self, other: Any, op: Any = "plus_times") -> ScalarExpression:
        """The inner product with another vector, delayed.

        Parameters
        ----------
        other : Vector
            Of the same size.
        op : semiring or name, optional
            ``plus_times`` by default.

        Returns
        -------
        ScalarExpression
            Empty where no index is stored in both.

        Examples
        --------
        >>> import spbfs as sb
        >>> u, v = sb.Vector.from_dense([1, 2, 3]), sb.Vector.from_coo([0, 2], [10, 1])
        >>> u.inner(v).value, u.inner(v, "min_plus").value
        (13, 4)
        """
        from spbfs.objects.scalar_expression import ScalarExpression

        self._same_shape(other)
        semiring = lookup.as_semiring(op).resolve(self.dtype, other.dtype)

        def run(_: Any) -> Any:
            engine = common_engine(self, other)
            products = engine.ewise_mult(self._ready(), other._ready(), semiring.multiply)
            return engine.reduce(products, semiring.add)

        return ScalarExpression(f"inner {semiring.op.name}", self, semiring.out_type, run)

    def outer(self, other: Any, op: Any = "times") -> Any:
        """The matrix of ``op(self[i], other[j])``, delayed.

        Parameters
        ----------
        other : Vector
        op : binary operator, monoid or name, optional
            ``times`` by default.

        Returns
        -------
        MatrixExpression
            Of shape ``(self.size, other.size)``; as ``numpy.outer`` where both are full.

        Examples
        --------
        >>> import spbfs as sb
        >>> u = sb.Vector.from_dense([1, 2])
        >>> u.outer(u, "plus").new().to_dense()
        array([[2, 3],
               [3, 4]])
        """
        if not isinstance(other, VectorOperand):
            raise DomainMismatch(f"other: expected a vector, got {type(other).__name__}")
        typed = self._binary(op, other)
        from spbfs.objects.expression import delayed

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
            ``plus`` by default; ``"count"`` counts the entries.
        allow_empty : bool, optional
            Whether an empty vector gives an empty Scalar (else the monoid's identity).

        Returns
        -------
        ScalarExpression

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_coo([0, 2], [4, 6])
        >>> v.reduce().value, v.reduce("max").value
        (10, 6)
        >>> sb.Vector(int, 3).reduce(allow_empty=False).value
        0
        """
        return self._reduce_scalar(op, allow_empty)

    # -- parts -----------------------------------------------------------------------------------
    def __getitem__(self, key: Any) -> Any:
        (index,) = resolve(key, self.shape, self.device)
        return self._extract(index)

    def _element(self, index: int) -> Any:
        """The value at `index` as a host scalar, or None."""
        engine = self._engine
        part = engine.extract_vector(self._ready(), engine.asarray(np.array([index])))
        _, values = vector_entries(part)
        return engine.to_numpy(values)[0] if values.shape[0] else None

    def _extract(self, index: Index) -> Any:
        if index.is_int:
            from spbfs.objects.scalar_expression import ScalarExpression

            assert index.array is not None
            position = int(index.array[0])
            return ScalarExpression(
                "extract element", self, self.dtype, lambda b: self._element(position)
            )
        from spbfs.objects.expression import delayed

        return delayed("extract", (self,), (index.length,), self.dtype, extract_vector(self, index))

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
        value = self._element(as_index(index, self.size, "index", negative=True))
        return default if value is None else value.item()

    def __contains__(self, index: Any) -> bool:
        return self.get(index) is not None

    def __iter__(self) -> Any:
        indices, _ = self._entries(self._engine)
        return iter(self._engine.to_numpy(indices).tolist())

    def __len__(self) -> int:
        return self.nvals

    def diag(self, k: int = 0) -> Matrix:
        """The square matrix with this vector on a diagonal.

        Parameters
        ----------
        k : int, optional
            Above the main diagonal, or below it when negative.

        Returns
        -------
        Matrix
            With ``self.size + abs(k)`` rows; as ``numpy.diag``.

        Examples
        --------
        >>> import spbfs as sb
        >>> sb.Vector.from_dense([5, 6]).diag(1).to_dicts()
        {0: {1: 5}, 1: {2: 6}}
        """
        from spbfs.objects.matrix import Matrix

        offset = as_offset(k, "k")
        side = as_size(self.size + abs(offset), "k")
        require_bytes(8 * (side + 1), f"k: a matrix of {side} rows")
        data = self._engine.diag_matrix(self._ready(), offset)
        return Matrix._from_data(data, self.device)

    def new(self, dtype: Any = None, *, mask: Any = None) -> Vector:
        """A Vector of its own with these entries.

        Parameters
        ----------
        dtype : dtype-like, optional
            The operand's own by default.
        mask : Mask or ndarray of bool, optional
            Only where it admits.

        Returns
        -------
        Vector
        """
        raise NotImplementedError


def extract_vector(u: VectorOperand, index: Index) -> Any:
    """The run function of ``u[index]``."""

    def run(engine: Any, mask: Any, hints: Any) -> Any:
        array = None if index.array is None else engine.asarray(index.array)
        return engine.extract_vector(u._ready(), array)

    return run
