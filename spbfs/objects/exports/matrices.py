"""Matrices as what others understand: NumPy, SciPy and NetworkX."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.packages import package
from spbfs.base.wording import brief
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.checks import as_flag, as_wanted
from spbfs.objects.exports.vectors import fill_dense
from spbfs.objects.placement.gpu_arrays import own_array
from spbfs.operators.dtypes import lookup_dtype
from spbfs.storage.entries import array_module
from spbfs.storage.packed import bits_of_true

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand

__all__ = [
    "to_coo",
    "to_dense",
    "to_edgelist",
    "to_networkx",
    "to_packed_bits",
    "to_scipy",
]

_SCIPY_FORMATS = ("csr", "csc", "coo", "lil", "dok", "dia", "bsr")


def to_coo(
    self: MatrixOperand,
    dtype: Any = None,
    *,
    rows: bool = True,
    columns: bool = True,
    values: bool = True,
    sort: bool = True,
    device: str = "cpu",
) -> tuple[Any, Any, Any]:
    """Rows, columns (int64) and values of the stored entries, as one's own, row by row.

    Parameters
    ----------
    dtype : dtype-like, optional
        Of the values; their own by default.
    rows, columns, values : bool, optional
        Which of the three to make; in place of the others there is None.
    sort : bool, optional
        Entries come row by row whether asked or not; those of ``A.T`` in the order of `A`.
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
    >>> A.to_coo(rows=False, values=False)[1].tolist()
    [1, 0]
    """
    engine = self._engine
    target = self.dtype if dtype is None else lookup_dtype(dtype)
    rows, columns = as_wanted(rows, "rows"), as_wanted(columns, "columns")
    values = as_wanted(values, "values")
    # Rows and columns are made for this call.
    i, j, x = self._entries(engine, rows, columns)
    return (
        own_array(engine, i, np.int64, device, fresh=True) if rows else None,
        own_array(engine, j, np.int64, device, fresh=True) if columns else None,
        own_array(engine, x, target.np_type, device) if values else None,
    )


def to_edgelist(
    self: MatrixOperand,
    dtype: Any = None,
    *,
    values: bool = True,
    sort: bool = True,
    device: str = "cpu",
) -> tuple[Any, Any]:
    """Pairs of row and column (int64, one a line), and the values, as arrays of one's own.

    Parameters
    ----------
    dtype, values, sort, device : optional
        As of `to_coo`.

    Returns
    -------
    tuple of two numpy.ndarray or cupy.ndarray

    Examples
    --------
    >>> import spbfs as sb
    >>> edges, weights = sb.Matrix.from_coo([1, 0], [0, 1], [5, 3]).to_edgelist()
    >>> edges.tolist(), weights.tolist()
    ([[0, 1], [1, 0]], [3, 5])
    """
    rows, columns, weights = self.to_coo(dtype, values=values, sort=sort, device=device)
    return array_module(rows).stack([rows, columns], axis=1), weights


def to_dense(self: MatrixOperand, fill_value: Any = None, dtype: Any = None) -> Any:
    """A NumPy array of all elements, absent ones replaced.

    Parameters
    ----------
    fill_value : number, optional
        Stands for absent elements; needed where there are any.
    dtype : dtype-like, optional
        By default one that holds the matrix's values and `fill_value`, whose type counts: INT64
        for Python's integers.

    Returns
    -------
    numpy.ndarray
        Of shape ``self.shape``.

    Raises
    ------
    DomainMismatch
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
    full = rows.shape[0] == self.nrows * self.ncols
    fill, widen = (0, False) if full else (fill_value, dtype is None)
    return fill_dense(self.shape, target, fill, widen, (rows, columns), values)


def to_packed_bits(self: MatrixOperand) -> Any:
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
    return self._engine.to_numpy(bits_of_true(self._ready()))


def to_scipy(self: MatrixOperand, format: str = "csr") -> Any:
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
    import scipy.sparse

    if not isinstance(format, str) or format not in _SCIPY_FORMATS:
        raise InvalidValue(f"format: expected a SciPy sparse format, got {brief(format)}")
    if format == "coo":
        # Needs no offsets, which a hypersparse matrix may have too many rows for.
        rows, columns, values = self.to_coo()
        entries = scipy.sparse.coo_array((values, (rows, columns)), shape=self.shape)
        entries.has_canonical_format = True
        return entries
    indptr, indices, values = self.to_csr()
    if indices.dtype == np.int32 and indices.shape[0] <= np.iinfo(np.int32).max:
        # Both of a width: SciPy's graph algorithms take 32 bits, older ones nothing else.
        indptr = indptr.astype(np.int32, copy=False)
    out = scipy.sparse.csr_array((values, indices, indptr), shape=self.shape)
    out.has_sorted_indices = True
    out.has_canonical_format = True
    return out.asformat(format)


def to_networkx(
    self: MatrixOperand, *, directed: bool = True, weight: str | None = "weight"
) -> Any:
    """A NetworkX graph with a vertex per row and an edge per stored entry.

    Vertices go by the `labels` where the matrix has them, else by their numbers.

    Parameters
    ----------
    directed : bool, optional
        Whether it is a ``DiGraph`` or a ``Graph``, in which two entries opposite each other are one
        edge.
    weight : str or None, optional
        Edge attribute for the values; None writes none.

    Returns
    -------
    networkx.DiGraph or networkx.Graph

    Raises
    ------
    PackageMissing
        When NetworkX is not installed.
    InvalidValue
        When an edge of a ``Graph`` would have two weights.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.Matrix.from_coo([0, 1], [1, 2], [5, 3], nrows=3).to_networkx().edges(data="weight")
    OutEdgeDataView([(0, 1, 5), (1, 2, 3)])
    """
    if not isinstance(weight, Hashable):
        raise DomainMismatch(f"weight: expected the name of an attribute, got {brief(weight)}")
    nx = package("networkx", "to_networkx")
    if self.nrows != self.ncols:
        raise DimensionMismatch(f"a graph needs a square matrix, got shape {self.shape}")
    # A vertex of NetworkX takes more.
    require_bytes(100 * self.nrows, f"a NetworkX graph of {self.nrows:,} vertices")
    graph: Any = nx.DiGraph() if as_flag(directed, "directed") else nx.Graph()
    nodes = list(range(self.nrows) if self.labels is None else self.labels)
    graph.add_nodes_from(nodes)
    entries = self.to_coo()
    if not directed and weight is not None:
        _check_one_weight(nodes, *entries)
    rows, columns, values = (a.tolist() for a in entries)
    tails, heads = (map(nodes.__getitem__, ends) for ends in (rows, columns))
    if weight is None:
        graph.add_edges_from(zip(tails, heads, strict=True))
    else:
        graph.add_weighted_edges_from(zip(tails, heads, values, strict=True), weight=weight)
    return graph


def _check_one_weight(nodes: list[Any], rows: Any, columns: Any, values: Any) -> None:
    """Refuse entries opposite each other of different values."""
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    order = np.lexsort((high, low))
    low, high, values = low[order], high[order], values[order]
    first, second = values[:-1], values[1:]
    differ = (first != second) & ((first == first) | (second == second))
    differ &= (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    if differ.any():
        at = int(differ.argmax())
        raise InvalidValue(
            f"directed: expected one weight for every edge of a Graph, between {nodes[low[at]]!r} "
            f"and {nodes[high[at]]!r} there are {first[at]} and {second[at]}; "
            "A.ewise_add(A.T, 'max').new() has one, and a DiGraph takes both"
        )
