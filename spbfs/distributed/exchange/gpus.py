"""Which GPU each rank works on, and whether ranks exchange between GPUs or through host memory.

Both follow from what ranks find, never from the environment: a rank stays on its current GPU unless
another rank is on the same one; then they take turns among those that they see.  Where each has one
of its own and all have the same NCCL, it carries what they exchange.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from spbfs.distributed.exchange.ranks import Ranks, everyones, settled
from spbfs.engines import get_engine

__all__ = ["Exchange", "Seen", "exchange_of", "take_turns"]


class Exchange(NamedTuple):
    """By which ranks messages cross, and a word on it; "" where all ranks are CPUs."""

    ranks: Ranks
    by: str = ""


class Seen(NamedTuple):
    """What a rank tells of its GPUs: what each is called everywhere, the current one, and the
    version of its NCCL, 0 where there is none."""

    names: tuple[str, ...]
    current: int
    nccl: int


def take_turns(told: Sequence[Seen | None]) -> list[int]:
    """The GPU of each rank, by its number there; -1 of a rank that works on a CPU.

    Examples
    --------
    >>> two = "a", "b"
    >>> take_turns([Seen(two, 0, 0), Seen(two, 0, 0), None, Seen(two, 0, 0)])
    [0, 1, -1, 0]
    >>> take_turns([Seen(("a",), 0, 0), Seen(("b",), 0, 0)])  # the launcher has dealt them out
    [0, 0]
    """
    current = [None if seen is None else seen.names[seen.current] for seen in told]
    named = [name for name in current if name is not None]
    if len(set(named)) == len(named):
        return [-1 if seen is None else seen.current for seen in told]
    taken: Counter[str] = Counter()
    chosen = []
    for seen in told:
        if seen is None:
            chosen.append(-1)
            continue
        uses = [taken[name] for name in seen.names]
        chosen.append(uses.index(min(uses)))
        taken[seen.names[chosen[-1]]] += 1
    return chosen


def exchange_of(ranks: Ranks, devices: Sequence[str]) -> Exchange:
    """How ranks that work on these devices exchange; collective.

    Raises
    ------
    BackendUnavailable
        When a rank that is to work on a GPU has none.
    """
    if "cuda" not in devices:
        return Exchange(ranks)
    known: Any = ranks.on_gpus
    if known is not None and set(devices) == {"cuda"}:
        known.use()
        return _settled(ranks, known)
    told = everyones(ranks, settled(ranks, lambda: _seen(devices[ranks.rank])))
    numbers = take_turns(told)
    if told[ranks.rank] is not None:
        import cupy

        cupy.cuda.Device(numbers[ranks.rank]).use()
    reason = _why_not(told, numbers)
    if reason:
        return Exchange(ranks, f"through host memory: {reason}")
    from spbfs.distributed.exchange.nccl import connected

    ranks.on_gpus = connected(ranks)
    return _settled(ranks, ranks.on_gpus)


def _settled(ranks: Ranks, on_gpus: Any) -> Exchange:
    """Between GPUs, unless that has come to an end at a rank; collective."""
    reasons = [reason for reason in everyones(ranks, on_gpus.over) if reason]
    if reasons:
        on_gpus.abort(reasons[0])
        return Exchange(ranks, f"through host memory: {reasons[0]}")
    return Exchange(on_gpus, "by NCCL" if ranks.size > 1 else "")


def _seen(device: str) -> Seen | None:
    """What this rank tells of its GPUs; None where it works on a CPU."""
    if device != "cuda":
        return None
    get_engine("cuda")
    import cupy

    from spbfs.distributed.exchange.nccl import nccl_version

    runtime = cupy.cuda.runtime
    names = [
        bytes(runtime.getDeviceProperties(number)["uuid"]).hex()
        for number in range(runtime.getDeviceCount())
    ]
    return Seen(tuple(names), runtime.getDevice(), nccl_version())


def _why_not(told: Sequence[Seen | None], numbers: Sequence[int]) -> str:
    """What keeps ranks from exchanging between their GPUs; "" where nothing does."""
    users: dict[str, int] = {}
    for rank, (seen, number) in enumerate(zip(told, numbers, strict=True)):
        if seen is None:
            return f"rank {rank} works on a CPU"
        name = seen.names[number]
        if name in users:
            return f"ranks {users[name]} and {rank} share a GPU"
        users[name] = rank
    versions = {seen.nccl for seen in told if seen is not None}
    if len(told) > 1 and 0 in versions:
        return "CuPy finds no NCCL"
    if len(told) > 1 and len(versions) > 1:
        return f"ranks have NCCL of versions {', '.join(map(str, sorted(versions)))}"
    return ""
