"""``spbfs khop``: how many vertices are within k hops of each."""

from __future__ import annotations

import argparse
import time

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.files import check_table
from spbfs.cli.shared.search import graph_on_device, watched
from spbfs.cli.shared.tables import tell
from spbfs.cli.shared.vertices import chosen

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    import numpy as np

    import spbfs

    check_table(arguments)
    graph, _ = graph_on_device(arguments)
    A = graph.matrix
    vertices = chosen(arguments, graph)
    begin = time.perf_counter()
    sizes = spbfs.khop_sizes(
        A,
        arguments.hops,
        vertices,
        threads=arguments.threads,
        progress=watched(),
    )
    record = {
        "graph": arguments.graph,
        "vertices": int(A.nrows),
        "entries": int(A.nvals),
        "hops": arguments.hops,
        "mean": float(sizes.mean()) if sizes.size else 0.0,
        "largest": int(sizes.max(initial=0)),
        "seconds": time.perf_counter() - begin,
        "device": str(A.device),
    }
    numbers = np.arange(A.nrows) if vertices is None else np.asarray(vertices)
    order = np.argsort(-sizes, kind="stable")[: arguments.top]
    facts = [
        ("hops", text.count(arguments.hops)),
        ("mean", f"{record['mean']:,.4g} vertices"),
        ("largest", f"{text.count(record['largest'])} vertices"),
        ("time", f"{text.seconds(record['seconds'])} on {record['device']}"),
    ]
    tell(arguments, record, facts, {"vertex": graph.names(numbers), "within": sizes}, order)
