"""The sparse matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.core.build import build_matrix, present
from spbfs.core.checks import as_array, as_size, as_tuples, as_value_array, check_shape
from spbfs.core.dtypes import DType, lookup_dtype
from spbfs.core.indexing import resolve
from spbfs.core.matrix_operand import MatrixOperand
from spbfs.core.parts import writable_part
from spbfs.core.storage import MatrixData
from spbfs.core.stored import Stored, check_device, on_device
from spbfs.exceptions import DimensionMismatch, InvalidValue

__all__ = ["Matrix"]


class Matrix(Stored, MatrixOperand):
    """A sparse matrix of one dtype, stored by rows (CSR).

    Parameters
    ----------
    dtype : dtype-like, optional
        ``bool``, ``int``, ``float``, a NumPy dtype or a name such as ``"INT32"``; FP64 by default.
    nrows, ncols : int, optional
    name : str, optional
        Shown by ``repr``.
    device : {"cpu", "cuda", "reference"}, optional
        Where it lives; without one an empty matrix follows the first operands it meets.

    Examples
    --------
    >>> from spbfs import Matrix
    >>> A = Matrix.from_coo([0, 1, 2], [1, 2, 0], True)
    >>> A.shape, A.nvals, A.dtype
    ((3, 3), 3, BOOL)
    """

    __slots__ = ()

    def __init__(
        self,
        dtype: Any = "FP64",
        nrows: Any = 0,
        ncols: Any = 0,
        *,
        name: str | None = None,
        device: str | None = None,
    ) -> None:
        kind = lookup_dtype(dtype)
        shape = as_size(nrows, "nrows"), as_size(ncols, "ncols")
        where = "cpu" if device is None else check_device(device)
        super().__init__(_empty(shape, kind, where), kind, where, device is not None, name)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (self._data.nrows, self._data.ncols)

    # -- constructors --------------------------------------------------------------------------
    @classmethod
    def from_coo(
        cls,
        rows: Any,
        columns: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: Any = None,
        ncols: Any = None,
        dup_op: Any = None,
        name: str | None = None,
        device: str | None = None,
    ) -> Matrix:
        """From rows, columns and values, in any order.

        Parameters
        ----------
        rows, columns : array-like of int
        values : array-like or scalar, optional
            One an entry, or one for all (then stored once).
        dtype : dtype-like, optional
            That of `values` by default.
        nrows, ncols : int, optional
            One more than the largest index by default.
        dup_op : binary operator or name, optional
            Combines values at equal positions; without one they are an error unless `values` is
            a scalar.
        name, device : optional
            As for `Matrix`.

        Raises
        ------
        IndexOutOfBound, DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        """
        where = "cpu" if device is None else check_device(device)
        out = cls(name=name, device=where)
        kind = None if dtype is None else lookup_dtype(dtype)
        out._fill(rows, columns, values, kind, (nrows, ncols), dup_op)
        return out

    def _fill(
        self, rows: Any, columns: Any, values: Any, dtype: DType | None, shape: Any, dup_op: Any
    ) -> None:
        self._data = build_matrix(self._backend, rows, columns, values, dtype, shape, dup_op)
        self.dtype = lookup_dtype(self._data.values.dtype)
        self._pending = {}

    @classmethod
    def from_edgelist(
        cls, edges: Any, values: Any = None, dtype: Any = None, **options: Any
    ) -> Matrix:
        """From an ``m x 2`` array or an iterable of (row, column[, value]) tuples."""
        rows: Any = []
        columns: Any = []
        if isinstance(edges, np.ndarray) and edges.ndim == 2 and edges.shape[1] == 2:
            rows, columns = edges.T
        elif listed := as_tuples(edges, "edges", (2,) if values is not None else (2, 3)):
            rows, columns, *weights = zip(*listed, strict=True)
            values = weights[0] if weights else values
        return cls.from_coo(rows, columns, 1.0 if values is None else values, dtype, **options)

    @classmethod
    def from_csr(
        cls,
        indptr: Any,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: Any = None,
        ncols: Any = None,
        sorted_cols: bool = False,
        dup_op: Any = None,
        name: str | None = None,
        device: str | None = None,
    ) -> Matrix:
        """From the three arrays of a CSR matrix, which are checked and copied.

        Parameters
        ----------
        indptr : array-like of int, ``nrows + 1`` long
            Offsets of the rows, from 0, never decreasing.
        indices : array-like of int
            Columns, row after row, in any order unless `sorted_cols`.
        values : array-like or scalar, optional
        dtype : dtype-like, optional
        nrows, ncols : int, optional
            ``len(indptr) - 1``, and one more than the largest column, by default.
        sorted_cols : bool, optional
            The claim that columns strictly increase in every row; checked.
        dup_op : binary operator or name, optional
            As for `from_coo`.
        name, device : optional
            As for `Matrix`.

        Raises
        ------
        InvalidValue
            When `indptr` decreases or overruns, or `sorted_cols` is not true.
        IndexOutOfBound, DimensionMismatch, DomainMismatch
        """
        from spbfs.core.convert import from_csr

        where = "cpu" if device is None else check_device(device)
        kind = None if dtype is None else lookup_dtype(dtype)
        data = from_csr(indptr, indices, values, kind, nrows, ncols, sorted_cols, dup_op, where)
        return cls._from_data(data, where, name)

    @classmethod
    def from_dense(
        cls,
        values: Any,
        missing_value: Any = None,
        *,
        dtype: Any = None,
        name: str | None = None,
        device: str | None = None,
    ) -> Matrix:
        """From a dense two-dimensional array; elements equal to `missing_value` are not stored."""
        array = as_array(values, "values")
        if array.ndim != 2:
            raise DimensionMismatch(f"values: expected two dimensions, got shape {array.shape}")
        kind = None if dtype is None else lookup_dtype(dtype)
        stored = as_value_array(array.ravel(), array.size, kind)
        keep = np.ones(array.shape, bool)
        if missing_value is not None:
            keep = present(array, missing_value)
        rows, columns = keep.nonzero()
        return cls.from_coo(
            rows,
            columns,
            stored[keep.ravel()],
            nrows=array.shape[0],
            ncols=array.shape[1],
            name=name,
            device=device,
        )

    @classmethod
    def from_scipy(
        cls, matrix: Any, dtype: Any = None, *, name: str | None = None, device: str | None = None
    ) -> Matrix:
        """From a SciPy sparse array or matrix of any format; duplicates are summed.

        Parameters
        ----------
        matrix : scipy.sparse array or matrix
        dtype : dtype-like, optional
        name, device : optional
            As for `Matrix`.
        """
        from spbfs.core.convert import from_scipy

        return from_scipy(matrix, dtype, name, device)

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        nodelist: Any = None,
        dtype: Any = None,
        *,
        weight: str | None = "weight",
        name: str | None = None,
        device: str | None = None,
    ) -> Matrix:
        """The adjacency matrix of a NetworkX graph.

        Parameters
        ----------
        graph : networkx.Graph or DiGraph or their multigraphs
            Parallel edges are summed when weighted.
        nodelist : sequence, optional
            Order of the rows; that of ``graph.nodes`` by default.
        dtype : dtype-like, optional
        weight : str or None, optional
            Edge attribute to store; where no edge has it, or with None, the matrix is BOOL.
        name, device : optional
            As for `Matrix`.
        """
        from spbfs.core.convert import from_networkx

        return from_networkx(graph, nodelist, dtype, weight, name, device)

    @classmethod
    def from_pandas_edgelist(
        cls,
        frame: Any,
        source: str = "source",
        target: str = "target",
        weight: str | None = None,
        dtype: Any = None,
        *,
        nrows: Any = None,
        ncols: Any = None,
        dup_op: Any = None,
        name: str | None = None,
        device: str | None = None,
    ) -> Matrix:
        """From the columns of a pandas DataFrame with integer ids.

        Parameters
        ----------
        frame : pandas.DataFrame
        source, target : str, optional
            Columns with the row and the column of every edge.
        weight : str, optional
            Column of values; without one the matrix is BOOL.
        dtype, nrows, ncols, dup_op, name, device : optional
            As for `from_coo`; `ncols` and `nrows` are made equal when neither is given.
        """
        from spbfs.core.convert import from_pandas_edgelist

        return from_pandas_edgelist(
            frame, source, target, weight, dtype, nrows, ncols, dup_op, name, device
        )

    # -- changing ------------------------------------------------------------------------------
    def clear(self) -> None:
        """Remove all entries; shape and dtype stay."""
        self._data = _empty(self.shape, self.dtype, self.device)
        self._pending = {}

    def resize(self, nrows: Any, ncols: Any) -> None:
        """Change the shape; entries beyond it are dropped."""
        m, n = as_size(nrows, "nrows"), as_size(ncols, "ncols")
        check_shape(m, n)
        backend = self._backend
        rows, columns, values = (backend.to_numpy(a) for a in self._entries(backend))
        keep = (rows < m) & (columns < n)
        i, j, x = (backend.asarray(a[keep]) for a in (rows, columns, values))
        self._data = backend.build_matrix(m, n, i, j, x, None)

    def build(
        self,
        rows: Any,
        columns: Any,
        values: Any = 1.0,
        *,
        dup_op: Any = None,
        clear: bool = False,
        nrows: Any = None,
        ncols: Any = None,
    ) -> None:
        """Fill an empty matrix as `from_coo` does, its shape and dtype kept.

        Raises
        ------
        InvalidValue
            When there are entries and `clear` is false.
        """
        if self.nvals and not clear:
            raise InvalidValue(f"build: the matrix has {self.nvals} entries; give clear=True")
        shape = (
            self.nrows if nrows is None else nrows,
            self.ncols if ncols is None else ncols,
        )
        self._fill(rows, columns, values, self.dtype, shape, dup_op)

    def __getitem__(self, key: Any) -> Any:
        region = resolve(key, self.shape)
        return writable_part(self, region, self._extract(*region))

    def _build(self, backend: Any, keys: list[Any], values: Any, dtype: DType) -> Any:
        where = np.array(keys, np.int64)
        rows, columns = backend.asarray(where[:, 0].copy()), backend.asarray(where[:, 1].copy())
        return backend.build_matrix(*self.shape, rows, columns, backend.asarray(values), None)

    def __repr__(self) -> str:
        from spbfs.core.formatting import format_matrix

        return format_matrix(self)


def _empty(shape: tuple[int, ...], dtype: DType, device: str) -> MatrixData:
    check_shape(*shape)
    width = np.int32 if shape[1] <= np.iinfo(np.int32).max else np.int64
    indptr = on_device(np.zeros(shape[0] + 1, np.int32), device)
    indices, values = (
        on_device(a, device) for a in (np.empty(0, width), np.empty(0, dtype.np_type))
    )
    return MatrixData(shape[0], shape[1], indptr, indices, values)
