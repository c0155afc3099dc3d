"""What SciPy, NumPy, pandas and NetworkX call what objects here have by another name."""

from __future__ import annotations

__all__ = ["written_here"]

_BOTH = {
    "nnz": "nvals",
    "todense": "to_dense(fill_value=0)",
    "toarray": "to_dense(fill_value=0)",
    "to_numpy": "to_dense(fill_value=0)",
    "numpy": "to_dense(fill_value=0)",
    "to_list": "to_dense(fill_value=0).tolist()",
    "tolist": "to_dense(fill_value=0).tolist()",
}
_BY_RANK = {
    1: {
        "argmax": 'reduce("argmax").new()',
        "argmin": 'reduce("argmin").new()',
        "items": "to_dict().items()",
        "loc": "to_pandas().loc",
        "max": 'reduce("max").new()',
        "mean": 'reduce("mean").new()',
        "min": 'reduce("min").new()',
        "reduce_rowwise": 'reduce("plus").new()',
        "reduce_scalar": 'reduce("plus").new()',
        "sum": 'reduce("plus").new()',
        "values": "to_coo()[1]",
    },
    2: {
        "data": "to_csr()[2]",
        "degree": 'reduce_rowwise("count").new()',
        "diagonal": "diag()",
        "edges": "to_coo()",
        "indices": "to_csr()[1]",
        "indptr": "to_csr()[0]",
        "max": 'reduce_scalar("max").new()',
        "mean": 'reduce_scalar("mean").new()',
        "min": 'reduce_scalar("min").new()',
        "neighbors": "[vertex, :].new()",
        "nodes": "labels",
        "number_of_edges": "nvals",
        "number_of_nodes": "nrows",
        "reduce": 'reduce_scalar("plus").new()',
        "sum": 'reduce_scalar("plus").new()',
        "tocoo": 'to_scipy(format="coo")',
        "tocsc": 'to_scipy(format="csc")',
        "tocsr": "to_scipy()",
        "transpose": "T",
    },
}


def written_here(name: str, rank: int) -> str:
    """The end of a message: what to write for an attribute that other packages have.

    Examples
    --------
    >>> written_here("nnz", 2), written_here("nothing", 2)
    ('; write nvals', '')
    """
    here = _BOTH.get(name) or _BY_RANK.get(rank, {}).get(name)
    return f"; write {here}" if here else ""
