"""Decisions of the fused search: the rates of its steps on a CPU, and on a GPU pure functions of a
graph's counts.

The CPU's were measured on two cores of an AMD EPYC (Zen 4), the GPU's on an NVIDIA H200;
``docs/performance-notes.md`` and ``docs/performance-notes-cuda.md`` have the figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Literal

__all__ = [
    "CPU_SEARCH",
    "CpuSearchRates",
    "GraphCounts",
    "LayoutChoice",
    "NeighbourOrder",
    "Relabelling",
    "Tuning",
    "blocks_per_task",
    "cached_visited",
    "cpu_layout",
    "disk_part_edges",
    "hubs_pay_in_searches",
    "known_layout",
    "list_capacity",
    "listed_edges",
    "listed_rows",
    "near_arrays",
    "pinned_push_cost",
    "pull_parts_pays",
    "push_cost",
    "search_layout",
    "visited_copies",
]

#: Which vertices a search numbers, and how: those with entries as they are given or by falling
#: degree, or all as they are given.
Relabelling = Literal["auto", "compact", "degree"] | None
#: The order of a row's neighbours: by falling degree, or as they are given.
NeighbourOrder = Literal["auto", "degree"] | None


# -- on a CPU --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class CpuSearchRates:
    """What the steps of a search take on a CPU, in nanoseconds of one core (only ratios matter),
    and from which size on several threads take a step; ``kernels/cpu/bfs_direction.h``."""

    #: A push: the level, an edge, the row of a frontier's vertex, and a vertex found, which is
    #: written anywhere in memory.
    push_level: float
    push_edge: float
    push_row: float
    push_found: float
    #: A pull: the level, 64 vertices passed over, an unvisited one with the start of its row, an
    #: in-neighbour probed, and a vertex found: behind a neighbour of its row, or its hub already.
    pull_level: float
    pull_word: float
    pull_row: float
    pull_probe: float
    pull_found: float
    pull_at_hub: float
    #: A push of fewer edges than this, or than this share of the vertices, is made by the calling
    #: thread alone: to wake another, and to copy and merge the visited set, costs more.
    serial_edges: int
    serial_share: float


#: Made by ``spbfs calibrate --device cpu --seconds 150 --threads 1`` on a 2-core Intel Xeon at 2.5
#: GHz, 2026-11-23, in processor time, as others had the machine: 1,744 levels of 60 graphs, told
#: within a factor of 1.17 (median; the paper's averages: 1.98); ``docs/performance-notes.md``,
#: "Rates and regret".  The last two were measured by hand: with 512 or 2048 serial edges a 2-D grid
#: took 125 instead of 68 ms on a busy machine; the share was not measured apart.
CPU_SEARCH = CpuSearchRates(
    push_level=895.0,
    push_edge=2.76,
    push_row=16.2,
    push_found=12.5,
    pull_level=698.0,
    pull_word=6.59,
    pull_row=10.0,
    pull_probe=1.39,
    pull_found=11.9,
    pull_at_hub=0.001,
    serial_edges=1 << 13,
    serial_share=1 / 16,
)
#: A frontier of more than this share of the vertices is a bitmap, not a list; see the same table.
LIST_SHARE = 1 / 8
#: Of small graphs lists have this room all the same, as what overflows one wakes another thread:
#: with two threads graphs of 150 to 1,000 vertices took 0.60 to 0.97 of the time.
#: ``docs/performance-notes-small-cpu.md``.
SHORT_LIST = 1 << 10
#: Threads that push at the same time mark discoveries in a bitmap each, up to so many: a push of
#: 958 thousand edges by two threads takes 8.1 ms, on one bitmap with atomics 30.1.
MOST_COPIES = 4
#: Searches without a plan after which a graph gets its hubs, which take as long to make as a few
#: searches.  `planner.HUBS_AFTER_PULLS` is the same of products, which are counted one by one.
HUBS_AFTER_SEARCHES = 2
#: On graphs of so many vertices a search first tries to list what it reaches, up to this share of
#: the vertices in edges: arrays of n are then neither written nor cleared, which takes longer than
#: all else where little is reached.  What is listed is sorted, hence the small share.
LISTED_FROM = 1 << 14
LISTED_SHARE = 1 / 64
#: The same along arrays that are searched as they are given: there a search does little for all
#: vertices, so that one that gave up to list took up to twice as long, and lists pay later.
#: ``docs/performance-notes-small-cpu.md`` has both.
GIVEN_FROM = 1 << 17
GIVEN_SHARE = 1 / 512
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


def listed_edges(vertices: int, *, given: bool = False) -> int:
    """Edges that a search, perhaps along arrays as they are given, may look at before it gives up
    to list what it reaches; 0: none.

    Examples
    --------
    >>> listed_edges(1000), listed_edges(1 << 21), listed_edges(1 << 21, given=True)
    (0, 32768, 4096)
    """
    least, share = (GIVEN_FROM, GIVEN_SHARE) if given else (LISTED_FROM, LISTED_SHARE)
    return int(vertices * share) if vertices >= least else 0


def cpu_layout(
    relabel: Relabelling, neighbours: NeighbourOrder, least: bool
) -> tuple[Relabelling, NeighbourOrder]:
    """The layout in which a search on the CPU reads a graph; both None: as it is given.

    By itself as it is given: ``docs/performance-notes.md`` has what layouts cost and gain.  Least
    parents, and owners, are found first only where rows are in the caller's order.

    Examples
    --------
    >>> cpu_layout("auto", "auto", False), cpu_layout("degree", "auto", False)
    ((None, None), ('degree', 'degree'))
    >>> cpu_layout("degree", "auto", True)
    ('degree', None)
    """
    if relabel == "auto":
        relabel = None
    if neighbours == "auto":
        neighbours = "degree" if relabel == "degree" else None
    return relabel, None if least else neighbours


def hubs_pay_in_searches(searches: int, planned: bool) -> bool:
    """Whether the search of this number on a graph should have its hubs made; a plan says that
    there will be many.

    Examples
    --------
    >>> hubs_pay_in_searches(1, planned=False), hubs_pay_in_searches(3, planned=False)
    (False, True)
    """
    return planned or searches > HUBS_AFTER_SEARCHES


def list_capacity(vertices: int) -> int:
    """Vertices of the longest frontier that is kept as a list.

    Examples
    --------
    >>> list_capacity(1000), list_capacity(100_000)
    (1025, 12501)
    """
    return max(int(vertices * LIST_SHARE), SHORT_LIST) + 1


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


def visited_copies(threads: int) -> int:
    """Into how many copies of the visited set threads push.

    Examples
    --------
    >>> visited_copies(1), visited_copies(2), visited_copies(64)
    (1, 2, 4)
    """
    return min(max(threads, 1), MOST_COPIES)


# -- on a GPU --------------------------------------------------------------------------------------
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
#: sectors of 32 bytes here and there, for rows that the neighbours on the GPU do not decide.  With
#: hubs first that is one row in a hundred.  Counted, not measured: of a uniform graph of 2^18
#: vertices, 32 entries each, the level whose frontier is a tenth of them takes 3.5 MB pushed, and
#: 10.0 MB of sectors pulled; of a Kronecker graph of that scale all pulls take .05 MB.
PUSH_COST_PINNED, PUSH_COST_PINNED_HUBS = 0.2, 1.0
#: One in so many rows, and these, fit the list of a frontier.
LISTED_ONE_IN, LISTED_BESIDE = 4, 1 << 14
#: The same where entries are pinned, as the GPU is short of memory then.  No fewer: in a uniform
#: graph of 2^23 vertices, 32 entries each, a frontier of an eighth of all comes from a source of 32
#: neighbours, of a seventh from one of 39, and that is better pushed than pulled.
PINNED_LISTED_ONE_IN, PINNED_LISTED_BESIDE = 7, 1 << 11
#: Rows no longer than this, and on average no longer than that, make a graph that may be deep ...
DEEP_LONGEST = 64
DEEP_MEAN = 8
#: ... whose records hold four neighbours, or eight where this share of all rows has more than
#: four: a longer row costs the cluster tier a dependent access.
BROAD_SHARE = 1 / 16


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


def pinned_push_cost(relabelled: bool) -> float:
    """The same where entries cross the bus.

    Examples
    --------
    >>> pinned_push_cost(False), pinned_push_cost(True)
    (0.2, 1.0)
    """
    return PUSH_COST_PINNED_HUBS if relabelled else PUSH_COST_PINNED


def listed_rows(vertices: int, pinned: bool) -> int:
    """Rows of the longest frontier that is listed, if it need not be pushed: a longer one is
    pulled.

    Examples
    --------
    >>> listed_rows(1 << 24, pinned=False), listed_rows(1 << 24, pinned=True)
    (4210688, 2398793)
    """
    if pinned:
        return vertices // PINNED_LISTED_ONE_IN + PINNED_LISTED_BESIDE
    return vertices // LISTED_ONE_IN + LISTED_BESIDE


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
