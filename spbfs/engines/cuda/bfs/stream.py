"""What the searches on one stream take turns with: workspaces, outputs, summaries."""

from __future__ import annotations

from typing import Any

import cupy as cp
import numpy as np

from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.bfs.least_parents import LeastParents
from spbfs.engines.cuda.bfs.slots import summary_slots
from spbfs.planner.search import NeighbourOrder, Relabelling
from spbfs.storage.data import MatrixData

__all__ = ["LayoutName", "StreamWorkspace", "WorkspaceKind"]

Array = Any
#: Up to how many vertices outputs are made before they are asked for: 16 MB each.
FEW_VERTICES = 1 << 22
#: What names a layout of the graph.
LayoutName = tuple[Relabelling, NeighbourOrder]
#: What a workspace is for: a layout, and whether it lists the longest frontiers.
WorkspaceKind = tuple[LayoutName, bool]


class StreamWorkspace:
    """What the searches on one stream take turns with.

    Lists are popped and appended without a lock: both are atomic, and results come back from
    finalisers, which may run at any moment.
    """

    def __init__(self, n: int, stream: Any) -> None:
        self._n = n
        #: Kept, so that no other stream gets its address while work of it may be left.
        self._stream = stream
        self.idle: dict[WorkspaceKind, list[FusedBFS]] = {}
        self.least_parents: list[LeastParents] = []
        self._outputs: list[Array] = []
        self._slots: list[Array] = []

    @property
    def nbytes(self) -> int:
        reusable: list[Any] = [s for idle in list(self.idle.values()) for s in list(idle)]
        reusable += [*self.least_parents, *self._outputs]
        return sum(int(x.nbytes) for x in reusable)

    def keep(self, kind: WorkspaceKind, search: FusedBFS) -> None:
        """Let another search have it that comes after it on the stream."""
        self.idle.setdefault(kind, []).append(search)

    def expect_two(self) -> None:
        """Make outputs for a search and for another one while its result is kept, where vertices
        are few: to make them takes as long as a fifth of a search that finds little."""
        try:
            while self._n <= FEW_VERTICES and len(self._outputs) < 4:
                self._outputs.append(cp.empty(self._n, np.int32))
        except cp.cuda.memory.OutOfMemoryError:
            pass  # whoever needs them will say so

    def output(self) -> Array:
        """An int32 array of n, its contents arbitrary."""
        try:
            return self._outputs.pop()
        except IndexError:
            return cp.empty(self._n, np.int32)

    def slot(self) -> Array:
        """Where a search leaves its summary."""
        try:
            return self._slots.pop()
        except IndexError:
            self._slots += summary_slots(self._stream)
            return self._slots.pop()

    def take_least_parents(self, A: MatrixData) -> LeastParents:
        """An idle finder of least parents, or a new one."""
        try:
            return self.least_parents.pop()
        except IndexError:
            return LeastParents(A)

    def take_back(self, array: Array) -> None:
        if array.dtype == np.uint8:
            self._slots.append(array)
        # Two are what the next search needs; more would only be held where they are large.
        elif len(self._outputs) < (4 if self._n <= FEW_VERTICES else 2):
            self._outputs.append(array)

    def clear(self) -> None:
        """Forget what no search uses now."""
        self.idle.clear()
        self.least_parents.clear()
        self._outputs.clear()
