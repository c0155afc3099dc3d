"""What it takes to go on with a search on the other device."""

from __future__ import annotations

import time

from spbfs.algorithms.bfs import BFSPlan
from spbfs.generate import uniform
from spbfs.planner.rates import BUILT_IN, SwitchRates

__all__ = ["switch_rates"]

#: Vertices of a small graph and of a large one, edges each, and searches of which the shortest
#: counts.
_SMALL, _LARGE, _EDGES, _TIMES = 1 << 14, 1 << 20, 8, 20


def switch_rates() -> SwitchRates:
    """The price of a change, and of a vertex of the graph, from searches with one and without any.

    A search whose first level is the CPU's is compared with one that is the GPU's throughout: a
    level of one vertex takes next to nothing on either.
    """
    took = {n: _change(n) for n in (_SMALL, _LARGE)}
    vertex = max(0.0, (took[_LARGE] - took[_SMALL]) / (_LARGE - _SMALL))
    return SwitchRates(max(0.0, took[_SMALL] - vertex * _SMALL), vertex, BUILT_IN.switch.byte)


def _change(n: int) -> float:
    """Nanoseconds that searches of such a graph take longer where they change the device."""
    plan = BFSPlan(uniform(n, _EDGES, seed=1).to("cpu+cuda"))

    def seconds(strategy: list[str]) -> float:
        started = time.perf_counter()
        _ = plan.run(1, strategy=strategy).depth
        return time.perf_counter() - started

    turns = [(seconds(["TC", "TG"]), seconds(["TG"])) for _ in range(_TIMES)]
    changed, stayed = (min(took) for took in zip(*turns, strict=True))
    return (changed - stayed) * 1e9
