"""Decisions of a search by several GPUs together: how vertices are dealt out."""

from __future__ import annotations

__all__ = ["MOST_PEERS", "own_list_rows", "run_shift"]

#: GPUs that search together.
MOST_PEERS = 8
#: Blocks of 128 vertices that follow one another and are of one GPU, where several search together:
#: what is read of them lies in longer pieces where runs are long, and hubs, which come first,
#: should be many runs (docs/performance-notes-distributed.md).
BLOCKS_IN_RUN = 64
#: Rows of the list of a GPU's finds beside a quarter more than its part of all.
LIST_BESIDE = 1 << 14
#: Runs that each of the GPUs has at least, where there are blocks enough.
LEAST_RUNS = 64


def run_shift(blocks: int, gpus: int) -> int:
    """The logarithm of how many vertices that follow one another are one GPU's, of several.

    Examples
    --------
    >>> run_shift(500_000, 2), run_shift(100, 2), run_shift(1, 2)
    (13, 7, 7)
    """
    in_run = BLOCKS_IN_RUN
    while in_run > 1 and blocks < in_run * LEAST_RUNS * gpus:
        in_run //= 2
    return 7 + in_run.bit_length() - 1


def own_list_rows(listed: int, own: int, gpus: int) -> int:
    """Rows of the list of what one GPU finds of a frontier, where all of them list so many.

    Finds are dealt out as vertices are, but for chance; where one has no room for its own the
    frontier is pulled.

    Examples
    --------
    >>> own_list_rows(4_000_000, 8_000_000, 2), own_list_rows(1000, 200, 2)
    (2516384, 200)
    """
    return min(own, listed // gpus * 5 // 4 + LIST_BESIDE)
