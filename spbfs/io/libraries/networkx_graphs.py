"""NetworkX's graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.packages import package
from spbfs.io.libraries.operands import check_operand
from spbfs.objects.matrix import Matrix

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand

__all__ = ["from_networkx", "to_networkx"]


def from_networkx(
    G: Any,
    nodelist: Any = None,
    dtype: Any = None,
    weight: str | None = "weight",
    name: str | None = None,
) -> Matrix:
    """The adjacency matrix of a NetworkX graph, as `Matrix.from_networkx`.

    Parameters
    ----------
    G : networkx.Graph or DiGraph or their multigraphs
    nodelist : sequence, optional
        Order of the rows; that of ``G.nodes`` by default.
    dtype : dtype-like, optional
        That of the weights by default; INT64 where there are none.
    weight : str or None, optional
        Edge attribute to store, 1 for edges without it.
    name : str, optional
        Shown by ``repr``.

    Returns
    -------
    Matrix

    Examples
    --------
    >>> import networkx
    >>> import spbfs as sb
    >>> sb.io.from_networkx(networkx.path_graph(3)).to_dicts()
    {0: {1: 1}, 1: {0: 1, 2: 1}, 2: {1: 1}}
    """
    return Matrix.from_networkx(G, nodelist, dtype, weight=weight, name=name)


def to_networkx(m: MatrixOperand, edge_attribute: str | None = "weight") -> Any:
    """A directed graph with a vertex per row and an edge per stored entry.

    Parameters
    ----------
    m : Matrix
        Square.
    edge_attribute : str or None, optional
        The name of the attribute that holds the values; None keeps none.

    Returns
    -------
    networkx.DiGraph

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.io.to_networkx(sb.Matrix.from_coo([0, 1], [1, 2], [5, 3], nrows=3)).edges(data=True)
    OutEdgeDataView([(0, 1, {'weight': 5}), (1, 2, {'weight': 3})])
    """
    package("networkx", "to_networkx")
    check_operand(m, "m", 2)
    return m.to_networkx(weight=edge_attribute)
