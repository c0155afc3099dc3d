"""Programs around loops that are run ahead of, beside the reference engine.

What graphs so small never see otherwise is forced: pulls, which take whatever is visited for the
frontier, relabelled layouts, which leave isolated vertices out, and looking ahead at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs import Matrix, Vector, replace, semiring
from spbfs.engines.cuda.lookahead import history, hooks, search
from spbfs.engines.cuda.searches import device as searches
from tests.forced import force_direction

assert cp
N, PATH, LEAVES = 200, 14, 20
HUB, ISOLATED = PATH, N - 1
#: For each way to search.
PROGRAMS = 16
RINGS = {"bool": ("any_pair", "lor_land"), "int64": ("min_secondi", "any_pair", "min_firstj")}
#: What may happen between the statements of a loop: `q` is its frontier, `v` what it has visited,
#: `p` and `w` are others, `i` and `j` vertices of the path.
INTERRUPTIONS = """
q.nvals
v.nvals
seen.append(sorted(q.to_dict().items()))
seen.append(sorted(v.to_dict().items()))
v[{i}] = 3
v[{i}:{j}] = 3
v(w.S) << 4
v(q.S) << 5
v(q.S, "plus") << 6
v << w
v << v
w << v
w(q.S) << q
del v[{i}]
del v[{i}:{j}]
q[{i}] = 1
q[{i}:{j}] = 1
q(w.S) << 1
q << p
p << q
del q[{i}]
q << q.select("rowle", {j})
q, p = p, q
v, w = w, v
kept.append(v.dup())
kept.append(q.dup())
p(~v.S, replace) << semiring.{ring}(q @ A)
p(~w.S, replace) << semiring.{ring}(q @ B)
q(~v.S) << semiring.{ring}(q @ A)
q(~v.S, replace) << semiring.{ring}(q @ A)
v(~q.S, replace) << v
A, B = B, A
seen.append(sb.bfs(A, {i}).levels.nvals)
""".strip().splitlines()


@pytest.fixture
def forced(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets how what follows is searched."""
    lay_out = searches.lay_out

    def force(
        direction: str, relabel: str | None, most: int = 1 << 16, long: int = 1 << 10
    ) -> None:
        def relabelled(*given: Any, **_: Any) -> Any:
            return lay_out(*given, relabel=relabel)

        force_direction(monkeypatch, direction)
        monkeypatch.setattr(searches, "lay_out", relabelled)
        monkeypatch.setattr(history, "RECOGNISED_AFTER", 0)
        monkeypatch.setattr(history, "RECOGNISED_AFTER_UNPREPARED", 0)
        monkeypatch.setattr(history, "MOST_BACKOFF", 0)
        monkeypatch.setattr(history, "MOST_LEVELS", most)
        monkeypatch.setattr(search, "LONG_SEARCH", long)

    return force


def graph(rng: np.random.Generator, device: str) -> Matrix:
    """A path and the leaves of a hub at its end, a few chords, and vertices without edges; edges
    one way or both ways."""
    path, leaves = np.arange(PATH), np.arange(PATH + 1, PATH + 1 + LEAVES)
    chords = rng.integers(0, PATH + LEAVES, (2, 4))
    rows = np.r_[path, np.full(LEAVES, HUB), chords[0]]
    columns = np.r_[path + 1, leaves, chords[1]]
    if rng.random() < 0.5:
        rows, columns = np.r_[rows, columns], np.r_[columns, rows]
    return Matrix.from_coo(rows, columns, True, nrows=N, ncols=N, device=device)


def write_program(rng: np.random.Generator, dtype: str, loops: int = 4) -> list[str]:
    """Some loops in a row over one product, in either order, now and then interrupted."""

    def pick(items: Any) -> Any:
        return items[rng.integers(len(items))]

    ring, first = pick(RINGS[dtype]), bool(rng.random() < 0.5)
    lines = []
    for _ in range(loops):
        lines += pick([["q.clear()", "v.clear()"]] * 3 + [["q.clear()"], ["v.clear()"]])
        source = rng.integers(4)
        lines += [f"q[{source}:{source + 1}] = 1", f"v[{source}] = 0"]  # a slice is of one value
        # Obstacles, and frontiers that are not all visited, are not run ahead of.
        lines += pick([[], [], [], [], [], [f"v[{HUB}] = 0"], [f"q[{ISOLATED}] = 1"]])
        visit = pick(["v(q.S) << {d}", "v(q.S) << {d}", "v(q.S) << q"])
        product = f"q(~v.S, replace) << semiring.{ring}(q @ A)"
        rate = pick([0, 0.1, 0.2])
        for depth in range(pick([3, 9, 9])):
            for line in (product, visit) if first else (visit, product):
                if rng.random() < rate:
                    i, j = np.sort(rng.integers(0, PATH, 2)) + [0, 2]
                    lines.append(pick(INTERRUPTIONS).format(i=i, j=j, ring=ring))
                lines.append(line.format(d=depth))
    return lines


def outcome(seed: int, device: str) -> tuple[list[str], list[Any]]:
    """A program and all that can be seen of it: at the end, or after every statement."""
    rng = np.random.default_rng(seed)
    dtype = ("bool", "int64")[seed % 2]
    names: dict[str, Any] = {name: Vector(dtype, N, device=device) for name in "qp"}
    names |= {name: Vector(int, N, device=device) for name in "vw"}
    names |= {"A": graph(rng, device), "B": graph(rng, device), "seen": [], "kept": []}
    names |= {"sb": sb, "semiring": semiring, "replace": replace}
    lines = write_program(rng, dtype)

    def look() -> None:
        names["seen"].append([sorted(names[name].to_dict().items()) for name in "qpvw"])

    for line in lines:
        exec(line, names)
        if seed % 5 == 0:
            look()
    names["seen"].append([names[name].nvals for name in "qpvw"])
    look()
    return lines, names["seen"] + [kept.to_dict() for kept in names["kept"]]


@pytest.mark.parametrize("relabel", [None, "degree"])
@pytest.mark.parametrize("direction", ["auto", "pull"])
@pytest.mark.parametrize("most", [3, 1 << 16])
def test_random_programs(
    forced: Callable[..., None],
    direction: str,
    relabel: str | None,
    most: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forced(direction, relabel, most, long=6 if most > 6 else 1 << 10)
    served: list[Any] = []
    product = hooks.product

    def count(*given: Any) -> Any:
        made = product(*given)
        served.append(made[0])
        return made

    monkeypatch.setattr(hooks, "product", count)
    first = 1000 * (2 * bool(relabel) + (direction == "pull")) + most % 1000
    for seed in range(first, first + PROGRAMS):
        lines, got = outcome(seed, "cuda")
        wanted = outcome(seed, "reference")[1]
        assert got == wanted, f"seed {seed}:\n" + "\n".join(lines)
    assert sum(s is not None for s in served) > 60, "programs that test nothing"


@pytest.mark.parametrize("when", range(1, 8))
def test_visited_vertices_added_before_a_step_is_visited(when: int) -> None:
    """In place, so that the vector is still the object with which the search began."""
    A = sb.generate.path(40).to("cuda")
    q, v = Vector(bool, 40), Vector(int, 40)
    q[0], v[0] = True, 0
    for depth in range(1, 30):
        q(~v.S, replace) << semiring.any_pair(q @ A)
        if depth == when:
            v[9:12] = 99
        v(q.S) << depth
    assert v.to_dict() == {i: i for i in range(9)} | dict.fromkeys(range(9, 12), 99)
    assert (q.nvals, v.nvals) == (0, 12)


def test_an_isolated_vertex_of_the_frontier_hides_no_obstacle(forced: Callable[..., None]) -> None:
    """The frontier has as many vertices as are visited, and yet they are others."""
    forced("pull", "degree")
    found = []
    for device in ("cuda", "reference"):
        A = graph(np.random.default_rng(0), device)
        for others in ([], [(ISOLATED, HUB)]):
            q, v = Vector(bool, N, device=device), Vector(int, N, device=device)
            q[0], v[0] = True, 0
            for isolated, hub in others:
                q[isolated], v[hub] = True, 0
            for depth in range(1, 9):
                q(~v.S, replace) << semiring.any_pair(q @ A)
                v(q.S) << depth
        found.append((v.to_dict(), q.to_dict()))
    assert found[0] == found[1]
