"""The fused search on the GPU with other layouts and constants than the planner's.

Part of ``python -m benchmarks bfs --device cuda --sweep``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import cupy as cp
import numpy as np

from benchmarks.cuda.clock import device_milliseconds
from benchmarks.cuda.graphs import Graph
from benchmarks.cuda.validate import check_tree
from spbfs.engines.cuda.bfs.fused import FusedBFS, Tuning
from spbfs.engines.cuda.graph.layout import Layout, build_layout, lay_out
from spbfs.planner.search_cuda import push_cost

#: Sources whose trees are checked.
CHECKED = 3


def variants(planned: Layout) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Names, what is changed of the layout that the planner chooses, and of the constants."""
    relabelled = planned.label is not None
    cost = push_cost(relabelled)
    yield "as planned", {}, {}
    for edges in (0, 512, 1024, 4096):
        yield f"one CTA up to {edges} edges", {}, {"cta_enter": edges, "cta_leave": edges}
    for factor in (0.5, 2.0, 4.0):
        yield f"pushes weigh {factor} times", {}, {"push_cost": factor * cost}
    if relabelled:
        yield "caller's labels", {"hubs": None}, {}
        for power in (14, 17, 18, 20):
            yield f"2^{power} hubs", {"hubs": 1 << power}, {}


def sweep(graph: Graph, sources: list[int], repeats: int) -> Iterator[str]:
    """A line for every variant."""
    n, indptr, indices = graph
    levels, parents = cp.empty(n, np.int32), cp.empty(n, np.int32)
    on_gpu = cp.asarray(sources, np.int32)
    planned = layout = lay_out(n, indptr, indices)
    for name, change, constants in variants(planned):
        if change:
            layout = build_layout(n, indptr, indices, **change)
        plan = FusedBFS(layout, tuning=Tuning(**constants))
        for source in sources[:CHECKED]:
            plan.run(source, levels, parents)
            if broken := check_tree(n, indptr, indices, source, levels, parents):
                raise AssertionError(f"{name}, source {source}: {broken}")
        times = [
            device_milliseconds(partial(plan.run, on_gpu[k : k + 1], levels, parents), repeats)
            for k in range(len(sources))
        ]
        yield f"{name:24s} {np.median(times):8.4g} ms ({min(times):.4g}-{max(times):.4g})"
