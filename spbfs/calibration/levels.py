"""Levels measured: what each direction took, and what a pull met, of which a sample tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse

from spbfs.algorithms.bfs import BFSPlan
from spbfs.objects.matrix import Matrix
from spbfs.planner.many import skewed
from spbfs.storage.arrays import Device

__all__ = ["Level", "Measured", "measured"]

Ints = npt.NDArray[np.int64]

#: Sources a graph, and how often each direction is run from each: the least time of a level counts,
#: as others are busy on the machine too.
SOURCES, TIMES = 3, 5
#: A search of more levels is measured in so many, spread evenly.
MOST_LEVELS = 48
#: Unvisited vertices whose rows are looked at for what a pull meets.
ASKED = 2048


@dataclass(frozen=True, slots=True)
class Level:
    """One level, expanded in both directions.

    Attributes
    ----------
    vertices : int
        Of the graph.
    frontier, edges : int
        Its vertices, and the entries of their rows.
    open, open_entries : float
        Vertices that could still be found, and the entries of their rows.
    found : float
        Those that are.
    at_hub, probes : float
        What a pull meets: vertices found behind the neighbour of largest degree, where that is
        looked at first, and the entries that the others look at.
    push_seconds, pull_seconds : float
    small : bool
        Whether one CTA or a cluster made the push.
    """

    vertices: int
    frontier: int
    edges: int
    open: float
    open_entries: float
    found: float
    at_hub: float
    probes: float
    push_seconds: float
    pull_seconds: float
    small: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """The levels of a search: those expanded in both directions, and those that a GPU's CTA pushes
    whichever is asked for, whose pull took nothing."""

    graph: str
    levels: list[Level]
    pushed: list[Level] = field(default_factory=list)


def measured(name: str, A: Matrix, device: Device, threads: int | None) -> Iterator[Measured]:
    """Searches of a graph from some sources, expanded in both directions at every level."""
    rows = _Rows.of(A, device)
    plan = BFSPlan(A.to(device))
    rng = np.random.default_rng(1)
    starts = np.flatnonzero(rows.degree)
    for source in rng.choice(starts, min(SOURCES, starts.size), replace=False).tolist():
        levels = plan.run(source, threads=threads).levels.to("cpu").to_dense(-1)
        least: dict[str, Any] = {}
        steps: dict[str, Any] = {}
        for _ in range(TIMES):
            for direction in ("push", "pull"):
                found = plan.run(source, direction=direction, trace=True, threads=threads)
                steps[direction] = found.trace
                took = np.array([step.seconds for step in found.trace or ()])
                before = least.get(direction)
                least[direction] = took if before is None else np.minimum(before, took)
        both = min(len(least["push"]), len(least["pull"]))
        chosen = np.linspace(0, both - 1, min(both, MOST_LEVELS)).astype(int)
        made: list[Level] = []
        pushed: list[Level] = []
        for depth in chosen.tolist():
            pulled = steps["pull"][depth].direction == "pull"
            seconds = [float(least[way][depth]) for way in ("push", "pull")]
            push, pull = seconds if pulled else (min(seconds), 0.0)
            level = rows.level(levels, depth, steps["push"][depth], push, pull, rng)
            (made if pulled else pushed).append(level)
        yield Measured(name, made, pushed)


@dataclass(frozen=True, slots=True)
class _Rows:
    """A graph's in-edges as a pull looks at them."""

    indptr: Ints
    indices: Ints
    degree: Ints
    #: Whether the neighbour of largest degree is looked at first, apart from the row (CPU), and
    #: whether rows are sorted by falling degree (CUDA).
    hubs: bool
    by_degree: bool

    @classmethod
    def of(cls, A: Matrix, device: str) -> _Rows:
        indptr, indices, _ = A.to("cpu").to_csr()
        n = A.nrows
        marks = np.ones(indices.size, np.int8)
        T = scipy.sparse.csr_array((marks, indices, indptr), shape=(n, n)).T.tocsr()
        degree = np.diff(indptr).astype(np.int64)
        longest = int(np.diff(T.indptr).max(initial=0))
        hubs = device == "cpu" and skewed(n, indices.size, longest)
        return cls(T.indptr.astype(np.int64), T.indices, degree, hubs, device == "cuda")

    def level(
        self,
        levels: Ints,
        depth: int,
        step: Any,
        push: float,
        pull: float,
        rng: np.random.Generator,
    ) -> Level:
        entries = np.diff(self.indptr)
        is_open = ((levels < 0) | (levels > depth)) & (entries > 0)
        waiting = np.flatnonzero(is_open)
        asked = rng.choice(waiting, ASKED, replace=False) if waiting.size > ASKED else waiting
        at_hub, probes = self._looks(levels == depth, asked)
        each = waiting.size / max(asked.size, 1)
        return Level(
            vertices=levels.size,
            frontier=step.frontier,
            edges=step.edges,
            open=waiting.size,
            open_entries=float(entries[waiting].sum()),
            found=float(np.count_nonzero(levels == depth + 1)),
            at_hub=each * at_hub,
            probes=each * probes,
            push_seconds=push,
            pull_seconds=pull,
            small=step.strategy in ("cta", "cluster"),
        )

    def _looks(self, in_frontier: npt.NDArray[np.bool_], asked: Ints) -> tuple[int, int]:
        """Of the vertices asked, those that find their hub, and what the others look at."""
        lengths = self.indptr[asked + 1] - self.indptr[asked]
        starts = np.cumsum(lengths) - lengths
        row = np.repeat(np.arange(asked.size), lengths)
        entry = np.arange(lengths.sum()) - starts[row] + self.indptr[asked][row]
        neighbour = self.indices[entry]
        place = np.arange(entry.size)
        if self.hubs or self.by_degree:
            # By row, and in it by falling degree; sorting is stable.
            falling = np.lexsort((-self.degree[neighbour], row))
            if self.by_degree:
                neighbour = neighbour[falling]
        hit = in_frontier[neighbour]
        first = np.full(asked.size, np.iinfo(np.int64).max)
        np.minimum.at(first, row[hit], place[hit])
        looked = np.where(first < np.iinfo(np.int64).max, first - starts + 1, lengths)
        if not self.hubs:
            return 0, int(looked.sum())
        by_hub = in_frontier[self.indices[entry[falling[starts]]]]
        return int(by_hub.sum()), int(looked[~by_hub].sum())
