"""``networkx.algorithms.community.louvain``: our communities, which are not NetworkX's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import numpy as np

from spbfs.algorithms.communities.louvain import levels
from spbfs.algorithms.communities.weights import least_members
from spbfs.base.progress import Report
from spbfs.networkx.components import sets_of
from spbfs.networkx.graph import Graph
from spbfs.networkx.lengths import not_negative
from spbfs.networkx.structure import Node
from spbfs.objects.matrix import Matrix

__all__ = ["louvain_communities", "louvain_partitions"]

Partition = list[set[Node]]


def louvain_communities(
    G: Graph,
    weight: Any = "weight",
    resolution: float = 1,
    threshold: float = 0.0000001,
    max_level: int | None = None,
    seed: Any = None,
) -> Partition:
    """Communities of large modularity, by their first nodes: the last of the partitions."""
    partitions = louvain_partitions(G, weight, resolution, threshold, seed)
    if max_level is not None and max_level <= 0:
        raise ValueError("max_level argument must be a positive integer or None")
    *_, found = islice(partitions, max_level)
    return found


def louvain_partitions(
    G: Graph,
    weight: Any = "weight",
    resolution: float = 1,
    threshold: float = 0.0000001,
    seed: Any = None,
) -> Iterator[Partition]:
    """The communities of every level; of a graph that gains nothing, everybody alone.

    NetworkX has made a generator of the seed, and a number that it draws is the seed of ours.
    """
    if G.is_directed():
        raise NotImplementedError("the modularity of directed graphs is left to NetworkX")
    not_negative(G, weight)
    if len(G) == 0:
        return iter([[]])
    return _levels(G, G.weighted(weight, combine=np.add), resolution, seed.getrandbits(32))


def _levels(G: Graph, W: Matrix, resolution: float, seed: int) -> Iterator[Partition]:
    found = levels(W, resolution, seed, "auto", None, Report(None, None))
    alone = next(found)
    for labels, _ in chain([next(found, alone)], found):
        least = least_members(labels, "cpu").to_dense()
        yield list(sets_of(G, least))
