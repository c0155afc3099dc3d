"""What is visited and the frontier where a search begins: ``cuda/lookahead/lookahead_begin.cu``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, pointer
from spbfs.engines.cuda.runtime.source import INDEX_TYPES, Specialisation

__all__ = ["BEFORE", "MODULE", "SHORT", "begin_short", "mark", "seed", "specialisations"]

Array = Any

#: Level of a vertex that was visited before the search began, ``kBefore``.
BEFORE = -2
#: Entries of lists that one CTA takes.
SHORT = 4 * THREADS
#: All kernels: one module, as most are compiled with any of them.
MODULE = Specialisation(
    "lookahead_begin",
    (
        *("mark_flagged", "seed_flagged", "begin_short"),
        *(
            f"{kernel}_listed<{index}>"
            for index in INDEX_TYPES.values()
            for kernel in ("mark", "seed")
        ),
    ),
    (f"BFS_THREADS={THREADS}",),
)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield MODULE


@cache
def _kernel(name: str) -> Kernel:
    return Kernel(MODULE, name)


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
    name = f"mark_listed<{INDEX_TYPES[indices.dtype.itemsize]}>"
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
    _launch(f"seed_listed<{INDEX_TYPES[width]}>", count, address, count, *state)


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
