"""What a breadth-first search found."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_workspace import Workspace
from spbfs.core.storage import VectorData

if TYPE_CHECKING:
    from spbfs import Vector

__all__ = ["BFSResult", "LevelTrace"]

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class LevelTrace:
    """One step of a search: a frontier expanded.

    Attributes
    ----------
    frontier : int
        Vertices at this level.
    edges : int
        Their out-edges, the work of a push.
    direction : str
        "push" or "pull".
    seconds : float
        Time of the step.
    """

    frontier: int
    edges: int
    direction: str
    seconds: float


class BFSResult:
    """What a search found; unpacks as ``levels, parents``.

    Attributes
    ----------
    depth : int
        The largest level.
    reached : int
        Number of vertices that have a level, sources included.
    edges : int
        Stored entries in the rows of the reached vertices: every edge of an undirected graph
        counts twice.
    seconds : float
        Time of the traversal, outputs included; checks of arguments and what is made only once for
        a graph (transpose, workspace) are not.
    trace : list of LevelTrace, or None
        One item a level expanded, where asked for.
    """

    def __init__(
        self,
        n: int,
        found: tuple[int, int, int, list[tuple[int, int, bool, float]]],
        seconds: float,
        level: Array | None,
        parent: Array | None,
        owner: Array | None,
        traced: bool,
        workspace: Workspace,
        device: str = "cpu",
    ) -> None:
        self.depth, self.reached, self.edges, rows = found
        self.seconds = seconds
        self.trace: list[LevelTrace] | None = None
        if traced:
            self.trace = [LevelTrace(f, e, "pull" if p else "push", s) for f, e, p, s in rows]
        self._n = n
        self._device = device
        self._arrays = {"levels": level, "parents": parent, "owners": owner}
        self._vectors: dict[str, Vector] = {}
        self._flags: Array | None = None
        self._workspace = weakref.ref(workspace)

    @property
    def levels(self) -> Vector | None:
        """Distance from the source, INT32 (INT64 where n needs it); None when not asked for."""
        return self._vector("levels")

    @property
    def parents(self) -> Vector | None:
        """The vertex each was reached from, a source from itself; None when not asked for."""
        return self._vector("parents")

    @property
    def owners(self) -> Vector | None:
        """Position in `source` of the nearest source, the least where several are as near.

        None when the search had one source.
        """
        return self._vector("owners")

    def __iter__(self) -> Iterator[Vector | None]:
        yield self.levels
        yield self.parents

    def __repr__(self) -> str:
        return (
            f"<BFSResult reached={self.reached} depth={self.depth} edges={self.edges} "
            f"seconds={self.seconds:.6f}>"
        )

    def _vector(self, name: str) -> Vector | None:
        from spbfs import Vector

        array = self._arrays[name]
        if array is None:
            return None
        if name not in self._vectors:
            data = VectorData(self._n, array, present=self._reached(array), counted=self.reached)
            self._vectors[name] = Vector._from_data(data, self._device)
        return self._vectors[name]

    def _reached(self, array: Array) -> Array | None:
        """Flags of the reached vertices, one array for all outputs; None where that is all."""
        if self.reached == self._n:
            return None
        if self._flags is None:
            self._flags = array >= 0
            self._flags.flags.writeable = False
        return self._flags

    def __del__(self) -> None:
        arrays = getattr(self, "_arrays", None)
        workspace = self._workspace() if arrays else None
        if not arrays or workspace is None:
            return
        self._vectors.clear()
        for name in list(arrays):
            array = arrays.pop(name)
            # Anything else that refers to the array, a view or a Vector, may still be read.
            if array is not None and sys.getrefcount(array) <= _UNSHARED:
                workspace.take_back(array)


def _count_unshared() -> int:
    """What getrefcount says, on this interpreter, of an array that one local name refers to."""
    array = np.empty(0)
    return sys.getrefcount(array)


_UNSHARED = _count_unshared()
