"""The thirteen graphs of iBFS as classes that a generator makes, and the real graphs at hand.

Liu, Huang, Hu: iBFS: concurrent breadth-first search on GPUs (SIGMOD 2016), section 8.1.  A class
has the paper's vertices, to a power of two, and its entries a vertex; edges drawn twice are merged,
so that somewhat fewer are stored.  Social graphs and those of links have Graph500's parameters, as
no generator makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.common.data import DATA
from benchmarks.common.sources import SourcesWithAnEdge
from benchmarks.papers.figure import Setting
from benchmarks.papers.parts import made_of, part_of
from spbfs.exceptions import InvalidValue
from spbfs.storage.entries import on_host

__all__ = [
    "GRAPHS",
    "GraphClass",
    "Measured",
    "chosen",
    "graphs",
    "known",
    "mean_ratio",
    "rows_by_graph",
]

#: By how many powers of two graphs are smaller than the paper's.
SHRUNK = {"cuda": 3, "cpu": 8, "quick": 13}
#: No graph has fewer vertices than this power of two, and more entries a vertex than this share.
LEAST_SCALE, DENSEST = 10, 1 / 16
#: What quick runs are of: a social graph, the densest, R-MAT and a uniform one.
QUICK = ("FB", "KG0", "RM", "RD")

GRAPH500, RMAT = (0.57, 0.19, 0.19), (0.45, 0.15, 0.15)


@dataclass(frozen=True, slots=True)
class GraphClass:
    """A graph of the paper: its size, and what makes one of its class.

    Parameters
    ----------
    name : str
        The paper's.
    what : str
    vertices, entries : int
        The paper's.
    corners : tuple of float, optional
        A, B and C of an R-MAT graph; None for a uniform one.
    """

    name: str
    what: str
    vertices: int
    entries: int
    corners: tuple[float, float, float] | None = GRAPH500

    def size(self, shrunk: int) -> tuple[int, float]:
        """The scale, and the entries a vertex, of a graph so many powers of two smaller."""
        own = round(float(np.log2(self.vertices)))
        scale = max(LEAST_SCALE, own - shrunk)
        return scale, min(self.entries / 2**own, DENSEST * 2**scale)

    def make(self, device: str, shrunk: int) -> sb.Matrix:
        """A graph of the class on a device; on a GPU it is made there."""
        scale, mean = self.size(shrunk)
        if device == "cuda":
            from benchmarks.cuda.graphs import kronecker, on_device, uniform

            if self.corners is None:
                return on_device(uniform(scale, int(2**scale * mean / 2)))
            return on_device(kronecker(scale, mean / 2, *self.corners))
        if self.corners is None:
            return sb.generate.uniform(2**scale, mean, seed=1)
        return sb.generate.rmat(scale, mean / 2, *self.corners, seed=1)


GRAPHS = {
    c.name: c
    for c in (
        GraphClass("FB", "Facebook, friends", 16_777_216, 420_914_604),
        GraphClass("FR", "Friendster, friends", 16_777_212, 439_147_122),
        # Its size is drawn in Fig. 14 alone: that of the collection it is from.
        GraphClass("HW", "Hollywood, who acted together", 1_139_905, 113_891_327),
        GraphClass("KG0", "Graph500, dense", 1_048_576, 1_073_741_824),
        GraphClass("KG1", "Graph500", 8_388_608, 603_979_776),
        GraphClass("KG2", "Graph500, large", 16_777_216, 1_073_741_824),
        GraphClass("LJ", "LiveJournal, friends", 4_847_571, 137_987_546),
        GraphClass("OR", "Orkut, friends", 3_072_627, 231_276_634),
        GraphClass("PK", "Pokec, friends", 1_632_804, 30_622_564),
        GraphClass("RD", "uniform", 11_796_480, 188_743_680, None),
        GraphClass("RM", "R-MAT", 2_097_152, 268_435_456, RMAT),
        GraphClass("TW", "Twitter, followers", 16_777_216, 196_427_854),
        GraphClass("WK", "Wikipedia, links", 3_566_908, 45_030_389),
    )
}


@dataclass(frozen=True, slots=True)
class Measured:
    """A graph that figures are made of."""

    name: str
    matrix: sb.Matrix

    @property
    def indptr(self) -> Any:
        """Where rows begin, on the host."""
        return on_host(self.matrix._ready().indptr)

    def sources(self, count: int) -> Any:
        """So many vertices with an edge, the same ones at every call."""
        return SourcesWithAnEdge(self.indptr).draw(count)


def graphs(setting: Setting, names: Sequence[str] | None = None) -> Iterator[Measured]:
    """Graphs of these names, one at a time; None: of all classes, and the real ones there are."""
    shrunk = SHRUNK["quick" if setting.quick else setting.device]
    files = _files()
    for name in setting.in_time(known(setting, names)):
        if name in GRAPHS:
            setting.say(f"{name}: making it")
            yield Measured(name, GRAPHS[name].make(setting.device, shrunk))
        else:
            setting.say(f"{name}: reading it")
            yield Measured(name, sb.read(files[name]).to(setting.device))


def known(setting: Setting, names: Sequence[str] | None = None) -> list[str]:
    """Those of the names, or of all there are, that runs of the setting have a graph of."""
    there = QUICK if setting.quick else (*GRAPHS, *_files())
    return [name for name in (there if names is None else names) if name in there]


def chosen(setting: Setting, names: Sequence[str] | None = None) -> list[str]:
    """The same for figures that are made graph by graph: of these the ones that were asked for."""
    found = known(setting, names)
    asked = found if setting.graphs is None else setting.graphs
    if not set(asked) <= set(found):
        wrong = ", ".join(name for name in asked if name not in found)
        raise InvalidValue(f"--graphs {wrong}: expected some of {', '.join(found)}")
    return [name for name in found if name in asked]


def rows_by_graph(
    setting: Setting,
    figure: str,
    asked: dict[str, Any],
    measure: Callable[[Measured], list[tuple[Any, ...]]],
) -> tuple[list[tuple[Any, ...]], dict[str, Any]]:
    """Rows of all graphs, those that are kept and others in time, and what `made_of` says."""
    small = "-quick" if setting.quick else ""
    files = {name: f"ibfs-{figure}-{setting.device}-{name}{small}" for name in chosen(setting)}
    parts = {}
    if setting.parts is not None:
        kept = {name: setting.parts.load(file, asked) for name, file in files.items()}
        parts = {name: part for name, part in kept.items() if part}
    missing = [name for name in files if name not in parts]
    if setting.parts is not None and setting.parts.only:
        for name in missing:
            setting.leave_out(name, "it is not measured")
        missing = []
    for graph in graphs(setting, missing):
        make = partial(measure, graph)
        parts[graph.name] = part_of(setting.parts, files[graph.name], asked, make)
    rows = [tuple(row) for name in files if name in parts for row in parts[name].found]
    if not rows:
        raise InvalidValue("nothing is measured")
    return rows, made_of(parts.values())


def _files() -> dict[str, Path]:
    """Real graphs by name, but not the file of what is known of them."""
    files = {file.name.partition(".")[0]: file for file in sorted(DATA.glob("*"))}
    return {name: file for name, file in files.items() if name != "expected"}


def mean_ratio(rows: list[tuple[Any, ...]], above: int, below: int) -> float:
    """The geometric mean of one column over another, over the paper's graphs that have both.

    Examples
    --------
    >>> mean_ratio([("FB", 1.0, 2.0), ("RD", 1.0, 8.0), ("road", 1.0, 9.0), ("TW", 1.0, None)],
    ...            above=2, below=1)
    4.0
    """
    pairs = [(row[above], row[below]) for row in rows if row[0] in GRAPHS]
    known = [a / b for a, b in pairs if a and b]
    return float(np.exp(np.mean(np.log(known)))) if known else float("nan")
