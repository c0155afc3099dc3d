"""Searches over ranks, or of one process where there is one rank: ``mpiexec -n 4 python -m
benchmarks.cpu.ranks 20 22`` beside ``python -m benchmarks.cpu.ranks 20 22``, whose
OMP_NUM_THREADS is that of a rank.

Graph500's Kronecker graphs of these scales, edge factor 16, eight sources with an edge.  A line a
scale: the median over sources of the least of five calls of `spbfs.bfs` until the depth is known at
every rank, levels and parents made; the graph is spread and three searches are made before.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import numpy as np

import spbfs as sb

SOURCES, CALLS, BEFORE = 8, 5, 3


def _spread(A: sb.Matrix, comm: Any) -> sb.Matrix:
    """The graph over ranks, to which each gives some of the rows."""
    indptr, indices, _ = A.to_csr()
    bounds = [A.nrows * (comm.rank + k) // comm.size for k in range(2)]
    rows = np.repeat(np.arange(*bounds), np.diff(indptr[bounds[0] : bounds[1] + 1]))
    cols = indices[indptr[bounds[0]] : indptr[bounds[1]]].astype(np.int64)
    once = rows < cols
    edges = rows[once], cols[once]
    return sb.distributed.from_edges(*edges, comm=comm, n=A.nrows, directed=False)


def _milliseconds(A: sb.Matrix, source: int, comm: Any) -> float:
    """One call, as long as at the slowest rank."""
    from mpi4py import MPI

    comm.Barrier()
    began = time.perf_counter()
    sb.bfs(A, source).depth  # noqa: B018
    return float(comm.allreduce(1e3 * (time.perf_counter() - began), op=MPI.MAX))


def main() -> None:
    from mpi4py import MPI

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scales", nargs="+", type=int)
    comm = MPI.COMM_WORLD
    for scale in parser.parse_args().scales:
        A = sb.generate.kronecker(scale, 16, seed=1)
        some = np.flatnonzero(np.diff(A.to_csr()[0]) > 0)
        sources = np.random.default_rng(3).choice(some, SOURCES, replace=False).tolist()
        searched = A if comm.size == 1 else _spread(A, comm)
        for source in sources[:BEFORE]:
            sb.bfs(searched, source).depth  # noqa: B018
        times = [min(_milliseconds(searched, s, comm) for _ in range(CALLS)) for s in sources]
        if comm.rank == 0:
            print(
                f"kron{scale}: {comm.size} ranks of {sb.get_threads()} threads: "
                f"{statistics.median(times):.2f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main()
