"""What several GPUs have found, an output as one array (``cuda/peers/bfs_peers_gather.cu``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.graph.build import Share
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, pointer, words_of
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["gathered", "gathered_on_host", "shown", "specialisations"]

Array = Any

_RESIDENT = 8
#: Labels that are gathered at a time on their way to the host.
_PIECE = 1 << 26
_MODULE = Specialisation("bfs_peers_gather", ("gather_results",))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield _MODULE


@cache
def _kernel() -> Kernel:
    return Kernel(_MODULE)


def shown(arrays: Sequence[Array]) -> Array:
    """An output of all GPUs as kernels of the current one read it, ``SharedResults``."""
    import cupy as cp

    return cp.asarray(np.array([pointer(array) for array in arrays], np.uint64))


def gathered(found: Array, rank: Array | None, share: Share, n: int) -> Array:
    """An array on the current GPU, the first, of each label from the GPU that owns its vertex.

    Parameters
    ----------
    found : array
        Of `shown`.
    rank : array or None
        Internal ids by label, there; None where they are the same.
    share : Share
        Any of the GPUs'.
    n : int
    """
    return _labels(found, rank, share, 0, n)


def gathered_on_host(found: Array, rank: Array | None, share: Share, n: int) -> Array:
    """The same in memory of the host, for which the GPU needs little of its own."""
    out = np.empty(n, np.int32)
    for first in range(0, n, _PIECE):
        last = min(n, first + _PIECE)
        _labels(found, rank, share, first, last).get(out=out[first:last])
    return out


def _labels(found: Array, rank: Array | None, share: Share, first: int, last: int) -> Array:
    import cupy as cp

    out = cp.empty(last - first, np.int32)
    grid = max(1, min(-(-(last - first) // THREADS), _RESIDENT * limits().sms))
    _kernel()(grid, words_of(found, rank, first, last, share.shift, share.gpus, out))
    return out
