"""The parts of `cupy.cuda.nccl` that the engine uses, between threads that are each on a device.

A transfer ends when both sides have begun it, and what is received is rubbish until then.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from typing import Any

available = True
NCCL_UINT8 = 1
_IDENTITY = 128
#: Seconds after which a communicator that not all ranks come to is no longer waited for.
_GIVES_UP = 60

_numbers = itertools.count(1)
_lock = threading.Condition()
_made: dict[bytes, _Everybody] = {}
#: Transfers begun on each stream.
_begun: dict[int, list[threading.Event]] = {}


class NcclError(RuntimeError):
    pass


class _Everybody:
    """The ranks of a communicator: their devices, and transfers that one side has begun."""

    def __init__(self) -> None:
        self.devices: dict[int, int] = {}
        self.begun: dict[tuple[int, int, bool], list[Any]] = {}


class _Group(threading.local):
    """A thread's own calls since it began a group."""

    depth = 0

    def __init__(self) -> None:
        self.calls: list[Any] = []


_group = _Group()


def under_way(stream: int) -> list[threading.Event]:
    """Transfers of a stream that have not ended."""
    with _lock:
        _begun[stream] = [one for one in _begun.get(stream, []) if not one.is_set()]
        return list(_begun[stream])


def get_version() -> int:
    return 22703


def get_unique_id() -> bytes:
    return next(_numbers).to_bytes(_IDENTITY, "little")


def groupStart() -> None:
    _group.depth += 1


def groupEnd() -> None:
    _group.depth -= 1
    if _group.depth == 0:
        calls, _group.calls = _group.calls, []
        for call in calls:
            _begin(*call)


def _begin(
    everybody: _Everybody, key: tuple[int, int, bool], pointer: int, count: int, stream: int
) -> None:
    """One side of a transfer, from a rank to another; whoever comes second copies."""
    ended = threading.Event()
    with _lock:
        _begun.setdefault(stream, []).append(ended)
        other = everybody.begun.get((*key[:2], not key[2]))
        if not other:
            everybody.begun.setdefault(key, []).append((pointer, count, ended))
            return
        there, size, theirs = other.pop(0)
        assert size == count, "sent and received are of different lengths"
        to, source = (there, pointer) if key[2] else (pointer, there)
        ctypes.memmove(to, source, count)
        ended.set()
        theirs.set()


class NcclCommunicator:
    def __init__(self, size: int, identity: bytes, rank: int) -> None:
        from cupy.cuda import runtime

        assert len(identity) == _IDENTITY
        with _lock:
            self._everybody: Any = _made.setdefault(identity, _Everybody())
            devices = self._everybody.devices
            devices[rank] = runtime.getDevice()
            _lock.notify_all()
            if not _lock.wait_for(lambda: len(devices) == size, _GIVES_UP):
                raise NcclError("NCCL_ERROR_SYSTEM_ERROR: not all ranks have come")
        self._rank = rank
        if len(set(devices.values())) < size:
            raise NcclError("NCCL_ERROR_INVALID_USAGE: two ranks are on one device")

    def _call(
        self, peer: int, sends: bool, pointer: int, count: int, kind: int, stream: int
    ) -> None:
        from cupy.cuda import runtime

        assert kind == NCCL_UINT8 and self._everybody is not None
        assert runtime.getDevice() == self._everybody.devices[self._rank]
        ends = (self._rank, peer) if sends else (peer, self._rank)
        groupStart()
        _group.calls.append((self._everybody, (*ends, sends), pointer, count, stream))
        groupEnd()

    def send(self, pointer: int, count: int, kind: int, peer: int, stream: int) -> None:
        self._call(peer, True, pointer, count, kind, stream)

    def recv(self, pointer: int, count: int, kind: int, peer: int, stream: int) -> None:
        self._call(peer, False, pointer, count, kind, stream)

    def check_async_error(self) -> None:
        assert self._everybody is not None

    def abort(self) -> None:
        self._everybody = None
