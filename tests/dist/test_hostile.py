"""What a rank meets alone: errors in a user's functions, no vertices, no entries, no memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import DomainMismatch, InvalidValue, OutOfMemory, RankFailed, UnknownDtype

N = 10


def _fails_for_seven(x: int) -> int:
    """It counts as far as it is told, so that nobody can follow it, and it is called for each."""
    count = 0
    while count < x:
        count += 1
    if count == 7:
        raise ZeroDivisionError("seven")
    return count


_unary = sb.unary.register_anonymous(_fails_for_seven)
_binary = sb.binary.register_anonymous(lambda x, y: _fails_for_seven(x) + 0 * y)
_indexed = sb.indexunary.register_anonymous(lambda x, i, j, t: _fails_for_seven(x))
_chosen = sb.select.register_anonymous(lambda x, i, j, t: _fails_for_seven(x) > 2)
_either = sb.binary.register_anonymous(lambda x, y: _fails_for_seven(x) + 0 * _fails_for_seven(y))
_monoid = sb.monoid.register_anonymous(_either, 0)
_multiply = sb.semiring.register_anonymous(sb.monoid.plus, _binary)
_add = sb.semiring.register_anonymous(_monoid, sb.binary.second)


def _accumulated(x: Any, value: Any) -> None:
    w = x.dup()
    w(_binary) << value


def _accumulated_scalar(x: Any) -> None:
    w = x.dup()
    w(_binary)[:] << 3


#: Statements over a matrix, all of whose rows have all of 0 .. 9, and a vector with them.
STATEMENTS: dict[str, Any] = {
    "apply": lambda D, v: v.apply(_unary).new(),
    "apply to a matrix": lambda D, v: D.apply(_unary).new(),
    "bound": lambda D, v: v.apply(_binary, right=2).new(),
    "index": lambda D, v: v.apply(_indexed, 0).new(),
    "index of a matrix": lambda D, v: D.apply(_indexed, 0).new(),
    "select": lambda D, v: v.select(_chosen, 0).new(),
    "select of a matrix": lambda D, v: D.select(_chosen, 0).new(),
    "union": lambda D, v: v.ewise_add(v, _binary).new(),
    "intersection of matrices": lambda D, v: D.ewise_mult(D, _binary).new(),
    "accumulate": lambda D, v: _accumulated(v, v),
    "accumulate a matrix": lambda D, v: _accumulated(D, D),
    "accumulate a number": lambda D, v: _accumulated_scalar(v),
    "reduce": lambda D, v: v.reduce(_monoid).new(),
    "reduce rows": lambda D, v: D.reduce_rowwise(_monoid).new(),
    "multiply": lambda D, v: _multiply(D @ v).new(),
    "multiply the other way": lambda D, v: _multiply(v @ D).new(),
    "sum up": lambda D, v: _add(D @ v).new(),
    "scale": lambda D, v: _multiply(v.diag() @ D).new(),
}


def _spread(ranks: Any, rows: Any, columns: Any, values: Any, n: int = N) -> sb.Matrix:
    mine = slice(ranks.rank, None, ranks.size)
    return sb.distributed.from_edges(rows[mine], columns[mine], values[mine], ranks, n=n)


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_function_that_fails_at_one_rank_fails_at_all(name: str) -> None:
    rows, columns = np.divmod(np.arange(N * N), N)

    def program(ranks: Any) -> str:
        D = _spread(ranks, rows, columns, columns)
        v = sb.Vector.from_coo(range(N), range(N), size=N, device=D.device)
        with pytest.raises((InvalidValue, RankFailed), match="ZeroDivisionError: seven") as raised:
            STATEMENTS[name](D, v)
        assert sb.bfs(D, 0).reached == N  # the ranks are still together
        return raised.type.__name__

    assert "InvalidValue" in sb.distributed.simulate(3, program)


class _Mine(Exception):
    """Of a user, whom others cannot unpack."""


REPORTING: dict[str, Any] = {
    "bfs_many": lambda D, tell: sb.bfs_many(D, [0, 1], progress=tell),
    "betweenness": lambda D, tell: sb.betweenness(D, progress=tell),
    "closeness": lambda D, tell: sb.closeness(D, progress=tell),
    "harmonic": lambda D, tell: sb.harmonic(D, samples=3, progress=tell),
    "pagerank": lambda D, tell: sb.pagerank(D, progress=tell),
    "apsp": lambda D, tell: sb.apsp(D, progress=tell),
}


@pytest.mark.parametrize("error", [ValueError, _Mine, KeyboardInterrupt])
@pytest.mark.parametrize("name", REPORTING)
def test_who_is_told_how_far_it_is_may_fail(name: str, error: type[BaseException]) -> None:
    ring = np.arange(N)

    def program(ranks: Any) -> None:
        D = _spread(ranks, ring, (ring + 1) % N, ring)

        def tell(*args: Any) -> None:
            raise error("enough")

        expected = error if ranks.rank == 1 else RankFailed
        with pytest.raises(expected, match="enough"):
            REPORTING[name](D, tell if ranks.rank == 1 else None)
        assert sb.bfs(D, 0).reached == N

    sb.distributed.simulate(3, program)


@pytest.mark.parametrize("sources", [1, 65, 129, 193, 257, 300, 513, 600])
def test_batches_of_any_number_of_sources(sources: int) -> None:
    """Kernels are made for rows of 1, 2, 4, 8 and 16 words of bits."""
    n = 600
    vertices = np.arange(n)
    rows, columns = np.repeat(vertices, 2), (vertices[:, None] + (1, -1)).reshape(-1) % n
    ring = sb.Matrix.from_coo(rows, columns, True, nrows=n, ncols=n)
    expected = sb.bfs_many(ring, range(sources), outputs=["counts", "level_sums"], max_depth=40)

    def program(ranks: Any) -> None:
        mine = slice(ranks.rank, None, ranks.size)
        D = sb.distributed.from_edges(rows[mine], columns[mine], comm=ranks, n=n)
        found = sb.bfs_many(
            D, range(sources), outputs=["counts", "level_sums"], max_depth=40, batch=sources
        )
        assert np.array_equal(found.counts.gather().to_dense(), expected.counts)
        assert np.array_equal(found.level_sums.gather().to_dense(), expected.level_sums)

    sb.distributed.simulate(2, program)


def test_ranks_are_told_how_far_it_is() -> None:
    ring = np.arange(N)

    def program(ranks: Any) -> list[tuple[int, int, int]]:
        D = _spread(ranks, ring, (ring + 1) % N, ring)
        told: list[tuple[int, int, int]] = []
        sb.bfs_many(D, ring, batch=4, progress=None if ranks.rank else lambda *a: told.append(a))
        with pytest.raises(DomainMismatch, match="progress: expected"):
            sb.bfs_many(D, ring, progress="yes" if ranks.rank else None)
        return told

    told, *others = sb.distributed.simulate(2, program)
    assert told == [(4, 10, 40), (8, 10, 80), (10, 10, 100)] and others == [[]]


#: So few vertices, with these edges, that ranks have none, and what is asked of them.
SMALL = {
    "one vertex": (1, [], []),
    "a loop": (1, [0], [0]),
    "an edge": (2, [0], [1]),
    "no edges": (3, [], []),
    "no vertex": (0, [], []),
}
ASKED: dict[str, Any] = {
    "bfs": lambda A: sb.bfs(A, 0).path_to(0).tolist(),
    "many": lambda A: sb.bfs_many(A, range(A.nrows)).eccentricity.tolist(),
    "order": lambda A: sb.bfs(A, 0).order.tolist(),
    "sssp": lambda A: sb.sssp(A, 0).distances.gather().to_dict(),
    "components": lambda A: sb.components(A).gather().to_dense().tolist(),
    "strong components": lambda A: sb.strong_components(A).gather().to_dense().tolist(),
    "closeness": lambda A: sb.closeness(A).tolist(),
    "closeness of a sample": lambda A: sb.closeness(A, samples=2).tolist(),
    "betweenness": lambda A: sb.betweenness(A).gather().to_dense().tolist(),
    "bipartite": lambda A: sb.bipartite(A)[0],
    "diameter": lambda A: sb.diameter_bounds(A),
    "cores": lambda A: sb.core_numbers(A).gather().to_dense().tolist(),
    "forest": lambda A: sb.spanning_forest(A).gather().to_dicts(),
    "the diagonal": lambda A: A.diag().gather().to_dict(),
    "its matrix": lambda A: A.diag().diag().gather().to_dicts(),
    "transpose": lambda A: A.T.new().gather().to_dicts(),
}


def _answer(call: Any, A: sb.Matrix) -> Any:
    try:
        return call(A)
    except (InvalidValue, IndexError) as error:
        return str(error)


@pytest.mark.parametrize("graph", SMALL)
def test_more_ranks_than_vertices(graph: str) -> None:
    n, rows, columns = SMALL[graph]
    A = sb.Matrix.from_coo(rows, columns, True, nrows=n, ncols=n, dtype=bool)
    one = {name: _answer(call, A) for name, call in ASKED.items()}

    def program(ranks: Any) -> None:
        given = (rows, columns) if ranks.rank == 0 else ([], [])
        D = sb.distributed.from_edges(*given, comm=ranks, n=n)
        assert {name: _answer(call, D) for name, call in ASKED.items()} == one

    for size in (1, 2, 5):
        sb.distributed.simulate(size, program)


def test_values_that_are_no_numbers_and_graphs_too_large() -> None:
    def program(ranks: Any) -> None:
        for wrong in ([1j], ["a"], [object()]):
            given = wrong if ranks.rank else [1]
            with pytest.raises(UnknownDtype, match="values: expected numbers"):
                sb.distributed.from_edges([0], [1], given, ranks, n=3)
        with pytest.raises(OutOfMemory, match=r"n: [\d,]+ vertices of 1 rank needs"):
            sb.distributed.from_edges([0], [1], comm=ranks, n=1 << 55)
        narrow, wide = np.array([3], np.int8), np.array([2.5], np.float32)
        mixed = sb.distributed.from_edges(
            [ranks.rank], [2], wide if ranks.rank else narrow, ranks, n=3
        )
        assert mixed.dtype.name == "FP32"
        assert mixed.gather().to_dicts() == {0: {2: 3.0}, 1: {2: 2.5}}

    sb.distributed.simulate(2, program)
