"""What a NetworkX graph is converted to: arrays, weights as they are asked for, a Matrix."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from operator import itemgetter
from typing import Any, cast

import networkx as nx
import numpy as np

from spbfs.algorithms.cohesion.similarity import Weigh, weighted
from spbfs.algorithms.communities.weights import between
from spbfs.networkx.conversion.labelled import Labelled
from spbfs.networkx.conversion.structure import (
    Array,
    Node,
    Numbering,
    Rows,
    numbered,
    rows_of_adjacency,
    sorted_rows,
)
from spbfs.networkx.conversion.weights import Weights, weights_of_adjacency
from spbfs.objects.matrix import Matrix
from spbfs.storage.arrays import Device

__all__ = ["Graph", "Structure"]


Adjacency = Mapping[Node, Mapping[Node, Any]]


class Structure:
    """Nodes and edges without their attributes, which conversions of one graph share.

    The rows are read when it is made, so that whoever goes on with them later, as a generator does,
    has the graph as it was; the columns when they are first asked for, which has to be in the call.
    """

    def __init__(
        self, names: Numbering, along: Adjacency, against: Adjacency | None, rows: Rows
    ) -> None:
        self.names = names
        self.directed = against is not None
        self._along, self._against = along, against
        #: Neighbours along the edges, in the graph's own order.
        self.rows = rows

    @classmethod
    def of(cls, graph: Any) -> Structure:
        """That of a graph of NetworkX's."""
        names = numbered(graph._node)
        against = graph._pred if graph.is_directed() else None
        return cls(names, graph._adj, against, rows_of_adjacency(graph._adj, names))

    @cached_property
    def columns(self) -> Rows:
        """Neighbours against the edges."""
        if self._against is None:
            return self.rows
        found = rows_of_adjacency(self._against, self.names)
        self.check_count(found.indices.shape[0])
        return found

    def check_count(self, entries: int) -> None:
        """Refuse what was read of another state of the graph than the rows were."""
        if entries != self.rows.indices.shape[0]:
            raise RuntimeError("the graph has changed since the call began")

    def reversed(self) -> Structure:
        """The same with every edge turned."""
        if self._against is None:
            return self
        turned = Structure(self.names, self._against, self._along, self.columns)
        turned.columns = self.rows
        return turned

    @property
    def tails(self) -> Array:
        """The vertex of every entry of the rows."""
        return np.repeat(np.arange(len(self.names)), np.diff(self.rows.indptr))

    @cached_property
    def loops(self) -> Array:
        """The vertices with an edge to themselves."""
        return self.rows.indices[self.tails == self.rows.indices]

    @cached_property
    def sorted(self) -> tuple[Rows, Array]:
        """The rows as a Matrix has them, and which entry each was."""
        return sorted_rows(self.rows, symmetric=not self.directed)

    @cached_property
    def pattern(self) -> Matrix:
        """The adjacency matrix without values, on the CPU."""
        n = len(self.names)
        return Matrix.from_csr(*self.sorted[0], True, nrows=n, ncols=n)


class Graph:
    """A graph of NetworkX's as this backend computes with it; NetworkX keeps it in its cache."""

    __networkx_backend__ = "spbfs"

    def __init__(self, graph: Any, structure: Structure | None = None) -> None:
        self.structure = Structure.of(graph) if structure is None else structure
        self.multigraph: bool = graph.is_multigraph()
        # The dictionaries alone: with the graph itself, whose cache this is in, a cycle would form.
        self.node_attributes: Mapping[Node, dict[str, Any]] = graph._node
        self.adjacency: Adjacency = graph._adj
        self._against: Adjacency = graph._pred if graph.is_directed() else graph._adj
        self.attributes: dict[str, Any] = graph.graph
        self._weights: dict[tuple[Any, ...], Weights] = {}
        self._matrices: dict[tuple[Any, ...], Matrix] = {}
        #: What an attribute named the nodes when it was last asked for.
        self._labelled: Labelled | None = None

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """None: the graph that keeps this in its cache is pickled and copied without it, and can be
        loaded where there is no spbfs."""
        return type(None), ()

    def __len__(self) -> int:
        return len(self.structure.names)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.names.number
        except TypeError:  # not hashable
            return False

    def is_directed(self) -> bool:
        """Whether edges have directions."""
        return self.structure.directed

    def is_multigraph(self) -> bool:
        """Whether there may be parallel edges."""
        return self.multigraph

    @property
    def names(self) -> Numbering:
        """The nodes and their numbers."""
        return self.structure.names

    @property
    def rows(self) -> Rows:
        """Neighbours along the edges, in NetworkX's order."""
        return self.structure.rows

    @property
    def columns(self) -> Rows:
        """Neighbours against the edges, in NetworkX's order."""
        return self.structure.columns

    def weights(self, attribute: Any, default: Any = 1) -> Weights:
        """An attribute of the edges, in the order of the rows."""
        # 1 and 1.0 are one key, and not what NetworkX has for one.
        key = attribute, default, type(default)
        if key not in self._weights:
            found = weights_of_adjacency(
                self.adjacency, attribute, default, parallel=self.multigraph
            )
            self.structure.check_count((found.values if found.first is None else found.first).size)
            self._weights[key] = found
        return self._weights[key]

    def with_weights(self, attribute: Any, weights: Weights) -> Graph:
        """The same graph with other weights for an attribute, and without parallel edges."""
        other = self._twin()
        other.multigraph = False
        other._weights = {(attribute, 1, int): weights}
        other._matrices, other._labelled = {}, None
        return other

    def _twin(self) -> Graph:
        """Another with the same attributes, but what follows from edges and their keys."""
        made = object.__new__(Graph)
        made.__dict__.update(self.__dict__)
        for derived in ("parallel", "reversed"):
            made.__dict__.pop(derived, None)
        return made

    @cached_property
    def parallel(self) -> Array:
        """How many edges every entry of the rows stands for."""
        if not self.multigraph:
            return np.ones(self.rows.indices.shape[0], np.int64)
        counts = [len(keys) for row in self.adjacency.values() for keys in row.values()]
        self.structure.check_count(len(counts))
        return np.array(counts, np.int64)

    @property
    def counted(self) -> Matrix:
        """The adjacency matrix of these numbers."""

        def made() -> Matrix:
            rows, places = self.structure.sorted
            return Matrix.from_csr(*rows, self.parallel[places], nrows=len(self), ncols=len(self))

        return self._on_device("parallel", made)

    @cached_property
    def reversed(self) -> Graph:
        """The same with every edge turned."""
        if not self.is_directed():
            return self
        turned = self._twin()
        turned.structure = self.structure.reversed()
        turned.adjacency, turned._against = self._against, self.adjacency
        turned._weights, turned._matrices, turned._labelled = {}, {}, None
        return turned

    @property
    def matrix(self) -> Matrix:
        """The adjacency matrix without values, on the device of the configuration."""
        return self._on_device("pattern", lambda: self.structure.pattern)

    def weighted(
        self, attribute: Any, default: Any = 1, *, combine: np.ufunc = np.minimum
    ) -> Matrix:
        """The adjacency matrix of weights; those of parallel edges are combined."""

        def made() -> Matrix:
            rows, places = self.structure.sorted
            values = self.weights(attribute, default).combined(combine)[places]
            return Matrix.from_csr(*rows, values, nrows=len(self), ncols=len(self))

        return self._on_device((attribute, default, type(default), combine), made)

    def between(self, attribute: Any) -> Matrix:
        """The weight between any two nodes, as communities are judged by it."""
        key = attribute, "between"
        return self._on_device(key, lambda: between(self.weighted(attribute, combine=np.add)))

    def weighted_ends(self, weigh: Weigh) -> Matrix:
        """The edges, each with a weight that follows from the degree of the node it leads to."""
        return self._on_device(("ends", weigh), lambda: weighted(self.matrix, weigh))

    def labelled(self, attribute: Any) -> Labelled:
        """The nodes as an attribute names them now, of which nobody is told when it changes.

        Raises `KeyError`, `TypeError` or `ValueError` where it is no name everywhere.
        """
        names = list(map(itemgetter(attribute), self.node_attributes.values()))
        # Mostly the very objects of the last time, of which a look is enough.
        if self._labelled is None or self._labelled.names != names:
            self._labelled = Labelled(names, self.structure.sorted[0])
        return self._labelled

    def ranked(self, attribute: Any, sign: int) -> Matrix:
        """The adjacency matrix of ranks: by rising weights, or with a sign of -1 by falling ones.

        Of one weight that edge is first which comes first in the graph.  It is met from its lesser
        end then, whose entry has a lesser rank than that of the greater one.
        """

        def made() -> Matrix:
            rows, places = self.structure.sorted
            ranks = self.weights(attribute).ranked(sign).combined(np.minimum)[places]
            return Matrix.from_csr(*rows, ranks, nrows=len(self), ncols=len(self))

        return self._on_device((attribute, "ranks", sign), made)

    @property
    def device(self) -> Device:
        """Where the configuration has matrices."""
        return cast(Device, str(nx.config.backends.spbfs.device))

    def _on_device(self, key: Any, make: Any) -> Matrix:
        device = self.device
        if (key, device) not in self._matrices:
            made: Matrix = make()
            self._matrices[key, device] = made if device == "cpu" else made.to(device)
        return self._matrices[key, device]

    def view(self) -> Any:
        """A graph of NetworkX's over the dictionaries of the one that was converted."""
        kinds: Any = ((nx.Graph, nx.MultiGraph), (nx.DiGraph, nx.MultiDiGraph))
        made = kinds[self.is_directed()][self.multigraph]()
        made.graph, made._node, made._adj = self.attributes, self.node_attributes, self.adjacency
        if self.is_directed():
            made._pred = self._against
        return made

    def to_networkx(self) -> Any:
        """A graph of NetworkX's with the same nodes, edges and attributes."""
        return self.view().copy()
