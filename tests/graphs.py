"""Small awkward graphs by name: the shapes at which traversal code breaks.

Every test that takes a graph runs on all of them.  Entries are listed as given by a user: in any
order, duplicates included.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

Edges = list[tuple[int, int]]


@dataclass(frozen=True)
class Graph:
    """`edges` are (row, column) pairs; `nrows` equals `ncols` except where `square` is False."""

    name: str
    nrows: int
    edges: Edges = field(repr=False)
    ncols: int = -1

    def __post_init__(self) -> None:
        if self.ncols < 0:
            object.__setattr__(self, "ncols", self.nrows)

    @property
    def square(self) -> bool:
        return self.nrows == self.ncols

    @property
    def rows(self) -> np.ndarray:
        return np.array([i for i, _ in self.edges], dtype=np.int64)

    @property
    def cols(self) -> np.ndarray:
        return np.array([j for _, j in self.edges], dtype=np.int64)

    def neighbours(self) -> list[set[int]]:
        out: list[set[int]] = [set() for _ in range(self.nrows)]
        for i, j in self.edges:
            out[i].add(j)
        return out


def both(edges: Edges) -> Edges:
    return edges + [(j, i) for i, j in edges]


def _path(n: int) -> Edges:
    return [(i, i + 1) for i in range(n - 1)]


def _star(n: int) -> Edges:
    return [(0, i) for i in range(1, n)]


def _complete(n: int) -> Edges:
    return [(i, j) for i in range(n) for j in range(n) if i != j]


def _random(nrows: int, ncols: int, count: int, seed: int) -> Edges:
    rng = np.random.default_rng(seed)
    return list(zip(*(rng.integers(0, n, count).tolist() for n in (nrows, ncols)), strict=True))


def _binary_tree(n: int) -> Edges:
    return [((i - 1) // 2, i) for i in range(1, n)]


_ALL = [
    Graph("empty-0", 0, []),
    Graph("single", 1, []),
    Graph("single-loop", 1, [(0, 0)]),
    Graph("two-apart", 2, []),
    Graph("one-arc", 2, [(1, 0)]),
    Graph("no-edges", 7, []),
    Graph("self-loops", 5, [(i, i) for i in range(5)]),
    Graph("loops-and-path", 6, both(_path(6)) + [(i, i) for i in range(6)]),
    Graph("duplicates", 4, 3 * both(_path(4)) + 2 * [(2, 2)]),
    Graph("isolated-ends", 9, both([(2, 3), (3, 4), (4, 2), (6, 4)])),
    Graph("star-out", 70, _star(70)),
    Graph("star-in", 70, [(j, i) for i, j in _star(70)]),
    Graph("star", 66, both(_star(66))),
    Graph("path-forward", 65, _path(65)),
    Graph("path", 33, both(_path(33))),
    Graph("complete", 9, _complete(9)),
    Graph("complete-with-loops", 6, _complete(6) + [(i, i) for i in range(6)]),
    Graph("disconnected", 12, both(_path(5)) + both([(6, 7), (7, 8), (8, 6), (10, 11)])),
    Graph("directed-cycle", 10, [(i, (i + 1) % 10) for i in range(10)]),
    Graph("two-cycles-one-way", 8, [(0, 1), (1, 2), (2, 0), (2, 4), (4, 5), (5, 6), (6, 4)]),
    Graph("bipartite", 11, both([(i, j) for i in range(4) for j in range(4, 11) if (i + j) % 3])),
    Graph("tree", 31, both(_binary_tree(31))),
    Graph("barbell", 12, both(_complete(5) + [(i + 7, j + 7) for i, j in _complete(5)] + [(4, 7)])),
    Graph("dense-row", 40, [(17, j) for j in range(40)] + [(3, 17), (39, 0)]),
    Graph("dense-column", 40, [(i, 17) for i in range(40)] + [(17, 3), (0, 39)]),
    Graph("unsorted", 6, [(5, 0), (0, 5), (3, 4), (3, 1), (0, 2), (5, 4), (2, 0), (0, 1)]),
    Graph("random-sparse", 50, _random(50, 50, 60, 1)),
    Graph("random", 40, _random(40, 40, 200, 2)),
    Graph("random-both", 64, both(_random(64, 64, 150, 3))),
    Graph("random-dense", 20, _random(20, 20, 300, 4)),
    Graph("wide", 3, _random(3, 20, 25, 5), 20),
    Graph("tall", 20, _random(20, 3, 25, 6), 3),
    Graph("no-rows", 0, [], 5),
    Graph("no-columns", 5, [], 0),
]

GRAPHS: dict[str, Graph] = {g.name: g for g in _ALL}
SQUARE: dict[str, Graph] = {g.name: g for g in _ALL if g.square}
SEARCHABLE: dict[str, Graph] = {g.name: g for g in _ALL if g.square and g.nrows}


def bfs_levels(graph: Graph, sources: list[int]) -> list[int]:
    """Levels by the textbook's queue, -1 where unreached: what the tests believe."""
    neighbours = graph.neighbours()
    levels = [-1] * graph.nrows
    for s in sources:
        levels[s] = 0
    queue = sorted(set(sources))
    for vertex in queue:
        for other in sorted(neighbours[vertex]):
            if levels[other] < 0:
                levels[other] = levels[vertex] + 1
                queue.append(other)
    return levels
