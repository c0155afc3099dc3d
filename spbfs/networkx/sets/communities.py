"""``networkx.algorithms.community``: our communities, which are not NetworkX's, and what any are
worth."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import chain, islice
from typing import Any

import numpy as np
from networkx.algorithms.community.quality import NotAPartition

from spbfs.algorithms.communities.label_propagation import spread
from spbfs.algorithms.communities.louvain import levels
from spbfs.algorithms.communities.modularity import as_resolution, worth
from spbfs.algorithms.communities.weights import least_members, within
from spbfs.base.progress import Report
from spbfs.engines.fused import MANY_SWEEPS
from spbfs.networkx.connectivity.components import sets_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Node
from spbfs.networkx.shortest_paths.lengths import not_negative
from spbfs.objects.matrix import Matrix

__all__ = [
    "asyn_lpa_communities",
    "fast_label_propagation_communities",
    "label_propagation_communities",
    "louvain_communities",
    "louvain_partitions",
    "modularity",
]

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
    _check_resolution(resolution)
    not_negative(G, weight)
    if len(G) == 0:
        return iter([[]])
    return _levels(G, G.between(weight), resolution, seed.getrandbits(32))


def _levels(G: Graph, W: Matrix, resolution: float, seed: int) -> Iterator[Partition]:
    found = levels(W, resolution, seed, "auto", None, Report(None, None))
    alone = next(found)
    for labels, _ in chain([next(found, alone)], found):
        least = least_members(labels, "cpu").to_dense()
        yield list(sets_of(G, least))


def label_propagation_communities(G: Graph) -> Collection[set[Node]]:
    """Communities by labels that spread, by their first nodes."""
    return dict(enumerate(_spread(G, None, 0))).values()


def asyn_lpa_communities(G: Graph, weight: Any = None, seed: Any = None) -> Iterator[set[Node]]:
    """The same, of the seed that is drawn."""
    return iter(_spread(G, weight, seed.getrandbits(32)))


def fast_label_propagation_communities(
    G: Graph, *, weight: Any = None, seed: Any = None
) -> Iterator[set[Node]]:
    """The same."""
    return iter(_spread(G, weight, seed.getrandbits(32)))


def _spread(G: Graph, weight: Any, seed: int) -> Partition:
    if G.is_directed():
        raise NotImplementedError("labels along directions are left to NetworkX")
    if weight is not None:
        not_negative(G, weight)
    if len(G) == 0:
        return []
    report = Report(None, None)
    labels = spread(G.between(weight), seed, MANY_SWEEPS, "auto", None, report)
    return list(sets_of(G, least_members(labels, "cpu").to_dense()))


def modularity(G: Graph, communities: Any, weight: Any = "weight", resolution: float = 1) -> float:
    """By how much more of the edges is within communities than chance would have."""
    # What is left to NetworkX is before communities are gone through, which some allow once.
    if G.is_directed():
        raise NotImplementedError("the modularity of directed graphs is left to NetworkX")
    _check_resolution(resolution)
    not_negative(G, weight)
    given = communities if isinstance(communities, list) else list(communities)
    parts = list(map(list, given))
    try:
        numbers = G.names.looked_up(list(chain.from_iterable(parts)))
    except (KeyError, TypeError):
        raise NotAPartition(G.view(), given) from None
    if not (np.bincount(numbers, minlength=len(G)) == 1).all():
        raise NotAPartition(G.view(), given)
    if not G.weights(weight).values.any():
        raise ZeroDivisionError("division by zero")
    labels = np.empty(len(G), np.int64)
    labels[numbers] = np.repeat(np.arange(len(parts)), list(map(len, parts)))
    by = as_resolution(int(resolution) if isinstance(resolution, bool) else resolution)
    return worth(within(G.between(weight), labels, len(parts)), by)


def _check_resolution(resolution: float) -> None:
    if not 0 <= resolution < math.inf:
        raise NotImplementedError("resolutions below 0, infinite or NaN are left to NetworkX")
