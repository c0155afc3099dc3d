"""Where products on CUDA put their results: flags, counts and queue in one allocation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cupy
import numpy as np

from spbfs.engines.cuda.runtime import recording
from spbfs.engines.cuda.runtime.counting import TOTALS
from spbfs.engines.cuda.runtime.mailbox import Mailbox
from spbfs.engines.cuda.runtime.streams import stream_key
from spbfs.engines.cuda.vectors.data import CudaVector
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import known_transpose

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine


__all__ = ["begin_sums", "new_result", "pushed_offsets", "with_counts_sent"]

Array = Any


def begin_sums(values: Array, identity: Any) -> None:
    """Fill `values` with what sums start from; CuPy clears memory for all that equals zero, as -0.0
    does."""
    if values.dtype.kind == "f" and identity == 0 and np.signbit(identity):
        bits = values.view(f"u{values.itemsize}")
        bits.fill(bits.dtype.type(1 << (8 * values.itemsize - 1)))
    else:
        values.fill(identity)


def new_result(
    size: int, dtype: np.dtype[Any], values: Array | None, queue: np.dtype[Any] | None = None
) -> CudaVector:
    """A bitmap, its counts and, for a push, its queue in one allocation.

    What a push adds to is cleared: the flags, too.

    Parameters
    ----------
    size : int
    dtype : numpy.dtype
        Of the values, where they are not known; `values` otherwise.
    queue : numpy.dtype, optional
        By which a push numbers the entries that it lists.
    """
    room = -(-size // TOTALS) * TOTALS
    width = 0 if queue is None else queue.itemsize
    held = cupy.empty(room + TOTALS + size * width, np.uint8)
    address = held.data.ptr
    begin = room if queue is None else 0
    cupy.cuda.runtime.memsetAsync(
        address + begin, 0, room + TOTALS - begin, cupy.cuda.get_current_stream().ptr
    )
    return CudaVector(
        size,
        cupy.empty(size, dtype) if values is None else values,
        present=cupy.ndarray((size,), np.bool_, held.data),
        held=held,
        totals=address + room,
        queue=0 if queue is None else address + room + TOTALS,
    )


def with_counts_sent(engine: CudaEngine, w: CudaVector) -> CudaVector:
    """The result, its counts on their way to the host; a recorded round has none to wait for."""
    if recording.notes() is not None:
        return w
    stream = cupy.cuda.get_current_stream().ptr
    key = stream_key(stream)
    box = engine.mailboxes.get(key)
    if box is None:
        box = engine.mailboxes.setdefault(key, Mailbox(stream))
    w.box, w.ticket = box, box.send(w.totals)
    return w


def pushed_offsets(M: MatrixData) -> Array | None:
    """The offsets of the rows that a push of ``M u`` expands, where it can be one."""
    other = known_transpose(M) if M.nrows == M.ncols else None
    return None if other is None or other.indptr.dtype != M.indptr.dtype else other.indptr
