"""The operations of everything that stands for a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import as_index, as_offset
from spbfs.objects.indexing import Index, resolve
from spbfs.objects.matrix_products import MatrixProducts
from spbfs.storage.entries import matrix_entries

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.scalar_expression import ScalarExpression
    from spbfs.objects.vector import Vector

__all__ = ["MatrixOperand"]


class MatrixOperand(MatrixProducts):
    """Operations of `Matrix`, of its transposed view and of delayed matrices."""

    __slots__ = ()

    ndim = 2

    @typed_refusals
    def _entries(self, engine: Any) -> tuple[Any, Any, Any]:
        return matrix_entries(self._ready())

    # -- reductions ------------------------------------------------------------------------------
    def _reduce_vector(self, operation: str, operand: MatrixOperand, op: Any) -> Any:
        name, monoid, values = self._reduction(op)
        from spbfs.objects.expression import delayed

        return delayed(
            f"{operation} {name}",
            (self,),
            (operand.nrows,),
            monoid.dtype,
            lambda b, mask, hints: b.reduce_rowwise(values(b, operand._ready()), monoid),
        )

    def reduce_rowwise(self, op: Any = "plus") -> Any:
        """Every row summed by a monoid, delayed; empty rows give no entry.

        Parameters
        ----------
        op : monoid or name, optional
            ``plus`` by default; ``"count"`` counts the entries: the out-degrees of a graph.

        Returns
        -------
        VectorExpression
            Of size ``self.nrows``.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 2], [0, 1, 1], [5, 2, 3])
        >>> A.reduce_rowwise("max").new().to_dict(), A.reduce_rowwise("count").new().to_dict()
        ({0: 5, 2: 3}, {0: 2, 2: 1})
        """
        return self._reduce_vector("reduce_rowwise", self, op)

    def reduce_columnwise(self, op: Any = "plus") -> Any:
        """Every column summed by a monoid, delayed; empty columns give no entry.

        Parameters
        ----------
        op : monoid or name, optional
            ``plus`` by default; ``"count"`` counts the entries: the in-degrees of a graph.

        Returns
        -------
        VectorExpression
            Of size ``self.ncols``.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 2], [0, 1, 1], [5, 2, 3])
        >>> A.reduce_columnwise().new().to_dict()
        {0: 5, 1: 5}
        """
        return self._reduce_vector("reduce_columnwise", self.T, op)

    def reduce_scalar(self, op: Any = "plus", *, allow_empty: bool = True) -> ScalarExpression:
        """All stored values summed by a monoid, delayed.

        Parameters
        ----------
        op : monoid or name, optional
            ``plus`` by default; ``"count"`` counts the entries.
        allow_empty : bool, optional
            Whether a matrix without entries gives an empty Scalar (else the monoid's identity).

        Returns
        -------
        ScalarExpression

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 2], [0, 1], [5, 3])
        >>> A.reduce_scalar().value, A.reduce_scalar("min").value
        (8, 3)
        """
        return self._reduce_scalar(op, allow_empty)

    # -- parts -----------------------------------------------------------------------------------
    def __getitem__(self, key: Any) -> Any:
        return self._extract(*resolve(key, self.shape, self.device))

    def _element(self, row: int, column: int) -> Any:
        """The value at one position as a host scalar, or None."""
        engine = self._engine
        part = engine.extract_matrix(
            self._ready(), engine.asarray(np.array([row])), engine.asarray(np.array([column]))
        )
        return engine.to_numpy(part.values)[0] if part.nvals else None

    def _extract(self, rows: Index, columns: Index) -> Any:
        if rows.is_int and columns.is_int:
            from spbfs.objects.scalar_expression import ScalarExpression

            assert rows.array is not None
            assert columns.array is not None
            i, j = int(rows.array[0]), int(columns.array[0])
            return ScalarExpression(
                "extract element", self, self.dtype, lambda b: self._element(i, j)
            )
        from spbfs.objects.expression import delayed

        shape = tuple(x.length for x in (rows, columns) if not x.is_int)
        run = extract_matrix(self, rows, columns)
        return delayed("extract", (self,), shape, self.dtype, run)

    def get(self, row: Any, col: Any, default: Any = None) -> Any:
        """The value at one position as a Python number.

        Parameters
        ----------
        row, col : int
            Negative ones count from the end.
        default : optional
            What to return where nothing is stored.

        Returns
        -------
        number

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 2], [0, 1], [5, 3])
        >>> A.get(-1, -1), A.get(1, 1), A.get(1, 1, default=0)
        (3, None, 0)
        """
        i = as_index(row, self.nrows, "row", negative=True)
        j = as_index(col, self.ncols, "col", negative=True)
        value = self._element(i, j)
        return default if value is None else value.item()

    def __contains__(self, key: Any) -> bool:
        rows, columns = resolve(key, self.shape, self.device)
        if not (rows.is_int and columns.is_int):
            raise DomainMismatch(f"index: expected (row, column) in A, got {key!r}")
        return bool(self._extract(rows, columns).compute() is not None)

    def __iter__(self) -> Any:
        rows, columns, _ = self.to_coo()
        return iter(zip(rows.tolist(), columns.tolist(), strict=True))

    def __len__(self) -> int:
        return self.nvals

    def diag(self, k: int = 0) -> Vector:
        """A diagonal as a Vector.

        Parameters
        ----------
        k : int, optional
            Above the main diagonal, or below it when negative.

        Returns
        -------
        Vector
            As long as that diagonal; as ``numpy.diag``.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [5, 2, 3])
        >>> A.diag().to_dict(), A.diag(1).to_dict()
        ({0: 5, 1: 3}, {0: 2})
        """
        from spbfs.objects.vector import Vector

        data = self._engine.diag_vector(self._ready(), as_offset(k, "k"))
        return Vector._from_data(data, self.device)

    def new(self, dtype: Any = None, *, mask: Any = None) -> Matrix:
        """A Matrix of its own with these entries.

        Parameters
        ----------
        dtype : dtype-like, optional
            The operand's own by default.
        mask : Mask or ndarray of bool, optional
            Only where it admits.

        Returns
        -------
        Matrix
        """
        raise NotImplementedError


def extract_matrix(A: MatrixOperand, rows: Index, columns: Index) -> Any:
    """The run function of ``A[rows, columns]``; one integer makes a vector of it."""

    def run(engine: Any, mask: Any, hints: Any) -> Any:
        data = A._ready()
        if rows.is_int or columns.is_int:
            # A column is a row of the transpose, which the matrix keeps.
            one, many = (rows, columns) if rows.is_int else (columns, rows)
            data = data if rows.is_int else engine.transpose(data)
            part = engine.extract_matrix(data, *(_on(engine, x) for x in (one, many)))
            return engine.build_vector(
                many.length, part.indices.astype(np.int64), part.values, None
            )
        return engine.extract_matrix(data, _on(engine, rows), _on(engine, columns))

    return run


def _on(engine: Any, index: Index) -> Any:
    return None if index.array is None else engine.asarray(index.array)
