"""The two pictures of the README: ``python -m docs.builder.readme`` draws them anew.

They are kept in the tree, as a page that nobody builds shows them: a search, the quickest of many,
and the newest figures of ``benchmarks/results`` of a machine of two cores.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

import spbfs as sb
from benchmarks.common.machine import describe_machine
from docs.builder.run_page import DRAWN
from docs.builder.run_pages import ROOT

PICTURES = ROOT / "docs" / "pictures"
RESULTS = ROOT / "benchmarks" / "results" / "bfs-2026-11-21.json"
#: The peers drawn, with their colour and hatch.
PEERS = {
    "spbfs": ("#0072b2", ""),
    "python-graphblas": ("#f0e442", "//"),
    "SciPy": ("#d55e00", ".."),
    "igraph": ("white", "xx"),
}
#: Parts of the titles of graphs, and how the table of the README has them.
SHORTER = {
    ", edge factor 16": "",
    " random,": "",
    "small world,": "small world",
    "grid,": "grid",
    "100 x 100 x 100": "100^3",
    ", from the Delaunay mesh of": "",
    " vertices": "",
    " points": "",
}


def frontier() -> Figure:
    """The levels of a search of a Kronecker graph: small, so that nothing interrupts the best."""
    A = sb.generate.kronecker(17, seed=1)
    source = int(np.flatnonzero(np.diff(A.to_csr()[0]) == 1)[0])
    searches = [sb.bfs(A, source, trace=True, threads=1) for _ in range(500)]
    best = min(searches, key=lambda found: found.seconds)
    assert best.trace is not None
    figure = Figure(figsize=(6.4, 4), layout="constrained")
    best.trace.plot(figure)
    processor = describe_machine().split(",")[0]
    # A line each: where a browser has other letters, the middle of a line stays where it is.
    figure.suptitle(
        f"A search of a Kronecker graph of scale 17, {A.nvals / 1e6:.1f} million entries",
        fontsize="medium",
    )
    figure.axes[0].set_title(
        f"one thread of a shared {processor}, {date.today()}, least of 500 times", fontsize="small"
    )
    return figure


def figures() -> Figure:
    """Milliseconds of a search by package and graph."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    graphs = results["graphs"]
    figure = Figure(figsize=(6.4, 4.6), layout="constrained")
    axes = figure.subplots()
    for i, (peer, (colour, hatch)) in enumerate(PEERS.items()):
        at = np.arange(len(graphs)) + 0.2 * (i - 1.5)
        times = [1e3 * _seconds(graph, peer) for graph in graphs]
        look: dict[str, Any] = {"color": colour, "hatch": hatch, "edgecolor": "black"}
        axes.barh(at, times, 0.2, label=peer, linewidth=0.6, **look)
    axes.set_yticks(range(len(graphs)), map(_title, graphs), fontsize="small")
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel(f"milliseconds of one search, 2 threads ({results['machine'].split(',')[0]})")
    axes.grid(axis="x", alpha=0.3)
    figure.legend(loc="outside upper center", ncols=len(PEERS), fontsize="small")
    return figure


def _title(graph: dict[str, Any]) -> str:
    """The name of a graph as the table of the README has it."""
    title = str(graph["title"])
    for long, short in SHORTER.items():
        title = title.replace(long, short)
    return title


def _seconds(graph: dict[str, Any], peer: str) -> float:
    """In turns with the most threads of the others, which ran last; NaN where it did not run."""
    runs = [run for run in graph["runs"] if run["peer"] == peer.lower()]
    return float(runs[-1]["seconds"]) if runs else float("nan")


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, picture in (("frontier", frontier()), ("figures", figures())):
        path: Path = PICTURES / f"{name}.svg"
        with rc_context(DRAWN):
            picture.savefig(path, metadata={"Date": None})
        # Lines that end in spaces are none of ours.
        text = "\n".join(line.rstrip() for line in path.read_text(encoding="utf-8").splitlines())
        path.write_text(f"{text}\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
