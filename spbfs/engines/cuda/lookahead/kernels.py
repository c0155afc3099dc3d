"""The kernels of ``lookahead_counts.cu`` and ``lookahead_vectors.cu``, one function a launch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from spbfs.engines.cuda.bfs import seeding
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, pointer
from spbfs.engines.cuda.runtime.modules import begin
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.storage.data import VectorData, is_iso

__all__ = [
    "HEADER",
    "begin_modules",
    "count_levels",
    "frontier_after",
    "specialisations",
    "spread",
    "visited_after",
]

Array = Any

#: Words of ``struct Told``, which precede the counts that are read back.
HEADER = 2
#: Elements that a thread handles side by side, ``kSide``.
_SIDE = 4
_VALUE = {1: "signed char", 2: "short", 4: "int", 8: "long long"}

#: The source of each kernel.
_STEM = {
    "count_levels": "lookahead_counts",
    **dict.fromkeys(("frontier_after", "visited_after", "spread_list"), "lookahead_vectors"),
}


def _specialisation(name: str) -> Specialisation:
    stem = _STEM[name.partition("<")[0]]
    return Specialisation(stem, (name,), (f"BFS_THREADS={THREADS}",))


@cache
def _kernel(name: str) -> Kernel:
    return Kernel(_specialisation(name), name)


def begin_modules(width: int) -> None:
    """Have compiled what a loop with values of so many bytes launches first."""
    names = "count_levels", f"visited_after<{_VALUE[width]}>"
    begin(seeding.MODULE, *map(_specialisation, names))


def _launch(name: str, items: int, *arguments: int) -> None:
    from spbfs.engines.cuda.vectors.data import blocks_of, resident_blocks  # imports CuPy

    _kernel(name)(min(blocks_of(items), resident_blocks()), arguments)


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
    """All that may be loaded, for values of the usual widths."""
    for name in ("count_levels", "frontier_after"):
        yield _specialisation(name)
    for name, word in product(("visited_after", "spread_list"), ("signed char", "long long")):
        yield _specialisation(f"{name}<{word}>")
