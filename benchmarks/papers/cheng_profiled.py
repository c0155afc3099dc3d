"""What the hardware counts of the expanding kernels, by ``ncu``.

``python -m benchmarks.papers.cheng_profiled kron2`` is the program that it looks at: one search of
a graph by groups of every width.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from pathlib import Path

from benchmarks.common import ncu
from benchmarks.papers.cheng_graphs import suite
from benchmarks.papers.cheng_survey import WIDTHS, expansion_of, levels_of
from benchmarks.papers.figure import OVER, Setting

__all__ = ["Profile", "by_width", "profiled", "profiles"]

ROOT = Path(__file__).parents[2]
#: Graphs of few levels, which a profiler can repeat launch by launch; small ones first, so that
#: where one takes too long, or nothing may be counted, the others are not tried.
PROFILED = ("epinions", "web", "rmat1", "kron2")
#: Seconds that a graph may take.
LONGEST = 240.0
#: By width: threads an instruction, sectors a load.
Profile = dict[int, tuple[float, float]]


def profiles(setting: Setting, surveyed: Collection[str]) -> dict[str, Profile]:
    """Of graphs by width: threads an instruction, sectors a load of the expanding kernels."""
    found: dict[str, Profile] = {}
    for name in PROFILED:
        if name not in surveyed:
            continue
        if setting.over:
            setting.say(f"{name} and those behind it are not profiled: {OVER}")
            break
        program = [sys.executable, "-m", "benchmarks.papers.cheng_profiled", name]
        longest = setting.at_most(LONGEST)
        counters = ncu.counted(program, "^expand$", ncu.THREADS, ROOT, longest)
        if isinstance(counters, str):
            setting.say(f"{name}: {counters}")
            break
        found[name] = by_width(counters)
        setting.say(f"{name}: {found[name]}")
    return found


def by_width(counters: ncu.Counters) -> Profile:
    """What was counted of ``expand<int, Groups<8>>`` and the like."""
    found: Profile = {}
    for kernel, of in counters.items():
        match = re.search(r"Groups<(?:\(int\))?(\d+)>", kernel)
        if match:
            warps, threads, _, loads, sectors = (of.get(name, float("nan")) for name in ncu.THREADS)
            found[int(match[1])] = threads / warps, sectors / loads
    return found


def profiled(name: str) -> None:
    """One search of a graph by every width, for a profiler to look at."""
    import cupy as cp

    from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS

    setting = Setting("cuda", False, lambda text: None)
    for _, graph in suite(setting, [name]):
        (source,), _ = levels_of(setting, graph, 1)
        for width in WIDTHS:
            search = LevelSynchronousBFS(*graph, expansion_of(width))
            search.run(source, cp.empty(graph[0], dtype=cp.int32), None)


if __name__ == "__main__":
    profiled(sys.argv[1])
