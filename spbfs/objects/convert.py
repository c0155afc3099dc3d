"""Matrices from and to the arrays and libraries people already have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.exceptions import DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
from spbfs.objects.build import duplicates_operator
from spbfs.objects.checks import as_array, as_index_array, as_size, as_value_array
from spbfs.objects.gpu_arrays import as_gpu_array, on_gpu
from spbfs.objects.stored import check_device
from spbfs.operators.builtin import BINARY
from spbfs.operators.dtypes import BOOL, DType, lookup_dtype
from spbfs.storage.data import MatrixData, is_iso, iso_array
from spbfs.storage.entries import array_module, rows_of

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.matrix_exports import MatrixExports

__all__ = [
    "from_csr",
    "from_networkx",
    "from_pandas_edgelist",
    "from_scipy",
    "to_networkx",
    "to_scipy",
]

INT32_MAX = np.iinfo(np.int32).max


def _as_offsets(indptr: Any, entries: int, nrows: int | None, gpu: bool) -> Any:
    """Row offsets, checked, in the narrowest type that holds them."""
    offsets = as_array(indptr, "indptr", gpu=gpu)
    if offsets.ndim != 1:
        raise DimensionMismatch(f"indptr: expected one dimension, got shape {offsets.shape}")
    if offsets.dtype.kind not in "iu":
        raise DomainMismatch(f"indptr: expected integer offsets, got dtype {offsets.dtype}")
    if offsets.size == 0:
        raise DimensionMismatch("indptr: expected nrows + 1 offsets, got none")
    if nrows is not None and offsets.size != nrows + 1:
        raise DimensionMismatch(f"indptr: expected nrows + 1 = {nrows + 1}, got {offsets.size}")
    if offsets[0] != 0:
        raise InvalidValue(f"indptr: expected to start at 0, got {offsets[0]}")
    falls = np.flatnonzero(offsets[1:] < offsets[:-1])
    if falls.size:
        i = int(falls[0])
        raise InvalidValue(f"indptr: decreases at row {i}, from {offsets[i]} to {offsets[i + 1]}")
    if int(offsets[-1]) != entries:
        raise InvalidValue(f"indptr: ends at {offsets[-1]}, but indices has {entries} entries")
    width = np.int32 if entries <= INT32_MAX else np.int64
    return offsets.astype(width, copy=not on_gpu(indptr))


def _row_starts(offsets: Any, entries: int) -> Any:
    """Whether each entry is the first of its row."""
    first = array_module(offsets).zeros(entries + 1, np.bool_)
    first[offsets[:-1]] = True
    return first[:entries]


@typed_refusals
def from_csr(
    indptr: Any,
    indices: Any,
    values: Any,
    dtype: DType | None,
    nrows: Any,
    ncols: Any,
    sorted_cols: bool,
    dup_op: Any,
    device: str,
) -> MatrixData:
    """Checked storage of the three arrays of a CSR matrix."""
    from spbfs.engines import get_engine

    m = None if nrows is None else as_size(nrows, "nrows")
    n = None if ncols is None else as_size(ncols, "ncols")
    engine = get_engine(device)
    gpu = device == "cuda" and any(map(on_gpu, (indptr, indices)))
    if gpu:
        indptr, indices = as_gpu_array(indptr), as_gpu_array(indices)
    given = as_array(indices, "indices", gpu=gpu)
    columns: Any
    if given.dtype == np.int32 and n is not None and given.size:
        columns = _int32_columns(given, n)
    else:
        columns = as_index_array(given, "indices", n, gpu=gpu)
    entries = columns.shape[0]
    stored = as_value_array(values, entries, dtype, gpu=device == "cuda")
    offsets = _as_offsets(indptr, entries, m, gpu)
    m = offsets.shape[0] - 1
    if n is None:
        n = int(columns.max()) + 1 if entries else 0
    kind = lookup_dtype(stored.dtype)
    rising = columns[1:] > columns[:-1]
    rising |= _row_starts(offsets, entries)[1:]
    if rising.all():
        width = np.int32 if n <= INT32_MAX else np.int64
        own = stored if is_iso(stored) or on_gpu(stored) else np.array(stored)
        arrays = (offsets, columns.astype(width, copy=not gpu), own)
        return MatrixData(m, n, *(_to_device(engine, a) for a in arrays))
    if sorted_cols:
        at = int(np.flatnonzero(~rising)[0]) + 1
        row = int(np.searchsorted(offsets, at, side="right")) - 1
        raise InvalidValue(
            f"indices: declared sorted, but row {row} has column {columns[at]} "
            f"after {columns[at - 1]}"
        )
    rows = rows_of(offsets, entries)
    dup = duplicates_operator(dup_op, kind)
    data = engine.build_matrix(
        m,
        n,
        engine.asarray(rows),
        engine.asarray(columns.astype(np.int64)),
        _to_device(engine, stored),
        dup,
    )
    if dup is None and not is_iso(stored) and data.nvals < entries:
        raise InvalidValue("indices: a column occurs twice in a row; give dup_op= to combine them")
    return data


def _int32_columns(columns: Any, ncols: int) -> Any:
    """Range-check without widening: the usual case, where memory is the matrix itself."""
    if columns.ndim != 1:
        raise DimensionMismatch(f"indices: expected one dimension, got shape {columns.shape}")
    low, high = int(columns.min()), int(columns.max())
    if low < 0:
        raise IndexOutOfBound(f"indices: indices must not be negative, got {low}")
    if high >= ncols:
        raise IndexOutOfBound(f"indices: expected indices below {ncols}, got {high}")
    return columns


def _to_device(engine: Any, array: Any) -> Any:
    """The array on the engine's device, iso kept."""
    if isinstance(array, np.ndarray) and is_iso(array) and array.shape[0]:
        return iso_array(engine.asarray(np.array(array[:1])), array.shape[0])
    return engine.asarray(array)


def from_scipy(matrix: Any, dtype: Any, name: str | None, device: str | None) -> Matrix:
    """See `Matrix.from_scipy`."""
    from spbfs.objects.matrix import Matrix

    if not hasattr(matrix, "tocsr"):
        raise DomainMismatch(
            f"matrix: expected a SciPy sparse array or matrix, got {type(matrix).__name__}"
        )
    if matrix.ndim != 2:
        raise DimensionMismatch(f"matrix: expected two dimensions, got {matrix.ndim}")
    csr = matrix.tocsr()
    if csr.dtype.kind not in "biuf":
        raise DomainMismatch(f"matrix: expected real values, got dtype {csr.dtype}")
    values = csr.data
    if csr.dtype == np.bool_ and values.size and values.all():
        values = True
        dtype = BOOL if dtype is None else dtype
    # Only sorted copies are needed; `from_csr` sorts where SciPy says nothing.
    return Matrix.from_csr(
        csr.indptr,
        csr.indices,
        values,
        dtype,
        nrows=csr.shape[0],
        ncols=csr.shape[1],
        dup_op=None if values is True else BINARY["plus"],
        name=name,
        device=device,
    )


def to_scipy(A: MatrixExports, format: str) -> Any:
    """See `Matrix.to_scipy`."""
    import scipy.sparse

    if format not in ("csr", "csc", "coo", "lil", "dok", "dia", "bsr"):
        raise InvalidValue(f"format: expected a SciPy sparse format, got {format!r}")
    indptr, indices, values = A.to_csr()
    if indices.dtype == np.int32 and indices.shape[0] <= np.iinfo(np.int32).max:
        # Both of a width: SciPy's graph algorithms take 32 bits, older ones nothing else.
        indptr = indptr.astype(np.int32, copy=False)
    out = scipy.sparse.csr_array((values, indices, indptr), shape=A.shape)
    out.has_sorted_indices = True
    out.has_canonical_format = True
    return out.asformat(format)


def from_networkx(
    graph: Any, nodelist: Any, dtype: Any, weight: str | None, name: str | None, device: str | None
) -> Matrix:
    """See `Matrix.from_networkx`."""
    from spbfs.objects.matrix import Matrix

    if not (hasattr(graph, "nodes") and hasattr(graph, "edges")):
        raise DomainMismatch(f"graph: expected a NetworkX graph, got {type(graph).__name__}")
    order = list(graph.nodes) if nodelist is None else list(nodelist)
    position = {node: i for i, node in enumerate(order)}
    if len(position) != len(order):
        raise InvalidValue("nodelist: a node occurs twice")
    unknown = [node for node in order if node not in graph]
    if unknown:
        raise InvalidValue(f"nodelist: {unknown[0]!r} is not a node of the graph")
    edges = [
        (position[u], position[v], d)
        for u, v, d in graph.edges(data=True)
        if u in position and v in position
    ]
    rows = np.array([e[0] for e in edges], np.int64)
    columns = np.array([e[1] for e in edges], np.int64)
    values: Any = True
    if weight is not None and any(weight in d for _, _, d in edges):
        values = np.array([d.get(weight, 1) for _, _, d in edges])
        if values.dtype.kind not in "biuf":
            raise DomainMismatch(f"weight: edge attribute {weight!r} is not a number everywhere")
    if not graph.is_directed():
        loops = rows == columns
        mirror = ~loops
        rows, columns = (
            np.concatenate([rows, columns[mirror]]),
            np.concatenate([columns, rows[mirror]]),
        )
        if values is not True:
            values = np.concatenate([values, values[mirror]])
    n = len(order)
    check_device(device or "cpu")
    return Matrix.from_coo(
        rows,
        columns,
        values,
        dtype,
        nrows=n,
        ncols=n,
        dup_op=None if values is True else "plus",
        name=name,
        device=device,
    )


def to_networkx(A: MatrixExports, directed: bool | None, weight: str | None) -> Any:
    """See `Matrix.to_networkx`."""
    import networkx as nx

    if A.nrows != A.ncols:
        raise DimensionMismatch(f"a graph needs a square matrix, got shape {A.shape}")
    if directed is None:
        directed = not A.isequal(A.T)
    graph: Any = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(A.nrows))
    rows, columns, values = (a.tolist() for a in A.to_coo())
    if weight is None or A.dtype.is_bool:
        graph.add_edges_from(zip(rows, columns, strict=True))
    else:
        graph.add_weighted_edges_from(zip(rows, columns, values, strict=True), weight=weight)
    return graph


def from_pandas_edgelist(
    frame: Any,
    source: str,
    target: str,
    weight: str | None,
    dtype: Any,
    nrows: Any,
    ncols: Any,
    dup_op: Any,
    name: str | None,
    device: str | None,
) -> Matrix:
    """See `Matrix.from_pandas_edgelist`."""
    from spbfs.objects.matrix import Matrix

    if not hasattr(frame, "columns"):
        raise DomainMismatch(f"frame: expected a pandas DataFrame, got {type(frame).__name__}")
    for argument, column in (("source", source), ("target", target), ("weight", weight)):
        if column is not None and column not in frame.columns:
            raise InvalidValue(f"{argument}: the frame has no column {column!r}")
    rows = as_index_array(frame[source].to_numpy(), source)
    columns = as_index_array(frame[target].to_numpy(), target)
    values = True if weight is None else frame[weight].to_numpy()
    if nrows is None and ncols is None:
        nrows = ncols = int(max(rows.max(initial=-1), columns.max(initial=-1))) + 1
    return Matrix.from_coo(
        rows,
        columns,
        values,
        dtype,
        nrows=nrows,
        ncols=ncols,
        dup_op=dup_op,
        name=name,
        device=device,
    )
