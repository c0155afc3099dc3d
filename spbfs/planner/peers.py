"""Decisions of a search by several GPUs together: how vertices are dealt out."""

from __future__ import annotations

__all__ = ["MOST_PEERS", "run_shift"]

#: GPUs that search together.
MOST_PEERS = 8
#: Blocks of 128 vertices that follow one another and are of one GPU, where several search together:
#: their visited bits are a line to bring, and hubs, which come first, are many runs.  Others have
#: not been measured.
BLOCKS_IN_RUN = 8
#: Runs that each of the GPUs has at least, where there are blocks enough.
LEAST_RUNS = 16


def run_shift(blocks: int, gpus: int) -> int:
    """The logarithm of how many vertices that follow one another are one GPU's, of several.

    Examples
    --------
    >>> run_shift(500_000, 2), run_shift(100, 2), run_shift(1, 2)
    (10, 8, 7)
    """
    in_run = BLOCKS_IN_RUN
    while in_run > 1 and blocks < in_run * LEAST_RUNS * gpus:
        in_run //= 2
    return 7 + in_run.bit_length() - 1
