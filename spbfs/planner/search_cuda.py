"""The fused search on a GPU: decisions as pure functions of a graph's counts.

Measured on an NVIDIA H200; ``docs/performance-notes-cuda.md`` has the figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, log2, sqrt

from spbfs.planner.search import Relabelling

__all__ = [
    "NEVER_ORDERED",
    "GraphCounts",
    "LayoutChoice",
    "Tuning",
    "blocks_per_task",
    "cached_visited",
    "known_layout",
    "line_shift",
    "listed_rows",
    "near_arrays",
    "ordered_rows",
    "pinned_push_cost",
    "push_cost",
    "push_cost_over_bus",
    "search_layout",
]


@dataclass(frozen=True, slots=True)
class Tuning:
    """Constants of the fused search on a GPU; measured in ``docs/performance-notes-cuda.md``."""

    #: What an edge pushed costs, in edges pulled; None: `push_cost`.
    push_cost: float | None = None
    #: Most frontier edges with which one CTA takes a level alone, and with which it goes on.  With
    #: 1536 or 2048 a social network and a Kronecker graph of scale 21 take 5 % longer.
    cta_enter: int = 1024
    cta_leave: int = 1024
    #: Frontier edges with which the cluster tier is entered, and messages from one of its CTAs to
    #: another at which it is left.
    cluster_enter: int = 12_288
    cluster_leave: int = 224
    #: Most shared memory of a CTA of the cluster tier: visited bits that do not fit stay in L2.
    cluster_shared: int = 1 << 18
    #: Vertices whose visited bits a pull keeps in shared memory; None: `cached_visited`.
    cached: int | None = None
    #: Blocks of 128 rows a warp pulls at a time; None: `blocks_per_task`.
    blocks_per_task: int | None = None


#: Vertices of highest degree whose entries say whether relabelling pays, see `HUB_SHARE`.
HUBS = 1 << 14
#: Most vertices of highest degree that come first in a relabelled layout, or else the power of two
#: of which there are twice as many: with 2^14, 2^17, 2^18, 2^19, 2^20 a Kronecker graph of scale 24
#: takes 297, 286, 282, 278, 282 us, one of scale 21 81.7, 80.2, 80.5, 79.6, 82.0, one of scale 20
#: (646 thousand rows) among 2^22 labels with 0, 2^14, 2^17, 2^18 71.1, 69.7, 68.2, 67.0.
FIRST = 1 << 19
#: Relabelling pays where the visited bits of all vertices fit no multiprocessor's shared memory ...
VISITED_FITS = 1 << 20
#: ... and this share of all entries leads to the hubs, so that most rows meet one at their first
#: probe.
HUB_SHARE = 0.1
#: Vertices whose visited bits a pull copies to shared memory: half of the hubs where these come
#: first.  All 2^19 are no faster: Kronecker graphs of scale 21 and 24 take 83.2 instead of 82.8 us,
#: 298.7 instead of 299.7.
CACHED_WITH_HUBS = 1 << 18
CACHED = 1 << 20
#: What an edge pushed costs, in edges pulled.  With hubs first most pulls end at their first probe,
#: which makes a push dear in comparison.  Half of either makes the worst sources of Kronecker and
#: uniform graphs a quarter slower, twice as much changes nothing there and makes a web slower.
PUSH_COST, PUSH_COST_HUBS = 2.0, 8.0
#: The same where entries lie in memory of the host: a push reads whole lines over the bus, a pull
#: sectors of 32 bytes here and there, for rows that the neighbours on the GPU do not decide.
#: Counted, not measured: of a uniform graph of 2^18 vertices, 32 entries each, the level whose
#: frontier is a tenth of them takes 3.5 MB pushed, and 10.0 MB of sectors pulled.  With hubs first
#: next to no row is read over the bus: late pulls of Kronecker 24 take 12 us, while a level of 956
#: thousand vertices with 1.21 million edges, pushed, takes 1,300.
PUSH_COST_PINNED, PUSH_COST_PINNED_HUBS = 0.2, 32.0
#: The same where only those entries do that a push reads: it gets 50 GB/s over the bus, and about
#: ten times as many entries a second from the GPU's memory.  Not measured.
PUSH_COST_OVER_BUS, PUSH_COST_OVER_BUS_HUBS = 20.0, 80.0
#: The longest row of a graph of even degrees, in mean rows: of random ones it is 2 to 5 of them, of
#: Kronecker graphs thousands.
EVEN = 8
#: A vertex that a push finds, in edges pushed: where the caches have what is written for it, and
#: how much more from so many vertices on.  Single levels of eight uniform graphs say 29 to 79 us a
#: million up to 3 x 10^5 vertices, 52 to 88 at 10^6, 69 to 104 at 2 x 10^6 and 106 to 138 from
#: 4 x 10^6 on, where an edge takes 6 to 12 (docs/performance-notes-cuda.md, ninth round).
FIND_IN_CACHE, FIND_BESIDE, VERTICES_BESIDE = 5.0, 7.0, 1 << 21
#: The same where an edge crosses the bus, 136 us a million in order on an H200, beside which a find
#: costs little; not where the GPU has the first twelve entries of every row, so that pulls
#: are cheaper.  An estimate: with it a frontier of a sixth of all vertices is pushed, in 7.0 ms in
#: place of 11.4 (docs/performance-notes-cuda.md, "Entries in memory of the host").
FIND_OVER_BUS = 1.0
#: An edge of a row that is looked through in vain where degrees are even, elsewhere such a row, in
#: edges pulled.
IN_VAIN_EDGE, IN_VAIN = 2.2, 24.0
#: Such a row where hubs come first and entries are pinned: it is read over the bus, as one that is
#: pushed, which counts as 16 edges here.  An estimate.
IN_VAIN_PINNED_HUBS = 16 * PUSH_COST_PINNED_HUBS
#: One in so many rows, and these, fit the list of a frontier.
LISTED_ONE_IN, LISTED_BESIDE = 4, 1 << 14
#: The same where entries are pinned, as the GPU is short of memory then.  No fewer: in a uniform
#: graph of 2^23 vertices, 32 entries each, frontiers of an eighth to a sixth of all come from
#: sources of 32 to 43 neighbours, and those are better pushed than pulled.
PINNED_LISTED_ONE_IN, PINNED_LISTED_BESIDE = 5, 1 << 11
#: One in so many rows, and these, are a list that is put in order where entries are pinned.
ORDERED_ONE_IN, ORDERED_BESIDE = 1 << 12, 1 << 11
NEVER_ORDERED = 2**31 - 1
#: Rows of so many entries on average have lines of their own where entries are pinned: of shorter
#: ones several come by one request as they lie, of longer ones few requests are saved.  Measured at
#: 32 alone; these are estimates by requests of 128 bytes.
LINED_MEAN = 12, 128
#: A lane for every 16 bytes of a line, of which a warp has 32; and how many times the memory of the
#: entries lines may take, which rows without entries have, too.
LONGEST_LINE, LINED_ROOM = 5, 2
#: Rows no longer than this, and on average no longer than that, make a graph that may be deep ...
DEEP_LONGEST = 64
DEEP_MEAN = 8
#: ... whose records hold four neighbours, or eight where this share of all rows has more than
#: four: a longer row costs the cluster tier a dependent access.
BROAD_SHARE = 1 / 16


def is_even(longest: int, rows: int, entries: int) -> bool:
    """Whether no row is much longer than the others, of so many that have entries."""
    return longest * rows <= EVEN * entries


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """What a layout is chosen by.

    Parameters
    ----------
    vertices, rows, entries : int
        Vertices, those of them with an entry in either direction, stored entries.
    longest : int
        Entries of the longest row.
    to_hubs : int
        Entries that lead to the `HUBS` vertices of highest degree.
    broad : int
        Rows of more than four neighbours, themselves not among them.
    """

    vertices: int
    rows: int
    entries: int
    longest: int
    to_hubs: int
    broad: int

    @property
    def even(self) -> bool:
        """Whether no row is much longer than the others."""
        return is_even(self.longest, self.rows, self.entries)


@dataclass(frozen=True, slots=True)
class LayoutChoice:
    """How the graph is laid out: vertices that come first (None keeps the caller's labels), and
    how many neighbours the record of a row holds (0: rows have none)."""

    hubs: int | None
    records: int


def search_layout(
    counts: GraphCounts, relabel: Relabelling = "auto", pinned: bool = False
) -> LayoutChoice:
    """The layout in which the fused search reads a graph.

    Parameters
    ----------
    counts : GraphCounts
    relabel : {"auto", "compact", "degree"} or None
        By the counts; vertices with entries in the caller's order, or by falling degree; the
        caller's labels.
    pinned : bool
        Whether entries stay in memory of the host: records of rows would hold them once more.

    Examples
    --------
    >>> kronecker = GraphCounts(1 << 24, 8_870_000, 520_000_000, 390_000, 170_000_000, 6_000_000)
    >>> search_layout(kronecker)
    LayoutChoice(hubs=524288, records=0)
    >>> grid = GraphCounts(9_000_000, 9_000_000, 36_000_000, 4, 65_536, 0)
    >>> search_layout(grid)
    LayoutChoice(hubs=None, records=4)
    """
    if relabel in ("compact", "degree"):
        return LayoutChoice(counts.rows if relabel == "degree" else 0, 0)
    hubs_attract = counts.to_hubs >= HUB_SHARE * counts.entries and counts.rows > 8 * HUBS
    if relabel == "auto" and hubs_attract and counts.vertices > VISITED_FITS:
        return LayoutChoice(min(FIRST, 1 << (counts.rows // 2).bit_length() - 1), 0)
    deep = counts.longest <= DEEP_LONGEST and counts.entries <= DEEP_MEAN * counts.rows
    if not deep or pinned:
        return LayoutChoice(None, 0)
    return LayoutChoice(None, 8 if counts.broad > BROAD_SHARE * counts.rows else 4)


def known_layout(vertices: int, entries: int) -> LayoutChoice | None:
    """What `search_layout` chooses by itself, where the sizes of a graph alone say so.

    Examples
    --------
    >>> known_layout(1 << 16, 1 << 20)
    LayoutChoice(hubs=None, records=0)
    >>> known_layout(1 << 16, 1 << 18), known_layout(1 << 24, 1 << 28)
    (None, None)
    """
    may_relabel, may_be_deep = vertices > VISITED_FITS, entries <= DEEP_MEAN * vertices
    return None if may_relabel or may_be_deep else LayoutChoice(None, 0)


def cached_visited(vertices: int, relabelled: bool) -> int:
    """How many vertices' visited bits a pull keeps in shared memory, where there is room.

    Examples
    --------
    >>> cached_visited(1000, False), cached_visited(1 << 23, True)
    (1000, 262144)
    """
    return min(vertices, CACHED_WITH_HUBS if relabelled else CACHED)


def push_cost(relabelled: bool) -> float:
    """What an edge pushed costs, in edges pulled.

    Examples
    --------
    >>> push_cost(False), push_cost(True)
    (2.0, 8.0)
    """
    return PUSH_COST_HUBS if relabelled else PUSH_COST


def pushed_find(vertices: int, even: bool, over_bus: bool = False) -> float:
    """What a push pays for a vertex that it finds, in edges pushed.

    Its level and parent are written wherever it lies: with hubs first, or few vertices, mostly into
    lines of cache that others have just written.  Only graphs of `even` degrees, in the GPU's
    memory, were measured to be otherwise.

    Examples
    --------
    >>> pushed_find(1 << 21, True), pushed_find(1 << 17, True), pushed_find(1 << 21, False)
    (12.0, 5.4375, 5.0)
    """
    if over_bus:
        return FIND_OVER_BUS
    if not even:
        return FIND_IN_CACHE
    return FIND_IN_CACHE + FIND_BESIDE * min(1.0, vertices / VERTICES_BESIDE)


def pull_in_vain(mean_degree: float, even: bool, pinned_hubs: bool = False) -> float:
    """What a pull pays for a row that it looks through in vain, in edges pulled.

    Where degrees are even, rows that stay open are as long as others; where entries are pinned, and
    hubs first, such a row crosses the bus.

    Examples
    --------
    >>> pull_in_vain(10.0, True), pull_in_vain(10.0, False)
    (22.0, 24.0)
    """
    if pinned_hubs:
        return IN_VAIN_PINNED_HUBS
    return IN_VAIN_EDGE * mean_degree if even else IN_VAIN


def pinned_push_cost(relabelled: bool) -> float:
    """The same where entries cross the bus.

    Examples
    --------
    >>> pinned_push_cost(False), pinned_push_cost(True)
    (0.2, 32.0)
    """
    return PUSH_COST_PINNED_HUBS if relabelled else PUSH_COST_PINNED


def push_cost_over_bus(relabelled: bool) -> float:
    """The same where entries cross the bus when they are pushed, and not when they are pulled.

    Examples
    --------
    >>> push_cost_over_bus(False), push_cost_over_bus(True)
    (20.0, 80.0)
    """
    return PUSH_COST_OVER_BUS_HUBS if relabelled else PUSH_COST_OVER_BUS


def listed_rows(vertices: int, pinned: bool) -> int:
    """Rows of the longest frontier that is listed, if it need not be pushed: a longer one is
    pulled.

    Examples
    --------
    >>> listed_rows(1 << 24, pinned=False), listed_rows(1 << 24, pinned=True)
    (4210688, 3357491)
    """
    if pinned:
        return vertices // PINNED_LISTED_ONE_IN + PINNED_LISTED_BESIDE
    return vertices // LISTED_ONE_IN + LISTED_BESIDE


def ordered_rows(vertices: int) -> int:
    """From how many rows on the list of a frontier is put in order before it is pushed, where
    entries lie in memory of the host.

    A row that is read out of order costs some 7 ns over the bus, to look for a vertex in order a
    thousandth of that.

    Examples
    --------
    >>> ordered_rows(1 << 24)
    6144
    """
    return vertices // ORDERED_ONE_IN + ORDERED_BESIDE


def line_shift(rows: int, filled: int, entries: int, longest: int, bits: int) -> int | None:
    """How long the lines of pinned rows are, as the logarithm of their 16 bytes: most rows fit.

    None where rows have none, as some are much longer than others, or all too short or too long, or
    as most of all rows are not filled.

    Examples
    --------
    >>> line_shift(1 << 23, 1 << 23, 1 << 28, 70, 23)
    3
    >>> line_shift(1 << 24, 8_870_000, 520_000_000, 390_000, 24)
    """
    mean = entries / max(1, filled)
    if not is_even(longest, filled, entries) or not LINED_MEAN[0] <= mean <= LINED_MEAN[1]:
        return None
    shift = max(0, ceil(log2((mean + sqrt(mean)) / (128 // bits))))
    fits = shift <= LONGEST_LINE and rows << shift + 4 <= LINED_ROOM * 4 * entries
    return shift if fits else None


def near_arrays(sizes: Sequence[int], cache: int) -> int:
    """How many of these arrays a search brings into the GPU's L2 cache before it writes them here
    and there: as many as half of it holds, all sizes in bytes.

    A push of 197 thousand edges that finds 185 thousand vertices takes 20 instead of 26 us on a
    graph of 2^21 vertices; where they would fill the cache it gains what the first levels lose.

    Examples
    --------
    >>> near_arrays([8 << 20, 8 << 20], 50 << 20), near_arrays([9 << 20, 36 << 20], 50 << 20)
    (2, 1)
    """
    within = accumulate(sizes)
    return sum(upto <= cache // 2 for upto in within)


def blocks_per_task(blocks: int, warps: int, run: int | None = None) -> int:
    """How many blocks of rows a warp takes at a time in a pull, all of them in flight together.

    A divisor of `run`, where blocks come in runs.

    Tasks of more blocks wait less often, but a warp that gets one task more than others holds up
    the level: 4 blocks instead of 3 cost a Kronecker graph of scale 21 a fifth of its pull.

    Examples
    --------
    >>> blocks_per_task(9718, 2112), blocks_per_task(100, 2112)
    (3, 1)
    """

    def cost(size: int) -> float:
        return ceil(blocks / size / warps) * (size + 0.5)

    return min((size for size in (4, 3, 2, 1) if run is None or run % size == 0), key=cost)
