"""Boolean products in packed bits: decisions as pure functions of counts."""

from __future__ import annotations

from typing import Literal

__all__ = ["CUDA_PACKED_PUSH_COST", "PACKED_PUSH_COST", "packed_direction", "packs"]

#: A product is packed where its bits take no more bytes than so many an entry that goes into it, or
#: than is worth a thought.
PACKED_BYTES = 16
PACKED_ANYWAY = 1 << 24
#: An entry pushed against one pulled in a product with packed bits, on the CPU and on CUDA, where
#: bits are added by atomics.
PACKED_PUSH_COST = 2.0
CUDA_PACKED_PUSH_COST = 10.0


def packs(rows: int, words: int, entries: int) -> bool:
    """Whether a Boolean product of so many rows of so many words should be made in packed bits.

    Examples
    --------
    >>> packs(10**6, 8, 10**7), packs(10**8, 16, 10**5)
    (True, False)
    """
    return 8 * words * rows <= PACKED_BYTES * entries + PACKED_ANYWAY


def packed_direction(
    edges: int, entries: int, push_cost: float = PACKED_PUSH_COST
) -> Literal["push", "pull"]:
    """How a product with packed bits is made, whose rows that have any meet so many entries.

    Examples
    --------
    >>> packed_direction(10, 1000), packed_direction(900, 1000)
    ('push', 'pull')
    """
    return "push" if edges * push_cost < entries else "pull"
