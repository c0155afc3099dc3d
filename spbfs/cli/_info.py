"""``spbfs info``: the figures that tell how a graph will behave in a traversal."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from spbfs.cli import _text as text
from spbfs.cli._reading import read_graph

if TYPE_CHECKING:
    from spbfs import Matrix

__all__ = ["describe", "run"]

QUANTILES = {"minimum": 0.0, "25%": 0.25, "median": 0.5, "75%": 0.75, "99%": 0.99, "maximum": 1.0}


def run(arguments: argparse.Namespace) -> None:
    record = {"graph": arguments.graph, **describe(read_graph(arguments).matrix)}
    if arguments.json:
        text.print_json(record)
        return
    degrees = record["degrees"]
    columns = ["mean", *QUANTILES]
    print(
        text.facts(
            [
                ("graph", record["graph"]),
                ("vertices", text.count(record["vertices"])),
                ("entries", f"{text.count(record['entries'])} stored, of type {record['dtype']}"),
                ("symmetric", "yes" if record["symmetric"] else "no: the graph is directed"),
                ("self-loops", text.count(record["self_loops"])),
                ("isolated", f"{text.count(record['isolated'])} vertices without any edge"),
                (
                    "components",
                    f"{text.count(record['components'])} weakly connected, "
                    f"the largest of {text.count(record['largest_component'])} vertices",
                ),
                ("memory", text.size(record["bytes"])),
            ]
        )
    )
    print("\nout-degrees")
    print(text.table(columns, [[f"{degrees[name]:,.4g}" for name in columns]]))


def describe(A: Matrix) -> dict[str, Any]:
    """Vertices, entries, degree quantiles, components and bytes, as JSON types."""
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    nbytes = int(A.nbytes)
    indptr, indices, _ = A.to_csr()
    n = int(A.nrows)
    degrees = np.diff(indptr)
    marks = np.ones(indices.size, dtype=np.bool_)
    S = csr_array((marks, indices, indptr), shape=(n, n))
    in_degrees = np.bincount(indices, minlength=n)
    number, labels = connected_components(S, directed=True, connection="weak")
    return {
        "vertices": n,
        "entries": int(indices.size),
        "dtype": str(A.dtype),
        "symmetric": bool(_is_symmetric(S)),
        "self_loops": int(np.count_nonzero(S.diagonal())),
        "isolated": int(np.count_nonzero((degrees == 0) & (in_degrees == 0))),
        "degrees": {
            "mean": float(degrees.mean()) if n else 0.0,
            **{
                name: float(np.quantile(degrees, q, method="lower")) if n else 0.0
                for name, q in QUANTILES.items()
            },
        },
        "components": int(number),
        "largest_component": int(np.bincount(labels).max()) if n else 0,
        "bytes": nbytes,
    }


def _is_symmetric(S: Any) -> bool:
    """Whether every stored entry has its mirror image, values aside."""
    import numpy as np

    T = S.tocsc()  # its arrays are the rows of the transpose, in order
    return np.array_equal(S.indptr, T.indptr) and np.array_equal(S.indices, T.indices)
