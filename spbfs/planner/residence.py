"""In which memory the entries of a matrix on a GPU are kept."""

from __future__ import annotations

from typing import Literal

__all__ = ["SORT_BYTES", "SORT_CHUNK", "entries_memory"]

#: What a search and its layout take of every vertex, beside entries.
VERTEX_BYTES = 128
#: What an entry that a layout sorts takes for a moment, and how many are sorted at a time, which
#: bounds the scratch memory of a build to a few GiB.
SORT_BYTES, SORT_CHUNK = 24, 1 << 27


def entries_memory(
    vertices: int, entries: int, entry_bytes: int, symmetric: bool, free: int
) -> Literal["device", "pinned"]:
    """The GPU's own where that has room for the matrix and for what its searches make of it, else
    the host's.

    Parameters
    ----------
    vertices, entries : int
    entry_bytes : int
        Of a column and a value.
    symmetric : bool
        Whether there is no transpose to be kept, as far as is known.
    free : int
        Bytes of the GPU's memory.

    Examples
    --------
    >>> entries_memory(1 << 24, 520_000_000, 4, True, 140 << 30)
    'device'
    >>> entries_memory(1 << 24, 520_000_000, 4, True, 2 << 30)
    'pinned'
    """
    directions = 1 if symmetric else 2
    # The matrix, and the columns once more as a search reads them.
    needed = directions * (entry_bytes + 4) * entries + VERTEX_BYTES * vertices
    needed += SORT_BYTES * min(entries, SORT_CHUNK)
    return "device" if needed <= free else "pinned"
