"""The kernels of ``kernels/cuda/lookahead_*.cu``, one method a launch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, pointer
from spbfs.engines.cuda.runtime.modules import begin
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import VectorData, is_iso

__all__ = [
    "BEFORE",
    "HEADER",
    "SHORT",
    "begin_modules",
    "begin_short",
    "count_levels",
    "frontier_after",
    "mark",
    "seed",
    "specialisations",
    "spread",
    "visited_after",
]

Array = Any

#: Words of ``struct Told``, which precede the counts that are read back.
HEADER = 2
#: Level of a vertex that was visited before the search began, ``kBefore``.
BEFORE = -2
#: Entries of lists that one CTA takes.
SHORT = 4 * THREADS
#: Elements that a thread handles side by side, ``kSide``.
_SIDE = 4
_INDEX = {4: "int", 8: "long long"}
_VALUE = {1: "signed char", 2: "short", **_INDEX}


#: The kernels that begin a search: one module, as most are compiled with any of them.
_BEGIN = (
    *("mark_flagged", "seed_flagged", "begin_short"),
    *(f"{kernel}_listed<{index}>" for index in _INDEX.values() for kernel in ("mark", "seed")),
)
#: The source of each kernel.
_STEM = {
    **dict.fromkeys((name.partition("<")[0] for name in _BEGIN), "lookahead_begin"),
    "count_levels": "lookahead_counts",
    **dict.fromkeys(("frontier_after", "visited_after", "spread_list"), "lookahead_vectors"),
}


def _specialisation(name: str) -> Specialisation:
    stem = _STEM[name.partition("<")[0]]
    names = _BEGIN if stem == "lookahead_begin" else (name,)
    return Specialisation(stem, names, (f"BFS_THREADS={THREADS}",))


@cache
def _kernel(name: str) -> Kernel:
    return Kernel(_specialisation(name), name)


def begin_modules(width: int) -> None:
    """Have compiled what a loop with values of so many bytes launches first."""
    names = "begin_short", "count_levels", f"visited_after<{_VALUE[width]}>"
    begin(*map(_specialisation, names))


def _launch(name: str, items: int, *arguments: int) -> None:
    from spbfs.engines.cuda.vectors.data import blocks_of, resident_blocks  # imports CuPy

    _kernel(name)(min(blocks_of(items), resident_blocks()), arguments)


def mark(indices: Array | None, flags: Array, start: tuple[int, int, int], levels: Array) -> None:
    """Vertices visited before a search: a list, or one flag a vertex.

    `start` is the search's `FusedBFS.start`, `levels` are those that it will write.
    """
    visited_bits, levels_in_bytes, rank = start
    state = rank, visited_bits, levels_in_bytes, pointer(levels)
    if indices is None:
        _launch("mark_flagged", levels.shape[0], pointer(flags), levels.shape[0], *state)
        return
    name = f"mark_listed<{_INDEX[indices.dtype.itemsize]}>"
    _launch(name, indices.shape[0], pointer(indices), indices.shape[0], *state)


def seed(
    listed: tuple[int, int, int] | None,
    flags: Array,
    start: tuple[int, int, int],
    levels: Array,
    sources: Array,
    level_counts: Array,
) -> None:
    """Vertices of the frontier: (address, bytes an entry, how many) of a list, or flags."""
    visited_bits, levels_in_bytes, rank = start
    state = (
        rank,
        visited_bits,
        levels_in_bytes,
        pointer(levels),
        pointer(sources),
        pointer(level_counts),
    )
    if listed is None:
        _launch("seed_flagged", levels.shape[0], pointer(flags), levels.shape[0], *state)
        return
    address, width, count = listed
    _launch(f"seed_listed<{_INDEX[width]}>", count, address, count, *state)


def begin_short(
    visited: Array,
    frontier: Array,
    start: tuple[int, int, int],
    levels: Array,
    sources: Array,
    level_counts: Array,
) -> None:
    """What `mark` and `seed` do, for two short lists; `level_counts` need not be cleared."""
    visited_bits, levels_in_bytes, rank = start
    lists = pointer(visited), visited.shape[0], pointer(frontier), frontier.shape[0]
    state = (
        rank,
        visited_bits,
        levels_in_bytes,
        pointer(levels),
        pointer(sources),
        pointer(level_counts),
    )
    _launch("begin_short", 1, *lists, *state, level_counts.shape[0])


def count_levels(levels: Array, counts: Array) -> None:
    """Vertices of every level from 1 on, added to `counts` (uint32)."""
    n, deepest = levels.shape[0], counts.shape[0] - 1
    _launch("count_levels", -(-n // _SIDE), pointer(levels), n, pointer(counts), deepest)


def frontier_after(
    levels: Array, parents: Array | None, depth: int, present: Array, values: Array | None
) -> None:
    """Flags, and parents as int64 values, of the vertices of a level."""
    n = levels.shape[0]
    arrays = pointer(present), pointer(values)
    _launch("frontier_after", -(-n // _SIDE), pointer(levels), pointer(parents), n, depth, *arrays)


def visited_after(
    levels: Array,
    parents: Array | None,
    table: Array | None,
    span: tuple[int, int],
    fresh: bool,
    present: Array,
    values: Array | None,
    width: int,
) -> None:
    """Entries of the levels from ``span[0]`` to ``span[1]`` set, values by level or parents.

    `fresh`: all else is absent, and nothing is in the arrays yet.
    """
    n = levels.shape[0]
    given = pointer(levels), pointer(parents), pointer(table), n, *span, int(fresh)
    name = f"visited_after<{_VALUE[width]}>"
    _launch(name, -(-n // _SIDE), *given, pointer(present), pointer(values))


def spread(u: VectorData, present: Array, values: Array | None) -> None:
    """The entries of a list set in a bitmap but where it has some; no `values` where iso."""
    given = pointer(u.indices), pointer(u.values), 0 if is_iso(u.values) else 1, u.values.shape[0]
    name = f"spread_list<{_VALUE[u.values.dtype.itemsize]}>"
    _launch(name, u.values.shape[0], *given, pointer(present), pointer(values))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded, but for the widths of values: one of each kernel."""
    for name in ("begin_short", "count_levels", "frontier_after"):
        yield _specialisation(name)
    for name in ("visited_after", "spread_list"):
        yield _specialisation(f"{name}<long long>")
