"""The replicas of one matrix on the workers of a cluster.

Each worker's is a key of its own, made there of the one that was sent.  Of a key that several
workers have, Dask's memory manager drops all but one after some seconds, with all that searches
keep with it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import distributed

from spbfs.algorithms.workers.asking import asked
from spbfs.algorithms.workers.sent import Sent
from spbfs.exceptions import WorkerError

__all__ = ["Copies"]

#: Seconds between two looks for workers that have come or gone.
_LOOK = 5.0


class Copies:
    """Replicas, made for workers when they are first seen; they give them up with this object.

    Parameters
    ----------
    client : distributed.Client
    sent : Sent
    """

    def __init__(self, client: Any, sent: Sent) -> None:
        self._client = client
        try:
            self._source = asked(client, lambda: client.scatter(sent, hash=False))
        except distributed.TimeoutError:
            raise WorkerError("scheduler: no worker takes the matrix") from None
        self._on: dict[str, Any] = {}
        self._looked = -_LOOK

    @property
    def lost(self) -> bool:
        """Whether what was sent has gone with its worker."""
        return bool(self._source.status != "finished")

    def at(self, busy: Sequence[str]) -> tuple[str | None, Any]:
        """The worker that is named least often, and its replica; None and what was sent where
        there is nobody just now."""
        if time.monotonic() - self._looked >= _LOOK:
            self._look()
        if not self._on:
            return None, self._source
        worker = min(self._on, key=busy.count)
        return worker, self._on[worker]

    def _look(self) -> None:
        self._looked = time.monotonic()
        there = asked(self._client, self._client.nthreads)
        self._on = {
            worker: self._on.get(worker) or self._client.submit(_own, self._source, **only(worker))
            for worker in there
        }


def only(worker: str | None) -> dict[str, Any]:
    """Where something is to be done as long as that worker is there, for `Client.submit`."""
    # Of calls with equal arguments Dask would make one.
    anywhere: dict[str, Any] = {"pure": False}
    return (
        anywhere
        if worker is None
        else anywhere | {"workers": [worker], "allow_other_workers": True}
    )


def _own(sent: Sent) -> Sent:
    """On a worker: the same object, under a key that is the worker's."""
    return sent
