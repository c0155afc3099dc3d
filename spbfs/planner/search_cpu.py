"""The fused search on a CPU: rates of its steps, and decisions as pure functions of counts.

Measured on two cores of an AMD EPYC (Zen 4) where nothing else is said;
``docs/performance-notes.md`` has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass

from spbfs.planner.search import NeighbourOrder, Relabelling

__all__ = [
    "CPU_SEARCH",
    "CpuSearchRates",
    "cpu_layout",
    "hubs_pay_in_searches",
    "list_capacity",
    "listed_edges",
    "visited_copies",
]


@dataclass(frozen=True, slots=True)
class CpuSearchRates:
    """What the steps of a search take on a CPU, in nanoseconds of one core (only ratios matter),
    and from which size on several threads take a step; ``kernels/cpu/bfs/bfs_direction.h``."""

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


#: Made by ``spbfs calibrate --device cpu --seconds 150 --threads 1`` on a 2-core Intel Xeon
#: (Sapphire Rapids), 2026-11-27: 2,490 levels of 98 graphs, told within a factor of 1.26 (median;
#: the paper's averages: 1.55); ``docs/performance-notes.md``, "Rates and regret".
#: ``benchmarks/results`` has the file, and a test compares them.  The last two were measured by
#: hand: with 512 or 2048 serial edges a 2-D grid took 125 instead of 68 ms on a busy machine; the
#: share was not measured apart.
CPU_SEARCH = CpuSearchRates(
    push_level=358.0,
    push_edge=1.86,
    push_row=4.79,
    push_found=5.92,
    pull_level=94.1,
    pull_word=2.01,
    pull_row=1.77,
    pull_probe=1.27,
    pull_found=13.0,
    pull_at_hub=4.18,
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


def visited_copies(threads: int) -> int:
    """Into how many copies of the visited set threads push.

    Examples
    --------
    >>> visited_copies(1), visited_copies(2), visited_copies(64)
    (1, 2, 4)
    """
    return min(max(threads, 1), MOST_COPIES)
