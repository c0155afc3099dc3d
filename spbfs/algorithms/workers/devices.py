"""Batches searched by threads of this process, one for each of several devices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from queue import SimpleQueue
from threading import Thread
from typing import Any, cast

from spbfs.algorithms.workers.protocol import Begun, Item, Result, Work
from spbfs.algorithms.workers.replicas import replica_on_gpu
from spbfs.base.threads import resolve_threads
from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue
from spbfs.objects.matrix import Matrix
from spbfs.objects.placement.devices import DEVICES, gpu_here, named_devices
from spbfs.storage.arrays import Device

__all__ = ["DeviceWorkers"]

Job = tuple[Future[Any], Any]
#: The engine of a worker and, of a GPU, its number.
Place = tuple[Device, int]


class DeviceWorkers:
    """A thread for each device; see `Workers`.

    Parameters
    ----------
    matrix : Matrix
        GPUs that it is not on get a copy, from another GPU where one has it, which is kept with it.
    devices : sequence of str and int
        ``"cpu"``, ``"reference"``, ``"cuda"``, ``"cuda:1"`` or just 1; those on the host share its
        cores, also where one is named several times.
    """

    def __init__(self, matrix: Matrix, devices: Any) -> None:
        self._places = [_place(device) for device in named_devices(devices)]
        self._matrix = matrix

    @property
    def count(self) -> int:
        return len(self._places)

    @contextmanager
    def opened(
        self, work: Work[Item, Result], threads: int | None
    ) -> Iterator[Callable[[Item], Begun[Result]]]:
        jobs: SimpleQueue[Job | None] = SimpleQueue()
        hosts = sum(engine != "cuda" for engine, _ in self._places)
        share = max(1, resolve_threads(threads) // max(1, hosts))
        replicas = [self._replica(place) for place in self._places]
        with ExitStack() as ending:
            for place, matrix in zip(self._places, replicas, strict=True):
                # Of a daemon the interpreter's end does not wait for the batch that it is at.
                arguments = (place, matrix, work, share, jobs)
                Thread(target=_serve, args=arguments, name=f"spbfs-{place[0]}", daemon=True).start()
                ending.callback(jobs.put, None)

            def begin(item: Item) -> Future[Result]:
                made: Future[Result] = Future()
                jobs.put((made, item))
                return made

            yield begin

    def _replica(self, place: Place) -> Matrix:
        engine, number = place
        if engine == "cuda":
            return replica_on_gpu(self._matrix, number)
        return self._matrix.to(engine)


def _serve(
    place: Place, matrix: Matrix, work: Any, threads: int, jobs: SimpleQueue[Job | None]
) -> None:
    """Work on items until there is None."""
    with _current(place):
        while (job := jobs.get()) is not None:
            made, item = job
            if made.set_running_or_notify_cancel():
                try:
                    made.set_result(work(matrix, item, threads))
                except BaseException as error:
                    made.set_exception(error)
            del job, made, item


def _current(place: Place) -> AbstractContextManager[Any]:
    """The device is the thread's own, and so is its stream."""
    if place[0] != "cuda":
        return nullcontext()
    import cupy

    ending = ExitStack()
    # What was written by other streams is there from now on.
    ending.enter_context(cupy.cuda.Device(place[1])).synchronize()
    ending.enter_context(cupy.cuda.Stream(non_blocking=True))
    return ending


def _place(device: Any) -> Place:
    """A device that exists and can run here."""
    number = gpu_here(device)
    if number is not None:
        return "cuda", number
    if not isinstance(device, str) or device not in DEVICES:
        raise InvalidValue(
            f"devices: expected {', '.join(DEVICES)}, cuda:0 or the number of a GPU, "
            f"got {brief(device)}"
        )
    return cast(Device, device), 0
