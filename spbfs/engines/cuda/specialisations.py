"""Every module that the CUDA engine may compile, for checks that have no GPU.

A launcher has ``specialisations()``, an iterator over all that it can load.  Where template
arguments combine into more than a compiler should be asked for, it yields a selection that covers
every kernel and every argument.
"""

from __future__ import annotations

from collections.abc import Iterator

from spbfs.engines.cuda.algorithms import (
    betweenness,
    colouring,
    components,
    core_numbers,
    maximal_independent_set,
    minimum_spanning_forest,
    pagerank,
    sssp,
    triangles,
)
from spbfs.engines.cuda.bfs import kernel as bfs
from spbfs.engines.cuda.bfs import least_parents, seeding
from spbfs.engines.cuda.bfs_many import bytes as bfs_many_bytes
from spbfs.engines.cuda.bfs_many import fused as bfs_many
from spbfs.engines.cuda.bfs_many import hubs as bfs_many_hubs
from spbfs.engines.cuda.bfs_many import plain as bfs_many_plain
from spbfs.engines.cuda.expansion import kernels as expansion
from spbfs.engines.cuda.graph import build, hubs_first, marked, symmetric, transpose
from spbfs.engines.cuda.lookahead import kernels as lookahead
from spbfs.engines.cuda.parts import kernels as parts
from spbfs.engines.cuda.peers import check, graph500
from spbfs.engines.cuda.peers import gather as peers
from spbfs.engines.cuda.products import kernels as products
from spbfs.engines.cuda.products import packed, row_kernels
from spbfs.engines.cuda.rounds import changes
from spbfs.engines.cuda.runtime import counting
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.cuda.vectors import convert
from spbfs.engines.cuda.writing import accumulate

__all__ = ["specialisations"]

LAUNCHERS = (
    accumulate,
    betweenness,
    bfs,
    bfs_many,
    bfs_many_bytes,
    bfs_many_hubs,
    bfs_many_plain,
    build,
    changes,
    check,
    colouring,
    components,
    convert,
    core_numbers,
    counting,
    expansion,
    graph500,
    hubs_first,
    least_parents,
    lookahead,
    marked,
    maximal_independent_set,
    minimum_spanning_forest,
    packed,
    pagerank,
    parts,
    peers,
    products,
    row_kernels,
    seeding,
    sssp,
    symmetric,
    transpose,
    triangles,
)


def specialisations() -> Iterator[Specialisation]:
    """What all launchers may load; neither CuPy nor a GPU is needed."""
    for launcher in LAUNCHERS:
        yield from launcher.specialisations()
