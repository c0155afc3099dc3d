"""Vertices with very many neighbours: sums over long rows, work around a hub, values at rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs import monoid, semiring
from spbfs.exceptions import ConvergenceFailure
from tests.backend.algorithm_cases import ways


def _size(device: str, many: int) -> int:
    """Vertices of a star; the reference adds them one by one."""
    return 300 if device == "reference" else many


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_ranks_of_a_star(dtype: str, device: str) -> None:
    if (device, dtype) == ("reference", "FP32"):
        pytest.skip("the definition adds singles one by one")
    n = _size(device, 100_000)
    A = sb.generate.star(n).to(device)
    hub = (0.15 + 0.85 * 0.15 * (n - 1)) / n / (1 - 0.85**2)
    leaf = (1 - hub) / (n - 1)
    tolerance, most = (1e-6, 3e-6) if dtype == "FP32" else (1e-12, 1e-11)
    for method in ways(device, "pagerank"):
        if (device, dtype, method) == ("cpu", "FP64", "composed"):
            continue  # products add doubles one by one, which is as near as 1e-11
        r = sb.pagerank(A, dtype=dtype, tolerance=tolerance, iterations=300, method=method)
        off = np.abs(r.to("cpu").to_dense().astype(float) - [hub, *[leaf] * (n - 1)]).sum()
        assert off < most, (method, off)


@pytest.mark.parametrize("damping", [0.5, 0.85])
@pytest.mark.parametrize(("dtype", "tolerance"), [("FP32", 1e-12), ("FP64", 1e-20)])
def test_a_tolerance_that_rounding_does_not_allow(
    dtype: str, tolerance: float, damping: float, device: str
) -> None:
    options: dict[str, Any] = {"dtype": dtype, "tolerance": tolerance, "damping": damping}
    for A in (sb.generate.star(30), sb.generate.kronecker(6, seed=2), sb.generate.grid2d(7)):
        for method in ways(device, "pagerank"):
            options |= {"method": method}
            scores = sb.pagerank(A.to(device), **options, iterations=400)
            right = sb.pagerank(A, tolerance=1e-14, damping=damping, iterations=400)
            found = scores.to("cpu").to_dense()
            np.testing.assert_allclose(
                found, right.to_dense(), rtol=1e-3 if dtype == "FP32" else 1e-9
            )
            with pytest.raises(ConvergenceFailure, match="in 3 iterations: the last change is"):
                sb.pagerank(A.to(device), **options, iterations=3)


def test_a_tolerance_that_can_be_had_is_waited_for(device: str) -> None:
    """Be the last change as small as rounding is where damping is near one."""
    A = sb.generate.grid2d(_size(device, 900) // 30, 30).to(device)
    options: dict[str, Any] = {"dtype": "FP32", "tolerance": 1e-6, "damping": 0.99}
    for method in ways(device, "pagerank"):
        with pytest.raises(ConvergenceFailure, match="in 205 iterations: the last change is"):
            sb.pagerank(A, **options, iterations=205, method=method)


def test_no_iterations(device: str) -> None:
    A = sb.generate.path(5).to(device)
    attempts = [
        lambda method=m: sb.pagerank(A, iterations=0, method=method)
        for m in ways(device, "pagerank")
    ]
    for attempt in (*attempts, lambda: sb.eigenvector(A, iterations=0)):
        with pytest.raises(ConvergenceFailure, match="in 0 iterations: expected at least 1"):
            attempt()


def test_eigenvectors_do_not_depend_on_the_unit_of_the_weights(device: str) -> None:
    rows, columns, _ = sb.generate.star(50).to_coo()
    ends: dict[str, Any] = {"tolerance": 1e-11, "iterations": 200}
    right = sb.eigenvector(sb.generate.star(50), **ends).to_dense()
    for weight in (1e-200, 0.01, 1.0, 10.0, 1e200):
        A = sb.Matrix.from_coo(rows, columns, weight, nrows=50, ncols=50).to(device)
        found = sb.eigenvector(A, weighted=True, **ends).to("cpu").to_dense()
        np.testing.assert_allclose(found, right, rtol=1e-9)
    # An edge that outweighs all others, which a mean that counts every edge once would not see.
    weights = np.where((rows == 1) | (columns == 1), 1000.0, 1.0)
    A = sb.Matrix.from_coo(rows, columns, weights, nrows=50, ncols=50).to(device)
    found = sb.eigenvector(A, weighted=True, tolerance=1e-9).to("cpu").to_dense()
    values, vectors = np.linalg.eigh(A.to("cpu").to_dense(0.0))
    np.testing.assert_allclose(found, np.abs(vectors[:, values.argmax()]), atol=1e-6)


@pytest.mark.parametrize("absent", [0, 1000])
def test_long_rows_of_singles_are_summed_in_doubles(absent: int, device: str) -> None:
    """The last of the values is too small for a single to tell it from the sum before it."""
    if device == "reference":
        pytest.skip("the definition adds singles one by one")
    n = 100_000
    values = np.random.default_rng(5).random(n).astype(np.float32) + np.float32(1)
    A = sb.Matrix.from_coo(np.zeros(n, int), np.arange(n), values, nrows=1, ncols=n).to(device)
    here = np.arange(absent, n)
    x = sb.Vector.from_coo(here, np.float32(1), size=n, dtype="FP32").to(device)
    right = values[here].astype(float).sum()
    product = semiring.plus_times["FP32"](A @ x).new().to("cpu").to_dense()
    assert product[0] == pytest.approx(right, rel=3e-6)
    sums = A.reduce_rowwise(monoid.plus["FP32"]).new().to("cpu").to_dense()
    assert sums[0] == pytest.approx(values.astype(float).sum(), rel=3e-6)


def test_work_around_a_hub_is_not_the_square_of_its_edges() -> None:
    """Of masked products on the CPU, which look an entry of a short row up in a long one."""
    n = 20_000
    A = sb.generate.star(n)
    directed = sb.Matrix.from_coo(np.zeros(n - 1, int), np.arange(1, n), True, nrows=n, ncols=n)
    for score in (sb.jaccard, sb.common_neighbours, sb.adamic_adar):
        with sb.trace() as t:
            assert score(A).reduce_scalar("max").new().value == 0
        assert max(r.get("edges", 0) for r in t) < 50 * n
    with sb.trace() as t:
        assert sb.clustering(directed).reduce("max").new().value == 0
    assert max(r.get("edges", 0) for r in t) < 50 * n


def test_short_rows_are_looked_up_in_long_ones(device: str) -> None:
    """By every kind of sum: counted, of both values, the first that there is."""
    rng = np.random.default_rng(8)
    n = _size(device, 5000)
    hub = rng.choice(n, n // 2, replace=False)
    rows = np.concatenate((np.zeros(hub.shape[0], int), rng.integers(1, n, 2 * n)))
    columns = np.concatenate((hub, rng.integers(0, n, 2 * n)))
    values = rng.integers(1, 9, rows.shape[0])
    A = sb.Matrix.from_coo(rows, columns, values, nrows=n, ncols=n, dup_op="max").to(device)
    mask = sb.Matrix.from_coo(np.arange(1, n), np.zeros(n - 1, int), True, nrows=n, ncols=n).to(
        device
    )
    S = A.to("cpu").to_scipy().astype(np.int64)
    P = S.copy()
    P.data[:] = 1
    for name, right in (("plus_pair", P @ P[[0]].T), ("plus_times", S @ S[[0]].T)):
        found = getattr(semiring, name)["INT64"](A @ A.T).new(mask=mask.S).to("cpu")
        dense = right.toarray()[1:, 0]
        rows, columns, values = found.to_coo()
        np.testing.assert_array_equal(rows, np.flatnonzero(dense) + 1)
        np.testing.assert_array_equal(values, dense[dense > 0])
    least = semiring.any_secondi["INT64"](A @ A.T).new(mask=mask.S).to("cpu")
    rows, _, inner = least.to_coo()
    assert rows.shape[0] == np.count_nonzero(dense)
    assert all(
        P[[r], [k]][0] and P[[0], [k]][0] for r, k in zip(rows[:50], inner[:50], strict=True)
    )
