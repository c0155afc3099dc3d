"""Searches as loops of statements, interrupted in every way, beside the reference engine's.

The CUDA engine computes steps of such loops ahead: nobody may see that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector, replace, semiring, trace, unary
from spbfs.exceptions import DimensionMismatch
from tests.forced import force_direction

N = 60
#: Steps before a loop is interrupted: the first products are not ahead of anything.
MOMENTS = (0, 2, 5)


@cache
def graph(device: str, seed: int = 1, n: int = N) -> Matrix:
    """A ring with some chords, a part that nothing leads to, and isolated vertices."""
    rng = np.random.default_rng(seed)
    ring = np.arange(n - 10)
    rows = np.r_[ring, rng.integers(0, n - 20, 15), n - 8]
    columns = np.r_[(ring + 1) % (n - 10), rng.integers(0, n - 20, 15), 3]
    return Matrix.from_coo(rows, columns, True, nrows=n, ncols=n, device=device)


class Loop:
    """The state of a search: what statements and interruptions read and change."""

    def __init__(self, device: str, dtype: Any = bool, seed: int = 1) -> None:
        self.device = device
        self.A = graph(device, seed)
        self.other = graph(device, seed + 1)
        self.q = Vector(dtype, N, device=device)
        self.v = Vector(int, N, device=device)
        self.w = Vector(int, N, device=device)
        self.seen: list[Any] = []

    def start(self, *sources: int) -> None:
        for s in sources:
            self.q[s] = s if self.q.dtype != "BOOL" else True

    def note(self, *things: Any) -> None:
        """Remember what is there now."""
        for thing in things:
            made = thing.new() if not hasattr(thing, "to_coo") else thing
            self.seen.append([a.tolist() for a in made.to_coo()])


def levels(loop: Loop, interrupt: Callable[[Loop], Any], when: int, most: int = 200) -> None:
    depth = 0
    while loop.q.nvals and depth < most:
        loop.v(loop.q.S) << depth
        if depth == when:
            interrupt(loop)
        loop.q(~loop.v.S, replace) << semiring.any_pair(loop.q @ loop.A)
        depth += 1


def least_parents(loop: Loop, interrupt: Callable[[Loop], Any], when: int, most: int = 200) -> None:
    depth = 0
    while loop.q.nvals and depth < most:
        loop.v(loop.q.S) << loop.q
        loop.w(loop.q.S) << depth
        if depth == when:
            interrupt(loop)
        loop.q(~loop.v.S, replace) << semiring.min_secondi(loop.q @ loop.A)
        depth += 1


def by_columns(loop: Loop, interrupt: Callable[[Loop], Any], when: int, most: int = 200) -> None:
    depth = 0
    while loop.q.nvals and depth < most:
        loop.v(loop.q.S) << 7 * depth - 3
        if depth == when:
            interrupt(loop)
        loop.q(~loop.v.S, replace) << semiring.lor_land(loop.A.T @ loop.q)
        depth += 1


def product_first(loop: Loop, interrupt: Callable[[Loop], Any], when: int, most: int = 200) -> None:
    depth = 0
    loop.v(loop.q.S) << 0
    while depth < most:
        loop.q(~loop.v.S, replace) << semiring.any_pair(loop.q @ loop.A)
        if depth == when:
            interrupt(loop)
        if loop.q.nvals == 0:
            break
        depth += 1
        loop.v(loop.q.S) << depth


PROGRAMS = {
    "levels": (levels, bool),
    "least parents": (least_parents, int),
    "by columns": (by_columns, bool),
    "product first": (product_first, bool),
}


def new_frontier(loop: Loop) -> Vector:
    return Vector.from_coo([2, 5], [1, 1], loop.q.dtype, size=N, device=loop.device)


def change_matrix(loop: Loop) -> None:
    loop.A = loop.A.dup()
    loop.A[4, 33] = True


def other_matrix(loop: Loop) -> None:
    loop.A = loop.other


def keep_frontier(loop: Loop) -> None:
    loop.kept = loop.q.dup()  # type: ignore[attr-defined]
    loop.q[11] = True
    loop.note(loop.kept, loop.q)  # type: ignore[attr-defined]


def wrong_statement(loop: Loop) -> None:
    with pytest.raises(DimensionMismatch):
        loop.q(Vector(bool, N + 1).S) << True


def traced(loop: Loop) -> None:
    with trace() as t:
        loop.note(semiring.any_pair(loop.q @ loop.A).new(mask=~loop.v.S))
    assert t.records


def swap(loop: Loop) -> None:
    loop.q, loop.w = loop.w, loop.q
    loop.q(loop.w.S) << loop.w
    loop.q, loop.w = loop.w, loop.q


INTERRUPTIONS: dict[str, Callable[[Loop], Any]] = {
    "nothing": lambda p: None,
    "count both": lambda p: p.seen.append((p.q.nvals, p.v.nvals)),
    "read the frontier": lambda p: p.note(p.q),
    "read the visited": lambda p: p.note(p.v),
    "read an element": lambda p: p.seen.append((p.v.get(2), p.q.get(2), 3 in p.v)),
    "copy": lambda p: p.note(p.q.dup(), p.v.dup(), p.v.dup(float)),
    "reduce": lambda p: p.seen.append((p.v.reduce().value, p.q.reduce("count").value)),
    "select": lambda p: p.q << p.q.select("rowle", 50),
    "set an element of the visited": lambda p: p.v.__setitem__(7, 5),
    "delete an element of the visited": lambda p: p.v.__delitem__(0),
    "set an element of the frontier": lambda p: p.q.__setitem__(9, 1),
    "delete an element of the frontier": lambda p: p.q.__delitem__(1),
    "assign a slice": lambda p: p.v.__setitem__(slice(5, 9), 1),
    "clear the visited": lambda p: p.v.clear(),
    "clear the frontier": lambda p: p.q.clear(),
    "write under another mask": lambda p: p.v(p.w.S) << 3,
    "write under the complement": lambda p: p.w(~p.q.S) << 1,
    "write under values": lambda p: p.w(p.q.V) << 8,
    "accumulate": lambda p: p.v(p.q.S, "plus") << 2,
    "accumulate the frontier": lambda p: p.v(p.q.S, "plus") << p.q,
    "replace": lambda p: p.w(p.q.S, replace) << 4,
    "write twice": lambda p: p.v(p.q.S) << 1000,
    "write the frontier": lambda p: p.w(p.q.S) << p.q,
    "write the frontier everywhere": lambda p: p.w << p.q,
    "another vector for a while": swap,
    "a product beside": lambda p: p.note(semiring.any_pair(p.q @ p.A)),
    "the same product": lambda p: p.note(semiring.any_pair(p.q @ p.A).new(mask=~p.v.S)),
    "a product with the visited": lambda p: p.note(semiring.plus_first(p.v @ p.A)),
    "another semiring": lambda p: p.note(semiring.min_first(p.v @ p.A).new(mask=~p.q.S)),
    "a product without replace": lambda p: p.q(~p.v.S) << semiring.any_pair(p.q @ p.A),
    "write into the frontier": lambda p: p.q(p.w.S) << p.w,
    "assign into the frontier": lambda p: p.q(~p.v.S) << 1,
    "a push": lambda p: p.q.update(
        semiring.any_pair(p.q @ p.A), mask=~p.v.S, replace=True, direction="push"
    ),
    "a new frontier": lambda p: setattr(p, "q", new_frontier(p)),
    "change the matrix": change_matrix,
    "another matrix": other_matrix,
    "keep the frontier": keep_frontier,
    "an error": wrong_statement,
    "a trace": traced,
    "negate": lambda p: p.w << unary.ainv(p.v),
    "add": lambda p: p.w << p.v.ewise_add(p.q, "plus"),
    "compare": lambda p: p.seen.append((p.v.isequal(p.w), p.q.isequal(p.q.dup()))),
    "move away and back": lambda p: setattr(p, "q", p.q.to("reference").to(p.device)),
}


def outcome(device: str, program: str, interruption: str, when: int, runs: int = 2) -> list[Any]:
    """Everything that can be seen of some runs of a program in a row."""
    body, dtype = PROGRAMS[program]
    loop = Loop(device, dtype)
    for run in range(runs):
        loop.q.clear()
        loop.v.clear()
        loop.start(run)
        body(loop, INTERRUPTIONS[interruption], when)
        loop.note(loop.q, loop.v, loop.w)
        loop.seen.append((loop.v.nvals, loop.q.nvals))
    return loop.seen


@pytest.mark.parametrize("interruption", INTERRUPTIONS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_interrupted_loops(device: str, program: str, interruption: str) -> None:
    for when in MOMENTS:
        got, wanted = (outcome(d, program, interruption, when) for d in (device, "reference"))
        assert got == wanted, f"interrupted at step {when}"


@pytest.mark.parametrize("program", PROGRAMS)
def test_interrupted_loops_whose_steps_are_pulls(
    device: str, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pull takes whatever is visited for the frontier; graphs so small are pushed otherwise."""
    if device != "cuda":
        pytest.skip("steps are computed ahead on CUDA alone")
    force_direction(monkeypatch, "pull")
    graph.cache_clear()  # matrices keep the searches made for them, those of other tests and these
    for interruption in INTERRUPTIONS:
        for when in MOMENTS:
            got, wanted = (outcome(d, program, interruption, when) for d in (device, "reference"))
            assert got == wanted, f"{interruption} at step {when}"
    graph.cache_clear()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("most", range(5))
def test_loops_that_stop_early(device: str, program: str, most: int) -> None:
    body, dtype = PROGRAMS[program]
    seen = []
    for d in (device, "reference"):
        loop = Loop(d, dtype)
        for stop in (most, 100, most, 2):
            loop.q.clear()
            loop.v.clear()
            loop.start(3, 40)
            body(loop, lambda p: None, -1, stop)
            loop.note(loop.q, loop.v)
        seen.append(loop.seen)
    assert seen[0] == seen[1]


def test_visited_vertices_that_are_no_frontier(device: str) -> None:
    seen = []
    for d in (device, "reference"):
        loop = Loop(d)
        for run in range(3):
            loop.q.clear()
            loop.v[20 + run] = 99
            loop.start(run)
            levels(loop, lambda p: None, -1)
            loop.note(loop.v)
        seen.append(loop.seen)
    assert seen[0] == seen[1]


def test_a_frontier_that_is_not_visited(device: str) -> None:
    seen = []
    for d in (device, "reference"):
        loop = Loop(d)
        for _ in range(3):
            loop.start(5)
            loop.v[3] = 1
            for depth in range(60):
                loop.q(~loop.v.S, replace) << semiring.any_pair(loop.q @ loop.A)
                if depth % 3 == 0:
                    loop.v(loop.q.S) << depth
                loop.note(loop.q)
        seen.append(loop.seen)
    assert seen[0] == seen[1]


def test_any_parent_is_a_parent(device: str) -> None:
    A = graph(device)
    edges = set(zip(*(a.tolist() for a in A.to_coo()[:2]), strict=True))
    for source in (3, 5, 52, 59):
        q, found = Vector(int, N, device=device), Vector(int, N, device=device)
        q[source] = source
        kept: dict[int, int] = {}
        while q.nvals:
            found(q.S) << q
            if q.nvals % 2:
                kept |= q.to_dict()
            q(~found.S, replace) << semiring.any_secondi(q @ A)
        tree = found.to_dict()
        assert tree[source] == source
        assert all((u, v) in edges for v, u in tree.items() if v != source)
        assert kept.items() <= tree.items()


def test_a_vector_that_an_empty_frontier_was_written_into(device: str) -> None:
    """It has no element, and yet is known to have one value."""

    def run(device: str) -> Any:
        loop, x, none = Loop(device, int), Vector(float, N, device=device), Vector(int, N)
        x(none.S) << 19.0
        loop.start(14)
        for depth in range(6):
            loop.q(~loop.v.S, replace) << semiring.min_firstj(loop.q @ loop.A)
            loop.v(loop.q.S) << depth
        loop.q(~loop.v.S, replace) << semiring.min_firstj(loop.q @ loop.A)
        x(loop.q.S) << 19.0
        return [a.tolist() for a in x.to_coo()]

    found = run(device)
    assert found == run("reference") and found[1]
