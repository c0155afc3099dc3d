"""Decisions about many searches at once: pure functions of counts, and what they were set by.

``docs/performance-notes-many-cpu.md`` and ``docs/performance-notes-many.md`` have the figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spbfs.planner.search_cuda import DEEP_MEAN, NEVER_ORDERED, ordered_rows

__all__ = [
    "CPU_MANY",
    "LANES",
    "CpuManyRates",
    "ManyTuning",
    "concurrent_searches",
    "cuda_lanes",
    "grouping_pays",
    "joint_likely",
    "joint_pays",
    "listing_edges",
    "relabel_pays",
    "sent_searches",
    "sharing",
    "shown_by_host",
    "skewed",
    "stepwise_pulls",
]

#: Lanes of a batch where there are many sources: a row of bits is then a cache line.
LANES = 512
#: The same on CUDA, where there are so many: from a sector of memory to a line.  The more, the less
#: a search costs, see docs/performance-notes-many.md.
CUDA_LANES = (1024, 512, 256)
#: The most searches that another worker is handed at once, the lanes of the longest rows of bits,
#: and the most bytes of rows that come back at once: a few such results are held in memory.
SENT, SENT_BYTES = 1024, 1 << 28
#: Degrees are skewed where the longest row is so many times the mean.  Only then is some neighbour
#: likelier than others to be reached early, so that hubs are made, vertices are numbered by degree,
#: and searches whose frontiers are small are pushed while others pull.
SKEW = 16
#: Sources are grouped by hub where the longest row is so many times the mean and there are so many
#: vertices; the table is in docs/performance-notes-many-cpu.md.  Grouped searches took 0.50 to 0.80
#: of the time on Kronecker and R-MAT graphs with longest rows of 11 to 600 means, 0.93 with 8, and
#: 0.96 to 1.03 on uniform graphs (2 means), where no vertex is much likelier to be met than others.
#: Of 2^12 vertices they took 0.95 to 1.02, of 2^9 to 2^11 1.08 to 1.6: ordering sources takes as
#: long as searching from them.
GROUPED_SKEW, GROUPED_FROM = 8, 1 << 13
#: Vertices are numbered by degree once so many lanes were searched, in batches as they came: it
#: takes as long as they did.
RELABEL_AFTER = 192
#: Searches that are compared with ours a level at a time turn as those they are of: to pulls where
#: the entries of the frontier are more than one of so many that are not visited, and back where the
#: frontier has fewer than one of so many vertices (Beamer, Asanovic, Patterson, SC 2012).
STEPWISE_ALPHA, STEPWISE_BETA = 14, 24
#: Searches are joined where a joint frontier is expected to serve so many of them.  Grids and
#: small worlds of 10^5 vertices on an Intel Xeon (Skylake): joined took 2 to 5 times longer where
#: 1.0 to 1.6 were expected and levels were many hundreds, and was 1.2 to 1.6 times faster at 1.3 to
#: 1.5 with fewer levels, 2.4 at 2.4, 7.5 at 4.8.
LEAST_SHARING = 2.0
#: Entries of a graph on a GPU whose frontiers the host finds out, which takes 1 to 2 ms less up to
#: half a million, 1 ms more at 1.8 million, and compiles nothing.
HOST_ENTRIES = 1 << 21
#: Searches that are not joined run concurrently on graphs of so many vertices or more: on smaller
#: ones handing a search to another thread takes as long as the search.
CONCURRENT_FROM = 1 << 13
#: On graphs of so many vertices searches first list what they reach, up to this share of vertices
#: and entries: about what a search costs where 64 are joined.  With 1/128 two that gave up made a
#: call of 64 sources 4 % (Kronecker 18) to 12 % (uniform 2^20, mean degree 16) longer.
LISTED_FROM = 1 << 10
LISTED_SHARE = 1 / 512
#: The share where searches will not be joined, so that each would pass over all vertices.
LISTED_ALONE_SHARE = 1 / 16


# -- the traversal on the CPU ----------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class CpuManyRates:
    """What the steps of joined searches take on a CPU, in nanoseconds of one core (only the ratios
    matter), and the sizes that decide how a step is made; ``cpu/bfs_many/bfs_many_direction.h``.

    Shares are of the graph's vertices where not said otherwise.
    """

    #: A push: the bits of a neighbour tested and perhaps written, and a row of the graph.
    push_edge: float
    push_row: float
    #: A pull: the bits of an in-neighbour gathered, and 64 vertices passed over.
    pull_edge: float
    pull_word: float
    #: A vertex whose new bits are recorded after a push by ranges.
    record_vertex: float
    #: A pull of a joint frontier of fewer vertices than this share tests the frontier's bitmap
    #: before it reads a row of bits.
    sparse_share: float
    #: A push of fewer edges than this is made by the calling thread alone.
    serial_edges: int
    #: A push of fewer edges than this share lists what it finds; a joint frontier of fewer vertices
    #: is listed before it is pushed.  A long list is slower than a bitmap.
    list_share: float
    #: A push by several threads goes by so many ranges of vertices where the rows of the frontier
    #: have so many edges a range.
    ranges: int
    range_degree: int
    #: A search is pushed while others pull where it has at most this share of the joint frontier's
    #: vertices, and the searches of fewest edges have together at most this share of the edges that
    #: the pull may probe.
    narrow_vertices: float
    narrow_edges: float


#: Two cores of an Intel Xeon (Skylake), 2026-11-21, ``docs/performance-notes-many-cpu.md``.  Pulls
#: for 2.0 against 2.7: a uniform graph of mean degree 16 took 206 instead of 227 ms (its table).
#: With 16, 32 or 64 ranges a push took 6.5 to 6.9 ms, with eight 6.8.  Narrow searches pushed made
#: the largest level 34 ms of 53; with 1/30 of the edges instead of 1/128 nothing was gained.
CPU_MANY = CpuManyRates(
    push_edge=2.7,
    push_row=10.0,
    pull_edge=2.0,
    pull_word=2.0,
    record_vertex=4.0,
    sparse_share=1 / 8,
    serial_edges=1 << 12,
    list_share=1 / 6,
    ranges=8,
    range_degree=16,
    narrow_vertices=1 / 64,
    narrow_edges=1 / 128,
)


# -- the traversal on CUDA -------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ManyTuning:
    """Constants of the traversal on CUDA; measured in ``docs/performance-notes-many.md``."""

    #: Of a CTA, one a multiprocessor; None: as many as leave enough registers.
    threads: int | None = None
    #: What an edge pushed costs, in edges pulled; None: `push_cost_of`.
    push_cost: float | None = None
    #: Part of all edges from which a frontier counts as dense: a pull then tests no `any` bits.
    dense: float = 0.65
    #: Entries that a dense frontier may be pulled along from which on searches of few edges are
    #: looked for, to be pushed: reckoned, what a GPU looks at in the 20 us that this takes.
    #: No other number has been measured.
    narrow_from: int = 1 << 21
    #: Rows with more entries are cut into pieces of so many.
    long_row: int = 1024
    piece: int = 1024
    #: Blocks of 32 rows without a longer one are a warp's work, eight rows otherwise; None:
    #: `short_row_of`.
    short_row: int | None = None
    #: Shared memory of a CTA for the frontier's `any` bits.
    cache_bytes: int = 96 * 1024
    #: Part of the L2 cache in which a pull of a dense frontier asks to keep rows of the first
    #: vertices; all others are read as if for the last time.
    kept: float = 0.4
    #: Part of all entries whose `any` bits a pull of a sparse frontier keeps in shared memory.
    covered: float = 0.95
    #: A list of so many vertices is made anew, in order, before it is pushed; None:
    #: `ordered_from_of`.
    ordered_from: int | None = None

    def push_cost_of(self, words: int) -> float:
        """What an edge pushed costs where rows of bits have `words` words: with 2.5 the traversal
        of 256 searches of Kronecker 21 took 1.10 ms for 1.16 with 5, with 1.5 the same; that of
        1024 of Kronecker 24 took 24.3 ms for 22.5.

        Examples
        --------
        >>> ManyTuning().push_cost_of(4), ManyTuning().push_cost_of(16)
        (2.5, 5.0)
        """
        return self.push_cost or (2.5 if words <= 4 else 5.0)

    def short_row_of(self, words: int, *, pinned: bool = False) -> int:
        """The longest row of a block that is a warp's work, where rows of bits have `words` words.

        Over the bus a request costs as much as a line of 128 bytes does, so that lanes side by side
        had better ask for entries side by side.

        Examples
        --------
        >>> ManyTuning().short_row_of(4), ManyTuning().short_row_of(8)
        (64, 256)
        >>> ManyTuning().short_row_of(8, pinned=True)
        1
        """
        return self.short_row or (1 if pinned else 64 if words <= 4 else 256)

    def ordered_from_of(self, vertices: int, *, pinned: bool = False) -> int:
        """From how many vertices on a list is put in order, in a graph of so many.

        Examples
        --------
        >>> ManyTuning().ordered_from_of(1 << 24, pinned=True)
        6144
        """
        if self.ordered_from is not None:
            return self.ordered_from
        return ordered_rows(vertices) if pinned else NEVER_ORDERED


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
    """Whether some vertices have so many edges that they should be treated differently.

    Examples
    --------
    >>> skewed(1000, 16000, 900), skewed(1000, 16000, 20)
    (True, False)
    """
    return longest_row * n > SKEW * entries


def grouping_pays(n: int, entries: int, longest_row: int) -> bool:
    """Whether sources should be grouped by the out-neighbour of largest degree.

    Examples
    --------
    >>> grouping_pays(10**5, 16 * 10**5, 900), grouping_pays(10**5, 16 * 10**5, 40)
    (True, False)
    >>> grouping_pays(1000, 16_000, 900)
    False
    """
    return n >= GROUPED_FROM and longest_row * n >= GROUPED_SKEW * entries


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


def joint_likely(n: int, entries: int, searches: int) -> bool:
    """Whether `joint_pays` will probably say so, before one search has shown the frontiers: where
    degrees are small, graphs are often deep.

    Examples
    --------
    >>> joint_likely(1000, 16_000, 64), joint_likely(1000, 4000, 64), joint_likely(1000, 16_000, 1)
    (True, False, False)
    """
    return searches >= LEAST_SHARING and entries > DEEP_MEAN * n


def shown_by_host(entries: int) -> bool:
    """Whether the one search that shows the frontiers of a graph on a GPU is made by the host.

    Examples
    --------
    >>> shown_by_host(1 << 18), shown_by_host(1 << 26)
    (True, False)
    """
    return entries <= HOST_ENTRIES


def listing_edges(n: int, entries: int, *, joined: bool) -> int:
    """Edges that each of many searches may look at before it gives up to list what it reaches.

    Parameters
    ----------
    n, entries : int
        Of the graph.
    joined : bool
        Whether searches that give up will be joined, or that is not known yet.

    Examples
    --------
    >>> listing_edges(100, 400, joined=True)
    0
    >>> listing_edges(10**5, 4 * 10**5, joined=True), listing_edges(10**5, 4 * 10**5, joined=False)
    (976, 31250)
    """
    share = LISTED_SHARE if joined else LISTED_ALONE_SHARE
    return int((n + entries) * share) if n >= LISTED_FROM else 0


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


def stepwise_pulls(
    frontier: int, frontier_entries: int, unvisited: int, unvisited_entries: int, *, pulled: bool
) -> bool:
    """Whether searches that go a level at a time pull the next one.

    Parameters
    ----------
    frontier, frontier_entries, unvisited, unvisited_entries : int
        Pairs of a vertex and a search, and the entries in the rows of these.
    pulled : bool
        Whether they pulled the level before.

    Examples
    --------
    >>> stepwise_pulls(10, 100, 1000, 10_000, pulled=False)
    False
    >>> stepwise_pulls(100, 1000, 1000, 10_000, pulled=False)
    True
    >>> stepwise_pulls(10, 100, 1000, 10_000, pulled=True)
    False
    """
    if pulled:
        return frontier * STEPWISE_BETA >= frontier + unvisited
    return frontier_entries * STEPWISE_ALPHA > unvisited_entries


def sent_searches(sources: int, workers: int, bytes_a_source: int) -> int:
    """How many searches are handed out at once, of those of a call.

    Parameters
    ----------
    sources, workers : int
    bytes_a_source : int
        Of the rows that come back.
    """
    # Two batches a worker at least, so that the last one to end is not waited for long.
    even = -(-sources // (2 * workers))
    words = max(1, min(-(-even // 64), SENT // 64))
    return max(1, min(64 * words, SENT_BYTES // max(1, bytes_a_source)))
