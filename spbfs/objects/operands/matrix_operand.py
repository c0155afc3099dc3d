"""What stands for a matrix: stored, transposed or delayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import as_one_index
from spbfs.objects.classes import classes
from spbfs.objects.constructors import data_frames
from spbfs.objects.display import pictures
from spbfs.objects.exports import arrow_tables, compressed, dictionaries, matrices, tables
from spbfs.objects.indexing import resolve
from spbfs.objects.operands.operand import Operand
from spbfs.objects.operations import (
    columns,
    diagonals,
    extraction,
    power,
    products,
    reductions,
    reposition,
)

if TYPE_CHECKING:
    from spbfs.objects.operands.transposed import TransposedMatrix

__all__ = ["MatrixOperand"]


class MatrixOperand(Operand):
    """Operations of `Matrix`, of its transposed view and of delayed matrices."""

    __slots__ = ()

    ndim = 2
    #: Whether this is the transposed view of another, by the name that python-graphblas has for it.
    _is_transposed = False

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
        return classes.TransposedMatrix(self)

    @typed_refusals
    def _entries(
        self, engine: Any, rows: bool = True, columns: bool = True
    ) -> tuple[Any, Any, Any]:
        data = self._ready()
        i = engine.entry_rows(data) if rows else None
        return i, data.indices.astype(np.int64) if columns else None, data.values

    _as_vector = columns.as_vector
    mxm = products.mxm
    mxv = products.mxv
    kronecker = products.kronecker
    power = power.power
    diag = diagonals.diagonal_vector
    reposition = reposition.reposition_matrix
    reduce_rowwise = reductions.reduce_rowwise
    reduce_columnwise = reductions.reduce_columnwise
    reduce_scalar = reductions.reduce_scalar
    to_coo = matrices.to_coo
    to_edgelist = matrices.to_edgelist
    to_csr = compressed.to_csr
    to_csc = compressed.to_csc
    to_dcsr = compressed.to_dcsr
    to_dcsc = compressed.to_dcsc
    to_dense = matrices.to_dense
    spy = pictures.spy
    degree_plot = pictures.degree_plot
    to_packed_bits = matrices.to_packed_bits
    to_dicts = dictionaries.to_dicts
    to_scipy = matrices.to_scipy
    to_networkx = matrices.to_networkx
    to_edge_index = data_frames.to_edge_index
    to_pandas_edgelist = tables.to_pandas_edgelist
    __arrow_c_stream__ = arrow_tables.edge_stream

    # -- rows, columns and elements --------------------------------------------------------------
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
        i = as_one_index(row, self.nrows, "row")
        j = as_one_index(col, self.ncols, "col")
        value = extraction.matrix_element(self, i, j)
        return default if value is None else value.item()

    def __contains__(self, key: Any) -> bool:
        rows, columns = resolve(key, self.shape, self.device)
        if not (rows.is_int and columns.is_int):
            raise DomainMismatch(f"index: expected (row, column) in A, got {brief(key)}")
        return bool(extraction.extract(self, (rows, columns)).compute() is not None)

    def __iter__(self) -> Any:
        rows, columns, _ = self.to_coo()
        return iter(zip(rows.tolist(), columns.tolist(), strict=True))
