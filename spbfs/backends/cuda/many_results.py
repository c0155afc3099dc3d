"""What a search from many sources leaves on the GPU, and the outputs that follow from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.backends.cuda.driver import pointer
from spbfs.backends.cuda.layout import Layout
from spbfs.backends.cuda.source import Specialisation
from spbfs.exceptions import InvalidValue

__all__ = ["CONTROL_BYTES", "EMIT", "ManyResults", "empty_levels"]

Array = Any

#: The argument block of the outputs; must match `struct ManyPlanes` in ``bfs_many_emit.cu``.
PLANES = np.dtype(
    [(name, "u8") for name in "seen planes rank depth sources".split()]
    + [(name, "i4") for name in "n caller_n source_count words".split()],
    align=True,
)

#: `struct ManyControl` has this room; its first fields are the summary of a run.
CONTROL_BYTES = 256
EMIT_THREADS = 256
EMIT_TILE = 256

#: All of ``bfs_many_emit.cu``.
EMIT = Specialisation(
    "bfs_many_emit",
    kernels=(
        *(
            f"emit_{what}<unsigned {level}>"
            for what in ("levels", "sources")
            for level in ("char", "short")
        ),
        "summarise",
        "count_sources",
        "emit_level_set",
    ),
)


def empty_levels(sources: int, n: int, dtype: Any = np.uint8) -> Array:
    """An uninitialised array of shape ``(sources, n)`` whose rows start at multiples of 128 bytes.

    `ManyBFS.levels` writes such rows fastest.
    """
    import cupy as cp

    pitch = -(-n // 128) * 128
    return cp.empty((sources, max(128, pitch)), dtype=dtype)[:, :n]


class ManyResults:
    """A bit a vertex and source (`seen`) and the levels in binary planes, by internal id.

    Outputs are those of the last run, in the caller's labels, written on the current stream.
    """

    def __init__(self, layout: Layout, words: int, planes: int) -> None:
        import cupy as cp

        n = max(1, layout.n)
        self.layout = layout
        self.words = words
        self.plane_count = planes
        self._seen = cp.empty((n, words), dtype=cp.uint64)
        self._planes = cp.empty((planes, n, words), dtype=cp.uint64)
        self._sources = cp.empty(64 * words, dtype=cp.int32)
        self._control = cp.zeros(CONTROL_BYTES, dtype=cp.uint8)
        self._count = 0
        self._sms = int(cp.cuda.Device().attributes["MultiProcessorCount"])
        self._emit = EMIT.load()

    def _results(self) -> Any:
        results = np.zeros((), dtype=PLANES)
        results["seen"] = pointer(self._seen)
        results["planes"] = pointer(self._planes)
        results["rank"] = pointer(self.layout.rank)
        results["depth"] = pointer(self._control)
        results["sources"] = pointer(self._sources)
        results["n"] = self.layout.n
        results["caller_n"] = self.layout.caller_n
        results["source_count"] = self._count
        results["words"] = 2 * self.words
        return results

    def levels(self, out: Array) -> None:
        """Write the levels of the last run, in the caller's labels.

        Parameters
        ----------
        out : cupy.ndarray
            uint8 or uint16 of shape ``(sources, n)``, elements of a row adjacent; the dtype's
            maximum stands for unreached. uint8 holds what up to 8 planes do.
        """
        shape = (self._count, self.layout.caller_n)
        if out.dtype not in (np.uint8, np.uint16) or out.shape != shape:
            raise InvalidValue(f"out is {out.dtype} of {out.shape}, expected uint8 of {shape}")
        if out.itemsize * 8 < self.plane_count:
            raise InvalidValue(f"out is {out.dtype}, too small for {self.plane_count} planes")
        if shape[1] > 1 and out.strides[1] != out.itemsize:
            raise InvalidValue("the elements of a row of out are not adjacent")
        level = "unsigned char" if out.itemsize == 1 else "unsigned short"
        arguments = (self._results(), out, np.int64(out.strides[0] // out.itemsize))
        self._emit.get_function(f"emit_levels<{level}>")(
            (-(-shape[1] // EMIT_TILE),), (EMIT_THREADS,), arguments
        )
        self._emit.get_function(f"emit_sources<{level}>")(
            (-(-shape[0] // EMIT_THREADS),), (EMIT_THREADS,), arguments
        )

    def per_source(self, reached: Array, sum_levels: Array, eccentricity: Array) -> None:
        """Vertices reached, sum of their levels, greatest level, one element a source.

        Parameters
        ----------
        reached, sum_levels : cupy.ndarray
            int64.
        eccentricity : cupy.ndarray
            int32.
        """
        arrays = (("reached", reached, np.int64), ("sum_levels", sum_levels, np.int64),
                  ("eccentricity", eccentricity, np.int32))  # fmt: skip
        for name, array, dtype in arrays:
            if array.dtype != dtype or array.shape != (self._count,):
                raise InvalidValue(
                    f"{name} is {array.dtype} of {array.shape}, "
                    f"expected {np.dtype(dtype)} of ({self._count},)"
                )
            array.fill(0)
        self._emit.get_function("summarise")(
            (8 * self._sms,), (EMIT_THREADS,), (self._results(), reached, sum_levels, eccentricity)
        )

    def add_counts(self, counts: Array, sum_levels: Array | None = None) -> None:
        """Add to every vertex the number of sources that reach it, and the sum of its levels.

        Parameters
        ----------
        counts : cupy.ndarray
            int32, one element a vertex in the caller's labels.
        sum_levels : cupy.ndarray, optional
            int64 likewise.
        """
        n = self.layout.caller_n
        self._emit.get_function("count_sources")(
            (-(-n // EMIT_THREADS),),
            (EMIT_THREADS,),
            (self._results(), counts, np.uint64(0) if sum_levels is None else sum_levels),
        )

    def level_set(self, level: int) -> Array:
        """The vertices at exactly this level as packed bits.

        Returns
        -------
        cupy.ndarray
            uint64 of shape ``(n, words)`` in the caller's labels: bit ``j % 64`` of word
            ``j // 64`` is source j.
        """
        import cupy as cp

        n = self.layout.caller_n
        out = cp.empty((n, self.words), dtype=cp.uint64)
        threads = 2 * self.words * n
        self._emit.get_function("emit_level_set")(
            (-(-threads // EMIT_THREADS),), (EMIT_THREADS,), (self._results(), np.int32(level), out)
        )
        return out
