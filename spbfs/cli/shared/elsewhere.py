"""Who searches where a command does not do so itself: a cluster, or several devices."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from spbfs.base.packages import package
from spbfs.exceptions import PackageMissing, WorkerError

__all__ = ["who_searches"]

#: How long a scheduler may take to answer.
_PATIENCE = "10s"


@contextmanager
def who_searches(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Options of `bfs_many`.

    The graph is then read into host memory, and `arguments.device` is that of the workers.
    """
    if not (arguments.devices or arguments.scheduler):
        yield {}
        return
    asked = None if arguments.device == "auto" else arguments.device
    arguments.device = "cpu"
    if arguments.devices:
        yield {"devices": arguments.devices, "device": asked}
        return
    try:
        distributed = package("distributed", "scheduler: a cluster")
    except PackageMissing as error:
        raise PackageMissing(f"{error}; pip install 'spbfs[dask]' brings it") from None
    # What becomes of the call is said in one line, by us.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(arguments.scheduler, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        told = " ".join(str(error).split())
        raise WorkerError(f"scheduler: {arguments.scheduler!r} cannot be reached: {told}") from None
    with client:
        yield {"scheduler": client, "device": asked}
