"""The class methods that make a `Matrix` of what other libraries hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.flags import all_true
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.constructors.scipy_arrays import as_rows, is_sparse
from spbfs.objects.display.makers import kind_of, maker_of
from spbfs.objects.labels import Labels
from spbfs.objects.number_lists import known_dtype
from spbfs.objects.placement.devices import check_device
from spbfs.operators.dtypes import BOOL

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix

__all__ = ["from_networkx", "from_scipy"]

#: What combines True with True to True, or nothing: one value then stands for all.
_KEEP_TRUE = (None, "any", "lor", "plus")


def from_scipy(
    cls: type[Matrix],
    matrix: Any,
    dtype: Any = None,
    *,
    dup_op: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From a SciPy sparse array or matrix of any format; zeros that fill blocks are no entries.

    Parameters
    ----------
    matrix : scipy.sparse array or matrix
    dtype : dtype-like, optional
        Its own by default.
    dup_op : binary operator or name, optional
        Combines entries at equal positions; without one they are an error unless all are True.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Examples
    --------
    >>> import scipy.sparse
    >>> from spbfs import Matrix
    >>> Matrix.from_scipy(scipy.sparse.eye_array(3)).nvals
    3
    """
    if not is_sparse(matrix):
        raise DomainMismatch(
            "matrix: expected a SciPy sparse array or matrix, got "
            f"{kind_of(matrix)}{maker_of(matrix)}"
        )
    if matrix.ndim != 2:
        raise DimensionMismatch(f"matrix: expected two dimensions, got {matrix.ndim}")
    if matrix.dtype.kind not in "biuf":
        raise DomainMismatch(f"matrix: expected real values, got dtype {matrix.dtype}")
    if dtype is None:
        known_dtype(matrix.dtype, "matrix")
    # SciPy would add duplicates up on the way from coordinates to rows.
    listed = matrix.format == "coo"
    held = matrix if listed else as_rows(matrix, "matrix")
    values = held.data
    if dup_op in _KEEP_TRUE and held.dtype == np.bool_ and values.size and all_true(values):
        values, dup_op = True, None
        dtype = BOOL if dtype is None else dtype
    shape = {"nrows": held.shape[0], "ncols": held.shape[1]}
    options = {"dup_op": dup_op, "name": name, "device": device, **shape}
    if listed:
        return cls.from_coo(held.row, held.col, values, dtype, **options)
    # Only sorted copies are needed; `from_csr` sorts where SciPy says nothing.
    return cls.from_csr(held.indptr, held.indices, values, dtype, **options)


def from_networkx(
    cls: type[Matrix],
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
        Parallel edges are summed.
    nodelist : sequence, optional
        Order of the rows; that of ``graph.nodes`` by default.
    dtype : dtype-like, optional
    weight : str or None, optional
        Edge attribute to store, 1 for edges without it; where no edge has it, or with None, the
        matrix is INT64.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix
        With the nodes as its `labels`, unless they are 0, 1, 2, ... in this order.

    Examples
    --------
    >>> import networkx
    >>> from spbfs import Matrix
    >>> Matrix.from_networkx(networkx.path_graph(3)).to_dicts()
    {0: {1: 1}, 1: {0: 1, 2: 1}, 2: {1: 1}}
    """
    if not (hasattr(graph, "nodes") and hasattr(graph, "edges")):
        given = f"{type(graph).__name__}{maker_of(graph)}"
        raise DomainMismatch(f"graph: expected a NetworkX graph, got {given}")
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
    parallel = graph.is_multigraph()
    values: Any = np.ones(len(edges), np.int64)
    weighted = weight is not None and any(weight in d for _, _, d in edges)
    if weighted:
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
        values = np.concatenate([values, values[mirror]])
    n = len(order)
    check_device(device or "cpu")
    A = cls.from_coo(
        rows,
        columns,
        values if weighted or parallel else 1,
        dtype,
        nrows=n,
        ncols=n,
        dup_op="plus" if parallel else None,
        name=name,
        device=device,
    )
    if order != list(range(n)):
        A.labels = Labels(order)
    return A
