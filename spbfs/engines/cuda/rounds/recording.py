"""A round recorded by stream capture, and launched instead of run."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import cupy

from spbfs.base.lookahead import lookahead
from spbfs.base.tracing import untraced
from spbfs.engines.cuda.rounds.arena import Arena
from spbfs.engines.cuda.rounds.state import addresses, bring_back, settled
from spbfs.engines.cuda.runtime.recording import Notes, noted
from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine
    from spbfs.engines.rounds import HeldVector

__all__ = ["RecordedRounds"]

#: Rehearsals at most: the first may change the form of a vector, the next derive from a matrix what
#: is kept with it, and two have to be alike before one is recorded.
_REHEARSALS = 4
_KEPT = "something that is not of the state keeps what a round makes"
_DIFFERS = "a round does not launch what the one before it did, or with other numbers"


class RecordedRounds:
    """Makes a round at every call.

    Parameters
    ----------
    engine : CudaEngine
    body : callable
        A round as it is written.
    held : list of HeldVector
        The state: all that goes from one round to the next.

    Attributes
    ----------
    launched : int
        Rounds that were launched as recorded.
    refusal : str
        Why no round could be recorded; empty where one was, or none had to be so far.
    """

    def __init__(
        self, engine: CudaEngine, body: Callable[[], None], held: list[HeldVector]
    ) -> None:
        self._engine, self._body, self._held = engine, body, held
        self.launched = 0
        self.refusal = ""
        self._rehearsals = _REHEARSALS
        self._arena = Arena()
        self._state: list[VectorData] = []
        self._rehearsed: Notes | None = None
        #: Whether the last two rehearsals launched the same: then the next round may be recorded.
        self._alike = False
        self._graph: Any = None
        self._stream = _capturing_stream()
        self._outside: Any = None

    def __enter__(self) -> RecordedRounds:
        self._outside = cupy.cuda.get_current_stream()
        _wait_for(self._stream, self._outside)
        self._stream.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._stream.__exit__(*raised)
        _wait_for(self._outside, self._stream)

    def __call__(self) -> None:
        if self._graph is not None and self._is_in_place():
            self._launch()
        elif self._alike and self._rehearsed is not None and self._is_in_place():
            self._record(self._rehearsed)
        elif self._rehearsals > 0:
            self._rehearse()
        else:
            self.refusal = self.refusal or "the state is given other arrays between rounds"
            self._body()

    def _is_in_place(self) -> bool:
        """Whether nobody has given the state other arrays since the last round."""
        return all(
            held.data() is stays for held, stays in zip(self._held, self._state, strict=True)
        )

    def _launch(self) -> None:
        self._graph.launch(self._stream)
        self.launched += 1
        for u in self._state:
            if u.present is not None:
                u.counted = -1

    def _rehearse(self) -> None:
        """A round in the way of recorded ones, after which one may be recorded."""
        self._graph = None
        self._state = [settled(self._engine, held.data()) for held in self._held]
        self._put_in_place()
        self._arena = Arena()
        notes = Notes(addresses(self._state), self._arena.addresses)
        made = self._noted_round(notes)
        if not bring_back(made, self._state):
            for held, u in zip(self._held, made, strict=True):
                held.hold(u)
            notes.refuse("a vector of the state changes its form")
        else:
            del made
            self._put_in_place()
            if self._is_kept():
                notes.refuse(_KEPT)
        self._rehearsals -= 1
        before, self._rehearsed = self._rehearsed, None if notes.refusal else notes
        # A round that turns out to differ only when it is captured has been called twice, and what
        # it counts in Python is then one ahead.
        self._alike = before is not None and notes.used == before.used
        if self._rehearsals == 0 and not (self._alike and self._rehearsed):
            self.refusal = notes.refusal or _DIFFERS

    def _noted_round(self, notes: Notes) -> list[VectorData]:
        arena = cupy.cuda.using_allocator(self._arena.allocate)
        with arena, lookahead(False), noted(notes), untraced():
            self._body()
            return [held.data() for held in self._held]

    def _record(self, rehearsed: Notes) -> None:
        """Capture a round and launch it; where that cannot be, run it."""
        notes, graph = Notes(addresses(self._state), self._arena.addresses), None
        self._stream.begin_capture()
        try:
            if not bring_back(self._noted_round(notes), self._state):
                notes.refuse("a vector of the state changes its form")
        # Of CUDA and of CuPy: whatever waits for the GPU, as what needs a result does.
        except RuntimeError as error:
            if notes.used != rehearsed.used[: len(notes.used)]:
                notes.refuse(_DIFFERS)
            notes.refuse(f"a round waits for the GPU ({error})")
        except BaseException:
            with suppress(RuntimeError):
                self._stream.end_capture()
            self._put_in_place()
            raise
        try:
            graph = self._stream.end_capture()
        except RuntimeError as error:
            notes.refuse(f"a round waits for the GPU ({error})")
        self._put_in_place()
        if self._is_kept():
            notes.refuse(_KEPT)
        if notes.used != rehearsed.used:
            notes.refuse(_DIFFERS)
        self._rehearsed = None
        if notes.refusal:
            self._rehearsals, self.refusal = 0, notes.refusal
            self._body()
        else:
            self._graph = graph
            self._launch()

    def _is_kept(self) -> bool:
        """Whether what a round has made is kept; what lies in a circle is wanted by nobody."""
        if self._arena.held:
            gc.collect()
        return self._arena.held > 0

    def _put_in_place(self) -> None:
        for held, stays in zip(self._held, self._state, strict=True):
            held.hold(stays)


class _Streams(threading.local):
    """A thread's own, one a device."""

    def __init__(self) -> None:
        self.by_device: dict[int, Any] = {}


_streams = _Streams()


def _capturing_stream() -> Any:
    """A stream that captures without regard to what other threads launch.

    The default stream cannot be captured, and while one that it waits for is, nobody may use it.
    """
    device = cupy.cuda.runtime.getDevice()
    if device not in _streams.by_device:
        _streams.by_device[device] = cupy.cuda.Stream(non_blocking=True)
    return _streams.by_device[device]


def _wait_for(stream: Any, other: Any) -> None:
    """What is launched on `stream` from now on waits for what was on the other."""
    event = cupy.cuda.Event(disable_timing=True)
    event.record(other)
    stream.wait_event(event)
