"""A small run of every CUDA kernel, for the tools of compute-sanitizer: see .ci/sanitize.

The cases are in ``sanitized/``; their results are compared with the CPU engine's.  A kernel that
is listed in ``cuda/specialisations.py`` and that none of them launches is an error; what only two
GPUs launch is none where there is one.  Names of cases run these only, each of which must launch
what it is listed with.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from sanitized.algorithms import algorithms
from sanitized.graphs import gpus, progress
from sanitized.many import many_hubs, many_searches, many_stepwise
from sanitized.products import algebra, by_rows, hubs_first, loops, over_bus, packed, rounds
from sanitized.searches import (
    expansions,
    expansions_in_order,
    fused_records,
    fused_searches,
    fused_wide,
    parts,
    pinned,
    pinned_in_order,
    searches,
    strategies,
    together,
)
from sanitized.shares import drawn_shares, shares

from spbfs.engines.cuda.runtime import launch, modules
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.cuda.specialisations import specialisations

#: Every case, and the stems of ``kernels/cuda`` that it is there for.
CASES: dict[Callable[[], None], str] = {
    algebra: "accumulate convert count mxm mxm_lookups mxm_members pull push",
    by_rows: "mxm_long_rows mxm_moved_rows mxm_sizes mxm_sorted_rows",
    loops: "lookahead_begin lookahead_counts lookahead_vectors symmetric transpose",
    rounds: "changes",
    packed: "packed",
    over_bus: "bfs bfs_many push_over_bus",
    searches: "bfs bfs_layout bfs_layout_counts bfs_least_parents",
    strategies: "bfs bfs_least_parents",
    parts: "bfs_parts",
    pinned: "bfs",
    pinned_in_order: "bfs",
    algorithms: "betweenness colouring components core_numbers marked_entries "
    "maximal_independent_set minimum_spanning_forest pagerank sssp triangles",
    hubs_first: "hubs_first pagerank pull",
    many_searches: "bfs_many bfs_many_cut bfs_many_emit bfs_many_parents bfs_many_sums "
    "bfs_many_vertices",
    many_hubs: "bfs_many_hubs",
    many_stepwise: "bfs_many_bytes bfs_many_plain",
    expansions: "expansion",
    expansions_in_order: "expansion_in_order",
    fused_searches: "bfs",
    fused_records: "bfs",
    fused_wide: "bfs",
    shares: "bfs_layout_share bfs_peers_check bfs_peers_gather",
    drawn_shares: "bfs_layout_share graph500",
    together: "bfs",
}

#: Stems and kernels that were asked for.
launched: set[str] = set()


def _entry(name: str) -> str:
    """A kernel without its template arguments."""
    return name.partition("<")[0]


def _kernels(specialisation: Specialisation) -> set[str]:
    """Its kernels, each with what it is compiled to do beside: "bfs BFS_PINNED=1"."""
    switches = [define for define in specialisation.defines if define.endswith("=1")]
    return {" ".join([_entry(kernel), *switches]) for kernel in specialisation.kernels}


class _Recorded:
    """A module that notes which of its kernels are asked for."""

    def __init__(self, specialisation: Specialisation, module: Any) -> None:
        self._specialisation, self._module = specialisation, module

    def get_function(self, name: str) -> Any:
        launched.add(self._specialisation.stem)
        launched.update(_kernels(replace(self._specialisation, kernels=(name,))))
        return self._module.get_function(name)


def _record() -> None:
    load = launch.load
    launch.load = lambda specialisation: _Recorded(specialisation, load(specialisation))
    if "LINES" in os.environ:
        options = Specialisation.options.fget
        Specialisation.options = property(lambda self: (*options(self), "-lineinfo"))


def _compile(wanted: list[Specialisation]) -> None:
    """All modules at once: alone they would take a minute.  With lines, only what is launched."""
    import cupy as cp

    if "LINES" in os.environ:
        return
    device = cp.cuda.Device()

    def compile_one(specialisation: Specialisation) -> None:
        with device:
            modules.load(specialisation)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(compile_one, wanted))


def main() -> None:
    if sys.argv[1:] == ["--filters"]:
        names = sorted({_entry(kernel) for s in specialisations() for kernel in s.kernels})
        print(*(word for name in names for word in ("--kernel-name", f"kns={name}")))
        return
    capability = limits().capability
    wanted = [s for s in specialisations() if s.capability <= capability]
    chosen = [case for case in CASES if case.__name__ in sys.argv[1:] or not sys.argv[1:]]
    stems = {stem for case in chosen for stem in CASES[case].split()}
    _record()
    _compile([s for s in wanted if s.stem in stems])
    for case in chosen:
        case()
        progress(case.__name__)
    missed = stems if sys.argv[1:] else set().union(*map(_kernels, wanted))
    missed -= launched
    if gpus() < 2:
        missed = {kernel for kernel in missed if "BFS_PEERS=1" not in kernel}
    assert not missed, f"kernels that no case launches: {', '.join(sorted(missed))}"


if __name__ == "__main__":
    main()
