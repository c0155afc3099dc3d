"""Bytes that ranks exchange for a level of a search: what a model expects of it, before it runs.

The vertices of a level are taken as drawn at random, which a permutation makes of them, and edges
as ending anywhere: of a level with hubs in it more than this meets the same vertices.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

__all__ = ["Lists", "brought_bytes", "flags_bytes", "returned_bytes"]

#: Of a vertex by its position in a list; and of a message that fills its last eight bytes.
POSITION_BYTES = 4
MESSAGE_BYTES = 4


class Lists(NamedTuple):
    """The lists of vertices between ranks: their lengths summed, and how many there are."""

    length: int
    pairs: int


def _crossing(count: float, lists: Lists) -> float:
    """Bytes of so many vertices of the lists: positions, or a bit for every one that is there."""
    if not lists.pairs or not lists.length:
        return 0.0
    messages = lists.pairs * (1 - exp(-count / lists.pairs))
    return min(POSITION_BYTES * count, lists.length / 8) + MESSAGE_BYTES * messages


def brought_bytes(frontier: int, vertices: int, lists: Lists) -> float:
    """Bytes for a frontier of so many of the vertices to be where it has edges.

    Examples
    --------
    >>> round(brought_bytes(1000, 1000, Lists(800, 2)))
    108
    """
    return _crossing(lists.length * frontier / max(vertices, 1), lists)


def flags_bytes(lists: Lists) -> float:
    """Bytes of a bit for every vertex of the lists, each of them filled up to whole words.

    Examples
    --------
    >>> flags_bytes(Lists(800, 2))
    108.0
    """
    return lists.length / 8 + MESSAGE_BYTES * lists.pairs


def returned_bytes(edges: float, named: int, lists: Lists) -> float:
    """Bytes for what edges to vertices of others find to be with these.

    Parameters
    ----------
    edges : float
        Of the frontier, that end at another rank's vertex.
    named : int
        Vertices of the lists that were found before, and are not sent again.
    lists : Lists

    Examples
    --------
    >>> returned_bytes(0, 0, Lists(800, 2)), round(returned_bytes(10, 0, Lists(800, 2)))
    (0.0, 48)
    """
    left = max(lists.length - named, 0)
    # An edge ends at a vertex that was named as often as such vertices are.
    found = left * (1 - exp(-edges / lists.length)) if lists.length else 0.0
    return _crossing(found, lists)
