"""What Nsight Compute looks at for iBFS's figures: a technique's searches of one graph.

Run as ``ncu ... python -m benchmarks.papers.ibfs_profiled FB joint GroupBy``.
"""

from __future__ import annotations

import argparse

from benchmarks.papers.figure import Setting
from benchmarks.papers.ibfs_graphs import GRAPHS, graphs
from benchmarks.papers.ibfs_techniques import concurrent, grouped_order, joint, ms_bfs
from benchmarks.papers.ibfs_transactions import SOURCES, some_groups

TECHNIQUES = {
    "private": concurrent,
    "joint": joint,
    "bits": lambda A, sources: ms_bfs(A, sources, kept=True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", choices=GRAPHS)
    parser.add_argument("technique", choices=TECHNIQUES)
    parser.add_argument("order", choices=["random", "GroupBy"])
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    setting = Setting("cuda", options.quick, lambda _: None)
    (graph,) = graphs(setting, (options.graph,), real=False)
    sources = graph.sources(SOURCES[options.quick])
    if options.order == "GroupBy":
        sources = grouped_order(graph.matrix, sources)
    TECHNIQUES[options.technique](graph.matrix, some_groups(sources))


if __name__ == "__main__":
    main()
