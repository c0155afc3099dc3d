"""Decisions about products, as pure functions of measured counts: direction, kernel, method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "CPU",
    "CUDA",
    "Costs",
    "Rates",
    "direction",
    "hubs_pay",
    "mxm_method",
    "mxm_products_enough",
    "mxm_threads",
    "product_costs",
    "pull_is_sure",
    "push_blocks",
    "push_kernel",
    "push_sweeps",
    "rows_pay",
]


@dataclass(frozen=True, slots=True)
class Rates:
    """What the steps of a product take on a machine, in nanoseconds; only their ratios matter."""

    #: A vertex of the frontier, whose row is somewhere in memory, and an entry of that row, pushed:
    #: as nothing but a flag, or as a product.
    push_vertex: float
    push_edge: float
    push_product: float
    #: A frontier listed before it is pushed, where it has to be.
    push_list: float
    #: A row passed by a pull, whether or not the mask admits it.
    pull_row: float
    #: A row admitted by the mask, and an entry of it: probed for the frontier until the first hit,
    #: or probed and, on a hit, summed.
    pull_admitted: float
    pull_probe: float
    pull_product: float
    #: An entry moved while the transpose is made.
    transpose_entry: float


#: One core of a 2-core AMD EPYC (Zen 4), Kronecker graphs of scale 18 and 20, 2026-11-21:
#: ``docs/performance-notes-products.md``.  The steps are those of products, which read bytes and
#: write values; what the fused search's take is `search_cpu.CPU_SEARCH`.  Listing was measured
#: in its place, as what a push of a bitmap took longer than a pull of 34 to 1,000 rows,
#: ``docs/performance-notes-small-cpu.md``.
CPU = Rates(
    push_vertex=25.0,
    push_edge=1.8,
    push_product=4.0,
    push_list=5000.0,
    pull_row=0.3,
    pull_admitted=13.0,
    pull_probe=1.0,
    pull_product=2.2,
    transpose_entry=12.0,
)
#: NVIDIA H200, 2026-11-21, from its probes (``docs/performance-notes-cuda.md``): sectors of memory
#: and of the cache that a step touches.  What listing takes was not looked at.
CUDA = Rates(
    push_vertex=0.06,
    push_edge=0.025,
    push_product=0.05,
    push_list=0.0,
    pull_row=0.002,
    pull_admitted=0.03,
    pull_probe=0.012,
    pull_product=0.02,
    transpose_entry=0.5,
)
#: Pulls by products after which a matrix gets its hubs: a search by products has several, and
#: making hubs takes as long as a few searches.  `search_cpu.HUBS_AFTER_SEARCHES` counts fused
#: searches instead, as these do not say how often they pull.
HUBS_AFTER_PULLS = 8
#: A push touching fewer entries than these and this share of the result's size sorts them, rather
#: than spelling out a dense result: 50 instead of 200 us at 2^20 elements,
#: ``docs/performance-notes-products.md``.
SORTED_EDGES = 1000
SORTED_SHARE = 1 / 256
#: A result of so few elements is spelled out at once, and a mask for it: with the three vertices of
#: a frontier and a short list for a mask 65 us at 4,096 elements where sorting took 93, and as long
#: at 16,384.  One core of an AMD EPYC (Zen 4), 2026-11-22.
SMALL_RESULT = 1 << 12
#: A push of a pattern that touches more entries than this share of the result's size sets every
#: neighbour and takes out what the mask refuses in a pass of its own: 2.9 million edges, 12.9 to
#: 5.9 ms, in the same place.
SWEPT_SHARE = 1 / 16
#: The edges of a frontier that is a bitmap are estimated from so many of its vertices, which takes
#: 0.1 ms where counting them all took 3; the same place.
SAMPLED_VERTICES = 1 << 12
#: A push whose products must be summed is cut into blocks of elements where it has this many
#: entries in all, and this many a block in a row of the frontier.
BLOCK_EDGES = 1 << 16
BLOCK_DEGREE = 8


#: A product summed in the accumulator of a row, against an entry that is looked at.
ROWS_FACTOR = 4


@dataclass(slots=True)
class Costs:
    """Estimated nanoseconds of both directions of one product."""

    push: float
    pull: float


def product_costs(
    *,
    rows: int,
    frontier: int,
    frontier_edges: int,
    admitted: int,
    entries: int,
    stops_early: bool,
    pattern: bool,
    threads: int,
    listed: bool = True,
    rates: Rates = CPU,
) -> Costs:
    """What pushing and pulling ``w<m> = A u`` would cost, in time with all workers at hand.

    Push touches every entry of the frontier's rows.  Pull passes every row, and in those admitted
    by the mask probes every entry, or, where the first hit ends the row, as many as it takes to
    hit: an entry leads into the frontier with probability ``frontier_edges / entries``.

    Parameters
    ----------
    rows, admitted : int
        Elements of the result, and how many of them the mask admits and can be reached at all.
    frontier, frontier_edges : int
        Entries of the vector, and entries of the matrix that they meet.
    entries : int
        Stored entries of the matrix.
    stops_early : bool
        Whether the first product of a sum is the sum.
    pattern : bool
        Whether the result's values are known, so that only its pattern is to be found.
    threads : int
        Workers.
    listed : bool, optional
        Whether the vector can be pushed as it is.
    rates : Rates, optional
        Of the machine.

    Examples
    --------
    >>> bfs = {"rows": 1000, "entries": 16000, "stops_early": True, "pattern": True, "threads": 1}
    >>> few = product_costs(frontier=1, frontier_edges=16, admitted=999, **bfs)
    >>> few.push < few.pull
    True
    >>> many = product_costs(frontier=500, frontier_edges=8000, admitted=500, **bfs)
    >>> many.push > many.pull
    True
    """
    degree = entries / rows if rows else 0.0
    probes = min(degree, entries / max(frontier_edges, 1)) if stops_early else degree
    edge = rates.push_edge if pattern else rates.push_product
    push = frontier * rates.push_vertex + frontier_edges * edge
    probe = rates.pull_probe if stops_early else rates.pull_product
    pull = rows * rates.pull_row + admitted * (rates.pull_admitted + probes * probe)
    if threads > 1:  # what follows takes as long as the rest
        push /= threads if stops_early else push_blocks(frontier_edges, frontier, threads)
        pull /= threads
    return Costs(push if listed else push + rates.push_list, pull)


def pull_is_sure(rows: int, entries: int, rates: Rates = CPU) -> bool:
    """Whether to pull all there is takes less than to list a vector that would be pushed.

    Of a small product the costs of both directions take longer to work out than it does.

    Examples
    --------
    >>> pull_is_sure(34, 150), pull_is_sure(1000, 4000)
    (True, False)
    """
    most = rows * (rates.pull_row + rates.pull_admitted) + entries * rates.pull_product
    return most <= rates.push_list


def direction(
    costs: Costs, ready: dict[str, bool], entries: int, regret: float, rates: Rates = CPU
) -> tuple[Literal["push", "pull"], float]:
    """The direction to take, and the regret to remember with the matrix.

    One of the two needs the transpose.  While it is not there, what its absence costs adds up as
    regret; once that exceeds the cost of making it, the transpose is made (rent no longer than to
    buy).

    Parameters
    ----------
    costs : Costs
    ready : dict of str to bool
        For each direction, whether the matrix it walks is there.
    entries : int
        Stored entries of the matrix.
    regret : float
        What earlier products of this matrix have lost, in nanoseconds.
    rates : Rates, optional
        Of the machine.

    Examples
    --------
    >>> direction(Costs(push=10, pull=20), {"push": True, "pull": False}, 50, 0.0)
    ('push', 0.0)
    >>> direction(Costs(push=500, pull=20), {"push": True, "pull": False}, 50, 0.0)
    ('push', 480.0)
    >>> direction(Costs(push=500, pull=20), {"push": True, "pull": False}, 50, 480.0)
    ('pull', 0.0)
    """
    best: Literal["push", "pull"] = "push" if costs.push <= costs.pull else "pull"
    if ready[best]:
        return best, regret
    regret += abs(costs.push - costs.pull)
    if regret >= entries * rates.transpose_entry:
        return best, 0.0
    return ("pull" if best == "push" else "push"), regret


def push_kernel(edges: int, size: int) -> Literal["push", "push_list"]:
    """How a push that touches `edges` entries collects a result of `size` elements.

    Examples
    --------
    >>> push_kernel(500, 10**5), push_kernel(5000, 10**5), push_kernel(5, 1000)
    ('push_list', 'push', 'push')
    """
    few = size > SMALL_RESULT and edges < SORTED_EDGES + size * SORTED_SHARE
    return "push_list" if few else "push"


def push_sweeps(edges: int, size: int) -> bool:
    """Whether the push of a pattern sets every neighbour first and applies the mask in one pass.

    Examples
    --------
    >>> push_sweeps(5000, 10**5), push_sweeps(50_000, 10**5)
    (False, True)
    """
    return edges > size * SWEPT_SHARE


def push_blocks(edges: int, frontier: int, threads: int) -> int:
    """Into how many blocks of elements the result of a push is cut, for several workers to make.

    Every block searches every row of the frontier for its first entry, so rows must be long.

    Examples
    --------
    >>> push_blocks(10**6, 10**4, threads=2), push_blocks(10**6, 10**6, threads=2)
    (2, 1)
    """
    if threads == 1 or edges < BLOCK_EDGES:
        return 1
    return max(1, min(threads, edges // (max(frontier, 1) * BLOCK_DEGREE)))


def rows_pay(edges: int, entries: int) -> bool:
    """Whether a product over programs is made by the rows that a vector names, on one worker.

    Else all entries are looked through, by all workers.

    Examples
    --------
    >>> rows_pay(100, 10**6), rows_pay(10**6, 10**6)
    (True, False)
    """
    return edges * ROWS_FACTOR < entries


def hubs_pay(pulls: int) -> bool:
    """Whether a matrix pulled by `pulls` times, stopping at first hits, should know its hubs.

    Examples
    --------
    >>> hubs_pay(1), hubs_pay(100)
    (False, True)
    """
    return pulls > HUBS_AFTER_PULLS


# -- matrix products -----------------------------------------------------------------------------
#: A dense accumulator takes a slot a column from every worker; with fewer columns than this it
#: stays in the cache, and with more it must be paid back by that many products a column.
DENSE_COLUMNS = 1 << 16
DENSE_PRODUCTS = 1.0
#: A lookup of a dot against a product of a row: no sum to load, though mostly in vain.
DOT_LOOKUP = 0.8


#: Products for each thread: to wake one takes as long as a thousand.
PRODUCTS_PER_THREAD = 1 << 14


def mxm_threads(products: int, threads: int) -> int:
    """How many of the threads make a matrix product of so many products of entries.

    Examples
    --------
    >>> mxm_threads(1000, threads=16), mxm_threads(10**6, threads=16)
    (1, 16)
    """
    return max(1, min(threads, products // PRODUCTS_PER_THREAD))


def mxm_method(
    *, products: int, lookups: int, columns: int, inner: int, threads: int
) -> Literal["dense", "hash", "dots"]:
    """How the rows of a masked matrix product are made.

    Parameters
    ----------
    products : int
        Pairs of entries that meet, whatever the mask.
    lookups : int
        Entries that the dots the mask asks for look up; -1 where they cannot be had.
    columns, inner, threads : int
        Columns of the result, length of the dots, and workers.

    Examples
    --------
    >>> mxm_method(products=10**6, lookups=-1, columns=1000, inner=1000, threads=2)
    'dense'
    >>> mxm_method(products=10**3, lookups=-1, columns=10**9, inner=9, threads=2)
    'hash'
    >>> mxm_method(products=10**6, lookups=10**3, columns=1000, inner=1000, threads=2)
    'dots'
    """
    if 0 <= lookups * DOT_LOOKUP < products and _affordable(inner, lookups, threads):
        return "dots"
    if _affordable(columns, products, threads):
        return "dense"
    return "hash"


def mxm_products_enough(*, lookups: int, entries: int, inner: int, threads: int) -> int | None:
    """From how many products on dots are taken, by all threads, however many more there are; None
    where all have to be counted.

    Parameters
    ----------
    lookups, inner, threads : int
        As for `mxm_method`.
    entries : int
        Of the mask, which the result has at most.

    Examples
    --------
    >>> mxm_products_enough(lookups=10**6, entries=10, inner=1000, threads=2)
    800001
    >>> mxm_products_enough(lookups=-1, entries=10, inner=1000, threads=2)
    """
    if lookups < 0 or not _affordable(inner, lookups, threads):
        return None
    return max(int(lookups * DOT_LOOKUP) + 1, entries, threads * PRODUCTS_PER_THREAD)


def _affordable(slots: int, work: int, threads: int) -> bool:
    """Whether so much work pays for that many slots of every thread."""
    return slots <= DENSE_COLUMNS or work >= slots * threads * DENSE_PRODUCTS
