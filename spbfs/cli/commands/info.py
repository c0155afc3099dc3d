"""``spbfs info``: the figures that tell how a graph will behave in a traversal."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.reading import read_graph

if TYPE_CHECKING:
    from spbfs import Matrix

__all__ = ["components", "describe", "run"]

#: What takes time, in this order.
STEPS = ("degrees", "quantiles", "symmetry", "loops", "components")
QUANTILES = {"minimum": 0.0, "25%": 0.25, "median": 0.5, "75%": 0.75, "99%": 0.99, "maximum": 1.0}


def run(arguments: argparse.Namespace) -> None:
    record = {"graph": arguments.graph, **describe(read_graph(arguments).matrix, None)}
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


def describe(A: Matrix, progress: bool | None = False) -> dict[str, Any]:
    """Vertices, entries, degree quantiles, components and bytes, as JSON types.

    Progress is shown as by `read`; between two steps, and in the search, Ctrl-C is heard.
    """
    import numpy as np
    from scipy.sparse import csr_array

    from spbfs.base.progress import progress_bar

    bar = progress_bar(len(STEPS), "steps", "describing", progress)

    def done(step: str) -> None:
        if bar is not None:
            bar.update(STEPS.index(step) + 1 - bar.n)

    try:
        nbytes = int(A.nbytes)
        indptr, indices, _ = A.to_csr()
        n = int(A.nrows)
        degrees = np.diff(indptr)
        in_degrees = np.bincount(indices, minlength=n)
        done("degrees")
        quantiles = {
            name: float(np.quantile(degrees, q, method="lower")) if n else 0.0
            for name, q in QUANTILES.items()
        }
        done("quantiles")
        marks = np.ones(indices.size, dtype=np.bool_)
        S = csr_array((marks, indices, indptr), shape=(n, n))
        symmetric = bool(_is_symmetric(S))
        done("symmetry")
        self_loops = int(np.count_nonzero(S.diagonal()))
        done("loops")
        number, largest = components(S, symmetric)
        done("components")
    finally:
        if bar is not None:
            bar.close()
    return {
        "vertices": n,
        "entries": int(indices.size),
        "dtype": str(A.dtype),
        "symmetric": symmetric,
        "self_loops": self_loops,
        "isolated": int(np.count_nonzero((degrees == 0) & (in_degrees == 0))),
        "degrees": {"mean": float(degrees.mean()) if n else 0.0, **quantiles},
        "components": number,
        "largest_component": largest,
        "bytes": nbytes,
    }


def components(S: Any, symmetric: bool) -> tuple[int, int]:
    """How many weakly connected components there are, and the vertices of the largest.

    A search finds most of a graph in one component, in milliseconds, and hears Ctrl-C; SciPy, which
    does not, is left with the rest.
    """
    import numpy as np
    from scipy.sparse.csgraph import connected_components

    import spbfs

    n = S.shape[0]
    if n == 0:
        return 0, 0
    both = S if symmetric else (S + S.T).tocsr()
    hub = int(np.diff(both.indptr).argmax())
    found = spbfs.bfs(both, hub, parents=False)
    rest = np.ones(n, np.bool_)
    rest[found.levels.to_coo()[0]] = False
    left = np.flatnonzero(rest)
    if not left.size:
        return 1, n
    number, labels = connected_components(both[left][:, left], directed=False)
    return 1 + int(number), max(int(found.reached), int(np.bincount(labels).max()))


def _is_symmetric(S: Any) -> bool:
    """Whether every stored entry has its mirror image, values aside."""
    import numpy as np

    T = S.tocsc()  # its arrays are the rows of the transpose, in order
    return np.array_equal(S.indptr, T.indptr) and np.array_equal(S.indices, T.indices)
