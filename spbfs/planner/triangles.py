"""How triangles are counted on the CPU: in which order of the vertices, and which are the core.

Figures are of a program of the same method, before it was the engine's, on a machine that others
used as well.
"""

from __future__ import annotations

import math

__all__ = ["core_size", "numbers_by_degree"]

#: The mean square of degrees over the square of their mean from which vertices are numbered by
#: degree: 1.06 of a uniform random graph, where that takes a quarter longer than it saves.
SPREAD = 2.0
#: Entries below which there is nothing to gain by it.
FEWEST_ENTRIES = 1 << 12
#: Vertices of the core at most: their bits are 8 MB.  Kronecker 18 takes .56 s with 4096, .60 with
#: 8192, .77 with 2048 and 1.4 without any; Kronecker 20 5.5 s, 4.5 to 5.1, and 4.7 with 16384
#: (time of two threads together, AMD EPYC, 2026-11-23).
MOST_CORE = 8192
#: Entries for each bit of the core, at least, so that its bits take no more than the graph.
ENTRIES_PER_BIT = 0.125


def numbers_by_degree(filled: int, entries: int, squares: float) -> bool:
    """Whether vertices are numbered by degree first.

    Parameters
    ----------
    filled, entries : int
        Vertices with edges, and stored entries.
    squares : float
        The sum of the squares of all degrees.

    Examples
    --------
    >>> numbers_by_degree(10**5, 10**6, 2e7), numbers_by_degree(10**5, 10**6, 1.1e7)
    (True, False)
    """
    return entries >= FEWEST_ENTRIES and squares * filled >= SPREAD * entries * entries


def core_size(n: int, entries: int) -> int:
    """For how many vertices of large degree edges are bits, too: a multiple of 64.

    Examples
    --------
    >>> core_size(10**6, 10**8), core_size(100, 1000), core_size(10**6, 10**6)
    (8192, 64, 2816)
    """
    most = min(n, MOST_CORE, math.isqrt(int(entries / ENTRIES_PER_BIT)))
    return most // 64 * 64
