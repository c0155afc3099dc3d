"""Calls graphblas-algorithms and NetworkX on small graphs: ``run_algorithms.py < in > out``.

Whichever `graphblas` is on the path is below the former.  In: calls with their graphs and
arguments.  Out: what each of the two gives, or the error it ended in.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import networkx as nx
from digests import digest


def graphs() -> dict[str, Any]:
    """Small graphs, by the letters that calls name them with."""
    undirected = nx.Graph([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5), (3, 5), (5, 0), (1, 4)])
    directed = nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 3), (3, 1), (0, 4), (4, 3), (5, 4)])
    weighted = undirected.copy()
    for i, (u, v) in enumerate(sorted(weighted.edges)):
        weighted[u][v]["weight"] = 1 + i % 4
    isolated = undirected.copy()
    isolated.add_nodes_from([6, 7])
    return {
        "G": undirected,
        "D": directed,
        "W": weighted,
        "I": isolated,
        "H": nx.Graph([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 3), (1, 4), (2, 5)]),
        "A": nx.DiGraph([(0, 1), (0, 2), (1, 3), (2, 4), (1, 4)]),
        "T": nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]),
        "R": nx.DiGraph([(0, 1), (1, 2), (0, 2)]),
        "PARTITION": [{0, 1, 2}, {3, 4, 5}],
    }


def attempt(call: Callable[[], Any]) -> Any:
    try:
        return digest(call())
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}


def of_networkx(name: str) -> Any:
    """NetworkX's function of that name, wherever it keeps it."""
    modules = [nx, nx.tournament, nx.community.quality, nx.structuralholes, nx.smetric]
    return next(getattr(m, name) for m in modules if hasattr(m, name))


def ours(name: str, called: str, arguments: str) -> Any:
    from graphblas_algorithms.interface import Dispatcher

    converted = {
        k: Dispatcher.convert_from_nx(g, weight="weight" if k == "W" else None)
        if k != "PARTITION"
        else g
        for k, g in graphs().items()
    }
    function = getattr(Dispatcher, name, None)
    if function is None:
        return Dispatcher.convert_to_nx(converted[called])
    result = eval(f"f({called}, {arguments})", {"f": function, **converted})
    return Dispatcher.convert_to_nx(_listed(result), name=name)


def theirs(name: str, called: str, arguments: str) -> Any:
    if name == "from_networkx":
        return graphs()[called]
    result = eval(f"f({called}, {arguments})", {"f": of_networkx(name), **graphs()})
    return _listed(result)


def _listed(result: Any) -> Any:
    return list(result) if hasattr(result, "__next__") else result


def main() -> None:
    answers = {
        name: [
            attempt(lambda n=name, c=called, a=arguments: ours(n, c, a)),
            attempt(lambda n=name, c=called, a=arguments: theirs(n, c, a)),
        ]
        for name, (called, arguments) in json.load(sys.stdin).items()
    }
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
