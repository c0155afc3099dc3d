"""Graphs and calls that run on NetworkX and on its spbfs backend, whose results are the same."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

nx = pytest.importorskip("networkx")

needs_backend = pytest.mark.skipif(
    "spbfs" not in nx.config.backends, reason="needs spbfs installed, as NetworkX finds backends so"
)


def _weighted(graph: Any, seed: int) -> Any:
    for i, (*_, data) in enumerate(graph.edges(data=True)):
        if i % 5:
            data["weight"] = (i * 7919 + seed) % 13 + 1
            data["cost"] = ((i * 104729 + seed) % 97) / 8
    return graph


def undirected() -> dict[str, Any]:
    """Graphs by name: small, awkward, random."""
    odd = nx.Graph([("a", 3), (3, (1, 2)), ((1, 2), "a"), (None.__class__, 3), (2.5, frozenset())])
    odd.add_node(object())
    loops = nx.Graph([(0, 0), (0, 1), (1, 2), (2, 2), (4, 4)])
    multi = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 0), (2, 2), (3, 4), (3, 4)])
    random = nx.gnm_random_graph(60, 90, seed=5)
    view = nx.gnm_random_graph(60, 110, seed=6).subgraph(range(5, 50))
    return {
        "single": nx.empty_graph(1),
        "apart": nx.empty_graph(3),
        "path": nx.path_graph(7),
        "odd": _weighted(odd, 1),
        "loops": _weighted(loops, 2),
        "multi": _weighted(multi, 3),
        "random": _weighted(random, 4),
        "connected": _weighted(nx.connected_watts_strogatz_graph(40, 4, 0.3, seed=1), 5),
        "view": view,
    }


def directed() -> dict[str, Any]:
    """The same with directions."""
    odd = nx.DiGraph([("a", 3), (3, (1, 2)), ((1, 2), "a"), (2.5, 3)])
    multi = nx.MultiDiGraph([(0, 1), (0, 1), (1, 2), (2, 0), (2, 2), (3, 4), (4, 3)])
    random = nx.gnm_random_graph(60, 150, seed=7, directed=True)
    strong = nx.DiGraph([*nx.cycle_graph(30, nx.DiGraph).edges, (3, 20), (20, 4), (7, 7), (5, 1)])
    return {
        "cycle": nx.cycle_graph(5, nx.DiGraph),
        "odd": _weighted(odd, 1),
        "multi": _weighted(multi, 2),
        "random": _weighted(random, 3),
        "strong": _weighted(strong, 4),
        "turned": _weighted(nx.gnm_random_graph(40, 90, seed=8, directed=True), 5).reverse(False),
    }


def named(name: str) -> Any:
    """NetworkX's function of this dispatch name, wherever it is."""
    known = nx.utils.backends._registered_algorithms[name].orig_func
    return getattr(sys.modules[known.__module__], known.__name__)


def outcome(function: Any, graph: Any, args: Any, kwargs: Any) -> Any:
    """What a call gives, generators listed, or the error that it raises."""
    try:
        found = function(graph, *args, **kwargs)
        return list(found) if isinstance(found, Iterator) else found
    except (nx.NetworkXException, KeyError, ValueError, ZeroDivisionError) as error:
        return type(error), str(error)


def assert_same(name: str, graph: Any, *args: Any, ordered: bool = True, **kwargs: Any) -> None:
    """NetworkX and the backend agree: values, types and, where promised, the order of results.

    Where it is not, neither is which of several numbers of one value a sum is.
    """
    function = named(name)
    theirs = outcome(function, graph, args, kwargs)
    ours = outcome(function, graph, args, {**kwargs, "backend": "spbfs"})
    assert agree(theirs, ours, ordered), (name, graph, args, kwargs, theirs, ours)


def agree(a: Any, b: Any, ordered: bool = True) -> bool:
    """Whether two results are equal, floats but for rounding."""
    if not ordered and type(a) in (int, float) and type(b) in (int, float):
        a, b = float(a), float(b)
    if not ordered and isinstance(a, list) and not any(isinstance(x, tuple) for x in a):
        return Counter(a) == Counter(b)
    if isinstance(a, nx.Graph):
        return bool(nx.utils.graphs_equal(a, b)) and list(a) == list(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or a is b or (a != a and b != b)
    if isinstance(a, Mapping):
        if a.keys() != b.keys() or (ordered and list(a) != list(b)):
            return False
        return all(agree(a[key], b[key], ordered) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(agree(x, y, ordered) for x, y in zip(a, b, strict=True))
    return bool(a == b)
