"""What Nsight Compute looks at for iBFS's figures: searches of one graph by some techniques.

Run as ``ncu ... python -m benchmarks.papers.ibfs_profiled FB GroupBy joint bits``: kernels have
other names in every technique, so that one run tells them apart.
"""

from __future__ import annotations

import argparse

from benchmarks.papers.figure import Setting
from benchmarks.papers.ibfs_graphs import graphs
from benchmarks.papers.ibfs_techniques import concurrent, grouped_order, joint, ms_bfs
from benchmarks.papers.ibfs_transactions import PROFILED, PROFILED_IN, SOURCES, some_groups

TECHNIQUES = {
    "private": concurrent,
    "joint": joint,
    "bits": lambda A, sources: ms_bfs(A, sources, kept=True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", choices=PROFILED)
    parser.add_argument("order", choices=PROFILED_IN)
    parser.add_argument("techniques", nargs="+", choices=TECHNIQUES)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    setting = Setting("cuda", options.quick, lambda _: None)
    (graph,) = graphs(setting, (options.graph,))
    sources = graph.sources(SOURCES[options.quick])
    if options.order == "GroupBy":
        sources = grouped_order(graph.matrix, sources)
    for name in options.techniques:
        TECHNIQUES[name](graph.matrix, some_groups(sources))


if __name__ == "__main__":
    main()
