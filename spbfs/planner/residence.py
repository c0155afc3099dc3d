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


def share_bytes(
    labels: int,
    vertices: int,
    gpus: int,
    lists: tuple[int, int],
    offset_bytes: int = 8,
    relabelled: bool = True,
) -> dict[str, int]:
    """What a GPU has of a graph that several search together, beside entries: bytes by the arrays'
    names in a layout, in a search's workspace and in its outputs.

    Parameters
    ----------
    labels, vertices : int
        The caller's vertices, and those of them with entries.
    gpus : int
    lists : tuple of int
        Rows of the list of a GPU's own finds, of which there are two, and of that of all.
    offset_bytes : int
        Of the number of an entry.
    relabelled : bool
        Whether searches number vertices themselves, hubs first; then several GPUs have results of
        their own vertices alone, which one has by the caller's labels.

    Examples
    --------
    >>> graph = share_bytes(1 << 30, 447_785_762, 4, (35_000_000, 111_946_440))
    >>> round(sum(graph.values()) / 1e9, 1)
    21.2
    """
    own = -(-vertices // gpus)
    outputs = own if relabelled and gpus > 1 else labels
    made = {
        "out_indptr": offset_bytes * vertices,
        "in_indptr": offset_bytes * own,
        "row_prefix": (4 if relabelled else 16) * own,
        "degrees": offset_bytes * vertices,
        "visited bits, two": vertices // 4,
        "lists of finds, two": 32 * lists[0],
        "rows of a frontier": 16 * lists[1],
        "outputs, two": 8 * outputs,
    }
    if relabelled:
        made |= {
            "prefix_labels and parents": 4 * max(vertices, 2 * own),
            "label": 4 * vertices,
            "rank": 4 * labels,
            "words": labels // 2 if gpus == 1 else 0,
            "levels, two": 2 * vertices,
        }
    return made
