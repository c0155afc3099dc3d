"""Where searches leave their summaries: in memory of the host, which need not copy them."""

from __future__ import annotations

from functools import partial
from typing import Any

import cupy as cp

from spbfs.engines.cuda.bfs.state import SUMMARY
from spbfs.engines.cuda.runtime.host_block import HostBlock
from spbfs.engines.cuda.runtime.pinned import in_block
from spbfs.engines.cuda.runtime.streams import is_over, stream_key

__all__ = ["summary_slots"]


def summary_slots(stream: Any) -> list[Any]:
    """Places for searches on a stream, by turns; each is that search's own until it has been read,
    and the memory stays as long as any of them."""
    device = cp.cuda.runtime.getDevice()
    block = in_block(HostBlock(partial(is_over, device, stream, stream_key(stream.ptr))))
    return list(block.reshape(-1, SUMMARY.itemsize))
