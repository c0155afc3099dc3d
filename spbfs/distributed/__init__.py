"""Graphs over many processes: one traversal by the ranks of an MPI job.

Every process runs the same program and calls the same functions in the same order, with equal
arguments; where algorithms are asked for different things, all ranks raise an error that says so.
`read`, `from_edges` and `from_scipy` make a `Matrix` whose edges are spread over the ranks;
`spbfs.bfs` and most other algorithms, masked products and work on elements take it as any other.
"""

from __future__ import annotations

from spbfs.base.public import listed
from spbfs.distributed.constructors.matrices import from_edges, from_scipy, read
from spbfs.distributed.exchange.job import job
from spbfs.distributed.exchange.threads import simulate

__all__ = ["from_edges", "from_scipy", "job", "read", "simulate"]

listed(__name__)
