"""Decisions about many searches at once: pure functions of counts, and what they were set by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

__all__ = [
    "LANES",
    "concurrent_searches",
    "cuda_lanes",
    "joint_pays",
    "packed_direction",
    "packs",
    "relabel_pays",
    "sharing",
    "skewed",
]

#: Lanes of a batch where there are many sources: a row of bits is then a cache line.
LANES = 512
#: The same on CUDA, where there are so many: from a sector of memory to a line.  The more, the less
#: a search costs, see docs/performance-notes-many.md.
CUDA_LANES = (1024, 512, 256)
#: Degrees are skewed where the longest row is so many times the mean: vertices are then numbered by
#: degree, and searches whose frontiers are small pushed while others pull.
SKEW = 16
#: Vertices are numbered by degree once so many lanes were searched, in batches as they came: it
#: takes as long as they did.
RELABEL_AFTER = 192
#: A product is packed where its bits take no more bytes than so many an entry that goes into it, or
#: than is worth a thought.
PACKED_BYTES = 16
PACKED_ANYWAY = 1 << 24
#: An entry pushed against one pulled, on the CPU and on CUDA, where bits are added by atomics.
PUSH_COST = 2.0
CUDA_PUSH_COST = 10.0
#: Searches are joined where a joint frontier is expected to serve so many of them.  Grids and
#: small worlds of 10^5 vertices on an Intel Xeon (Skylake): joined took 2 to 5 times longer where
#: 1.0 to 1.6 were expected and levels were many hundreds, and was 1.2 to 1.6 times faster at 1.3 to
#: 1.5 with fewer levels, 2.4 at 2.4, 7.5 at 4.8.
LEAST_SHARING = 2.0
#: Searches that are not joined run concurrently on graphs of so many vertices or more: on smaller
#: ones handing a search to another thread takes as long as the search.
CONCURRENT_FROM = 1 << 13


def cuda_lanes(sources: int) -> int:
    """How many of so many sources are best searched at once on CUDA.

    Examples
    --------
    >>> cuda_lanes(100), cuda_lanes(300), cuda_lanes(1000), cuda_lanes(5000)
    (100, 256, 512, 1024)
    """
    return next((lanes for lanes in CUDA_LANES if lanes <= sources), sources)


def relabel_pays(n: int, entries: int, longest_row: int, searched: int) -> bool:
    """Whether a graph from which so many searches were started should be relabelled by degree.

    Examples
    --------
    >>> relabel_pays(1000, 16000, 900, 64), relabel_pays(1000, 16000, 900, 640)
    (False, True)
    >>> relabel_pays(1000, 16000, 20, 640)
    False
    """
    return searched > RELABEL_AFTER and skewed(n, entries, longest_row)


def skewed(n: int, entries: int, longest_row: int) -> bool:
    """Whether some vertices have so many edges that they should be treated apart.

    Examples
    --------
    >>> skewed(1000, 16000, 900), skewed(1000, 16000, 20)
    (True, False)
    """
    return longest_row * n > SKEW * entries


def sharing(frontiers: Sequence[int], searches: int) -> float:
    """How many of `searches` joint frontiers are expected to serve at once.

    Parameters
    ----------
    frontiers : sequence of int
        Vertices of every level of one search.
    searches : int
        Searches that are alike, as if their frontiers lay anywhere in what one of them reaches.

    Examples
    --------
    >>> round(sharing([1, 500, 499], 64), 1), round(sharing([1] * 1000, 64), 1)
    (31.0, 1.0)
    """
    reached = sum(frontiers)
    joint = sum(reached * (1 - (1 - f / reached) ** searches) for f in frontiers)
    return searches * reached / joint if joint else 1.0


def joint_pays(frontiers: Sequence[int], searches: int) -> bool:
    """Whether searches are better joined than run one after the other.

    Examples
    --------
    >>> joint_pays([1, 500, 499], 64), joint_pays([1] * 1000, 64)
    (True, False)
    """
    return sharing(frontiers, searches) >= LEAST_SHARING


def concurrent_searches(threads: int, n: int, searches: int) -> int:
    """How many searches that are not joined should run concurrently, one thread each.

    Examples
    --------
    >>> concurrent_searches(2, 10**6, 64), concurrent_searches(2, 10**6, 1)
    (2, 1)
    >>> concurrent_searches(2, 100, 64)
    1
    """
    return max(1, min(threads, searches)) if n >= CONCURRENT_FROM else 1


def packs(rows: int, words: int, entries: int) -> bool:
    """Whether a Boolean product of so many rows of so many words should be made in packed bits.

    Examples
    --------
    >>> packs(10**6, 8, 10**7), packs(10**8, 16, 10**5)
    (True, False)
    """
    return 8 * words * rows <= PACKED_BYTES * entries + PACKED_ANYWAY


def packed_direction(
    edges: int, entries: int, push_cost: float = PUSH_COST
) -> Literal["push", "pull"]:
    """How a product with packed bits is made, whose rows that have any meet so many entries.

    Examples
    --------
    >>> packed_direction(10, 1000), packed_direction(900, 1000)
    ('push', 'pull')
    """
    return "push" if edges * push_cost < entries else "pull"
