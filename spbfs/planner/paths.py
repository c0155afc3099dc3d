"""How delta-stepping cuts distances into bins.

A bin takes the edges of some vertices: narrower ones leave few vertices to relax at a time, wider
ones have more edges relaxed in vain.
"""

from __future__ import annotations

import math

__all__ = ["bin_width", "bins_of_gpu", "searches_apart", "splits_rows"]

#: Edges of so many vertices' mean length that a bin takes; half of them where rows are in order of
#: length, so that few edges are looked at in vain: on a Kronecker graph of scale 18 bins of 8, 16
#: and 32 take 47, 34 and 43 ms (one thread, 2-core AMD EPYC, others at work on it, 2026-11-23).
_EDGES = 8.0
#: The same on a GPU, which widens bins by itself where few edges are within one.  By a count, scale
#: 18, lengths 1 to 255, of edges relaxed and of rounds: 16 take 2.3 times all edges in 26 rounds on
#: a Kronecker graph and 1.4 times in 33 on a uniform one of degree 64, 32 take 2.5 in 17 and 1.5 in
#: 28.
_EDGES_OF_GPU = 16.0
#: Of threads in one search so many do the work of one by itself: of a Kronecker graph of scale 20
#: one takes 237 ms, 4 take 103 and 16 take 48, of a road-like one of 10^6 vertices 90, 44 and 45
#: (Intel Xeon, 16 cores, 2026-11-23).
_THREADS_A_SEARCH = 3
#: Bins that no path reaches: sums of widths are exact below.
_MOST_BINS = 2.0**52


def bin_width(mean: float, greatest: float, vertices: int, entries: int) -> float:
    """The width of a bin, a power of two: 1 or more for integers where `mean` is."""
    return _power(_EDGES, mean, greatest, vertices, entries)


def bins_of_gpu(mean: float, greatest: float, vertices: int, entries: int) -> float:
    """The width of a bin where the whole GPU relaxes it."""
    return _power(_EDGES_OF_GPU, mean, greatest, vertices, entries)


def _power(edges: float, mean: float, greatest: float, vertices: int, entries: int) -> float:
    # The mean of numbers near the greatest there are may be infinite.
    wanted = edges * min(mean, greatest) * (vertices / max(1, entries))
    least = max(2.0**-500, greatest / _MOST_BINS * vertices)
    return 2.0 ** math.floor(math.log2(min(max(wanted, least), 2.0**1000)))


def splits_rows(width: float, mean: float) -> bool:
    """Whether enough edges are no shorter than a bin to be relaxed apart from the others."""
    return 2 * width <= mean


def searches_apart(searches: int, threads: int) -> bool:
    """Whether each thread should take searches of its own, rather than all take one at a time.

    Examples
    --------
    >>> searches_apart(1, 2), searches_apart(6, 16), searches_apart(4, 16)
    (True, True, False)
    """
    return _THREADS_A_SEARCH * searches >= threads
