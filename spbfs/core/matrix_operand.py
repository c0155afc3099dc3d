"""The operations of everything that stands for a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.core.arithmetic import Arithmetic
from spbfs.core.checks import as_index, as_offset
from spbfs.core.dtypes import lookup_dtype
from spbfs.core.entries import matrix_entries
from spbfs.core.indexing import Index, resolve
from spbfs.core.operators import lookup
from spbfs.core.storage import MatrixData
from spbfs.core.vector_operand import VectorOperand, fill_dense
from spbfs.exceptions import DimensionMismatch, DomainMismatch

if TYPE_CHECKING:
    from spbfs.core.matrix import Matrix
    from spbfs.core.scalar import ScalarExpression
    from spbfs.core.transposed import TransposedMatrix
    from spbfs.core.vector import Vector

__all__ = ["MatrixOperand", "vector_product"]


def vector_product(
    name: str, A: MatrixOperand, u: VectorOperand, op: Any, *, vector_first: bool
) -> Any:
    """The delayed ``A u`` or, `vector_first`, ``u A``; dimensions are checked."""
    left, right = (u.dtype, A.dtype) if vector_first else (A.dtype, u.dtype)
    semiring = lookup.as_semiring(op).resolve(left, right)
    from spbfs.core.expression import VectorExpression

    def run(backend: Any, mask: Any, hints: Any) -> Any:
        data, transposed = A._base()
        return backend.mxv(
            data,
            u._ready(),
            semiring,
            transpose=transposed != vector_first,
            vector_first=vector_first,
            mask=mask,
            hints=hints,
        )

    size = A.ncols if vector_first else A.nrows
    operands = (u, A) if vector_first else (A, u)
    return VectorExpression(
        f"{name} {semiring.op.name}", operands, (size,), semiring.out_type, run, applies_mask=True
    )


class MatrixOperand(Arithmetic):
    """Operations of `Matrix`, of its transposed view and of delayed matrices."""

    __slots__ = ()

    ndim = 2

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return self.shape[0]

    @property
    def ncols(self) -> int:
        """Number of columns."""
        return self.shape[1]

    def _base(self) -> tuple[MatrixData, bool]:
        """Storage, and whether this operand is its transpose."""
        return self._ready(), False

    def _entries(self, backend: Any) -> tuple[Any, Any, Any]:
        return matrix_entries(self._ready())

    @property
    def T(self) -> TransposedMatrix:
        """The transpose, a view: computed at first use and kept."""
        from spbfs.core.transposed import TransposedMatrix

        return TransposedMatrix(self)

    # -- products ------------------------------------------------------------------------------
    def mxm(self, other: Any, op: Any = "plus_times") -> Any:
        """``A B`` over a semiring, delayed.

        Parameters
        ----------
        other : Matrix
            With as many rows as this has columns.
        op : semiring or name, optional
            ``plus_times`` by default.
        """
        if not isinstance(other, MatrixOperand):
            raise DomainMismatch(f"other: expected a matrix, got {type(other).__name__}")
        if other.nrows != self.ncols:
            raise DimensionMismatch(
                f"other: expected {self.ncols} rows to match shape {self.shape}, "
                f"got shape {other.shape}"
            )
        semiring = lookup.as_semiring(op).resolve(self.dtype, other.dtype)
        from spbfs.core.expression import MatrixExpression

        return MatrixExpression(
            f"mxm {semiring.op.name}",
            (self, other),
            (self.nrows, other.ncols),
            semiring.out_type,
            lambda b, mask, hints: b.mxm(
                self._ready(), other._ready(), semiring, mask=mask, hints=hints
            ),
            applies_mask=True,
        )

    def mxv(self, other: Any, op: Any = "plus_times") -> Any:
        """``A u`` over a semiring, delayed; see `Vector.vxm` for push and pull."""
        if not isinstance(other, VectorOperand):
            raise DomainMismatch(f"other: expected a vector, got {type(other).__name__}")
        if other.size != self.ncols:
            raise DimensionMismatch(
                f"other: expected {self.ncols} elements to match shape {self.shape}, "
                f"got {other.size}"
            )
        return vector_product("mxv", self, other, op, vector_first=False)

    def kronecker(self, other: Any, op: Any = "times") -> Any:
        """The Kronecker product, delayed: blocks of `other` in the pattern of this matrix."""
        if not isinstance(other, MatrixOperand):
            raise DomainMismatch(f"other: expected a matrix, got {type(other).__name__}")
        typed = self._binary(op, other)
        from spbfs.core.expression import delayed

        return delayed(
            f"kronecker {typed.op.name}",
            (self, other),
            (self.nrows * other.nrows, self.ncols * other.ncols),
            typed.out_type,
            lambda b, mask, hints: b.kronecker(self._ready(), other._ready(), typed),
        )

    # -- reductions ------------------------------------------------------------------------------
    def _reduce_vector(self, operation: str, operand: MatrixOperand, op: Any) -> Any:
        name, monoid, values = self._reduction(op)
        from spbfs.core.expression import delayed

        return delayed(
            f"{operation} {name}",
            (self,),
            (operand.nrows,),
            monoid.dtype,
            lambda b, mask, hints: b.reduce_rowwise(values(b, operand._ready()), monoid),
        )

    def reduce_rowwise(self, op: Any = "plus") -> Any:
        """Every row summed by a monoid, delayed; empty rows give no entry.

        ``"count"`` counts the entries: the out-degrees of a graph.
        """
        return self._reduce_vector("reduce_rowwise", self, op)

    def reduce_columnwise(self, op: Any = "plus") -> Any:
        """Every column summed by a monoid, delayed; empty columns give no entry.

        ``"count"`` counts the entries: the in-degrees of a graph.
        """
        return self._reduce_vector("reduce_columnwise", self.T, op)

    def reduce_scalar(self, op: Any = "plus", *, allow_empty: bool = True) -> ScalarExpression:
        """All stored values summed by a monoid, delayed; see `Vector.reduce`."""
        return self._reduce_scalar(op, allow_empty)

    # -- parts -----------------------------------------------------------------------------------
    def __getitem__(self, key: Any) -> Any:
        return self._extract(*resolve(key, self.shape))

    def _element(self, row: int, column: int) -> Any:
        """The value at one position as a host scalar, or None."""
        backend = self._backend
        part = backend.extract_matrix(
            self._ready(), backend.asarray(np.array([row])), backend.asarray(np.array([column]))
        )
        return backend.to_numpy(part.values)[0] if part.nvals else None

    def _extract(self, rows: Index, columns: Index) -> Any:
        if rows.is_int and columns.is_int:
            from spbfs.core.scalar import ScalarExpression

            assert rows.array is not None
            assert columns.array is not None
            i, j = int(rows.array[0]), int(columns.array[0])
            return ScalarExpression(
                "extract element", self, self.dtype, lambda b: self._element(i, j)
            )
        from spbfs.core.expression import delayed

        shape = tuple(x.length for x in (rows, columns) if not x.is_int)
        run = extract_matrix(self, rows, columns)
        return delayed("extract", (self,), shape, self.dtype, run)

    def get(self, row: Any, col: Any, default: Any = None) -> Any:
        """The value at one position as a Python number, or `default` where nothing is stored."""
        i = as_index(row, self.nrows, "row", negative=True)
        j = as_index(col, self.ncols, "col", negative=True)
        value = self._element(i, j)
        return default if value is None else value.item()

    def __contains__(self, key: Any) -> bool:
        rows, columns = resolve(key, self.shape)
        if not (rows.is_int and columns.is_int):
            raise DomainMismatch(f"index: expected (row, column) in A, got {key!r}")
        return bool(self._extract(rows, columns).compute() is not None)

    def __iter__(self) -> Any:
        rows, columns, _ = self.to_coo()
        return iter(zip(rows.tolist(), columns.tolist(), strict=True))

    def __len__(self) -> int:
        return self.nvals

    def diag(self, k: int = 0) -> Vector:
        """The k-th diagonal as a Vector."""
        from spbfs.core.vector import Vector

        data = self._backend.diag_vector(self._ready(), as_offset(k, "k"))
        return Vector._from_data(data, self.device)

    # -- out of the algebra ------------------------------------------------------------------
    def to_coo(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any]:
        """Rows, columns (int64) and values of the stored entries, as NumPy arrays row by row.

        Parameters
        ----------
        dtype : dtype-like, optional
            Of the values; their own by default.
        sort : bool, optional
            Entries come sorted whether asked or not.
        """
        backend = self._backend
        rows, columns, values = (backend.to_numpy(a) for a in self._entries(backend))
        target = self.dtype if dtype is None else lookup_dtype(dtype)
        return np.array(rows), np.array(columns), values.astype(target.np_type)

    def to_csr(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any]:
        """``indptr``, ``indices`` and values of the CSR form, as NumPy arrays of one's own."""
        data, backend = self._ready(), self._backend
        target = self.dtype if dtype is None else lookup_dtype(dtype)
        indptr, indices, values = (
            backend.to_numpy(a) for a in (data.indptr, data.indices, data.values)
        )
        return np.array(indptr), np.array(indices), values.astype(target.np_type)

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """A NumPy array of all elements, absent ones replaced by `fill_value`.

        Raises
        ------
        InvalidValue
            When elements are absent and no `fill_value` is given.
        OutOfMemory
            When the array cannot fit.
        """
        rows, columns, values = self.to_coo()
        target = self.dtype if dtype is None else lookup_dtype(dtype)
        fill = 0 if rows.shape[0] == self.nrows * self.ncols else fill_value
        return fill_dense(self.shape, target, fill, dtype is None, (rows, columns), values)

    def to_dicts(self) -> dict[int, dict[int, Any]]:
        """Stored entries as ``{row: {column: value}}``; empty rows are left out."""
        out: dict[int, dict[int, Any]] = {}
        for i, j, x in zip(*(a.tolist() for a in self.to_coo()), strict=True):
            out.setdefault(i, {})[j] = x
        return out

    def to_scipy(self, format: str = "csr") -> Any:
        """A SciPy sparse array of the stored entries.

        Parameters
        ----------
        format : {"csr", "csc", "coo", ...}, optional
        """
        from spbfs.core.convert import to_scipy

        return to_scipy(self, format)

    def to_networkx(self, *, directed: bool | None = None, weight: str | None = "weight") -> Any:
        """A NetworkX graph with a vertex per row and an edge per stored entry.

        Parameters
        ----------
        directed : bool, optional
            By default a ``Graph`` when the matrix is symmetric, else a ``DiGraph``.
        weight : str or None, optional
            Edge attribute for the values; None writes none.
        """
        from spbfs.core.convert import to_networkx

        return to_networkx(self, directed, weight)

    def new(self, dtype: Any = None, *, mask: Any = None) -> Matrix:
        raise NotImplementedError


def extract_matrix(A: MatrixOperand, rows: Index, columns: Index) -> Any:
    """The run function of ``A[rows, columns]``; one integer makes a vector of it."""

    def run(backend: Any, mask: Any, hints: Any) -> Any:
        data = A._ready()
        if rows.is_int or columns.is_int:
            # A column is a row of the transpose, which the matrix keeps.
            one, many = (rows, columns) if rows.is_int else (columns, rows)
            data = data if rows.is_int else backend.transpose(data)
            part = backend.extract_matrix(data, *(_on(backend, x) for x in (one, many)))
            return backend.build_vector(
                many.length, part.indices.astype(np.int64), part.values, None
            )
        return backend.extract_matrix(data, _on(backend, rows), _on(backend, columns))

    return run


def _on(backend: Any, index: Index) -> Any:
    return None if index.array is None else backend.asarray(index.array)
