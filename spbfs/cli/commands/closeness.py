"""``spbfs closeness``: who is near to all others."""

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
    name = "harmonic" if arguments.harmonic else "closeness"
    begin = time.perf_counter()
    values = getattr(spbfs, name)(
        A,
        vertices,
        samples=arguments.samples,
        seed=arguments.seed,
        threads=arguments.threads,
        progress=watched(),
    )
    # Of so many vertices as there are nothing is estimated.
    samples = None if arguments.samples is None else min(arguments.samples, A.nrows)
    record = {
        "graph": arguments.graph,
        "vertices": int(A.nrows),
        "entries": int(A.nvals),
        "measure": name,
        "samples": samples,
        "seconds": time.perf_counter() - begin,
        "device": str(A.device),
    }
    numbers = np.arange(A.nrows) if vertices is None else np.asarray(vertices)
    order = np.argsort(-values, kind="stable")[: arguments.top]
    how = "exact" if samples in (None, A.nrows) else f"estimated from {samples:,} vertices"
    facts = [
        ("measure", f"{name}, {how}"),
        ("time", f"{text.seconds(record['seconds'])} on {record['device']}"),
    ]
    tell(arguments, record, facts, {"vertex": graph.names(numbers), name: values}, order)
