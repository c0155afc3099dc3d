"""A small run of every CUDA kernel, for the tools of compute-sanitizer: see .ci/sanitize.

The cases are in ``sanitized/``; their results are compared with the CPU engine's.  A kernel that
is listed in ``cuda/specialisations.py`` and that none of them launches is an error.  Names of cases
run these only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sanitized.algorithms import algorithms
from sanitized.graphs import gpus, progress
from sanitized.many import many_searches, many_stepwise
from sanitized.products import algebra, hubs_first, loops, packed, rounds
from sanitized.searches import (
    expansions,
    expansions_in_order,
    fused_records,
    fused_searches,
    fused_wide,
    parts,
    pinned,
    searches,
    strategies,
    together,
)

from spbfs.engines.cuda.runtime import launch, modules
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.cuda.specialisations import specialisations

launched: set[str] = set()


def _entry(name: str) -> str:
    """A kernel without its template arguments."""
    return name.partition("<")[0]


class _Recorded:
    """A module that notes which of its kernels are asked for."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def get_function(self, name: str) -> Any:
        launched.add(_entry(name))
        return self._module.get_function(name)


def _record() -> None:
    load = launch.load
    launch.load = lambda specialisation: _Recorded(load(specialisation))
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


CASES: tuple[Callable[[], None], ...] = (
    algebra,
    loops,
    rounds,
    packed,
    searches,
    strategies,
    parts,
    pinned,
    algorithms,
    hubs_first,
    many_searches,
    many_stepwise,
    expansions,
    expansions_in_order,
    fused_searches,
    fused_records,
    fused_wide,
    together,
)


def main() -> None:
    if sys.argv[1:] == ["--filters"]:
        names = sorted({_entry(kernel) for s in specialisations() for kernel in s.kernels})
        print(*(word for name in names for word in ("--kernel-name", f"kns={name}")))
        return
    capability = limits().capability
    wanted = [s for s in specialisations() if s.capability <= capability]
    _record()
    _compile(wanted)
    for case in CASES:
        if case.__name__ in sys.argv[1:] or not sys.argv[1:]:
            case()
            progress(case.__name__)
    missed = {_entry(kernel) for s in wanted for kernel in s.kernels} - launched
    if gpus() < 2:
        missed -= {kernel for kernel in missed if kernel.startswith("share_")}
    assert sys.argv[1:] or not missed, f"kernels that no case launches: {', '.join(sorted(missed))}"


if __name__ == "__main__":
    main()
