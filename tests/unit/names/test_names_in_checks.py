"""Checks are asked by name where a graph has names, and errors name vertices so."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs import verify
from spbfs.exceptions import GraphCyclic, InvalidValue, NegativeCycle, UnknownLabel
from spbfs.exceptions import VerificationError as Violated


def graph(names: Any = ("bob", "eve", "ann", "zoe")) -> sb.Matrix:
    """A path of four vertices."""
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 3], [1.5, 2.0, 3.0], nrows=4, ncols=4)
    A.labels = names
    return A


def circle(weights: Any) -> sb.Matrix:
    """Edges from each to the next of ann, bob, eve."""
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], weights)
    A.labels = ["ann", "bob", "eve"]
    return A


PAIRS = [("bob", "ann"), ("eve", "zoe")]
#: Every check that takes vertices, by what it says of a right result.
ASKED: dict[str, Callable[[sb.Matrix, str], None]] = {
    "bfs_tree": lambda A, v: verify.bfs_tree(A, v, sb.bfs(A, "eve")),
    "several": lambda A, v: verify.bfs_tree(A, ["zoe", v], sb.bfs(A, ["zoe", "eve"])),
    "sssp": lambda A, v: verify.sssp(A, v, sb.sssp(A, "eve")),
    "widest_path": lambda A, v: verify.widest_path(A, source=v, widths=sb.widest_path(A, "eve")),
    "bfs_order": lambda A, v: verify.bfs_order(A, v, sb.bfs_order(A, "eve")),
    "bfs_dag": lambda A, v: verify.bfs_dag(A, v, sb.bfs_dag(A, "eve")),
    "shortest_path": lambda A, v: verify.shortest_path(
        A, v, "zoe", sb.shortest_path(A, "eve", "zoe")
    ),
    "closeness": lambda A, v: verify.closeness(A, sb.closeness(A, ["eve"]), [v]),
    "harmonic": lambda A, v: verify.harmonic(A, sb.harmonic(A, ["eve"]), [v]),
    "eccentricity": lambda A, v: verify.eccentricity(A, sb.eccentricity(A, ["eve"]), [v]),
    "khop_sizes": lambda A, v: verify.khop_sizes(A, 2, sb.khop_sizes(A, 2, ["eve"]), [v]),
    "pagerank": lambda A, v: verify.pagerank(
        A, sb.pagerank(A, personalization={"eve": 1}), personalization={v: 1}
    ),
    "katz": lambda A, v: verify.katz(A, sb.katz(A, beta={"eve": 1}), beta={v: 1}),
    "similarity": lambda A, v: verify.similarity(
        A, "jaccard", [(v, "bob"), *PAIRS], sb.jaccard(A, [("eve", "bob"), *PAIRS])
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_checks_take_names(name: str) -> None:
    A = graph()
    ASKED[name](A, "eve")
    with pytest.raises(UnknownLabel, match="no vertex is called 'max'"):
        ASKED[name](A, "max")


def test_names_that_are_integers() -> None:
    A = graph([7, 0, 30, 2])
    verify.bfs_tree(A, [0, 2], sb.bfs(A, [0, 2]))
    verify.eccentricity(A, sb.eccentricity(A))
    verify.closeness(A, sb.closeness(A))
    verify.shortest_path(A, 7, 2, sb.shortest_path(A, 7, 2))
    verify.transitive_closure(A, sb.transitive_closure(A))
    with pytest.raises(UnknownLabel):
        verify.bfs_tree(A, 1, sb.bfs(A, 7))
    with pytest.raises(Violated, match=r"values: vertex 30 has 7, expected 1"):
        verify.eccentricity(A, [3, 2, 7, 0])


def test_results_with_vertices_in_them() -> None:
    A = graph()
    verify.shortest_path(A, "bob", "ann", (["bob", "eve", "ann"], 3.5))
    verify.shortest_path(A, "bob", "ann", ([0, 1, 2], 3.5))
    verify.shortest_path(A, "zoe", "bob", sb.shortest_path(A, "zoe", "bob"))
    with pytest.raises(UnknownLabel, match="vertices: no vertex"):
        verify.shortest_path(A, "bob", "ann", (["bob", "max", "ann"], 3.5))
    odd = circle(True)
    found = sb.bipartite(odd)
    assert sorted(found.odd_cycle.tolist()) == ["ann", "bob", "eve"]
    verify.bipartite(odd, found)
    verify.bipartite(A, sb.bipartite(A))
    with pytest.raises(Violated, match="no edge between 'zoe' and 'eve'"):
        odd = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], True, nrows=4, ncols=4)
        odd.labels = ["ann", "bob", "zoe", "eve"]
        verify.bipartite(odd, found._replace(odd_cycle=np.array(["ann", "zoe", "eve"], object)))


def test_violations_name_vertices() -> None:
    A = graph()
    with pytest.raises(
        Violated, match=r"vertex 'ann' has 5\.0, but 3\.5 by the edge from 'eve'"
    ) as e:
        verify.sssp(A, "bob", [0.0, 1.5, 5.0, 8.0])
    assert e.value.vertices == ["ann", "eve"]
    again = pickle.loads(pickle.dumps(e.value))
    assert str(again) == str(e.value) and again.vertices == ["ann", "eve"]
    with pytest.raises(Violated, match=r"parent 'bob', but A has no entry \('bob', 'zoe'\)"):
        verify.bfs_tree(A, "bob", [0, 0, 1, 0])
    with pytest.raises(Violated, match="vertex 'zoe' has parent 9, not below 4"):
        verify.bfs_tree(A, "bob", [0, 0, 1, 9])
    with pytest.raises(Violated, match="from 7 to 'ann', expected from 'bob' to 'ann'"):
        verify.shortest_path(A, "bob", "ann", ([7, 2], 3.5))
    with pytest.raises(Violated, match=r"edge \('bob', 'eve'\) joins labels 'bob' and 'eve'"):
        verify.components(A, [0, 1, 1, 1])
    with pytest.raises(Violated, match=r"pair \('bob', 'ann'\) has 0.0"):
        verify.similarity(A, "jaccard", PAIRS, [0.0, 0.5])
    A.labels = None
    with pytest.raises(Violated, match=r"vertex 2 has 5\.0, but 3\.5 by the edge from 1") as e:
        verify.sssp(A, 0, [0.0, 1.5, 5.0, 8.0])
    assert e.value.vertices == [2, 1]
    A.labels = ["x" * 1000, "y", "z", "{}"]
    with pytest.raises(Violated, match=r"vertex '\{\}' has no parent"):
        verify.sssp(A, "x" * 1000, [0, 1.5, 3.5, 6.5], [0, 0, 1, -1])
    with pytest.raises(Violated) as e:
        verify.sssp(A, "x" * 1000, [1.0, 2.5, 4.5, 7.5])
    assert len(str(e.value)) < 200


def test_cycles_are_named() -> None:
    A = circle([1, -3, 1])
    for call in (
        lambda: sb.sssp(A, "bob"),
        lambda: sb.apsp(A=A),
        lambda: sb.apsp(A, ["eve"]),
        lambda: sb.shortest_path(A, "eve", "ann"),
    ):
        with pytest.raises(NegativeCycle, match="'ann' -> 'bob' -> 'eve' -> 'ann' has") as negative:
            call()
        assert negative.value.vertices == ["ann", "bob", "eve"]
    with pytest.raises(GraphCyclic, match=r"vertex '(ann|bob|eve)' is on a cycle") as e:
        sb.topological_levels(A)
    assert e.value.vertex in {"ann", "bob", "eve"}
    A.labels = None
    with pytest.raises(NegativeCycle, match="0 -> 1 -> 2 -> 0") as negative:
        sb.sssp(A, 1)
    assert negative.value.vertices == [0, 1, 2]
    copied = pickle.loads(pickle.dumps(negative.value))
    assert (copied.vertices, str(copied)) == ([0, 1, 2], str(negative.value))
    called = NegativeCycle("A: {} and {}", True, np.int64(7))
    assert str(called) == str(pickle.loads(pickle.dumps(called))) == "A: True and 7"
    n = 50
    long = sb.Matrix.from_coo(range(n), [*range(1, n), 0], -1)
    long.labels = [f"v{k}" for k in range(n)]
    with pytest.raises(
        NegativeCycle, match=r"'v0' -> .* -> 'v7' -> \.\.\. -> 'v0' has"
    ) as negative:
        sb.sssp(long, "v3")
    assert len(negative.value.vertices) == n


def test_paths_to_vertices_by_name() -> None:
    A = graph()
    for found in (sb.bfs(A, "eve"), sb.sssp(A, "eve")):
        assert found.path_to("zoe").tolist() == ["eve", "ann", "zoe"]
        assert found.path_to(3).tolist() == ["eve", "ann", "zoe"], "as sources may be numbers"
        with pytest.raises(InvalidValue, match="vertex: 'bob' was not reached"):
            found.path_to("bob")
        with pytest.raises(UnknownLabel, match="vertex: no vertex is called 'max'"):
            found.path_to("max")


def test_algorithms_and_checks_go_to_other_processes() -> None:
    functions = [
        getattr(home, name)
        for home in (sb, verify)
        for name in home.__all__
        if isinstance(getattr(home, name), FunctionType)
    ]
    assert len(functions) > 80
    for function in functions:
        assert pickle.loads(pickle.dumps(function)) is function
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        A = graph()
        found = pool.submit(sb.bfs, A, "bob").result()
        failed = pool.submit(verify.sssp, A, "bob", [0.0, 1.5, 5.0, 8.0]).exception()
    assert found.path_to("ann").tolist() == ["bob", "eve", "ann"]
    assert isinstance(failed, Violated) and failed.vertices == ["ann", "eve"]


def test_a_tuple_of_integers_is_a_name_where_vertices_are_called_so() -> None:
    A = sb.Matrix.from_coo([0, 1, 1, 3], [1, 0, 2, 4], True, nrows=5, ncols=5)
    for names in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)], list(map(frozenset, "abcde")):
        A.labels = names
        found = sb.bfs(A, names[3])
        assert found.levels.to_pandas().to_dict() == {names[3]: 0, names[4]: 1}
        assert list(found.path_to(names[4])) == names[3:]
        assert sb.shortest_path(A, names[0], names[2]).vertices.tolist() == names[:3]
        assert sb.KHopIndex(A, k=1).query([names[0]], [names[1]]).tolist() == [True]
        several = tuple(names[3:])
        for given in several, list(several), [3, 4]:
            assert sb.bfs(A, given).reached == 2
    A.labels = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)]
    with pytest.raises(UnknownLabel, match="source: no vertex is called 7"):
        sb.bfs(A, (7, 1))
    A.labels = list("abcde")
    assert sb.bfs(A, (3, 4)).reached == 2, "no vertex is called by a tuple"
