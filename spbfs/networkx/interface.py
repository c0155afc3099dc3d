"""What NetworkX calls: conversions, whether a call can run and should, and the functions."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from spbfs.base.wording import brief
from spbfs.networkx.functions import FUNCTIONS, WEIGHTS

__all__ = ["backend"]

#: Nodes from which on a conversion pays; NetworkX is asked no more about smaller graphs.
SMALL = 100
#: Entries of rows that NetworkX looks at in about a millisecond.
LITTLE = 1 << 12


class Backend:
    """The entry point ``networkx.backends``; a function's module is imported when it is called."""

    def __getattr__(self, name: str) -> Any:
        if name not in FUNCTIONS:
            raise AttributeError(f"the spbfs backend of NetworkX has no {name!r}")
        function = getattr(import_module(f"spbfs.networkx.{FUNCTIONS[name].module}"), name)
        setattr(self, name, function)
        return function

    def can_run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Whether these arguments are among those that run here; if not, why."""
        parameters = signature(getattr(self, name)).parameters
        given = _given(parameters, args, kwargs)
        if any(map(_is_union_view, given.values())):
            return "an undirected view of a directed graph may have two weights for an edge"
        if any(map(_is_of_another_class, given.values())):
            return "the graph is of a class that is not NetworkX's own"
        for argument in WEIGHTS:
            if callable(given.get(argument)):
                return f"{argument} is a function"
        for argument in FUNCTIONS[name].without:
            if argument in given and not _same(given[argument], parameters[argument].default):
                return f"{argument} is given"
        for argument, values in FUNCTIONS[name].only.items():
            value = given.get(argument, parameters[argument].default)
            # By its type first: arrays are compared element by element.
            if type(value) not in set(map(type, values)) or value not in values:
                return f"{argument} is {brief(value)}"
        return True

    def should_run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Whether it would take less time here, which it does not where little is asked for."""
        parameters = signature(getattr(self, name)).parameters
        given = _given(parameters, args, kwargs)
        graph = given[next(iter(parameters))]
        if len(graph) < SMALL:
            return f"the graph has fewer than {SMALL} nodes"
        function = FUNCTIONS[name]
        if function.nodes and _is_little(graph, given.get(function.nodes)):
            return f"{function.nodes} are few, with few edges around"
        steps = given.get(function.steps)
        if isinstance(steps, int | float) and 0 < steps <= 1:
            return f"{function.steps} is {brief(steps)}"
        return True

    def convert_from_nx(
        self,
        graph: Any,
        *,
        edge_attrs: dict[Any, Any] | None = None,
        **_: Any,
    ) -> Any:
        """The graph's arrays, and the weights that a call is about to ask for."""
        from spbfs.networkx.conversion.graph import Graph

        if hasattr(graph, "_graph"):
            # A view is not told what changes in the graph below it: nothing is kept with it.
            graph.__networkx_cache__ = None
        converted = Graph(graph, _known_structure(graph))
        for attribute, default in (edge_attrs or {}).items():
            converted.weights(attribute, default)
        return converted

    def convert_to_nx(self, result: Any, **_: Any) -> Any:
        """A result, which is NetworkX's already; a graph of ours as one of NetworkX's."""
        from spbfs.networkx.conversion.graph import Graph

        return result.to_networkx() if isinstance(result, Graph) else result


def _given(parameters: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Arguments by their names; what does not fit is for NetworkX to refuse."""
    places = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    names = [name for name, parameter in parameters.items() if parameter.kind in places]
    return {**dict(zip(names, args, strict=False)), **kwargs}


def _is_union_view(graph: Any) -> bool:
    """Whether what an undirected graph says of an edge depends on which end is asked."""
    from networkx.classes.coreviews import UnionAdjacency

    return isinstance(getattr(graph, "_adj", None), UnionAdjacency)


def _is_of_another_class(graph: Any) -> bool:
    """Whether somebody's subclass says how graphs like this one are made, kept and read."""
    import networkx as nx

    own = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
    return isinstance(graph, nx.Graph) and type(graph) not in own


def _is_little(graph: Any, nodes: Any) -> bool:
    """Whether a node, or some of which there is a collection, and their neighbours have few edges.

    What may be gone through once is not looked at.
    """
    if nodes is None:
        return False
    if nodes in graph:
        nodes = [nodes]
    elif not isinstance(nodes, Collection):
        return False
    entries = 0
    sides = (graph._adj, graph._pred) if graph.is_directed() else (graph._adj,)
    for row in (side[node] for node in nodes if node in graph for side in sides):
        entries += 1 + len(row)
        # Of a node with many neighbours these are not gone through.
        if entries <= LITTLE:
            entries += sum(len(graph._adj[neighbour]) for neighbour in row)
        if entries > LITTLE:
            return False
    return True


def _same(value: Any, default: Any) -> bool:
    """Whether an argument is as nobody has given it; numbers are not always the same object."""
    return value is default or (type(value) is type(default) is float and value == default)


def _known_structure(graph: Any) -> Any:
    """What an earlier conversion, for other attributes, has found of the nodes and edges."""
    cache = getattr(graph, "__networkx_cache__", None) or {}
    for known in list(cache.get("backends", {}).get("spbfs", {}).values()):
        structure = getattr(known, "structure", None)
        if structure is not None:
            return structure
    return None


backend = Backend()
