"""When a vector had better be gathered from in an order of its own, hubs first, on a GPU.

Every entry of a matrix asks for an element of the vector.  A sector of 32 bytes comes from L2 for
each, unless L1 has it, and L1 has lines: an element that is asked for often takes a line alone
where it lies among others that are not.
"""

from __future__ import annotations

from spbfs.planner.search_cuda import HUB_SHARE, HUBS

__all__ = ["HEAD", "PASSES", "hubs_first_pays", "order_pays"]

#: Columns that come first: their elements, of four bytes, take half of a multiprocessor's L1.  By a
#: simulation of the lines of L1 a Kronecker graph of scale 21 asks L2 for .61, .57, .56 and .55 of
#: its short rows' elements with 2^14, 2^15, 2^16 and 2^17 of them, and for .91 as it is given.
HEAD = 1 << 15
#: Products, or rounds of PageRank, after which a matrix gets that order: on an H200 making it takes
#: a Kronecker graph of scale 21 1.65 ms, and a product .50 instead of .525 (a pattern's .44 instead
#: of .49), a round .44 instead of .46.
PASSES = 48


def hubs_first_pays(columns: int, entries: int, to_hubs: int) -> bool:
    """Whether the order is worth having: not where L1 holds most of the vector anyway, nor where
    `HUBS` of its elements are asked for little more than any others.

    Examples
    --------
    >>> hubs_first_pays(1 << 21, 63_500_000, 30_000_000)
    True
    >>> hubs_first_pays(1 << 21, 134_000_000, 1_100_000), hubs_first_pays(1 << 16, 1 << 20, 1 << 20)
    (False, False)
    """
    return columns > 4 * HEAD and to_hubs / entries - HUBS / columns >= HUB_SHARE


def order_pays(passes: int) -> bool:
    """Whether a matrix should have the order after so many products and rounds.

    Examples
    --------
    >>> order_pays(1), order_pays(100)
    (False, True)
    """
    return passes > PASSES
