"""What a Dask cluster is asked, which workers or the scheduler may leave without an answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import distributed

from spbfs.exceptions import SpbfsError, WorkerError

__all__ = ["CLOSED", "PATIENCE", "asked", "lost", "staffed"]

T = TypeVar("T")

#: Seconds for which workers may be gone, and a question may be cut short by their ends: one that
#: died is started anew in less.
PATIENCE = 30.0
#: Seconds for which a cluster may be without workers as a call begins.
_STAFFED = 10.0
#: Seconds before a question is asked again.
_NAP = 0.1
#: What a client says that its owner has closed; older ones say that a connection is.
CLOSED: type[Exception] = getattr(
    distributed.client, "ClosedClientError", distributed.comm.CommClosedError
)
#: How an error begins that Dask has when nobody is there to connect to; it has no class of its own.
_NOBODY = "Timed out trying to connect to", "no endpoint for inproc address"


def lost(error: BaseException) -> bool:
    """Whether an error is of a connection, and not of what was done at its other end."""
    if isinstance(error, distributed.comm.CommClosedError | ConnectionError):
        return True
    return type(error) is OSError and str(error).startswith(_NOBODY)


def asked(client: Any, question: Callable[[], T]) -> T:
    """What the cluster answers; where a worker ended meanwhile it is asked again.

    Raises
    ------
    WorkerError
        When the client is closed, the scheduler is gone, or workers keep ending.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return question()
        except (SpbfsError, distributed.TimeoutError):  # of the question's own
            raise
        except Exception as error:
            # Of a client that was closed meanwhile anything may come.
            if client.status in ("closing", "closed"):
                raise WorkerError("scheduler: the client is closed") from None
            if not lost(error):
                raise
            # A connection was lost, whosever it was.
            _check_scheduler(client, error)
            if time.monotonic() > deadline:
                raise WorkerError(
                    f"scheduler: connections to workers were lost for {PATIENCE:.0f} s: {error}"
                ) from None
        time.sleep(_NAP)


def _check_scheduler(client: Any, error: Exception) -> None:
    """Raise unless the scheduler itself still answers."""
    try:
        client.nthreads()
    except (OSError, CLOSED):
        raise WorkerError(f"scheduler: the connection to it was lost: {error}") from None


def staffed(client: Any) -> None:
    """Wait until there are workers: those that died just now are started anew.

    Raises
    ------
    WorkerError
        When there are none for long, or the client is closed.
    """
    deadline = time.monotonic() + _STAFFED
    while True:
        if client.status != "running":
            raise WorkerError(f"scheduler: the client is {client.status}")
        if asked(client, client.nthreads):
            return
        if time.monotonic() > deadline:
            raise WorkerError("scheduler: it has no workers")
        time.sleep(_NAP)
