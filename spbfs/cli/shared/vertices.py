"""Which vertices a command is about: those named, a sample, or all of them."""

from __future__ import annotations

import argparse
from typing import Any

from spbfs.cli.shared.reading import Graph
from spbfs.exceptions import InvalidValue

__all__ = ["chosen"]


def chosen(arguments: argparse.Namespace, graph: Graph, *, everything: bool = False) -> Any:
    """The vertices that ``--source`` names, None for all.

    With `everything` those of ``--samples`` and all of them are listed, too.
    """
    import numpy as np

    n = graph.matrix.nrows
    if arguments.source is not None:
        if everything and arguments.samples is not None:
            raise InvalidValue("source, samples: expected one of them, got both")
        return graph.vertices(arguments.source)
    if not everything:
        return None
    if arguments.samples is None:
        return np.arange(n)
    size = min(arguments.samples, n)
    return np.sort(np.random.default_rng(arguments.seed).choice(n, size, replace=False))
