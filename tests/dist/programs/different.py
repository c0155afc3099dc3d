"""A job whose last rank calls something else than the others; they have memory in common, or send
messages only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import spbfs as sb
from spbfs.distributed.exchange import host_memory

name, path, how = sys.argv[1:]
if how == "messages":
    host_memory._make = lambda *_: None

with sb.distributed.job() as comm:
    rng = np.random.default_rng(comm.rank)
    D = sb.distributed.from_edges(*rng.integers(0, 500, (2, 2000)), comm=comm, n=500)
    found = sb.bfs(D, 0)
    v = found.levels

    def many() -> Any:
        """More numbers are put together than ranks write to memory that they share."""
        return sb.bfs_many(D, range(300), outputs=["counts"])

    calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "gather, bfs": (v.gather, lambda: sb.bfs(D, 0)),
        "to_file, bfs": (lambda: v.to_file(path), lambda: sb.bfs(D, 0)),
        "from_edges, bfs": (
            lambda: sb.distributed.from_edges([0], [1], comm=comm, n=500),
            lambda: sb.bfs(D, 0),
        ),
        "reduce, bfs": (lambda: v.reduce("plus").value, lambda: sb.bfs(D, 0)),
        "bfs, element": (lambda: sb.bfs(D, 0), lambda: v[3].value),
        "verify, bfs": (
            lambda: sb.verify.bfs_tree(D, 0, found.parents, found.levels),
            lambda: sb.bfs(D, 0),
        ),
        "verify, gather": (lambda: sb.verify.bfs_tree(D, 0, found.parents, found.levels), v.gather),
        "reduce, reduce": (lambda: v.reduce("plus").value, lambda: v.reduce("max").value),
        "element, element": (lambda: v[3].value, lambda: v[4].value),
        "mxv, mxv": (
            lambda: sb.semiring.plus_times(D @ v).new(),
            lambda: sb.semiring.min_plus(D @ v).new(),
        ),
        "mxv, mxv of the transpose": (
            lambda: sb.semiring.plus_times(D @ v).new(),
            lambda: sb.semiring.plus_times(D.T @ v).new(),
        ),
        "transpose, diagonal": (lambda: D.T.new(), D.diag),
        "a vector, another": (
            lambda: sb.Vector.from_coo([0], [1], size=500, device=D.device),
            lambda: sb.Vector.from_coo([1], [1], size=500, device=D.device),
        ),
        "gather, gather": (v.gather, D.gather),
        "gather, reduce": (v.gather, lambda: v.reduce("plus").value),
        "bfs_many, reduce": (many, lambda: v.reduce("plus").value),
    }
    comm.Barrier()
    if comm.rank == 0:
        print(time.time(), flush=True)
    calls[name][comm.rank == comm.size - 1]()
    # What was silently mixed up is no error of its own.
    comm.Barrier()
