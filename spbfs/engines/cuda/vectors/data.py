"""A vector as a product on CUDA leaves it, and what launches of its kernels are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.counting import TOTALS
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS
from spbfs.engines.cuda.runtime.mailbox import Mailbox
from spbfs.operators.casts import cast
from spbfs.storage.data import VectorData, nbytes_of

__all__ = ["CudaVector", "as_word", "blocks_of", "queue_type", "resident_blocks"]

Array = Any

#: Entries of a queue are numbered as columns of a matrix of that size are.
_NARROW, _WIDE = np.dtype(np.int32), np.dtype(np.int64)
_MOST_NARROW = 2**31 - 1


@dataclass(slots=True)
class CudaVector(VectorData):
    """A bitmap as a product or an assignment left it."""

    #: The allocation that the flags and counts lie in.
    held: Array | None = None
    #: Where the stored entries are listed in no order, 0 where they are not; `room` is kept for it.
    queue: int = 0
    room: Array | None = None
    #: Where the product put its counts (``struct Totals``); 0 once they may be wrong.
    totals: int = 0
    #: What they are asked for by, and of whom.
    box: Mailbox | None = None
    ticket: int = -1
    #: Of which matrix's offsets the edges were counted, and how many there are (-1: not known).
    degrees: Array | None = None
    edges: int = -1
    #: At most this many entries, told without a look; -1 where nobody knows.
    at_most: int = -1
    #: What `cuda.lookahead` recognises its entries by, until somebody writes into it.
    lookahead: Any = None

    @property
    def nbytes(self) -> int:
        """Bytes held, the queue included."""
        flags = self.present if self.held is None else self.held
        return nbytes_of(self.values, flags, self.room)

    @property
    def counts(self) -> Array:
        """The counts as an array, for a look from the host."""
        assert self.held is not None
        offset = self.totals - self.held.data.ptr
        return self.held[offset : offset + TOTALS].view(np.int64)


def blocks_of(threads: int) -> int:
    """CTAs of at least this many threads."""
    return -(-threads // THREADS) or 1


def resident_blocks() -> int:
    """CTAs that keep the current device busy."""
    return 8 * limits().sms


def as_word(value: Any, dtype: np.dtype[Any]) -> int:
    """The bits of a value as an integer."""
    return int(cast(np, np.asarray(value), dtype).reshape(1).view(f"i{dtype.itemsize}")[0])


def queue_type(u: VectorData) -> np.dtype[Any]:
    """What the entries of a queue of `u` are numbered by."""
    return _NARROW if u.size <= _MOST_NARROW else _WIDE
