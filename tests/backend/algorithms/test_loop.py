"""Loops of one's own end where nothing changes, whichever rounds are looked at."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import bellman_ford, connected_components

import spbfs as sb
from spbfs import Vector, binary, replace, semiring
from spbfs.algorithms.state import Watch
from spbfs.exceptions import ConvergenceFailure, DomainMismatch, InvalidCall, InvalidValue
from spbfs.planner.loops import MOST_BETWEEN_LOOKS, rounds_to_look
from tests.backend.algorithm_cases import DIRECTED, on, pattern, weighted
from tests.graphs import bfs_levels

NAMES = ["path-forward", "two-cycles-one-way", "disconnected", "random-sparse", "single"]


@pytest.fixture(params=["auto", 1, 3])
def every(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_bellman_ford(device: str, every: Any) -> None:
    for name in NAMES:
        S = weighted(pattern(DIRECTED[name]), np.float64, 1.0, 9.0)
        A, d = on(S, device), Vector.from_coo([0], [0.0], size=S.shape[0], device=device)
        for _ in sb.loop(d, every=every):
            d(binary.min) << semiring.min_plus(d @ A)
        found = d.to("cpu").to_dense(np.inf)
        np.testing.assert_allclose(found, bellman_ford(S, indices=0), err_msg=name)
    cycle = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, -3.0, 1.0], device=device)
    d = Vector.from_coo([0], [0.0], size=3, device=device)
    with pytest.raises(ConvergenceFailure, match="3 iterations: the last still changed") as failed:
        for _ in sb.loop(d, most=3, every=every):
            d(binary.min) << semiring.min_plus(d @ cycle)
    assert (failed.value.iterations, failed.value.change) == (3, None)


def test_labels(device: str, every: Any) -> None:
    for name in NAMES:
        S = pattern(DIRECTED[name], symmetric=True)
        A, n = on(S, device), S.shape[0]
        labels = Vector.from_dense(np.arange(n), device=device)
        rounds = sb.loop(labels, every=every, most=n + 3)
        for _ in rounds:
            labels(binary.min) << semiring.min_first(labels @ A)
        _, parts = connected_components(S)
        least = np.full(n, n)
        np.minimum.at(least, parts, np.arange(n))
        np.testing.assert_array_equal(labels.to("cpu").to_dense(), least[parts])
        if every == 3:
            assert rounds.rounds % 3 == 0 or rounds.rounds == n + 3


def test_search_ends_by_its_own_condition(device: str, every: Any) -> None:
    for name in NAMES:
        graph = DIRECTED[name]
        A = on(pattern(graph), device)
        q, levels = Vector.from_coo([0], True, size=A.nrows, device=device), Vector(int, A.nrows)
        for depth in sb.loop(q, until=lambda q=q: q.nvals == 0, every=every):
            levels(q.S) << depth
            q(~levels.S, replace) << semiring.any_pair(q @ A)
        assert levels.to("cpu").to_dense(-1).tolist() == bfs_levels(graph, [0])


def test_tolerance(device: str, every: Any) -> None:
    """Halving: a round changes as much as is left, relative to what there is."""
    x = Vector.from_dense(np.ones(5), device=device)
    y = Vector.from_coo([1], [2.0], size=5, device=device)
    rounds = sb.loop(x, y, tolerance=1e-3, every=every)
    for _ in rounds:
        x << x.apply(binary.times, right=0.5)
        x << x.apply(binary.plus, right=1.0)
        y << y.apply(binary.times, right=1.0)
    k = rounds.rounds
    assert rounds.change == pytest.approx(5 * 2.0**-k / (5 * (2 - 2.0**-k) + 2))
    assert rounds.change <= 1e-3
    assert k >= 9 and (every != 1 or k == 9)
    left = [8.0]
    rounds = sb.loop(until=lambda: left[0], tolerance=0.5, every=every)
    for _ in rounds:
        left[0] /= 2
    assert rounds.change == left[0] <= 0.5
    with pytest.raises(ConvergenceFailure, match="nan"):
        for _ in sb.loop(x, tolerance=1e-3, every=every):
            x << x.apply(binary.times, right=float("nan"))


def test_what_overflows_has_not_converged(device: str, every: Any) -> None:
    """Any change over an infinite sum would be none."""
    x = Vector.from_dense(np.ones(2), device=device)
    with pytest.raises(ConvergenceFailure, match="nan"):
        for _ in sb.loop(x, tolerance=1e-6, most=1500, every=every):
            x << x.apply(binary.times, right=2.0)


@pytest.mark.parametrize("where", ["reference", "cpu"])
def test_katz_beyond_the_largest_eigenvalue_overflows(where: str) -> None:
    with pytest.raises(ConvergenceFailure, match="nan"):
        sb.katz(sb.generate.grid2d(4).to(where), alpha=1)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.uint64, np.float32, float])
def test_what_a_round_changes(device: str, dtype: Any) -> None:
    """Entries, values and how much of them, whatever the forms."""
    rng = np.random.default_rng(5)
    dense = rng.integers(0, 2 if dtype is bool else 100, (2, 700)).astype(dtype)
    stored = rng.random((3, 700)) < [[0.5], [0.01], [1.0]]

    def vector(values: Any, present: Any) -> Vector:
        at = np.flatnonzero(present)
        return Vector.from_coo(at, values[at], size=700, dtype=dtype, device=device)

    v = vector(dense[0], stored[0])
    watch = Watch((v,))
    for have, had in [(0, 0), (0, 1), (1, 0), (2, 0), (2, 2), (1, 1)]:
        for now in range(2):
            v << vector(dense[0], stored[had])
            watch.keep()
            v << vector(dense[now], stored[have])
            assert watch.is_same() is ((now, have) == (0, had))
            after = np.where(stored[have], dense[now], 0).astype(float)
            before = np.where(stored[had], dense[0], 0).astype(float)
            expected = np.abs(after - before).sum() / np.abs(after).sum()
            assert watch.share_changed() == pytest.approx(expected)
    v << 1
    watch.keep()
    assert watch.is_same()
    v << vector(dense[0], stored[2])
    assert not watch.is_same()
    if np.dtype(dtype).kind == "f":
        v << np.nan
        watch.keep()
        assert not watch.is_same()
        assert np.isnan(watch.share_changed())


def test_rounds_may_be_few(device: str) -> None:
    x = Vector.from_dense(np.ones(3), device=device)
    seen = []
    for step in islice(sb.loop(x), 4):
        x << x.apply(binary.times, right=2.0)
        seen.append(step)
    assert seen == [0, 1, 2, 3]
    with pytest.raises(ConvergenceFailure) as failed:
        list(sb.loop(x, most=0))
    assert failed.value.iterations == 0
    for rounds in sb.loop(x, tolerance=0.5):
        x.resize(4 + min(rounds, 4))
    assert x.size == 8
    C = sb.Matrix.from_coo([0, 1, 2], [1, 2, 3], True, nrows=4, ncols=4, device=device)
    for _ in sb.loop(C):
        C(binary.any) << semiring.any_pair(C @ C)
    assert C.nvals == 6


def test_rounds_looked_at_on_a_gpu() -> None:
    """No more rounds behind the end than before it, or than `MOST_BETWEEN_LOOKS`."""
    done, looks = 0, []
    while done < 100:
        done += rounds_to_look(done, "cuda")
        looks.append(done)
    assert looks[:7] == [1, 2, 4, 8, 16, 24, 32]
    for before, after in zip([0, *looks], looks, strict=False):
        assert after - before <= min(max(before, 1), MOST_BETWEEN_LOOKS)


def test_mistakes() -> None:
    x = Vector(float, 3)
    with pytest.raises(InvalidCall, match="state, until"):
        sb.loop()
    with pytest.raises(DomainMismatch, match="state"):
        sb.loop([1, 2])  # type: ignore[arg-type]
    with pytest.raises(DomainMismatch, match="until"):
        sb.loop(until=3)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="every"):
        sb.loop(x, every=0)
    with pytest.raises(DomainMismatch, match="every"):
        sb.loop(x, every="often")  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="most"):
        sb.loop(x, most=-1)
    with pytest.raises(InvalidValue, match="tolerance"):
        sb.loop(x, tolerance=-1.0)
