"""The order in which launches follow one another, over a model of the queues: no GPU needed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from graphs import SEARCHABLE, bfs_levels

from spbfs.engines.cuda.expansion import fused as cuda_expansion
from spbfs.planner import expansion
from spbfs.planner.expansion import ORGANISATIONS, Expansion, Frontier


class Queues:
    """What `Frontiers` promises, in lists."""

    edge_capacity = 1 << 30

    def __init__(self, n: int, indptr: Any, indices: Any, how: Expansion) -> None:
        self.rows = [indices[a:b].tolist() for a, b in pairwise(indptr)]
        self.how = how

    def steps(self) -> tuple[Any, ...]:
        return ()

    def start(self, source: int, levels: Any, parents: Any, limit: int, timed: bool) -> int:
        self.levels, self.limit = levels, limit
        levels[:] = -1
        self.vertices: dict[int, list[int]] = {}
        self.edges, self.slots = {0: [source]}, {0: 1}
        return 1

    def _fresh(self, found: list[int], depth: int) -> list[int]:
        new = sorted({v for v in found if self.levels[v] < 0})
        self.levels[new] = depth
        return new

    def _line(self, vertices: list[int]) -> list[int]:
        return [w for v in vertices for w in self.rows[v]]

    def contract(self, depth: int, edges: int) -> None:
        assert edges == self.slots[depth]
        self.vertices[depth] = self._fresh(self.edges.pop(depth), depth)

    def frontier(self, depth: int) -> Frontier:
        degrees = [len(self.rows[v]) for v in self.vertices[depth]]
        return Frontier(len(degrees), sum(degrees), max(degrees, default=0))

    def again(self, depth: int) -> None:
        self.vertices[depth] = np.flatnonzero(self.levels == depth).tolist()

    def expand(self, name: str, depth: int, frontier: Frontier) -> None:
        assert depth < self.limit and frontier.edges
        line = self._line(self.vertices.pop(depth))
        if name == "expand":
            self.edges[depth + 1], self.slots[depth + 1] = line, len(line)
        else:
            self.vertices[depth + 1] = self._fresh(line, depth + 1)

    def fused(self, depth: int, edges: int, small: bool) -> tuple[int, int, int | None]:
        assert edges == self.slots[depth]
        while True:
            new = self._fresh(self.edges.pop(depth), depth)
            line = self._line(new) if depth < self.limit else []
            depth += 1
            self.edges[depth], self.slots[depth] = line, len(line)
            if not small or not 0 < len(line) <= expansion.SMALL_EDGES:
                break
        end = depth - 2 if not new else depth - 1 if not line else None
        return depth, len(line), end

    def few(self, depth: int) -> tuple[int, Frontier]:
        while (found := self.frontier(depth)).edges and expansion.is_few(found):
            if depth == self.limit:
                break
            self.vertices[depth + 1] = self._fresh(self._line(self.vertices[depth]), depth + 1)
            depth += 1
        return depth, found


@pytest.mark.parametrize("few", [0, 3, 20, 1000])
@pytest.mark.parametrize("organisation", ORGANISATIONS)
def test_every_organisation_reaches_every_level(
    organisation: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_expansion, "Frontiers", Queues)
    for name in ("SMALL_EDGES", "FEW_EDGES"):
        monkeypatch.setattr(expansion, name, few)
    for graph in SEARCHABLE.values():
        indptr = np.r_[0, np.cumsum(np.bincount(graph.rows, minlength=graph.nrows))]
        indices = graph.cols[np.argsort(graph.rows, kind="stable")]
        search = cuda_expansion.LevelSynchronousBFS(
            graph.nrows, indptr, indices, Expansion(organisation=organisation)
        )
        for source in {0, graph.nrows // 2}:
            expected = np.array(bfs_levels(graph, [source]))
            for limit in (0, 1, 2, 100):
                levels = np.empty(graph.nrows, np.int32)
                cut = np.where(expected <= limit, expected, -1)
                found = search.run(source, levels, None, max_depth=limit)
                assert np.array_equal(levels, cut), (graph.name, source, limit)
                assert found.depth == cut.max(), (graph.name, source, limit)
