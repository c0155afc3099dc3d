"""Matrices as what others understand: NumPy, SciPy and NetworkX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.objects.arithmetic import Arithmetic
from spbfs.objects.gpu_arrays import own_array
from spbfs.objects.vector_exports import fill_dense
from spbfs.operators.dtypes import lookup_dtype

if TYPE_CHECKING:
    from spbfs.objects.transposed import TransposedMatrix

__all__ = ["MatrixExports"]


class MatrixExports(Arithmetic):
    """What a matrix can be turned into outside of the algebra."""

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

    @property
    def T(self) -> TransposedMatrix:
        """The transpose, a view: computed at first use and kept."""
        from spbfs.objects.transposed import TransposedMatrix

        return TransposedMatrix(self)

    def to_coo(
        self, dtype: Any = None, *, sort: bool = True, device: str = "cpu"
    ) -> tuple[Any, Any, Any]:
        """Rows, columns (int64) and values of the stored entries, as one's own, row by row.

        Parameters
        ----------
        dtype : dtype-like, optional
            Of the values; their own by default.
        sort : bool, optional
            Entries come sorted whether asked or not.
        device : {"cpu", "cuda"}, optional
            Where the arrays are to be, whatever the matrix's device.

        Returns
        -------
        tuple of three numpy.ndarray or cupy.ndarray

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([1, 0], [0, 1], [5, 3])
        >>> [a.tolist() for a in A.to_coo()]
        [[0, 1], [1, 0], [3, 5]]
        """
        engine = self._engine
        target = self.dtype if dtype is None else lookup_dtype(dtype)
        types = (np.int64, np.int64, target.np_type)
        rows, columns, values = (
            own_array(engine, a, t, device)
            for a, t in zip(self._entries(engine), types, strict=True)
        )
        return rows, columns, values

    def to_csr(
        self, dtype: Any = None, *, sort: bool = True, device: str = "cpu"
    ) -> tuple[Any, Any, Any]:
        """``indptr``, ``indices`` and values of the CSR form, as arrays of one's own.

        Parameters
        ----------
        dtype : dtype-like, optional
            Of the values; their own by default.
        sort : bool, optional
            Columns rise in every row whether asked or not.
        device : {"cpu", "cuda"}, optional
            Where the arrays are to be, whatever the matrix's device.

        Returns
        -------
        tuple of three numpy.ndarray or cupy.ndarray

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([2, 0], [0, 1], [5, 3])
        >>> [a.tolist() for a in A.to_csr()]
        [[0, 1, 1, 2], [1, 0], [3, 5]]
        """
        data, engine = self._ready(), self._engine
        target = self.dtype if dtype is None else lookup_dtype(dtype)
        types = (data.indptr.dtype, data.indices.dtype, target.np_type)
        indptr, indices, values = (
            own_array(engine, a, t, device)
            for a, t in zip((data.indptr, data.indices, data.values), types, strict=True)
        )
        return indptr, indices, values

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """A NumPy array of all elements, absent ones replaced.

        Parameters
        ----------
        fill_value : number, optional
            Stands for absent elements; needed where there are any.
        dtype : dtype-like, optional
            By default that of the matrix, or one that holds `fill_value`, too.

        Returns
        -------
        numpy.ndarray
            Of shape ``self.shape``.

        Raises
        ------
        InvalidValue
            When elements are absent and no `fill_value` is given.
        OutOfMemory
            When the array cannot fit.

        Examples
        --------
        >>> import spbfs as sb
        >>> sb.Matrix.from_coo([0, 1], [1, 0], [5, 3]).to_dense(0)
        array([[0, 5],
               [3, 0]])
        """
        rows, columns, values = self.to_coo()
        target = self.dtype if dtype is None else lookup_dtype(dtype)
        fill = 0 if rows.shape[0] == self.nrows * self.ncols else fill_value
        return fill_dense(self.shape, target, fill, dtype is None, (rows, columns), values)

    def to_packed_bits(self) -> Any:
        """The true entries as packed bits, whatever the dtype.

        Returns
        -------
        numpy.ndarray
            uint64, nrows x words: entry (i, j) is bit ``j % 64`` of word ``j // 64`` of row i.

        Raises
        ------
        InvalidValue
            When there are more than 1024 columns.

        Examples
        --------
        >>> import spbfs as sb
        >>> sb.Matrix.from_coo([0, 0, 1], [0, 2, 1], [1, 7, 0], ncols=3).to_packed_bits().tolist()
        [[5], [0]]
        """
        from spbfs.storage.packed import bits_of_true

        return self._engine.to_numpy(bits_of_true(self._ready()))

    def to_dicts(self) -> dict[int, dict[int, Any]]:
        """Stored entries as ``{row: {column: value}}``; empty rows are left out.

        Returns
        -------
        dict

        Examples
        --------
        >>> import spbfs as sb
        >>> sb.Matrix.from_coo([0, 2], [1, 0], [5, 3]).to_dicts()
        {0: {1: 5}, 2: {0: 3}}
        """
        out: dict[int, dict[int, Any]] = {}
        for i, j, x in zip(*(a.tolist() for a in self.to_coo()), strict=True):
            out.setdefault(i, {})[j] = x
        return out

    def to_scipy(self, format: str = "csr") -> Any:
        """A SciPy sparse array of the stored entries.

        Parameters
        ----------
        format : {"csr", "csc", "coo", "lil", "dok", "dia", "bsr"}, optional

        Returns
        -------
        scipy.sparse.sparray

        Examples
        --------
        >>> import spbfs as sb
        >>> sb.Matrix.from_coo([0, 1], [1, 0], [5, 3]).to_scipy().toarray()
        array([[0, 5],
               [3, 0]])
        """
        from spbfs.objects.convert import to_scipy

        return to_scipy(self, format)

    def to_networkx(self, *, directed: bool | None = None, weight: str | None = "weight") -> Any:
        """A NetworkX graph with a vertex per row and an edge per stored entry.

        Parameters
        ----------
        directed : bool, optional
            By default a ``Graph`` when the matrix is symmetric, else a ``DiGraph``.
        weight : str or None, optional
            Edge attribute for the values; None writes none.

        Returns
        -------
        networkx.Graph or networkx.DiGraph

        Examples
        --------
        >>> import spbfs as sb
        >>> sb.Matrix.from_coo([0, 1], [1, 2], [5, 3], nrows=3).to_networkx().edges(data="weight")
        OutEdgeDataView([(0, 1, 5), (1, 2, 3)])
        """
        from spbfs.objects.convert import to_networkx

        return to_networkx(self, directed, weight)
