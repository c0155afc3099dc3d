"""What a search from many sources leaves on the GPU, and the outputs that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cuda.graph.layout import Layout
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import Kernel, pointer, words_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.exceptions import InvalidValue
from spbfs.storage.packed import WORDS

__all__ = ["CONTROL_BYTES", "ManyResults", "empty_levels", "modules_of", "specialisations"]

Array = Any

#: The argument block of the outputs; must match `struct ManyPlanes` in ``bfs_many_planes.cuh``.
PLANES = np.dtype(
    [(name, "u8") for name in "visited planes written rank depth sources turn slot".split()]
    + [(name, "i4") for name in "n caller_n source_count words plane_count".split()],
    align=True,
)

#: `struct ManyControl` has this room; its first fields are the summary of a run.
CONTROL_BYTES = 1024
EMIT_THREADS = 256
#: Vertices, at least, and sources of a CTA that writes levels.
EMIT_TILE, EMIT_GROUP = 256, 256
#: Bytes of a sector of memory; vertices that tiles have in common, those of `kShares` in
#: ``bfs_many_emit.cu``, where rows begin within sectors.
SECTOR, EMIT_SHARED = 32, 32

#: One or more for each array that ``bfs_many_sums.cu`` adds up: `visited` and up to 16 planes.
LEAST_SUM_CTAS = 17

#: Warps of a CTA of ``bfs_many_parents.cu``.
_PARENT_WARPS = 4


def _tile(words: int) -> int:
    """Vertices of a CTA that writes levels: more where rows have fewer words than its sources."""
    return EMIT_TILE * max(1, EMIT_GROUP // (64 * words))


def _in_sectors(levels: Array) -> bool:
    """Whether every row begins with a sector of memory."""
    return not (levels.data.ptr | (levels.shape[0] > 1 and levels.strides[0])) % SECTOR


def _levels(itemsize: int, words: int) -> Specialisation:
    level = "unsigned char" if itemsize == 1 else "unsigned short"
    kernels = f"emit_levels<{level}, {_tile(words) // EMIT_TILE}>", f"emit_sources<{level}>"
    return Specialisation("bfs_many_emit", kernels)


def _sums(wide: bool, words: int) -> Specialisation:
    """One of these for one plan: each takes NVRTC as long as all other outputs together."""
    offset = "long long" if wide else "int"
    return Specialisation("bfs_many_sums", (f"sum_rows<{offset}, {words}>",))


_VERTICES = Specialisation("bfs_many_vertices", ("count_sources", "emit_level_set"))


def _parents(wide: bool, index: str) -> Specialisation:
    offset = "long long" if wide else "int"
    return Specialisation(
        "bfs_many_parents",
        kernels=(f"emit_parents<{offset}, {index}>", f"emit_roots<{index}>"),
    )


def modules_of(wide: bool, words: int) -> tuple[Specialisation, ...]:
    """What sums and levels of a first run load."""
    return _sums(wide, words), _levels(1, words)


def specialisations() -> Iterator[Specialisation]:
    """All that outputs may load."""
    yield from dict.fromkeys(_levels(itemsize, words) for itemsize in (1, 2) for words in WORDS)
    yield from (_VERTICES, _parents(False, "int"))
    yield from (_sums(wide, words) for wide in (False, True) for words in WORDS)
    yield from (_parents(True, index) for index in ("int", "long long"))


def empty_levels(sources: int, n: int, dtype: Any = np.uint8) -> Array:
    """An uninitialised array of shape ``(sources, n)`` whose rows start at multiples of 128 bytes.

    `ManyBFS.levels` writes such rows fastest.
    """
    import cupy as cp

    pitch = -(-n // 128) * 128
    return cp.empty((sources, max(128, pitch)), dtype=dtype)[:, :n]


class ManyResults:
    """A bit a vertex and source (`visited`) and the levels in binary planes, by internal id.

    Outputs are those of the last run, in the caller's labels, written on the current stream.
    """

    def __init__(self, layout: Layout, words: int, planes: int) -> None:
        import cupy as cp

        n = max(1, layout.n)
        self.shape = words, planes
        self.layout = layout
        self.words = words
        self.plane_count = planes
        self._visited = cp.empty((n, words), dtype=cp.uint64)
        self._planes = cp.empty((planes, n, words), dtype=cp.uint64)
        #: Rows of planes that a run has written, of every 32 vertices a word for each plane.
        self._written = cp.empty((-(-n // 32), planes), dtype=cp.uint32)
        width = 64 * words
        in_turn = np.arange(width, dtype=np.int32)
        #: Sources that the host has given, and those of a run by the place of their bits, with the
        #: positions from one to the other; the traversal orders them where a row has several words.
        self._given = cp.empty(width, dtype=cp.int32)
        self._turn = cp.asarray(in_turn)
        self._sources = cp.empty_like(self._given)
        #: What the host reads of a run, side by side: the control block, the sums of `sum_up`,
        #: the eccentricities, and the places of the sources given.
        self._readback = cp.zeros(CONTROL_BYTES + 8 * (2 * width + 1) + 8 * width, dtype=cp.uint8)
        self._control = self._readback[:CONTROL_BYTES]
        self._sums = self._readback[CONTROL_BYTES : -8 * width].view(cp.uint64)
        of_searches = self._readback[-8 * width :].view(cp.int32).reshape(2, width)
        self._eccentricity, self._slot = of_searches
        self._slot.set(in_turn)
        #: Sources of the last run.
        self.count = 0
        self._limits = limits()
        self._sms = self._limits.sms
        self._run_block = self._results()
        self._kernels: dict[tuple[Specialisation, str], Kernel] = {}

    def _results(self) -> Any:
        """What a run leaves, as kernels read it; the number of its sources follows with the run."""
        results = np.zeros((), dtype=PLANES)
        results["visited"] = pointer(self._visited)
        results["planes"] = pointer(self._planes)
        results["written"] = pointer(self._written)
        results["plane_count"] = self.plane_count
        results["rank"] = pointer(self.layout.rank)
        results["depth"] = pointer(self._control)
        for name in ("sources", "turn", "slot"):
            results[name] = pointer(getattr(self, f"_{name}"))
        results["n"] = self.layout.n
        results["caller_n"] = self.layout.caller_n
        results["words"] = 2 * self.words
        return results

    def _launch(
        self,
        specialisation: Specialisation,
        name: str,
        grid: int,
        arguments: tuple[int, ...],
        threads: int = EMIT_THREADS,
    ) -> None:
        """A kernel whose first parameter is what the last run left."""
        kernel = self._kernels.get((specialisation, name))
        if kernel is None:
            kernel = Kernel(specialisation, name, threads=threads, block=self._run_block)
            self._kernels[specialisation, name] = kernel
        self._run_block["source_count"] = self.count
        kernel(grid, arguments)

    def fits(self, out: Array) -> bool:
        """Whether `levels` can write to an array of such elements."""
        return bool(out.itemsize <= 2 and out.itemsize * 8 >= self.plane_count)

    def levels(self, out: Array, rows: Array | None = None) -> None:
        """Write the levels of the last run, in the caller's labels.

        Parameters
        ----------
        out : cupy.ndarray
            uint8 or uint16 of shape ``(sources, n)``, elements of a row adjacent; the dtype's
            maximum stands for unreached. uint8 holds what up to 8 planes do.
        rows : cupy.ndarray, optional
            int64: which row of `out`, then of any number of them, is whose.
        """
        shape = (out.shape[0] if rows is not None else self.count, self.layout.caller_n)
        if out.dtype not in (np.uint8, np.uint16) or out.shape != shape:
            raise InvalidValue(f"out is {out.dtype} of {out.shape}, expected uint8 of {shape}")
        if out.itemsize * 8 < self.plane_count:
            raise InvalidValue(f"out is {out.dtype}, too small for {self.plane_count} planes")
        if shape[1] > 1 and out.strides[1] != out.itemsize:
            raise InvalidValue("the elements of a row of out are not adjacent")
        specialisation = _levels(out.itemsize, self.words)
        of_vertices, of_sources = specialisation.kernels
        arguments = words_of(out, out.strides[0] // out.itemsize, rows)
        tile = _tile(self.words)
        shares = (tile == EMIT_TILE or out.itemsize == 2) and not _in_sectors(out)
        step = EMIT_TILE - EMIT_SHARED if shares else EMIT_TILE
        tiles = -(-shape[1] // (tile // EMIT_TILE * step)) * -(-self.count // EMIT_GROUP)
        self._launch(specialisation, of_vertices, tiles, (*arguments, step))
        groups = -(-self.count // EMIT_THREADS)
        self._launch(specialisation, of_sources, groups, arguments)

    def parents(self, out: Array, rows: Array) -> None:
        """Write a parent of every vertex, the in-neighbour a level nearer that comes first.

        Parameters
        ----------
        out : cupy.ndarray
            int32 or int64 of n columns, C-contiguous; sources are their own parents, -1 stands for
            unreached.
        rows : cupy.ndarray
            int64: which row of `out` is whose.
        """
        layout, n = self.layout, self.layout.caller_n
        if out.dtype not in (np.int32, np.int64) or out.shape[1] != n:
            raise InvalidValue(f"out is {out.dtype} of {out.shape}, expected int32 of {n} columns")
        wide, index = (
            layout.in_indptr.dtype == np.int64,
            "int" if out.itemsize == 4 else "long long",
        )
        specialisation = _parents(wide, index)
        tile = 32 * _PARENT_WARPS
        of_vertices, of_sources = specialisation.kernels
        tiles = -(-n // tile) * -(-self.count // 32)
        arrays = layout.in_indptr, layout.in_indices, layout.label, rows, out
        self._launch(specialisation, of_vertices, tiles, words_of(*arrays), threads=tile)
        groups = -(-self.count // EMIT_THREADS)
        self._launch(specialisation, of_sources, groups, words_of(rows, out))

    def sum_up(self) -> None:
        """Begin to add up what every search has reached; `summary` has it."""
        indptr = self.layout.out_indptr
        specialisation = _sums(indptr.dtype == np.int64, self.words)
        outputs = words_of(indptr, self._sums)
        grid = max(LEAST_SUM_CTAS, 4 * self._sms)
        self._launch(specialisation, specialisation.kernels[0], grid, outputs)

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
        groups = -(-n // EMIT_THREADS)
        self._launch(_VERTICES, "count_sources", groups, words_of(counts, sum_levels))

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
        groups = -(-threads // EMIT_THREADS)
        self._launch(_VERTICES, "emit_level_set", groups, words_of(level, out))
        return out
