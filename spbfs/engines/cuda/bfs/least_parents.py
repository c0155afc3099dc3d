"""Owners and least parents on the GPU, found after a search from its levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import MatrixData

__all__ = ["LeastParents", "specialisations"]

Array = Any

THREADS = 512
#: CTAs that share a multiprocessor, as the kernels' launch bounds say.
RESIDENT = 2
#: `kChunk`: entries that a warp walks before the rest of a row is everybody's.
CHUNK = 4096
#: `struct Chunk` and `struct LeastParentsState`.
CHUNK_BYTES, STATE_BYTES = 16, 32


class LeastParents:
    """Launches ``bfs_least_parents.cu``; one search at a time may use it.

    Parameters
    ----------
    A : MatrixData
        The graph; not kept.
    """

    def __init__(self, A: MatrixData) -> None:
        import cupy as cp

        self._grid = RESIDENT * limits().sms
        self._state = cp.zeros(STATE_BYTES, np.uint8)
        # Only rows longer than a chunk are cut.
        self._chunks = cp.empty((A.nvals // CHUNK + 1) * CHUNK_BYTES, np.uint8)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return int(self._state.nbytes + self._chunks.nbytes)

    def least(self, in_edges: MatrixData, levels: Array, parents: Array, summary: Array) -> None:
        """Replace `parents`, any valid tree of one source, by the least one.

        Parameters
        ----------
        in_edges : MatrixData
            Row v holds the in-neighbours of v.
        levels, parents : cupy.ndarray
            int32, -1 where not reached.
        summary : cupy.ndarray
            The search's, which ends later now.
        """
        arrays = in_edges.indptr, in_edges.indices, in_edges.nrows, levels, parents
        self._launch("bfs_least_parents", in_edges, *arrays, self._chunks, self._state, summary)

    def owners(
        self,
        A: MatrixData,
        levels: Array,
        sources: Array,
        positions: Array | None,
        *,
        keys: Array,
        parents: Array | None,
        owners: Array,
        summary: Array,
    ) -> None:
        """Fill `owners` and `parents` of a search from several sources.

        Parameters
        ----------
        A : MatrixData
            Row u holds the out-neighbours of u.
        levels : cupy.ndarray
            int32, -1 where not reached.
        sources, positions : cupy.ndarray
            int32 vertices, and the owner that each of them is; None: its place.
        keys : cupy.ndarray
            Scratch, uint64 of n.
        parents, owners : cupy.ndarray
            int32 outputs; no `parents` where None.
        summary : cupy.ndarray
            The search's, which ends later now.
        """
        keys.fill(np.uint64(0xFFFFFFFFFFFFFFFF))
        self._launch(
            "bfs_owners",
            A,
            A.indptr,
            A.indices,
            A.nrows,
            levels,
            sources,
            positions,
            sources.shape[0],
            keys,
            owners,  # written at the end only: until then it is the queue
            self._chunks,
            parents,
            owners,
            self._state,
            summary,
        )

    def _launch(self, kernel: str, A: MatrixData, *arguments: Any) -> None:
        specialisation = _specialisation(kernel, A.indptr.dtype == np.int64)
        Kernel(specialisation, threads=THREADS)(self._grid, words_of(*arguments))


def _specialisation(kernel: str, wide: bool) -> Specialisation:
    return Specialisation(
        "bfs_least_parents", (f"{kernel}<{'long long' if wide else 'int'}>",), cooperative=True
    )


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    for kernel in ("bfs_least_parents", "bfs_owners"):
        for wide in (False, True):
            yield _specialisation(kernel, wide)
