"""Time on the GPU: by events queued behind a kernel that keeps it busy, and by the host's clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

#: What the host may take to queue a search, so that the GPU never waits for it.
QUEUE_NANOSECONDS = 300_000

_BUSY = cp.RawKernel(
    r"""extern "C" __global__ void busy(long long ns) {
        long long start, now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
        do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - start < ns);
    }""",
    "busy",
)


def device_milliseconds(search: Callable[[], Any], repeats: int) -> float:
    """Median time between two events around a search, of several queued one behind the other."""
    events = [(cp.cuda.Event(), cp.cuda.Event()) for _ in range(repeats)]
    _BUSY((1,), (1,), (np.int64(QUEUE_NANOSECONDS * repeats),))
    for start, stop in events:
        start.record()
        search()
        stop.record()
    events[-1][1].synchronize()
    return float(np.median([cp.cuda.get_elapsed_time(a, b) for a, b in events]))


def call_milliseconds(call: Callable[[], Any]) -> float:
    """Time between two events around one call on an idle GPU: gaps that the host leaves count."""
    start, stop = cp.cuda.Event(), cp.cuda.Event()
    cp.cuda.get_current_stream().synchronize()
    start.record()
    result = call()
    stop.record()
    stop.synchronize()
    del result
    return float(cp.cuda.get_elapsed_time(start, stop))


def wall_milliseconds(search: Callable[[], Any], repeats: int) -> float:
    """Median time of the host from a call to the end of what it started."""
    stream, times = cp.cuda.get_current_stream(), []
    for _ in range(repeats):
        stream.synchronize()
        begin = time.perf_counter()
        result = search()
        stream.synchronize()
        times.append(time.perf_counter() - begin)
        del result
    return 1e3 * float(np.median(times))


def microseconds_over_device(
    call: Callable[[], Any], search: Callable[[], Any], repeats: int
) -> float:
    """Median of what a call took by the host's clock beyond the GPU's time for the same search.

    The two take turns: a search of milliseconds varies by more, over a while, than what is looked
    for here.
    """
    over = (wall_milliseconds(call, 1) - device_milliseconds(search, 1) for _ in range(repeats))
    return 1e3 * float(np.median(list(over)))
