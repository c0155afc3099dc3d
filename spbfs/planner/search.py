"""Decisions of the fused search on any device: its options' names, and searches over parts.

What one device decides for itself is in `search_cpu` and `search_cuda`.
"""

from __future__ import annotations

from typing import Literal

__all__ = [
    "NeighbourOrder",
    "Relabelling",
    "disk_part_edges",
    "pull_parts_pays",
]

#: Which vertices a search numbers, and how: those with entries as they are given or by falling
#: degree, or all as they are given.
Relabelling = Literal["auto", "compact", "degree"] | None
#: The order of a row's neighbours: by falling degree, or as they are given.
NeighbourOrder = Literal["auto", "degree"] | None

#: Of a search over parts: a level is pulled where its frontier has more edges than one in so many
#: of those not yet explored, and than one in so many vertices, which a pull goes through.  The
#: numbers are those of Beamer, Asanovic and Patterson, whose second is of the frontier's vertices:
#: few hubs have many edges.
PARTS_ALPHA = 14
PARTS_BETA = 24
#: A graph on the disk is searched over parts where its columns exceed this share of the memory that
#: is free: what is read stays there for the next level, and other programs want some.  A part is
#: what a search reads in one go.
DISK_SHARE = 0.5
DISK_PART_EDGES = 1 << 22


def disk_part_edges(size: int, free: int, *, needed: bool = False) -> int | None:
    """Edges of a part of a graph on the disk; None where it is searched as if it were in memory.

    Parameters
    ----------
    size, free : int
        Bytes of its columns, and of memory.
    needed : bool
        Whether it cannot be searched otherwise.

    Examples
    --------
    >>> disk_part_edges(1 << 30, 1 << 40), disk_part_edges(1 << 40, 1 << 30) == DISK_PART_EDGES
    (None, True)
    """
    return DISK_PART_EDGES if needed or size > DISK_SHARE * free else None


def pull_parts_pays(vertices: int, out_edges: int, unexplored: int) -> bool:
    """Whether a level of a search over parts is pulled: Beamer's rule, in edges.

    Examples
    --------
    >>> pull_parts_pays(1 << 20, 5_000_000, 20_000_000)
    True
    >>> pull_parts_pays(1 << 20, 5_000, 20_000)
    False
    """
    return out_edges * PARTS_ALPHA > unexplored and out_edges * PARTS_BETA > vertices
