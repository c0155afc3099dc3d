"""A job of which one rank fails, in the way that the argument says, while the others go on."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from typing import Any

import numpy as np

import spbfs as sb
from spbfs.distributed.search import one_host

how, path = sys.argv[1:]


def interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


class Mute(Exception):
    """It cannot even say what it is."""

    def __str__(self) -> str:
        raise ZeroDivisionError


with sb.distributed.job() as comm:
    rng = np.random.default_rng(comm.rank)
    D = sb.distributed.from_edges(*rng.integers(0, 500, (2, 2000)), comm=comm, n=500)
    found = sb.bfs(D, 0)
    if comm.rank == 1:
        print(time.time(), flush=True)
        if how == "raise":
            raise ValueError("no luck")
        if how == "mute":
            raise Mute
        if how == "exit":
            sys.exit(0)
        if how == "search":
            # It catches what happens in the middle of a search, and leaves.
            one_host._go = interrupted
            with contextlib.suppress(KeyboardInterrupt):
                sb.bfs(D, 0)
        elif how != "leave":
            os.kill(os.getpid(), signal.SIGINT if how == "interrupt" else signal.SIGKILL)
    while comm.rank == 0 or how not in ("leave", "search"):
        found.levels.to_file(path) if how != "search" else sb.bfs(D, 0)
