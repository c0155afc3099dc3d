"""Rounds that are a function end as rounds of a loop do, whether or not one is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix, Vector, binary, replace, semiring
from spbfs.exceptions import ConvergenceFailure, DomainMismatch, InvalidCall, InvalidValue
from tests.backend.algorithm_cases import DIRECTED, on, pattern, weighted

NAMES = ["path-forward", "two-cycles-one-way", "disconnected", "random-sparse", "single"]
#: A program made of a matrix: a round as a function, its state, and what `loop` is given.
Program = tuple[Callable[[], None], tuple[Any, ...], dict[str, Any]]


def bellman_ford(A: Matrix) -> Program:
    d = Vector.from_coo([0], [0.0], size=A.nrows, device=A.device)

    def body() -> None:
        d(binary.min) << semiring.min_plus(d @ A)

    return body, (d,), {}


def labels(A: Matrix) -> Program:
    x = Vector.from_dense(np.arange(A.nrows), device=A.device)

    def body() -> None:
        x(binary.min) << semiring.min_first(x @ A)
        x(binary.min) << semiring.min_second(A @ x)

    return body, (x,), {}


def walk(A: Matrix) -> Program:
    n = A.nrows
    out = A.reduce_rowwise("count").new(float)
    x = Vector.from_scalar(1 / n, n, device=A.device)

    def body() -> None:
        share = (x / out).new()
        x << 0.15 / n
        x(binary.plus) << semiring.plus_first(0.85 * share @ A)

    return body, (x,), {"tolerance": 1e-8, "most": 300}


def reached(A: Matrix) -> Program:
    """A search that counts no levels, of two vectors that change together."""
    q = Vector.from_coo([0], True, size=A.nrows, device=A.device)
    found = Vector.from_coo([0], 1, size=A.nrows, dtype=int, device=A.device)

    def body() -> None:
        q(~found.S, replace) << semiring.any_pair(q @ A)
        found(q.S) << 1

    return body, (q, found), {}


def two_numbers(A: Matrix) -> Program:
    """Each vector is computed from both; they change places, and come to rest."""
    x = Vector.from_dense(np.linspace(0, 1, A.nrows), device=A.device)
    y = Vector.from_dense(np.linspace(1, 3, A.nrows), device=A.device)

    def body() -> None:
        before = x.dup()
        x << (y * 0.5).new()
        y << (before * 0.5).new()

    return body, (x, y), {"until": lambda: float(x.reduce("max").new().value) < 1e-3}


PROGRAMS = [bellman_ford, labels, walk, reached, two_numbers]


def plain(program: Program) -> sb.Loop:
    body, state, how = program
    rounds = sb.loop(*state, **how)
    for _ in rounds:
        body()
    return rounds


def repeated(program: Program) -> sb.Loop:
    body, state, how = program
    return sb.repeat(body, *state, **how)


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_a_loop(device: str, program: Callable[[Matrix], Program]) -> None:
    for name in NAMES:
        A = on(weighted(pattern(DIRECTED[name]), np.float64, 1.0, 9.0), device)
        one, other = program(A), program(A)
        expected, found = plain(one), repeated(other)
        for x, y in zip(one[1], other[1], strict=True):
            assert x.isclose(y, rel_tol=1e-12), name
        assert found.rounds == expected.rounds
        assert not found.refusal
        # The first is run as written, and one is rehearsed, or two where the first changes forms.
        if device == "cuda" and found.rounds > 5:
            assert found.launched >= found.rounds - 4
        if device != "cuda":
            assert found.launched == 0


@pytest.fixture
def path(device: str) -> Matrix:
    return sb.generate.path(40).to(device)


def test_what_waits_is_not_recorded(path: Matrix, device: str) -> None:
    body, (x,), how = labels(path)
    seen = []

    def waits() -> None:
        body()
        seen.append(x.reduce("max").new().value)

    rounds = sb.repeat(waits, x, **how)
    assert x.to_dense().tolist() == [0] * 40
    assert rounds.launched == 0
    assert "waits" in rounds.refusal or device != "cuda"
    assert seen[-1] == 0


def test_numbers_that_change_are_not_recorded(path: Matrix, device: str) -> None:
    q = Vector.from_coo([0], True, size=40, device=device)
    levels, depth = Vector(int, 40, device=device), 0

    def body() -> None:
        nonlocal depth
        levels(q.S) << depth
        q(~levels.S, replace) << semiring.any_pair(q @ path)
        depth += 1

    rounds = sb.repeat(body, q, levels)
    assert levels.to_dense().tolist() == list(range(40))
    assert "launch" in rounds.refusal or device != "cuda"


def test_zeros_of_either_sign_are_different_numbers(device: str) -> None:
    x, signs = Vector.from_dense(np.ones(40), device=device), []

    def body() -> None:
        signs.append(0.0 if len(signs) % 2 else -0.0)
        x << x.apply(binary.copysign, right=signs[-1])

    with pytest.raises(ConvergenceFailure):
        sb.repeat(body, x, most=12)
    assert len(signs) == 12  # called for every round
    assert x.to_dense().tolist() == [1.0] * 40


def test_what_is_not_of_the_state_is_not_recorded(path: Matrix, device: str) -> None:
    count = Vector.from_scalar(0, 40, dtype=int, device=device)
    body, (x,), _ = labels(path)

    def counts() -> None:
        body()
        count(binary.plus) << 1

    rounds = sb.repeat(counts, x)
    assert count.to_dense().tolist() == [rounds.rounds] * 40
    assert "state" in rounds.refusal or device != "cuda"


def test_what_is_kept_is_not_recorded(path: Matrix, device: str) -> None:
    kept = []
    body, (x,), _ = labels(path)

    def keeps() -> None:
        kept.append(x.dup())
        body()

    rounds = sb.repeat(keeps, x)
    assert [k.to_dense().sum() for k in kept[:2]] == [780, 703]
    assert len(kept) == rounds.rounds
    assert "keeps" in rounds.refusal or device != "cuda"


def test_what_lies_in_a_circle_is_kept_by_nobody(path: Matrix, device: str) -> None:
    x = Vector.from_coo([0], [0.0], size=path.nrows, device=device)

    def circles() -> None:
        made: list[Any] = [semiring.min_plus(x @ path).new()]
        made.append(made)
        x(binary.min) << made[0]

    rounds = sb.repeat(circles, x)
    assert rounds.launched > 0 or device != "cuda", rounds.refusal
    assert x.isequal(sb.sssp(path, 0).distances.apply("identity").new(float))


@pytest.mark.parametrize("at", range(7))
def test_errors_of_a_round(path: Matrix, device: str, at: int) -> None:
    """They are raised as they are, and what was made so far stays."""
    body, (x,), _ = labels(path)
    expected, calls = x.dup(), 0

    def fails() -> None:
        nonlocal calls
        if calls == at:
            raise ZeroDivisionError
        calls += 1
        body()

    # Recorded rounds call nobody, and come to their end.
    if device == "cuda" and at > 3:
        assert sb.repeat(fails, x).rounds > at
        return
    with pytest.raises(ZeroDivisionError):
        sb.repeat(fails, x)
    again, (expected,), _ = labels(path)
    for _ in range(at):
        again()
    assert x.isequal(expected)


def test_ends(path: Matrix) -> None:
    body, (x,), _ = labels(path)
    with pytest.raises(ConvergenceFailure) as failed:
        sb.repeat(body, x, most=12)
    assert failed.value.iterations == 12
    # In both directions a label goes two vertices a round.
    assert x.to_dense()[:26].tolist() == [0] * 25 + [1]
    rounds = sb.repeat(body, x, until=lambda: x.reduce("max").new().value == 0, every=3)
    assert rounds.rounds % 3 == 0


def test_state_given_other_arrays_meanwhile(path: Matrix) -> None:
    """A look may change the state: what is recorded is of arrays that it no longer has."""
    body, (x,), _ = labels(path)
    looks = []

    def until() -> bool:
        looks.append(x.to_dense())
        if len(looks) == 9:
            x << Vector.from_dense(np.arange(40), device=x.device)
        return len(looks) == 20

    sb.repeat(body, x, until=until, every=1)
    assert (looks[8] < looks[0]).any()
    again, (y,), _ = labels(path)
    for _ in range(11):
        again()
    assert y.to_dense().tolist() == looks[19].tolist()


def test_trace_says_how(path: Matrix, device: str) -> None:
    body, (x,), _ = labels(path)
    with sb.trace() as made:
        rounds = sb.repeat(body, x)
    how = [r.get("kernel") for r in made if r["operation"].startswith("round ")]
    assert len(how) == rounds.rounds
    assert how.count("recorded") == rounds.launched


def test_matrices_and_mixed_state(device: str) -> None:
    C = Matrix.from_coo([0, 1, 2], [1, 2, 3], True, nrows=4, ncols=4, device=device)

    def body() -> None:
        C(binary.any) << semiring.any_pair(C @ C)

    rounds = sb.repeat(body, C)
    assert (C.nvals, rounds.launched) == (6, 0)


def test_mistakes() -> None:
    x = Vector(float, 3)
    for body in (x, 3):
        with pytest.raises(DomainMismatch, match="body"):
            sb.repeat(body)  # type: ignore[arg-type]
    with pytest.raises(InvalidCall, match="state, until"):
        sb.repeat(lambda: None)
    with pytest.raises(InvalidValue, match="most"):
        sb.repeat(lambda: None, x, most=-1)
