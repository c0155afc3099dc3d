"""Statements over ranks give what they give in one process; ranks are threads here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rank_graphs import CASES, matrix, spread

import spbfs as sb
from spbfs import Vector, binary, monoid, replace, semiring, unary
from spbfs.algorithms.bfs.composed import bfs_composed
from spbfs.distributed.algebra import elements
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, NotImplementedException


def search(A: sb.Matrix, source: int, **hints: Any) -> tuple[sb.Vector, int]:
    """The six lines."""
    q, v, depth = Vector(bool, A.nrows), Vector(int, A.nrows), 0
    q[source] = True
    while q.nvals:
        v(q.S) << depth
        q(~v.S, replace, **hints) << semiring.any_pair(q @ A)
        depth += 1
    return v, depth


@pytest.mark.parametrize("chosen", [slice(None), slice(3, 35, 4), slice(38, 1, -1), slice(5, 8)])
@pytest.mark.parametrize("permutation", [False, 5])
def test_of_a_slice_no_rank_spells_out_more_than_it_has(
    chosen: slice, permutation: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths, spelled = [], elements.spelled

    def counted(engine: Any, indices: Any) -> Any:
        lengths.append(len(indices))
        return spelled(engine, indices)

    def program(ranks: Any) -> sb.Vector:
        D = spread(ranks, 40, [(0, 1)], permutation=permutation)
        v = sb.bfs(D, 0).levels
        v[chosen] << 7
        return v.gather()

    monkeypatch.setattr(elements, "spelled", counted)
    expected = Vector.from_coo([0, 1], [0, 1], dtype="INT32", size=40)
    expected[chosen] << 7
    assert all(v.isequal(expected) for v in sb.distributed.simulate(4, program))
    assert max(lengths, default=0) < 20


@pytest.mark.parametrize("name", ["star", "ladder down", "complete", "random 0", "random 3"])
def test_the_six_lines_run_unchanged(name: str) -> None:
    n, edges = CASES[name]
    A = matrix(n, edges)
    one, depth = search(A, n // 2)

    def program(ranks: Any) -> None:
        for cut in ("rows", "grid"):
            D = spread(ranks, n, edges, cut=cut)
            for direction in ("auto", "push", "pull"):
                v, steps = search(D, n // 2, direction=direction)
                assert v.device == D.device and steps == depth
                assert v.gather().isequal(one, check_dtype=True)
            composed = bfs_composed(D, n // 2)
            assert composed.reached == one.nvals
            sb.verify.bfs_tree(D, n // 2, composed.parents, composed.levels)

    sb.distributed.simulate(3, program)


OPERATIONS: dict[str, Any] = {
    "plus_times": lambda A, u, v: semiring.plus_times(u @ A),
    "plus_times of rows": lambda A, u, v: semiring.plus_times(A @ u),
    "min_plus": lambda A, u, v: semiring.min_plus(A.T @ u),
    "max_second": lambda A, u, v: semiring.max_second(A @ v),
    "min_secondi": lambda A, u, v: semiring.min_secondi(u @ A),
    "min_firstj": lambda A, u, v: semiring.min_firstj(A @ v),
    "union": lambda A, u, v: u + v,
    "union by position": lambda A, u, v: u.ewise_add(v, binary.secondi),
    "union with defaults": lambda A, u, v: u.ewise_union(v, binary.firsti, 1, 2),
    "position of both": lambda A, u, v: u.ewise_mult(v, binary.firsti),
    "difference": lambda A, u, v: u - v,
    "intersection": lambda A, u, v: u * v,
    "apply": lambda A, u, v: u.apply(unary.ainv),
    "bound": lambda A, u, v: v.apply(binary.minus, left=7),
    "position": lambda A, u, v: u.apply(unary.positioni),
    "index": lambda A, u, v: v.apply(sb.indexunary.rowindex, 3),
    "select by value": lambda A, u, v: u.select("valuegt", 4),
    "select by row": lambda A, u, v: v.select("rowle", 20),
    "rows": lambda A, u, v: A.reduce_rowwise("plus"),
    "columns": lambda A, u, v: A.reduce_columnwise("max"),
    "degrees": lambda A, u, v: A.reduce_rowwise("count"),
    "first columns": lambda A, u, v: A.reduce_rowwise("first_index"),
    "last rows": lambda A, u, v: A.reduce_columnwise("last_index"),
    "diagonal": lambda A, u, v: A.diag(),
    "scaled matrix": lambda A, u, v: semiring.plus_times(A.apply("times", right=3).new() @ u),
    "less of a matrix": lambda A, u, v: semiring.plus_pair(A.select("valuegt", 5).new() @ u),
}


@pytest.mark.parametrize("cut", ["rows", "grid"])
def test_operations_are_those_of_one_process(cut: str) -> None:
    rng = np.random.default_rng(11)
    n, count = 60, 300
    rows, columns = rng.integers(0, n, (2, count))
    values = rng.integers(1, 10, count)
    some = rng.permutation(n)
    A = sb.Matrix.from_coo(rows, columns, values, nrows=n, ncols=n, dup_op="min")
    u = sb.Vector.from_coo(some[:25], rng.integers(0, 9, 25), size=n)
    v = sb.Vector.from_coo(some[10:50], rng.integers(0, 9, 40), size=n)

    def program(ranks: Any) -> None:
        mine = slice(ranks.rank, None, ranks.size)
        D = sb.distributed.from_edges(
            rows[mine], columns[mine], values[mine], ranks, n=n, cut=cut, hubs=9
        )
        assert D.gather().isequal(A, check_dtype=True) and D.T.new().gather().isequal(A.T.new())
        x, y = u.to(D.device), v.to(D.device)
        for name, operation in OPERATIONS.items():
            here, one = operation(D, x, y).new(), operation(A, u, v).new()
            assert here.gather().isequal(one, check_dtype=True), name
            for options in ({"accum": "plus"}, {}, {"replace": True}):
                masked, expected = y.dup(), v.dup()
                masked(~x.V, **options) << operation(D, x, y)
                expected(~u.V, **options) << operation(A, u, v)
                assert masked.gather().isequal(expected), (name, options)
        assert x.reduce("plus").value == u.reduce("plus").value
        assert D.reduce_scalar(monoid.max).value == A.reduce_scalar(monoid.max).value
        assert x.get(int(some[0])) == u.get(int(some[0])) and x.get(int(some[30])) is None
        x[[1, 2, 3]] << 5
        assert x.gather().to_dict() == {**u.to_dict(), 1: 5, 2: 5, 3: 5}
        x[9:2:-3] << 6
        assert x.gather().to_dict() == {**u.to_dict(), 1: 5, 2: 5, 3: 6, 6: 6, 9: 6}

    sb.distributed.simulate(4, program)


def _pattern(A: sb.Matrix) -> sb.Matrix:
    return A.apply(unary.one[bool]).new()


MATRICES: dict[str, Any] = {
    "union": lambda A, B: A.ewise_add(B, "plus"),
    "intersection": lambda A, B: A.ewise_mult(B.T, "minus"),
    "union with defaults": lambda A, B: A.ewise_union(B, "minus", 7, 9),
    "lower triangle": lambda A, B: A.select("tril", -1),
    "rows from 30": lambda A, B: A.select("rowgt", 29),
    "few": lambda A, B: B.select("valuegt", 7),
    "columns": lambda A, B: A.apply(sb.indexunary.colindex, 2),
    "rows": lambda A, B: A.apply(unary.positioni),
    "negative": lambda A, B: A.apply(unary.ainv),
    "diagonal": lambda A, B: A.diag().diag(),
    "rows scaled": lambda A, B: semiring.plus_times(A.diag().diag() @ B),
    "columns scaled": lambda A, B: semiring.min_plus(A @ B.diag().diag()),
    "a pattern scaled": lambda A, B: semiring.any_second(_pattern(A) @ B.diag().diag()),
    "both diagonal": lambda A, B: semiring.max_first(A.diag().diag() @ B.diag().diag()),
}


@pytest.mark.parametrize("cut", ["rows", "grid"])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_elements_of_matrices_are_those_of_one_process(cut: str, size: int) -> None:
    rng = np.random.default_rng(size)
    n = 60
    made = [(*rng.integers(0, n, (2, count)), rng.integers(1, 10, count)) for count in (300, 90)]
    A, B = (sb.Matrix.from_coo(*of, nrows=n, ncols=n, dup_op="min") for of in made)

    def program(ranks: Any) -> None:
        mine = slice(ranks.rank, None, ranks.size)
        rows, columns, values = (array[mine] for array in made[0])
        D = sb.distributed.from_edges(rows, columns, values, ranks, n=n, cut=cut, hubs=9)
        E = B.to(D.device)  # refers to other vertices of others
        for name, operation in MATRICES.items():
            here, one = operation(D, E).new(), operation(A, B).new()
            assert here.gather().isequal(one, check_dtype=True), name
            assert here.nvals == one.nvals, name
            assert (
                here.reduce_rowwise("count")
                .new()
                .gather()
                .isequal(one.reduce_rowwise("count").new())
            )
            for options in ({"accum": "plus"}, {}, {"replace": True}):
                for mask in ("S", "V", "~S"):
                    masked, expected = D.dup(), A.dup()
                    admits = [~x.S if mask == "~S" else getattr(x, mask) for x in (E, B)]
                    masked(admits[0], **options) << operation(D, E)
                    expected(admits[1], **options) << operation(A, B)
                    assert masked.gather().isequal(expected), (name, mask, options)
        few, one = D.select("valuegt", 7).new(), A.select("valuegt", 7).new()
        source = int(one.to_coo()[0][0])
        counted = [
            (s.edges, s.depth, s.reached) for s in (sb.bfs(few, source), sb.bfs(one, source))
        ]
        assert counted[0] == counted[1]
        filled, expected = D.dup(), A.dup()
        filled(E.V) << 5
        expected(B.V) << 5
        assert filled.gather().isequal(expected) and filled.nvals == expected.nvals
        with pytest.raises(NotImplementedException, match="assign to a matrix"):
            filled(~E.S) << 5

    sb.distributed.simulate(size, program)


def test_a_rank_without_entries_knows_the_value_of_all() -> None:
    A = sb.Matrix.from_coo([0, 0, 0], [1, 2, 3], 7, nrows=12, ncols=12)

    def program(ranks: Any) -> None:
        mine = ([0, 0, 0], [1, 2, 3]) if ranks.rank == 0 else ([], [])
        D = sb.distributed.from_edges(*mine, comm=ranks, n=12, permutation=False, hubs=9)
        counts = ranks.reduce(np.array([D.local.nvals]), "min")
        assert counts[0] == 0  # at some rank
        ones = D.apply(unary.one).new(dtype=int)
        twice = unary.register_anonymous(lambda x: 2 * x + 5)
        for B in ((ones * 7).new(), ones.apply(twice).new(), (ones.apply(twice).new() - 0).new()):
            assert B.gather().isequal(A) and B.T.new().gather().isequal(A.T.new())
            u = Vector.from_coo([0], [1], size=12, device=D.device)
            found = semiring.plus_times(B.T @ u).new().gather()
            assert found.to_dict() == {1: 7, 2: 7, 3: 7}

    sb.distributed.simulate(3, program)


def test_objects_are_compared_over_ranks() -> None:
    n, edges = CASES["random 1"]

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        v = Vector.from_coo([0, n - 1], [4.0, 5.0], size=n).to(D.device)
        near, other = v.dup(), v.dup()
        near[n - 1] = 5.0 + 1e-9  # at one rank
        other[n - 1] = 6.0
        assert v.isequal(v.dup()) and not v.isequal(near) and v.isclose(near)
        assert not v.isclose(other) and not v.isequal(v.dup(int), check_dtype=True)
        moved = Vector.from_coo([0, n - 2], [4.0, 5.0], size=n).to(D.device)
        assert not v.isequal(moved)
        weights = D.apply(unary.positionj).new()
        assert D.isequal(D.select("valueeq", True).new()) and not D.isequal(weights)
        assert weights.isequal(D.apply(unary.positionj).new())
        assert not weights.isequal(D.apply(unary.positioni).new())

    sb.distributed.simulate(3, program)


def test_composed_algorithms_run_over_ranks() -> None:
    n, edges = CASES["random 3"]
    A = matrix(n, edges)
    ranks_of_pages, near = sb.pagerank(A), sb.closeness(A, range(20))

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        assert sb.pagerank(D).gather().isclose(ranks_of_pages, abs_tol=1e-9)
        assert np.allclose(sb.closeness(D, range(20)), near)
        with pytest.raises(NotImplementedException):
            sb.triangles(D)
        with pytest.raises(NotImplementedException, match="element"):
            D[0, 1] = True
        assert D.nvals == A.nvals

    sb.distributed.simulate(2, program)


def test_a_part_the_whole_and_what_is_shown() -> None:
    n, edges = CASES["random 1"]
    A = matrix(n, edges)

    def program(ranks: Any) -> tuple[Any, Any, str]:
        D = spread(ranks, n, edges)
        v = Vector.from_coo([0, n - 1], [4, 5], size=n).to(D.device)
        assert v.gather().to_dict() == {0: 4, n - 1: 5}
        return v.local.to_dict(), D.local.nvals, repr(D)

    parts = sb.distributed.simulate(3, program)
    assert {k: x for part, _, _ in parts for k, x in part.items()} == {0: 4, n - 1: 5}
    assert sum(nvals for _, nvals, _ in parts) == A.nvals
    assert all(f"{n} x {n}, BOOL" in shown for *_, shown in parts)


def test_what_ranks_do_not_have_is_refused_by_name() -> None:
    n, edges = CASES["random 1"]

    def program(ranks: Any) -> None:
        D, other = spread(ranks, n, edges), spread(ranks, n, edges)
        u = Vector.from_coo([0], [1], size=n, device=D.device)
        refused = {
            "mxm": lambda: D.mxm(D, "any_pair").new(),
            "kronecker": lambda: D.kronecker(D, "pair").new(),
            "diag": lambda: D.diag(1),
            "extract": lambda: D[[0], [1]].new(),
            "spread over 2 ranks": lambda: u.to_coo(),
            "firsti": lambda: semiring.min_firsti(D @ u).new(),
        }
        for name, call in refused.items():
            with pytest.raises(NotImplementedException, match=name):
                call()
        whole = D.to_coo, D.T.to_coo, D.to_csr, D.to_dicts, lambda: list(D), lambda: D.resize(n, n)
        for export in whole:
            with pytest.raises(NotImplementedException, match="spread over 2 ranks"):
                export()
        with pytest.raises(DeviceMismatch):
            semiring.any_pair(other @ u).new()
        with pytest.raises(DimensionMismatch, match="elements"):
            Vector(int, n + 1, device=D.device)

    sb.distributed.simulate(2, program)

    def alone(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        with pytest.raises(NotImplementedException, match="spread over 1 rank "):
            D.mxm(D, "any_pair").new()
        with pytest.raises(NotImplementedException, match="they are spread over 1 rank;"):
            D.to_coo()

    sb.distributed.simulate(1, alone)
