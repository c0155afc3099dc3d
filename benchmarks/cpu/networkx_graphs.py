"""Graphs of NetworkX's for its functions, and the nodes, pairs and parts that they are called with.

Sizes are powers of two of the nodes, below `--scale` by what the table of calls says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

import spbfs as sb

__all__ = ["SHAPES", "Sample", "made"]

EDGE_FACTOR = 18
#: Of so many edges one gives a pair of nodes, and so many nodes are named where some are.
EDGES_A_PAIR, SOME = 100, 8
#: Communities that are known before, by the nodes' numbers.
COMMUNITIES = 16

#: Name -> what it is, for the report.
SHAPES = {
    "kronecker": "the largest component of a Kronecker graph of Graph500's, edge factor 18",
    "acyclic": "the same, every edge from its lesser node",
    "cyclic": "the same, every edge from its lesser node or, one of eight, both ways",
    "both ways": "the same, every edge both ways",
    "two sides": "the same between two copies of its nodes, every edge twice",
    "tree": "every node below an earlier one, drawn at random; 16 times as many nodes",
    "arborescence": "the same, with every edge from above",
    "torus": "a grid whose ends meet, 8 times as many nodes of four edges",
}


@dataclass(frozen=True)
class Sample:
    """A graph, and what functions are asked about."""

    graph: Any

    @cached_property
    def hub(self) -> Any:
        """The node of the most edges."""
        return max(self.graph, key=self.graph.degree)

    @cached_property
    def far(self) -> Any:
        """One that is reached from there by as many edges as any."""
        *_, last = nx.bfs_layers(self.graph, self.hub)
        return last[0]

    @cached_property
    def some(self) -> list[Any]:
        """A few nodes."""
        nodes = list(self.graph)
        return nodes[:: max(1, len(nodes) // SOME)][:SOME]

    @cached_property
    def pairs(self) -> list[tuple[Any, Any]]:
        """The ends of some edges."""
        return list(self.graph.edges)[::EDGES_A_PAIR]

    @cached_property
    def top(self) -> list[Any]:
        """The nodes of one side."""
        return [u for u, side in self.graph.nodes(data="side") if side == 0]

    @cached_property
    def communities(self) -> list[set[Any]]:
        """The parts that the nodes' attribute names."""
        parts: list[set[Any]] = [set() for _ in range(COMMUNITIES)]
        for u, part in self.graph.nodes(data="community"):
            parts[part].add(u)
        return [part for part in parts if part]


def made(shape: str, scale: int) -> Sample:
    """A graph of a shape, of about 2 to the power of the scale nodes.

    Edges have a `weight` from 1 to 255 and, in graphs with directions, a `shifted` one, which may
    be negative while no cycle's sum is, and a `sinking` one, by which one cycle's is.
    """
    if shape in ("tree", "arborescence"):
        return _tree(scale + 4, nx.Graph if shape == "tree" else nx.DiGraph)
    if shape == "torus":
        side = 1 << (scale + 3) // 2
        return _marked(nx.grid_2d_graph(side, side, periodic=True))
    u, v = _kronecker(scale)
    if shape == "kronecker":
        return _of_ends(nx.Graph, zip(u, v, strict=True))
    if shape == "acyclic":
        return _of_ends(nx.DiGraph, zip(u, v, strict=True))
    if shape == "both ways":
        return _of_ends(nx.DiGraph, [*zip(u, v, strict=True), *zip(v, u, strict=True)])
    if shape == "two sides":
        n = max(v) + 1
        ends = [(a, n + b) for a, b in zip(u, v, strict=True)]
        ends += [(b, n + a) for a, b in zip(u, v, strict=True)]
        sample = _of_ends(nx.Graph, ends)
        for node, data in sample.graph.nodes(data=True):
            data["side"] = int(node >= n)
        return sample
    back = [(b, a) for a, b in zip(u, v, strict=True) if (a * 31 + b) % 8 == 0]
    return _shifted(_of_ends(nx.DiGraph, [*zip(u, v, strict=True), *back]))


def _kronecker(scale: int) -> tuple[list[int], list[int]]:
    """The lesser and the greater ends of the edges."""
    A = sb.generate.kronecker(scale, EDGE_FACTOR, seed=1)
    number, sizes = np.unique(sb.components(A).to_dense(), return_counts=True)
    inside = sb.components(A).to_dense() == number[np.argmax(sizes)]
    rows, columns, _ = A.to_coo()
    kept = (rows < columns) & inside[rows]
    return rows[kept].tolist(), columns[kept].tolist()


def _of_ends(kind: Any, ends: Any) -> Sample:
    graph = kind()
    graph.add_weighted_edges_from((u, v, (u * 7919 + v) % 255 + 1) for u, v in ends)
    return _marked(graph)


def _marked(graph: Any) -> Sample:
    for at, data in enumerate(graph._node.values()):
        data["community"] = at % COMMUNITIES
    return Sample(graph)


def _tree(scale: int, kind: Any) -> Sample:
    above = (np.random.default_rng(1).random((1 << scale) - 1) * np.arange(1, 1 << scale)).astype(
        int
    )
    return _of_ends(kind, zip(above.tolist(), range(1, 1 << scale), strict=True))


def _shifted(sample: Sample) -> Sample:
    """With weights that potentials of the nodes shift, and a cycle below 0."""
    for u, v, data in sample.graph.edges(data=True):
        data["shifted"] = data["sinking"] = data["weight"] + u * 31 % 64 - v * 31 % 64
    for u, v in pairwise(_cycle(sample.graph)):
        sample.graph[u][v]["sinking"] = -1
    return sample


def _cycle(graph: Any) -> Iterator[Any]:
    """Two nodes with edges both ways, and the first once more."""
    u, v = next((u, v) for u, v in graph.edges if u in graph[v])
    yield from (u, v, u)
