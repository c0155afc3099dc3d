"""Where the parts of the edges lie, and how one comes to the GPU.

A matrix on the GPU has them there.  One in host memory has them copied to pinned memory once, each
part an allocation of its own, and a level brings those that it needs one after the other: while
kernels look at one, the next is on its way, so that the GPU holds two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cupy as cp
import numpy as np

from spbfs.base.gpu_memory import require_bytes
from spbfs.base.memory import require_bytes as require_host_bytes
from spbfs.engines.bfs import Ints
from spbfs.storage.data import MatrixData, in_host_memory
from spbfs.storage.partitions import EdgePart, EdgePartitions

__all__ = ["BroughtParts", "ResidentParts", "parts_of"]

Array = Any


class ResidentParts:
    """Parts of a matrix on the GPU: views of its arrays."""

    nbytes = 0

    def __init__(self, data: MatrixData, part_edges: int) -> None:
        self.table = EdgePartitions(data.indptr, data.indices, part_edges)
        self.indptr = data.indptr

    def each(self, parts: Ints) -> Iterator[tuple[EdgePart, Array]]:
        """These parts with their entries on the GPU, one after the other."""
        for number in parts.tolist():
            part = self.table[number]
            yield part, part.indices


class BroughtParts:
    """Parts of a matrix in host memory: offsets on the GPU, entries in pinned memory.

    Parameters
    ----------
    data : MatrixData
    part_edges : int
    """

    def __init__(self, data: MatrixData, part_edges: int) -> None:
        self.table = EdgePartitions(data.indptr, data.indices, part_edges)
        size = min(part_edges, data.nvals)
        require_host_bytes(4 * data.nvals, "part_edges: its parts in pinned memory")
        require_bytes(
            data.indptr.nbytes + 2 * 4 * size, "part_edges: two parts and the offsets of rows"
        )
        self.indptr = cp.asarray(data.indptr)
        self._pinned = [_pinned(part.indices) for part in self.table]
        self._buffers = [cp.empty(size, np.int32) for _ in range(2)]
        self._copies = cp.cuda.Stream(non_blocking=True)

    @property
    def nbytes(self) -> int:
        """Bytes held: offsets and two parts on the GPU, all parts in host memory."""
        on_gpu = self.indptr.nbytes + sum(b.nbytes for b in self._buffers)
        return int(on_gpu) + sum(p.nbytes for p in self._pinned)

    def each(self, parts: Ints) -> Iterator[tuple[EdgePart, Array]]:
        """These parts with their entries on the GPU, one after the other: what is launched on the
        current stream before the next is asked for may read them."""
        stream = cp.cuda.get_current_stream()
        numbers = parts.tolist()
        arrived: list[Any] = []
        # Kernels of the last level may still read either buffer.
        left = [_recorded(stream), _recorded(stream)]
        for turn in range(len(numbers)):
            # This part and the next, so that it travels behind the kernels of this one.
            for ahead in range(len(arrived), min(turn + 2, len(numbers))):
                self._copies.wait_event(left[ahead % 2])
                self._bring(numbers[ahead], ahead % 2)
                arrived.append(_recorded(self._copies))
            stream.wait_event(arrived[turn])
            part = self.table[numbers[turn]]
            yield part, self._buffers[turn % 2][: part.count]
            left[turn % 2] = _recorded(stream)

    def _bring(self, number: int, buffer: int) -> None:
        source, runtime = self._pinned[number], cp.cuda.runtime
        runtime.memcpyAsync(
            self._buffers[buffer].data.ptr,
            source.ctypes.data,
            source.nbytes,
            runtime.memcpyHostToDevice,
            self._copies.ptr,
        )


def parts_of(data: MatrixData, part_edges: int) -> ResidentParts | BroughtParts:
    """The parts of a matrix, wherever it lies."""
    where = BroughtParts if in_host_memory(data.indices) else ResidentParts
    return where(data, part_edges)


def _pinned(indices: Array) -> Any:
    """A copy in pinned memory, as int32."""
    copy = np.frombuffer(cp.cuda.alloc_pinned_memory(4 * indices.shape[0]), np.int32)
    copy = copy[: indices.shape[0]]
    copy[:] = indices
    return copy


def _recorded(stream: Any) -> Any:
    event = cp.cuda.Event(disable_timing=True)
    event.record(stream)
    return event
