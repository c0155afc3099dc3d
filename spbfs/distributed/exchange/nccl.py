"""Exchanges between the GPUs of ranks, by NCCL (`cupy.cuda.nccl`).

How long messages are, and their heads, goes ahead through host memory: whoever receives must know
it.  The messages themselves are sends and receives of one group, which is an all-to-all, on a
stream of its own.  No GPU's pointer is ever handed to anything but NCCL.

Nobody waits inside of NCCL: events are polled, with its errors and what is heard of other ranks.
After a time in which anything should have arrived, or a failure, the communicator is aborted, which
ends what it has on the GPU, and there are no further exchanges.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import cupy
import numpy as np

from spbfs.distributed.exchange.ranks import Ints, Ranks, everyones
from spbfs.exceptions import RankFailed

__all__ = ["NcclRanks", "connected", "nccl_version"]

Array = Any
#: Seconds for NCCL to find the way between all GPUs; and for a message that everybody has begun,
#: beside one for so many of its bytes.
_CONNECTS = 60.0
_PATIENCE = 5.0
_SLOWEST = 1 << 27
#: Looks at an event before a rank sleeps between them, and for how long, in seconds; and looks
#: between those for errors, of NCCL's and of other ranks.
_EAGER = 2000
_NAP = 5e-5
_LISTEN = 64


def _nccl() -> Any:
    """NCCL as CuPy has it, None where it has not."""
    try:
        from cupy.cuda import nccl
    except ImportError:
        return None
    return nccl if getattr(nccl, "available", False) else None


def nccl_version() -> int:
    """Of the NCCL that is here; 0 where there is none."""
    nccl = _nccl()
    return 0 if nccl is None else int(nccl.get_version())


def connected(ranks: Ranks) -> NcclRanks:
    """The exchanges between the current GPUs of all ranks, over where they cannot be; collective.

    A rank that is alone needs no NCCL.
    """
    made = NcclRanks(ranks)
    if ranks.size > 1:
        made.connect()
    return made


class _Crossing:
    """An all-to-all of GPU memory under way."""

    def __init__(
        self, ranks: NcclRanks, parts: Sequence[Array], arrived: Array, bounds: Ints, heads: Ints
    ) -> None:
        # What goes out must outlive the transfer.
        self._by, self._sent, self._arrived, self._bounds = ranks, parts, arrived, bounds
        self.heads: list[int] = heads.tolist()
        self._event = cupy.cuda.Event(disable_timing=True)
        self._event.record(ranks.stream)

    def wait(self) -> list[Array]:
        sent = sum(part.shape[0] for part in self._sent)
        seconds = _PATIENCE + (sent + self._arrived.shape[0]) / _SLOWEST
        self._by.wait(lambda: self._event.done, seconds)
        return [self._arrived[a:b] for a, b in pairwise(self._bounds.tolist())]


class NcclRanks:
    """Ranks of which each exchanges from the memory of a GPU of its own; see `Ranks`.

    Parameters
    ----------
    ranks : Ranks
        The same, exchanging from host memory.
    """

    xp: Any = cupy
    apart = True
    meetings: Any = None
    on_gpus: Ranks | None = None

    def __init__(self, ranks: Ranks) -> None:
        self.on_host, self.rank, self.size = ranks, ranks.rank, ranks.size
        self._gpu = cupy.cuda.Device()
        #: Its own, so that this rank's work goes on meanwhile.
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self._communicator: Any = None
        #: Why there are no further exchanges; "" as long as there may be.
        self.over = ""

    @property
    def graphs(self) -> int:
        return self.on_host.graphs

    @graphs.setter
    def graphs(self, count: int) -> None:
        self.on_host.graphs = count

    @property
    def call(self) -> str:
        return self.on_host.call

    @property
    def sent(self) -> int:
        return self.on_host.sent

    @sent.setter
    def sent(self, count: int) -> None:
        self.on_host.sent = count

    def use(self) -> None:
        """Have this thread work on the GPU whose memory is exchanged."""
        self._gpu.use()

    # -- a communicator ----------------------------------------------------------------------
    def connect(self) -> None:
        """Make the communicator, or say why there is none; collective.

        NCCL waits for others while it makes it, and when two of them first exchange: both are done
        here by a thread, so that this one sees to failures.
        """
        nccl, mine = _nccl(), None
        failures: list[Exception] = []
        try:
            if self.rank == 0:
                mine = nccl.get_unique_id()  # bytes, of older CuPy a tuple
        except Exception as error:
            failures.append(error)
        identity = everyones(self.on_host, mine)[0]

        def make() -> None:
            self._gpu.use()
            try:
                self._communicator = nccl.NcclCommunicator(self.size, identity, self.rank)
                room = cupy.zeros(8 * self.size, np.uint8)
                lengths = [8] * self.size
                self._transfer([room[:8]] * self.size, lengths, cupy.empty_like(room))
                self.stream.synchronize()
            except Exception as error:
                failures.append(error)

        if identity is not None:
            thread = threading.Thread(target=make, daemon=True)
            thread.start()
            self.wait(lambda: not thread.is_alive(), _CONNECTS, connected=False)
        if failures:
            self.abort(f"NCCL at rank {self.rank}: {failures[0]}")

    def abort(self, reason: str) -> None:
        """End what is under way, and do not begin anything again."""
        self.over = self.over or reason
        communicator, self._communicator = self._communicator, None
        if communicator is not None:
            communicator.abort()

    def wait(self, done: Callable[[], bool], seconds: float, connected: bool = True) -> None:
        """Poll until it is done.

        Raises
        ------
        RankFailed
            When another rank says that it will not come, or nothing has come for so long.
        """
        looks, deadline = 0, time.monotonic() + seconds
        try:
            while not done():
                looks += 1
                if looks % _LISTEN == 0:
                    if connected:
                        self._communicator.check_async_error()
                    self.on_host.listen()
                    if time.monotonic() > deadline:
                        raise RankFailed(
                            f"rank {self.rank}: NCCL has waited {seconds:.1f} s for other ranks"
                        )
                time.sleep(_NAP if looks > _EAGER else 0)
        except BaseException as error:  # an interruption, too, leaves others without an answer
            self.abort(f"{type(error).__name__}: {error}")
            raise

    # -- exchanges ---------------------------------------------------------------------------
    def begin(self, parts: Sequence[Array], heads: Sequence[int] | None = None) -> _Crossing:
        if self.over:
            raise RankFailed(f"rank {self.rank}: its exchanges have ended: {self.over}")
        lengths = [int(part.shape[0]) for part in parts]
        numbers = np.array([lengths, [0] * self.size if heads is None else list(heads)], np.int64)
        told = self.on_host.swap(np.ascontiguousarray(numbers.T))
        self.sent += sum(lengths) - lengths[self.rank]
        bounds = np.concatenate(([0], np.cumsum(told[:, 0])))
        arrived = cupy.empty(int(bounds[-1]), np.uint8)
        try:
            self._transfer(parts, told[:, 0].tolist(), arrived)
        except BaseException as error:
            self.abort(f"{type(error).__name__}: {error}")
            raise
        return _Crossing(self, parts, arrived, bounds, told[:, 1])

    def _transfer(self, parts: Sequence[Array], lengths: Sequence[int], arrived: Array) -> None:
        """Begin to send parts, and to receive those of these lengths one after the other."""
        here, at = cupy.cuda.Event(disable_timing=True), 0
        receives = []
        for rank, (part, length) in enumerate(zip(parts, lengths, strict=True)):
            if rank == self.rank:
                arrived[at : at + length] = part
            elif length:
                receives.append((rank, arrived.data.ptr + at, length))
            at += length
        sends = [
            (rank, part.data.ptr, int(part.shape[0]))
            for rank, part in enumerate(parts)
            if part.shape[0] and rank != self.rank
        ]
        here.record()
        self.stream.wait_event(here)
        if not sends and not receives:
            return
        nccl, communicator, stream = _nccl(), self._communicator, self.stream.ptr
        nccl.groupStart()
        try:
            for rank, pointer, length in sends:
                communicator.send(pointer, length, nccl.NCCL_UINT8, rank, stream)
            for rank, pointer, length in receives:
                communicator.recv(pointer, length, nccl.NCCL_UINT8, rank, stream)
        finally:
            nccl.groupEnd()

    def swap(self, rows: Ints) -> Ints:
        return self.on_host.swap(rows)

    def reduce(self, numbers: Ints, how: str) -> Ints:
        return self.on_host.reduce(numbers, how)

    def enter(self, call: str, shown: str = "") -> None:
        self.on_host.enter(call, shown)

    def listen(self) -> None:
        self.on_host.listen()
