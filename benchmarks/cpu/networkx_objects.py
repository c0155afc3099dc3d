"""What it takes to make the objects of a result, once its numbers are known: for the column that
says how much of a call is NetworkX's own containers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, chain, pairwise
from typing import Any

import networkx as nx
import numpy as np

from spbfs.engines.cpu.bfs.path_lists import path_lists
from spbfs.engines.cpu.matrices.adjacency import adjacency

__all__ = ["Handed", "remaking"]

#: Containers in one, from which on each of several such is made by itself.
MANY = 32
#: Tuples that are made at once where they are handed out, as the backend has it.
PART = 1 << 12

Made = Callable[[], list[Any]]
#: The ids of a graph's nodes.
Own = frozenset[int]


class Handed(list[Any]):
    """What an iterator gave, one by one."""


def remaking(result: Any, nodes: Iterable[Any] = ()) -> Callable[[], Any]:
    """A function that makes the containers of a result, and the numbers in them, from arrays.

    What it takes to make these arrays is before its call.  Such `nodes` as are in the result are
    those objects, wherever these lie in memory.
    """
    return _remaking(result, frozenset(map(id, nodes)))


def _remaking(result: Any, own: Own) -> Callable[[], Any]:
    if isinstance(result, nx.Graph):
        return _graph(result, own)
    if isinstance(result, tuple):
        parts = [_remaking(part, own) for part in result]
        return lambda: [part() for part in parts]
    if isinstance(result, Handed):
        tuples = [_columns(result[at : at + PART], own) for at in range(0, len(result), PART)]
        if tuples and all(tuples):
            return lambda: list(_one_by_one(chain.from_iterable(map(_zipped, tuples))))
    made = _listed([result], own)
    if isinstance(result, Handed):
        return lambda: list(_one_by_one(made()[0]))
    return lambda: made()[0]


def _zipped(columns: list[Made]) -> Iterator[tuple[Any, ...]]:
    return zip(*[column() for column in columns], strict=True)


def _one_by_one(values: Iterable[Any]) -> Iterator[Any]:
    yield from values


def _listed(values: list[Any], own: Own) -> Made:
    """What makes a list of such values, as far as the first tells."""
    first = values[0] if values else None
    if len(values) > 1 and _holds_many(first):
        # One after the other, as a search after another gives them.
        rows = [_listed([row], own) for row in values]
        return lambda: [row()[0] for row in rows]
    if columns := _columns(values, own):
        return lambda: list(zip(*[column() for column in columns], strict=True))
    if not isinstance(first, dict | list | set):
        return _plain(values, own)
    bounds = list(pairwise(accumulate(map(len, values), initial=0)))
    inside = _listed(list(chain.from_iterable(values)), own)
    if isinstance(first, dict):
        if paths := _paths(values, own):
            return paths
        held = _listed(list(chain.from_iterable(row.values() for row in values)), own)
        return lambda: _dictionaries(inside(), held(), bounds)
    if isinstance(first, set):
        return lambda: _sets(inside(), bounds)
    return lambda: _lists(inside(), bounds)


def _columns(values: list[Any], own: Own) -> list[Made]:
    """What makes the members of tuples, one list a place; none of other values."""
    first = values[0] if values else None
    if not isinstance(first, tuple) or (len(values) > 1 and _holds_many(first)):
        return []
    if not all(isinstance(row, tuple) and len(row) == len(first) for row in values):
        return []
    # Attributes behind the ends of an edge are the graph's.
    return [
        (_plain if at > 1 else _listed)(list(column), own)
        for at, column in enumerate(zip(*values, strict=True))
    ]


def _holds_many(value: Any) -> bool:
    """Whether a container has many more in it."""
    if isinstance(value, tuple):
        return any(map(_holds_many, value))
    if not isinstance(value, dict | list) or len(value) < MANY:
        return False
    first = next(iter(value.values() if isinstance(value, dict) else value))
    return isinstance(first, dict | list | set)


def _paths(rows: list[Any], own: Own) -> Made | None:
    """What makes dictionaries of paths, each to its key or from it: every one from the path of the
    node next to that, whose place a search has found."""
    made = []
    for row in rows:
        listed = row and all(isinstance(path, list) and path for path in row.values())
        to = listed and all(path[-1] == node for node, path in row.items())
        if not to and not (listed and all(path[0] == node for node, path in row.items())):
            return None
        place = {node: at for at, node in enumerate(row)}
        beside = [path[-2:][0] if to else path[:2][-1] for path in row.values()]
        if not place.keys() >= set(beside):
            return None
        places = np.fromiter(map(place.__getitem__, beside), np.int64, len(row))
        made.append((_plain(list(row), own), places, to))
    return lambda: [_tree(names(), places, to) for names, places, to in made]


def _tree(nodes: list[Any], places: Any, to: bool) -> dict[Any, Any]:
    paths = path_lists(nodes, places)
    if not to:
        for path in paths:
            path.reverse()
    return dict(zip(nodes, paths, strict=True))


def _dictionaries(keys: list[Any], values: list[Any], bounds: list[tuple[int, int]]) -> list[Any]:
    return [dict(zip(keys[a:b], values[a:b], strict=True)) for a, b in bounds]


def _sets(members: list[Any], bounds: list[tuple[int, int]]) -> list[Any]:
    return [{members[a]} if b - a == 1 else set(members[a:b]) for a, b in bounds]


def _lists(members: list[Any], bounds: list[tuple[int, int]]) -> list[Any]:
    return [members[a:b] for a, b in bounds]


def _plain(values: list[Any], own: Own) -> Made:
    """Numbers are made anew, unless the result has most several times; other objects, and those,
    are looked up by their numbers."""
    known = {id(value): value for value in values}
    fresh = 2 * len(known) > len(values) and not known.keys() <= own
    kinds = set(map(type, values)) if fresh else set()
    if kinds == {int} and -(2**63) <= min(values) <= max(values) < 2**63:
        return np.array(values, np.int64).tolist
    if kinds == {float}:
        return np.array(values, np.float64).tolist
    table = np.fromiter(known.values(), object, len(known))
    place = dict(zip(known, range(len(known)), strict=True))
    places = np.fromiter((place[id(value)] for value in values), np.int32, len(values))
    return lambda: table.take(places).tolist()


def _graph(graph: Any, own: Own) -> Callable[[], Any]:
    """Rows, and a dictionary a node and an edge, which both rows of it have in common; edges that
    have attributes come first."""
    nodes, of_nodes = _plain(list(graph), own), list(graph._node.values())
    place = {node: at for at, node in enumerate(graph)}
    edges = sorted(graph.edges(data=True), key=lambda edge: not edge[2])
    u, v = (np.fromiter((place[edge[end]] for edge in edges), np.int32) for end in (0, 1))
    of_edges = [data for *_, data in edges if data]
    directed = graph.is_directed()
    del edges

    def made() -> Any:
        names, attributes = nodes(), (_copies(of_edges), _copies(of_nodes))
        rows = adjacency(names, u, v, attributes[0], directed=directed)
        return [dict(zip(names, side, strict=True)) for side in rows if side], *attributes

    return made


def _copies(attributes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Dictionaries of nodes or edges; most graphs that are made have empty ones."""
    if any(attributes):
        return list(map(dict, attributes))
    return [{} for _ in attributes]
