"""When a vector had better be gathered from in an order of its own, hubs first.

Every entry of a matrix asks for an element of the vector.  Caches have lines: an element that is
asked for often takes a line alone where it lies among others that are not.  On a GPU a sector of 32
bytes comes from L2 for each entry, unless L1 has it; on a CPU L2 is a core's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from spbfs.planner.search_cuda import HUB_SHARE, HUBS

__all__ = ["CPU", "CUDA", "HUBS", "Gathers", "hubs_first_pays", "order_pays"]


@dataclass(frozen=True, slots=True)
class Gathers:
    """What a machine's gathers are like."""

    #: Columns that come first.
    head: int
    #: Of no more columns the cache holds the vector as it is.
    columns: int
    #: Products, or rounds of PageRank, after which a matrix gets that order.
    passes: int


#: Of the head's elements kernels keep the first in shared memory, 2^15 of four bytes, which .61 of
#: the entries of a Kronecker graph of scale 21 ask for.  On an H200 making the order takes that
#: graph .94 ms, and a product of its pattern .36 instead of .54.
CUDA = Gathers(head=1 << 16, columns=1 << 17, passes=4)
#: The head takes a quarter of a megabyte, and a vector is larger than one.  The measurements stand
#: in ``docs/performance-notes-algorithms-cpu.md``.
CPU = Gathers(head=1 << 16, columns=1 << 18, passes=9)


def hubs_first_pays(columns: int, entries: int, to_hubs: int, gathers: Gathers) -> bool:
    """Whether the order is worth having: not where the cache holds most of the vector anyway, nor
    where `HUBS` of its elements are asked for little more than any others.

    Examples
    --------
    >>> hubs_first_pays(1 << 21, 63_500_000, 30_000_000, CUDA)
    True
    >>> hubs_first_pays(1 << 21, 134_000_000, 1_100_000, CUDA)
    False
    >>> hubs_first_pays(1 << 16, 1 << 20, 1 << 20, CUDA)
    False
    """
    return columns > gathers.columns and to_hubs / entries - HUBS / columns >= HUB_SHARE


def order_pays(passes: int, gathers: Gathers) -> bool:
    """Whether a matrix should have the order after so many products and rounds.

    Examples
    --------
    >>> order_pays(1, CUDA), order_pays(20, CUDA), order_pays(9, CPU)
    (False, True, False)
    """
    return passes > gathers.passes
