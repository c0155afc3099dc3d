"""Batches searched by the workers of a Dask cluster, each of which has a replica of the matrix.

Dask hands a batch to somebody else when its worker dies, and says when nobody is left that could.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import distributed

from spbfs.algorithms.workers.asking import CLOSED, PATIENCE, asked
from spbfs.algorithms.workers.copies import Copies, only
from spbfs.algorithms.workers.fitness import check_workers
from spbfs.algorithms.workers.protocol import Begun, Item, Result, Work
from spbfs.algorithms.workers.sent import Sent
from spbfs.exceptions import InvalidValue, WorkerError
from spbfs.objects.matrix import Matrix
from spbfs.storage.derived import replicas_of

__all__ = ["ClusterWorkers"]

#: Seconds between two looks whether there still are workers.
_LOOK = 1.0
#: How often a replica that all workers lost is sent again.
_MOST_SENT = 3


class ClusterWorkers:
    """Every worker of a cluster; see `Workers`.

    Parameters
    ----------
    matrix : Matrix
    client : distributed.Client
    device : str
        Where workers search it.
    """

    def __init__(self, matrix: Matrix, client: Any, device: str) -> None:
        if client.asynchronous:
            raise InvalidValue("scheduler: expected a client that is not asynchronous")
        self._matrix, self._client, self._device = matrix, client, device
        self._workers, self._sent = check_workers(matrix, client)

    @property
    def count(self) -> int:
        return self._workers

    @contextmanager
    def opened(
        self, work: Work[Item, Result], threads: int | None
    ) -> Iterator[Callable[[Item], Begun[Result]]]:
        under_way: list[_Batch] = []

        def begin(item: Item) -> _Batch:
            under_way[:] = [batch for batch in under_way if not batch.done()]
            under_way.append(_Batch(self, (work, item, self._device, threads), under_way))
            return under_way[-1]

        try:
            yield begin
        finally:
            # They refer to the list, too, and to the matrix, with which replicas go.
            under_way.clear()

    def submit(self, busy: list[str], *batch: Any) -> tuple[str | None, Any]:
        """Hand out a batch to who has least to do; the worker, and what will be the result."""
        kept = replicas_of(self._matrix._ready()).on_clusters
        copies = kept.get(self._client.id)
        if copies is None or copies.lost:
            copies = kept[self._client.id] = Copies(self._client, self._sent)
        worker, replica = asked(self._client, lambda: copies.at(busy))
        where = only(worker)
        submit = self._client.submit
        return worker, asked(self._client, lambda: submit(_search_batch, replica, *batch, **where))

    def asked(self, question: Callable[[], Any]) -> Any:
        """See `asking.asked`."""
        return asked(self._client, question)

    def check(self, since: float) -> float:
        """When there last were workers: now, or at that time, which must not be long ago."""
        now = time.monotonic()
        if self._client.status != "running":
            raise WorkerError(f"scheduler: the client is {self._client.status}")
        if asked(self._client, self._client.nthreads):
            return now
        if now - since > PATIENCE:
            raise WorkerError(f"scheduler: it has had no workers for {PATIENCE:.0f} s")
        return since


class _Batch:
    """A batch that was handed out; see `Begun`."""

    def __init__(
        self, workers: ClusterWorkers, batch: tuple[Any, ...], others: list[_Batch]
    ) -> None:
        self._workers, self._batch, self._others = workers, batch, others
        self.worker: str | None = None
        self._submit()

    def _submit(self) -> None:
        busy = [batch.worker for batch in self._others if batch.worker and not batch.done()]
        self.worker, self._future = self._workers.submit(busy, *self._batch)

    def done(self) -> bool:
        return bool(self._future.done())

    def result(self) -> Any:
        for _ in range(_MOST_SENT):
            try:
                return self._waited_for()
            except distributed.CancelledError:
                # The workers that had the replica are gone, all at once.
                self._workers.check(time.monotonic())
            finally:
                # The traceback of an error refers to it, and what it refers to workers keep.
                self._future.release()
            self._submit()
        raise WorkerError(f"scheduler: workers lost the matrix {_MOST_SENT} times")

    def _waited_for(self) -> Any:
        staffed, patience = time.monotonic(), PATIENCE
        while True:
            if self._ended():
                fetch = partial(self._future.result, timeout=patience)
                try:
                    # An error of the work's own is none of a connection.
                    return fetch() if self._future.status == "error" else self._workers.asked(fetch)
                except distributed.TimeoutError:
                    if self._future.status == "error":
                        raise  # it is the work's own
                    patience *= 2  # what has come of it takes long to fetch
                except distributed.scheduler.KilledWorker as error:
                    raise WorkerError(
                        f"scheduler: a batch ended every worker it was given to, the last one is "
                        f"{error.last_worker.address}"
                    ) from None
            staffed = self._workers.check(staffed)

    def _ended(self) -> bool:
        """Whether it has before long."""
        try:
            self._workers.asked(lambda: distributed.wait(self._future, timeout=_LOOK))
        except distributed.TimeoutError:
            return False
        return True

    def cancel(self) -> None:
        # Of a client that is closed, or a scheduler that is gone, nothing begins any more.
        with suppress(CLOSED, OSError):
            self._future.cancel()


def _search_batch(replica: Sent, work: Any, item: Any, device: Any, threads: int | None) -> Any:
    """What a worker does: one batch at a time, on all the threads that Dask gives it."""
    share = threads or distributed.get_worker().state.nthreads
    with replica.turn:
        return work(replica.on(device), item, share)
