"""Ranks that do not do the same have a typed error each, and none waits for ever."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
from rank_graphs import CASES, spread

import spbfs as sb
from spbfs.distributed.exchange.agreement import key_of
from spbfs.distributed.exchange.ranks import everyones, sums
from spbfs.exceptions import (
    DimensionMismatch,
    InvalidValue,
    NotImplementedException,
    RankFailed,
    UnknownLabel,
)

#: Calls whose arguments are another one's at every rank, and the argument that is named.
DIFFERENT: dict[str, tuple[Any, str]] = {
    "source": (lambda D, r: sb.bfs(D, r), "source"),
    "sources": (lambda D, r: sb.bfs(D, [0, r]), "source"),
    "a source that is none": (lambda D, r: sb.bfs(D, 0 if r else 1 << 40), "source"),
    "a plan": (lambda D, r: sb.BFSPlan(D).run(99999 if r else 1), "source"),
    "direction": (lambda D, r: sb.bfs(D, 0, direction="push" if r else "pull"), "direction"),
    "an argument that a rank leaves out": (
        lambda D, r: sb.bfs(D, 0, **({"target": 3} if r else {})),
        "target",
    ),
    "the graph": (lambda D, r: sb.bfs(D.T if r else D, 0), "A"),
    "its entries": (lambda D, r: sb.pagerank(D.select("tril", 0).new() if r else D), "A"),
    "its type": (lambda D, r: _typed(D, r), "A"),
    "the algorithm": (lambda D, r: (sb.pagerank if r else sb.components)(D), "the function"),
    "an array": (lambda D, r: sb.bfs_many(D, np.arange(500) % (3 + r)), "sources"),
    "a table": (lambda D, r: sb.pagerank(D, personalization={r: 1.0}), "personalization"),
    "a type of numbers": (lambda D, r: sb.pagerank(D, damping="x" if r else 0.5), "damping"),
}


def _typed(D: sb.Matrix, rank: int) -> Any:
    both = D.apply(sb.unary.one["INT64"]).new(), D.apply(sb.unary.one["FP32"]).new()
    return sb.pagerank(both[rank])


@pytest.mark.parametrize("name", DIFFERENT)
def test_arguments_that_differ_are_refused_at_every_rank(name: str) -> None:
    call, argument = DIFFERENT[name]
    n, edges = CASES["random 1"]

    def program(ranks: Any) -> list[str]:
        D = spread(ranks, n, edges)
        if name == "its entries":  # made by all, used by one
            lower = D.select("tril", 0).new()
            with pytest.raises(InvalidValue, match="A: expected the same") as raised:
                sb.pagerank(lower if ranks.rank else D)
        else:
            with pytest.raises(InvalidValue, match=f"{argument}: expected the same") as raised:
                call(D, ranks.rank)
        assert sb.bfs(D, 0).reached == sb.bfs(D, [0]).reached  # the job goes on
        return [str(raised.value)]

    first, second = sb.distributed.simulate(2, program)
    assert first == second and "at rank 0" in first[0] and "at rank 1" in first[0]


def test_a_call_that_is_refused_or_has_ended_is_no_longer_where_ranks_are() -> None:
    def program(ranks: Any) -> list[str]:
        D = spread(ranks, 3, [(0, 1), (1, 2)])
        levels, seen = sb.bfs(D, 0).levels, [ranks.call]
        assert levels.nvals == 3
        seen.append(ranks.call)
        with pytest.raises(InvalidValue, match="damping"):
            sb.pagerank(D, damping=0.5 + ranks.rank / 4)
        return [*seen, ranks.call]

    assert sb.distributed.simulate(2, program) == [["bfs"] * 3] * 2


def test_another_graph_of_the_same_size_is_another_argument() -> None:
    def program(ranks: Any) -> None:
        ways = [
            spread(ranks, 4, [(0, 1), (1, 2), (2, 3)]),
            spread(ranks, 4, [(0, 3), (3, 1), (2, 0)]),
        ]
        mine = ways[ranks.rank]
        vectors = [sb.Vector.from_coo([1], [1.0], size=4, device=D.device) for D in ways]
        for call in (lambda: sb.bfs(mine, 0), lambda: sb.bfs_many(mine, [0, 1])):
            with pytest.raises(InvalidValue, match=r"A: .* at rank 0 and another one at rank 1"):
                call()
        with pytest.raises(InvalidValue, match="personalization: expected the same"):
            sb.pagerank(ways[0], personalization=vectors[ranks.rank])
        assert [sb.bfs(D, 0).depth for D in ways] == [3, 2]

    sb.distributed.simulate(2, program)


def test_arguments_that_mean_the_same_are_the_same() -> None:
    n, edges = CASES["random 1"]
    ways: list[Any] = [[1, 2], np.array([1, 2], np.int16), (1, np.int64(2)), range(1, 3)]
    assert len({repr(key_of(way)) for way in [*ways, np.array([1, 2], np.uint64)]}) == 1
    reals: list[Any] = [[0.5, 2.0], np.array([0.5, 2], np.float32)]
    assert len({repr(key_of(way)) for way in reals}) == 1
    assert key_of(np.array([2**64 - 1], np.uint64)) != key_of(np.array([-1]))

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        whole = sb.Vector.from_coo([1], [1.0], size=n)
        for options in ({"progress": ranks.rank == 0}, {"threads": 1 + ranks.rank}):
            sb.bfs_many(D, iter(ways[ranks.rank]), **options)
        assert sb.bfs(D, 1, **({} if ranks.rank else {"target": None})).depth >= 0
        with pytest.raises(InvalidValue, match="personalization: expected the same"):
            sb.pagerank(D, personalization=whole if ranks.rank else whole.apply("ainv").new())

    sb.distributed.simulate(3, program)


def test_values_by_name() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    n, edges = CASES["random 1"]
    names = [f"v{k}" for k in range(n)]

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        D.labels = names
        begun = pandas.Series({"v1": 1.0, "v2": 2.0})
        one = sb.pagerank(D.gather(), personalization=begun.to_dict())
        assert sb.pagerank(D, personalization=begun).gather().isclose(one)
        with pytest.raises(InvalidValue, match="personalization: expected the same"):
            sb.pagerank(D, personalization=begun.rename({"v2": f"v{2 + ranks.rank}"}))

    sb.distributed.simulate(2, program)


def test_a_name_that_one_rank_does_not_know() -> None:
    def program(ranks: Any) -> None:
        D = spread(ranks, 3, [(0, 1), (1, 2)])
        D.labels = ["ann", "bob", "eve"]
        with pytest.raises(InvalidValue, match="source: expected the same"):
            sb.bfs(D, "tom" if ranks.rank else "ann")
        with pytest.raises(UnknownLabel):
            sb.bfs(D, "tom")

    sb.distributed.simulate(2, program)


def test_what_an_algorithm_does_not_do_over_ranks_is_said_by_its_name() -> None:
    n, edges = CASES["random 1"]

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        with pytest.raises(NotImplementedException, match=r"^triangles: .* triangles\(A.gather\("):
            sb.triangles(D)
        assert sb.triangles(D.gather()).nvals == n

    sb.distributed.simulate(2, program)


def test_ranks_that_call_different_things_and_one_that_ends() -> None:
    def differently(ranks: Any) -> None:
        sums(ranks, 1) if ranks.rank else everyones(ranks, 1)

    with pytest.raises(RankFailed, match="rank 0 is at an exchange, rank 1 at the sum of 1"):
        sb.distributed.simulate(2, differently)
    with pytest.raises(RankFailed, match="rank 1 has ended, and others wait for it"):
        sb.distributed.simulate(3, lambda ranks: None if ranks.rank == 1 else sums(ranks, 1))


@pytest.mark.filterwarnings("error")
def test_an_interruption_ends_all() -> None:
    ended: list[str] = []

    def program(ranks: Any) -> None:
        try:
            while True:
                sums(ranks, 1)
                time.sleep(0.001)
        except RankFailed as error:
            ended.append(str(error))
            raise

    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        sb.distributed.simulate(3, program)
    deadline = time.monotonic() + 10
    while len(ended) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert ended == ["the program was interrupted"] * 3


def test_an_interruption_before_all_have_begun_ends_those_that_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else they would wait for the others for ever, and the program with them as it ends."""
    ended: list[str] = []
    start, begun = threading.Thread.start, []

    def interrupted(thread: threading.Thread) -> None:
        if len(begun) == 2:
            raise KeyboardInterrupt
        begun.append(thread)
        start(thread)

    def program(ranks: Any) -> None:
        try:
            sums(ranks, 1)
        except RankFailed as error:
            ended.append(str(error))
            raise

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sb.distributed.simulate(3, program)
    for thread in begun:
        thread.join(10)
    assert ended == ["the program was interrupted"] * 2


def _with(statement: Any) -> Any:
    return lambda D, x: statement(D, x).new()


#: Statements of which ranks make one or the other, and what is said of them.
STATEMENTS: dict[str, tuple[Any, Any, str]] = {
    "the transpose": (
        lambda D, x: sb.semiring.plus_second(D @ x).new(),
        lambda D, x: sb.semiring.plus_second(D.T @ x).new(),
        "rank 0 is at mxv plus_second .*, rank 1 at mxv plus_second transposed",
    ),
    "the side": (
        lambda D, x: sb.semiring.plus_second(x @ D).new(),
        lambda D, x: sb.semiring.plus_second(D.T @ x).new(),
        "mxv plus_second transposed vector_first",
    ),
    "the mask": (
        lambda D, x: sb.semiring.plus_second(D @ x).new(mask=x.S),
        lambda D, x: sb.semiring.plus_second(D @ x).new(mask=~x.V),
        "under a structural mask .* under a complemented mask",
    ),
    "a number": (
        _with(lambda D, x: D.select("tril", 1)),
        _with(lambda D, x: D.select("tril", 2)),
        "select tril thunk=1 .* select tril thunk=2",
    ),
    "the operator": (
        _with(lambda D, x: D.apply("lnot")),
        _with(lambda D, x: D.apply("identity")),
        "apply lnot .* apply identity",
    ),
    "the operation": (
        _with(lambda D, x: D.ewise_add(D, "lor")),
        _with(lambda D, x: D.ewise_mult(D, "lor")),
        "ewise_add lor .* ewise_mult lor",
    ),
    "the type": (
        lambda D, x: D.dup("INT64"),
        lambda D, x: D.dup("INT8"),
        "cast INT64 .* cast INT8",
    ),
    "a transpose and a diagonal": (
        _with(lambda D, x: D.T),
        lambda D, x: D.diag(),
        "rank 0 is at transposed .*, rank 1 at diag_vector",
    ),
    "a diagonal and a sum": (
        lambda D, x: x.diag(),
        _with(lambda D, x: x.reduce("plus")),
        "diag_matrix k=0 .* reduce plus",
    ),
    "a function of a user's": (
        _with(lambda D, x: x.apply(sb.unary.register_anonymous(lambda v: v + 1, "more"))),
        _with(lambda D, x: x.apply(sb.unary.register_anonymous(lambda v: v - 1, "less"))),
        "a function in more .* a function in less",
    ),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements_that_differ_are_named(name: str) -> None:
    """What ranks would send one another fits, and would be mixed up."""
    one, other, said = STATEMENTS[name]

    def program(ranks: Any) -> None:
        some = np.arange(ranks.rank, 20, 2)
        D = sb.distributed.from_edges(some, some * 7 % 20, comm=ranks, n=20)
        x = sb.Vector.from_coo(range(5), range(1, 6), size=20).to(D.device)
        (other if ranks.rank else one)(D, x)
        sb.bfs(D, 0)

    with pytest.raises(RankFailed, match=f"^ranks do not make the same calls: .*{said}"):
        sb.distributed.simulate(2, program)


#: Objects that are brought to ranks, of a number that each of them has.
GIVEN: dict[str, tuple[Any, str]] = {
    "indices": (lambda at, r: sb.Vector.from_coo([r], [1], size=4, device=at), "indices"),
    "values": (lambda at, r: sb.Vector.from_coo([0], [r], size=4).to(at), "values"),
    "their types": (
        lambda at, r: sb.Vector.from_coo([0], [1], ["FP64", "INT8"][r], size=4, device=at),
        "values",
    ),
    "how many": (lambda at, r: sb.Vector.from_coo(range(1 + r), 1, size=4).to(at), "indices"),
    "none at a rank": (
        lambda at, r: sb.Vector.from_coo([0] * r, 1.0, size=4).to(at),
        "indices",
    ),
    "their sizes": (lambda at, r: sb.Vector(int, 5 - r).to(at), "the shape"),
    "what is built": (lambda at, r: sb.Vector(int, 4, device=at).build([r], [1]), "indices"),
    "all elements": (lambda at, r: sb.Vector.from_dense([1, 2, 3, r]).to(at), "values"),
    "rows": (lambda at, r: sb.Matrix.from_coo([r], [1], 1, nrows=4, ncols=4).to(at), "rows"),
    "values of a matrix": (
        lambda at, r: sb.Matrix.from_coo([1, 2], [1, 2], [3, r], nrows=4, ncols=4, device=at),
        "values",
    ),
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_brought_to_ranks_is_the_same_at_all(name: str) -> None:
    """Each would keep its own of another object, and lose the rest."""
    make, argument = GIVEN[name]

    def program(ranks: Any) -> None:
        D = spread(ranks, 4, [(0, 1), (1, 2)])
        with pytest.raises(InvalidValue, match=f"^{argument}: expected the same at every rank"):
            make(D.device, ranks.rank)
        make(D.device, 1)
        assert sb.bfs(D, 0).reached == 3  # the ranks are still together

    sb.distributed.simulate(2, program)


def test_empty_vectors_are_brought_with_others_and_made_alone() -> None:
    """One that is passed over would have the next one's entries at the ranks that wait."""
    some, none = sb.Vector.from_coo(range(4), 2.0), sb.Vector(float, 4)

    def program(ranks: Any) -> None:
        D = spread(ranks, 4, [(0, 1), (1, 2)])
        first, second = (none, some) if ranks.rank else (some, none)
        for x in (first, second):
            with pytest.raises(InvalidValue, match=r"^indices: expected the same at every rank"):
                x.to(D.device)
        if ranks.rank:  # to make one, nobody waits for another
            assert sb.Vector(float, 4, device=D.device).local.nvals == 0
            with pytest.raises(DimensionMismatch, match="have 4 elements"):
                sb.Vector(float, 5, device=D.device)

    sb.distributed.simulate(2, program)


def test_ranks_set_and_read_elements_alone() -> None:
    def program(ranks: Any) -> Any:
        D = spread(ranks, 4, [(0, 1), (1, 2)])
        q, empty = sb.Vector(int, 4, device=D.device), sb.Vector(bool, 4)
        assert empty.to(D.device).nvals == sb.Matrix(bool, 4, 4).to(D.device).nvals == 0
        q[1] = 5
        if ranks.rank:
            assert len(q.local.to_dict()) < 2
        del q[1]
        q[2] = 6
        return q.gather().to_dict()

    assert sb.distributed.simulate(3, program) == [{2: 6}] * 3


def test_an_operand_comes_to_ranks_in_a_statement() -> None:
    """Ranks that are threads wait for one another in it, and hold nothing that others need."""

    def program(ranks: Any) -> Any:
        D = spread(ranks, 4, [(0, 1), (1, 2)], directed=False)
        q = sb.Vector(bool, 4)
        q[0] = True
        other = sb.Matrix(bool, 4, 4)
        other[0, 1] = other[2, 3] = True
        assert D.ewise_add(other, "lor").new().nvals == 5
        return sb.semiring.any_pair(q @ D).new().gather().to_dict()

    assert sb.distributed.simulate(3, program) == [{1: 1}] * 3
