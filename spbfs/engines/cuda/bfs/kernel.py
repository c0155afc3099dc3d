"""The module of ``cuda/bfs/bfs.cu``: its threads, its shared memory, its specialisations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from spbfs.engines.cuda.graph.build import BLOCK
from spbfs.engines.cuda.runtime.device import Limits, limits
from spbfs.engines.cuda.runtime.modules import begin
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.planner.search_cuda import LayoutChoice

__all__ = [
    "CLUSTER",
    "CLUSTER_SHARED",
    "STATIC_SHARED",
    "begin_search",
    "has_clusters",
    "pull_shared",
    "specialisation",
    "specialisations",
    "threads_of",
]

#: Threads of a CTA, one CTA a multiprocessor: as many as spill no registers.  Offsets of 64 bits
#: need more of those, and so do several GPUs, which push lists as they read them, and capability
#: 7.0 where labels change; and for the cluster tier's threads every barrier of the cluster waits.
THREADS, FEW_THREADS = 640, 512
#: Edges that a lane of a push has in flight: with fewer, later looks of a level see more of what
#: others have claimed.
FLIGHT, FLIGHT_DEEP = 2, 4
#: Shared memory that the kernel declares itself.
STATIC_SHARED = 18 * 1024

CLUSTER = 16
#: Messages for which one of its CTAs has room of every other.
BOX = 256
#: The cluster tier's boxes, headers and vertices at hand, `sizeof(ClusterShared)`.
CLUSTER_SHARED = 16 + 2 * CLUSTER * (8 + 4 + (BOX + 2) * 8) + FEW_THREADS * 2 * 8 + 8


def threads_of(
    deep: bool, wide: bool, relabelled: bool, capability: int, *, peers: bool = False
) -> int:
    few = deep or wide or peers or (relabelled and capability < 75)
    return FEW_THREADS if few else THREADS


def pull_shared(threads: int) -> int:
    """Shared memory of a pull beside its status cache, `sizeof(PullShared)`."""
    return threads // 32 * ((BLOCK + 4 * BLOCK) * 2 + 8 * 4 * 4 * 4)


def has_clusters(limits: Limits) -> bool:
    """Whether the device may hold clusters of the size that the cluster tier has."""
    return limits.capability >= 90 and limits.shared_bytes - STATIC_SHARED >= CLUSTER_SHARED


def begin_search(
    wide: bool, choice: LayoutChoice, *, peers: bool = False, pinned: bool = False
) -> None:
    """Have the kernel compiled that will search a layout which is yet to be built."""
    relabelled = choice.hubs is not None
    device = limits()
    deep = choice.records > 0 and not relabelled and not peers and has_clusters(device)
    begin(specialisation(deep, wide, relabelled, device.capability, peers=peers, pinned=pinned))


def specialisation(
    deep: bool,
    wide: bool,
    relabelled: bool,
    capability: int,
    *,
    peers: bool = False,
    pinned: bool = False,
) -> Specialisation:
    """For a device of this capability, alone or one of several that search together, and for
    entries in memory of the host where no cluster tier goes through them."""
    threads = threads_of(deep, wide, relabelled, capability, peers=peers)
    fits_all = threads == threads_of(deep, wide, relabelled, 70, peers=peers)
    offset, labels = "long long" if wide else "int", "Relabelled" if relabelled else "CallerLabels"
    return Specialisation(
        "bfs",
        kernels=(f"{'bfs_deep' if deep else 'bfs'}<{offset}, {labels}>",),
        defines=(
            f"BFS_THREADS={threads}",
            f"EDGES_IN_FLIGHT={FLIGHT_DEEP if deep else FLIGHT}",
            f"PULL_SHARED_BYTES={pull_shared(threads)}",
            *((f"CLUSTER_SHARED_BYTES={CLUSTER_SHARED}",) if deep else ()),
            *(("BFS_PEERS=1",) if peers else ()),
            *(("BFS_PINNED=1",) if pinned and not deep and not peers else ()),
        ),
        capability=90 if deep else 70 if fits_all else 75,
        cooperative=True,
    )


def specialisations() -> Iterator[Specialisation]:
    """All that a plan may load; the cluster tier searches in the caller's labels only."""
    for wide in (False, True):
        yield specialisation(True, wide, False, 90)
        for relabelled, kind in product((False, True), ({}, {"peers": True}, {"pinned": True})):
            yield from {
                specialisation(False, wide, relabelled, least, **kind): 0 for least in (70, 75)
            }
