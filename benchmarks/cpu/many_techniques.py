"""Internal: what every technique of iBFS gives the CPU engine, and what grouping of sources gives.

Part of ``python -m benchmarks many --techniques``.  It calls the engine, not `spbfs.bfs_many`, to
leave techniques out, so that its figures are no user's.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import scipy.sparse as sp

import spbfs as sb
from benchmarks.common.sources import SourcesWithAnEdge
from spbfs.engines.bfs_many import ManyRequest
from spbfs.engines.cpu.bfs_many.searches import TECHNIQUES, CpuManySearches

#: (p, q) of iBFS: sources of degree less than p share a neighbour of degree more than q.
RULES = [(4, 128), (16, 128), (64, 128), (128, 128), (64, 1024)]
#: Sources searched at once with a technique left out, and in a batch of those that are grouped.
JOINED, BATCH = 512, 256


def measure(A: sb.Matrix, S: sp.csr_array, options: argparse.Namespace) -> list[dict[str, Any]]:
    """A row for every technique left out, and one for every way of grouping."""
    rows = [
        *_left_out(A, SourcesWithAnEdge(S.indptr).draw(JOINED), options),
        *_grouped(A, SourcesWithAnEdge(S.indptr).draw(options.grouped)),
    ]
    for row in rows:
        print(f"    {row['name']:22} {row['ms']:9.1f} ms  sharing {row['sharing']:.1f}", flush=True)
    return rows


def _left_out(A: sb.Matrix, sources: Any, options: argparse.Namespace) -> list[dict[str, Any]]:
    rows = []
    data = A._ready()
    variants: list[tuple[str, dict[str, Any], Any]] = [
        ("all", {"relabel": True}, "auto"),
        *((f"no {name}", {"relabel": True, "without": [name]}, "auto") for name in TECHNIQUES),
        ("vertices as labelled", {"relabel": False}, "auto"),
        ("push alone", {"relabel": True}, "push"),
        ("pull alone", {"relabel": True}, "pull"),
    ]
    for name, switches, direction in variants:
        many = CpuManySearches(data, **switches)
        request = ManyRequest(direction=direction, threads=options.threads)
        times = []
        for _ in range(options.repeats + 1):
            began = time.perf_counter()
            with many.batch(data, sources, np.arange(len(sources)), request) as found:
                sharing = float(found.level_sizes().sum() / found.joint)
            times.append(time.perf_counter() - began)
        rows.append(
            {"name": name, "sources": len(sources), "ms": 1e3 * min(times), "sharing": sharing}
        )
    return rows


def _grouped(A: sb.Matrix, sources: Any) -> list[dict[str, Any]]:
    rows = []
    for rule in ("given", "auto", *RULES):
        name = f"group: {rule}" if isinstance(rule, str) else f"group: p {rule[0]}, q {rule[1]}"
        group: Any = rule
        began = time.perf_counter()
        call = sb.bfs_many(A, sources, outputs="reached", group=group, batch=BATCH)
        ms = 1e3 * (time.perf_counter() - began)
        rows.append({"name": name, "sources": len(sources), "ms": ms, "sharing": call.sharing})
    return rows


def markdown(graphs: list[dict[str, Any]]) -> list[str]:
    """Lines of a table, or none where nothing was measured."""
    if not any(graph["techniques"] for graph in graphs):
        return []
    return [
        "",
        f"Internal, not through spbfs.bfs_many: with a technique left out ({JOINED} sources, "
        f"traversal alone, the least of the repeats).  Through it: sources grouped into batches of "
        f"{BATCH}, one call.",
        "",
        "| graph | | sources | ms | sharing |",
        "|---|---|--:|--:|--:|",
        *(
            f"| {graph['title']} | {t['name']} | {t['sources']} | {t['ms']:.0f} "
            f"| {t['sharing']:.1f} |"
            for graph in graphs
            for t in graph["techniques"]
        ),
    ]
