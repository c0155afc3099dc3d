"""Ranks equal NetworkX's and the definitions in NumPy, on every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.exceptions import (
    ConvergenceFailure,
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
    VerificationError,
)
from tests.backend.algorithm_cases import DIRECTED, on, pattern, ways, weighted

CLOSE: dict[str, Any] = {"rtol": 1e-6, "atol": 1e-9}
ENDS: dict[str, Any] = {"tolerance": 1e-8, "iterations": 1000}


@pytest.fixture(scope="module")
def everything(device: str) -> sp.csr_array:
    """The graphs of the table, each beside the undirected one, as parts of one graph."""
    most = 10 if device == "reference" else 70
    graphs = [g for g in DIRECTED.values() if 0 < g.nrows <= most]
    parts = [pattern(g, symmetric=symmetric) for g in graphs for symmetric in (False, True)]
    return sp.csr_array(sp.block_diag(parts, format="csr"))


def rank_of(
    S: sp.csr_array, t: np.ndarray | None = None, damping: float = 0.85, start: Any = None
) -> np.ndarray:
    """PageRank as the solution of its equation, what is stuck begins anew."""
    n = S.shape[0]
    t = np.full(n, 1 / n) if t is None else t / t.sum()
    P = S.toarray().astype(float)
    out = P.sum(axis=1)
    P = np.where(out[:, None] > 0, P / np.where(out > 0, out, 1)[:, None], t)
    return np.linalg.solve(np.eye(n) - damping * P.T, (1 - damping) * t)


def test_pagerank_is_verified(device: str) -> None:
    rng = np.random.default_rng(3)
    for name in ("star-out", "random", "empty-0"):
        S = weighted(pattern(DIRECTED[name]), np.float64, 0.0, 2.0)
        A, n = on(S, device), S.shape[0]
        for dtype in ("FP32", "FP64"):
            sb.verify.pagerank(A, sb.pagerank(A, dtype=dtype))
        options: Any = {"weighted": True, "damping": 0.5, "personalization": rng.random(n)}
        right = host(sb.pagerank(A, **options)) if n else np.zeros(0)
        sb.verify.pagerank(A, right, **options)
        if not n:
            continue
        wrong = right.copy()
        wrong[[0, n - 1]] += [1e-5, -1e-5]
        with pytest.raises(VerificationError, match="scores: a step changes them by"):
            sb.verify.pagerank(A, wrong, **options)
        with pytest.raises(VerificationError, match="scores: their sum is"):
            sb.verify.pagerank(A, 2 * right, **options)
        wrong[3] = np.nan
        with pytest.raises(VerificationError, match="scores: vertex 3 has nan"):
            sb.verify.pagerank(A, wrong, **options)
        with pytest.raises(DimensionMismatch, match="scores"):
            sb.verify.pagerank(A, right[1:])


def host(x: sb.Vector) -> np.ndarray:
    assert x.nvals == x.size
    return np.asarray(x.to("cpu").to_dense())


def test_pagerank(everything: sp.csr_array, device: str) -> None:
    """Of all graphs as one, and of every graph by itself where a round takes no time."""
    S, n = everything, everything.shape[0]
    t = np.random.default_rng(5).integers(0, 3, n)
    W = weighted(S, np.float64, 0.0, 2.0)
    cases: list[tuple[Any, dict[str, Any], np.ndarray]] = [
        (S, {}, rank_of(S)),
        (S, {"personalization": t, "damping": 0.4}, rank_of(S, t, 0.4)),
        (W, {"weighted": True, "damping": 0.5}, rank_of(W, damping=0.5)),
    ]
    for method in ("composed", "auto"):
        for matrix, options, expected in cases:
            found = sb.pagerank(on(matrix, device), method=method, **ENDS, **options)
            assert found.device == device
            np.testing.assert_allclose(host(found), expected, rtol=1e-6, atol=1e-9)
    for graph in DIRECTED.values():
        S = pattern(graph)
        if 0 < graph.nrows <= 12:
            found = sb.pagerank(on(S, device), damping=0.5, tolerance=1e-9)
            np.testing.assert_allclose(host(found), rank_of(S, damping=0.5), **CLOSE)


@pytest.mark.parametrize("scale", [1e-44, 1e-40, 3e38, 1e-310, 1e39, 1e300])
def test_pagerank_of_weights_of_any_size(scale: float, device: str) -> None:
    """Sums of weights, and what is over them, may be beyond what scores can be."""
    ends = [0, 0, 0, 1, 1, 2, 3, 3, 4], [1, 2, 3, 2, 0, 3, 0, 1, 4]
    weights = np.array([1, 2, 3, 1, 3, 1, 1, 2, 0]) / 4
    small = abs(np.log10(scale)) < 44.5 and scale < 1e39
    for dtype in (np.float32, np.float64) if small else (np.float64,):
        scaled = (scale * weights.astype(np.longdouble)).astype(dtype)
        A = sb.Matrix.from_coo(*ends, scaled, nrows=6, ncols=6, device=device)
        S = sp.coo_array(((scaled / scaled.max()).astype(float), ends), shape=(6, 6))
        right = rank_of(sp.csr_array(S))
        for kind, exact in (("FP32", 1e-5), ("FP64", 1e-7)):
            for method in ways(device, "pagerank"):
                found = sb.pagerank(A, weighted=True, dtype=kind, tolerance=1e-7, method=method)
                np.testing.assert_allclose(host(found), right, rtol=exact, atol=exact)
                sb.verify.pagerank(A, found, weighted=True)


def test_pagerank_rounds(device: str) -> None:
    """Just so many; few from a warm start; FP32 comes near; threads do not matter."""
    S = pattern(DIRECTED["random-sparse"])
    A, n = on(S, device), S.shape[0]
    out = S.sum(axis=1)
    r = np.where(S.sum(axis=0) > 0, 1 / n, 0.15 / n)
    r *= 0.15 / (0.15 * r.sum() + 0.85 * r[out == 0].sum())
    for _ in range(3):
        r = 0.15 / n + 0.85 * (S.T @ np.where(out > 0, r / np.maximum(out, 1), 0))
    for method in ("composed", "auto"):
        found = sb.pagerank(A, tolerance=None, iterations=3, method=method)
        np.testing.assert_allclose(host(found), r / r.sum(), rtol=1e-12)
        right = sb.pagerank(A, tolerance=1e-12, iterations=500, method=method)
        sb.pagerank(A, start=right, tolerance=1e-9, iterations=1, method=method)
        # Where no component has rank to give to another each has its own from the start.
        apart = on(sp.block_diag([S + S.T, sp.csr_array((9 * n, 9 * n))], format="csr"), device)
        begun = sb.pagerank(apart, tolerance=None, iterations=0, method=method)
        ended = sb.pagerank(apart, tolerance=1e-12, iterations=500, method=method)
        np.testing.assert_allclose(host(begun)[n:], host(ended)[n:], rtol=1e-9)
        single = sb.pagerank(A, dtype="FP32", method=method)
        assert single.dtype == sb.dtypes.FP32
        np.testing.assert_allclose(host(single), host(right), rtol=1e-4)
        with pytest.raises(ConvergenceFailure, match="2 iterations: the last change is") as failed:
            sb.pagerank(A, iterations=2, method=method)
        assert failed.value.iterations == 2
        assert failed.value.change is not None and failed.value.change > 1e-6
    many = [host(sb.pagerank(A, threads=threads)) for threads in (1, 2, 5)]
    np.testing.assert_array_equal(many[0], many[1])
    np.testing.assert_array_equal(many[0], many[2])


#: Graphs with one singular value far above the others, or one eigenvalue.
LEADING = ["star-out", "dense-row", "complete-with-loops", "random-dense"]


def test_hits(device: str) -> None:
    for name in LEADING:
        S = pattern(DIRECTED[name])
        W = weighted(S, np.int64, 1, 5)
        for chosen in (S, W):
            u, _, v = np.linalg.svd(chosen.toarray().astype(float))
            found = sb.hits(on(chosen, device), weighted=chosen is W, **ENDS)
            for x, y in ((found.hubs, u[:, 0]), (found.authorities, v[0])):
                np.testing.assert_allclose(host(x), y / y.sum(), err_msg=name, **CLOSE)
    hubs, authorities = sb.hits(sb.Matrix(bool, 3, 3, device=device))
    assert host(hubs).tolist() == host(authorities).tolist() == [0, 0, 0]


def test_eigenvector(device: str) -> None:
    for name in LEADING[1:]:
        S = pattern(DIRECTED[name], symmetric=True)
        W = weighted(S, np.int64, 1, 5)
        for chosen in (S, W):
            _, vectors = np.linalg.eigh(chosen.toarray().astype(float))
            found = sb.eigenvector(on(chosen, device), weighted=chosen is W, **ENDS)
            np.testing.assert_allclose(host(found), abs(vectors[:, -1]), err_msg=name, **CLOSE)
    with pytest.raises(ConvergenceFailure):
        sb.eigenvector(on(pattern(DIRECTED["path-forward"]), device), tolerance=1e-12)


def test_katz(everything: sp.csr_array, device: str) -> None:
    S, n = everything, everything.shape[0]
    beta = np.arange(n) % 4 - 1.0
    for chosen in (S, weighted(S, np.float64, -1.0, 1.0)):
        M = chosen.toarray()
        alpha = 0.5 / abs(M).sum(axis=0).max()
        ends: Any = {"alpha": alpha, "weighted": chosen is not S, "tolerance": 1e-9}
        found = sb.katz(on(chosen, device), beta=beta, normalized=False, **ends)
        x = np.linalg.solve(np.eye(n) - alpha * M.T, beta)
        np.testing.assert_allclose(host(found), x, **CLOSE)
        found = sb.katz(on(chosen, device), beta=2, **ends)
        y = np.linalg.solve(np.eye(n) - alpha * M.T, np.full(n, 2.0))
        np.testing.assert_allclose(host(found), y / np.linalg.norm(y), **CLOSE)
    with pytest.raises(ConvergenceFailure):
        sb.katz(on(pattern(DIRECTED["complete"]), device), alpha=0.5, iterations=3000)


def test_networkx_scales_as_we_do(device: str) -> None:
    G = nx.gnp_random_graph(60, 0.08, seed=3, directed=True)
    for k, (u, v) in enumerate(G.edges):
        G[u][v]["weight"] = 1 + k % 5
    A = sb.Matrix.from_networkx(G, weight="weight").to(device)
    ends: Any = {"tolerance": 1e-9, "iterations": 300}
    theirs: Any = {"tol": 1e-12, "max_iter": 3000}
    expected: dict[Callable[[], sb.Vector], dict[int, float]] = {
        lambda: sb.pagerank(A, **ends): nx.pagerank(G, weight=None, **theirs),
        lambda: sb.pagerank(A, weighted=True, **ends): nx.pagerank(G, **theirs),
        lambda: sb.katz(A, alpha=0.05, **ends): nx.katz_centrality(G, 0.05, **theirs),
        lambda: sb.eigenvector(A, **ends): nx.eigenvector_centrality(G, **theirs),
        lambda: sb.hits(A, weighted=True, **ends)[0]: nx.hits(G)[0],
        lambda: sb.hits(A, weighted=True, **ends)[1]: nx.hits(G)[1],
    }
    for call, found in expected.items():
        np.testing.assert_allclose(host(call()), [found[v] for v in G], **CLOSE)


def test_mistakes(device: str) -> None:
    A = on(pattern(DIRECTED["random"]), device)
    n = A.nrows
    wide = sb.Matrix(float, 2, 3, device=device)
    for rank in (sb.pagerank, sb.hits, sb.katz, sb.eigenvector):
        with pytest.raises(DimensionMismatch, match=r"A: .*square"):
            rank(wide)
        with pytest.raises(DomainMismatch, match="tolerance: expected a number"):
            rank(A, tolerance="small")
        with pytest.raises(InvalidValue, match=r"tolerance: .*nan"):
            rank(A, tolerance=float("nan"))
        with pytest.raises(InvalidValue, match=r"iterations: .*-1"):
            rank(A, iterations=-1)
        with pytest.raises(DimensionMismatch, match=rf"start: .*\({n},\)"):
            rank(A, start=[1.0, 2.0])
        for bad in (np.nan, np.inf):
            B = sb.Matrix.from_coo([0, 1], [1, 0], [1.0, bad], device=device)
            with pytest.raises(InvalidValue, match="A: expected"):
                rank(B, weighted=True)
            assert host(sb.katz(B)).shape == (2,)  # values do not matter
        assert rank(sb.Matrix(bool, 0, 0, device=device)) is not None
    negative = sb.Matrix.from_coo([0, 1], [1, 0], [1, -1], device=device)
    for rank in (sb.pagerank, sb.hits, sb.eigenvector):
        with pytest.raises(InvalidValue, match="A: expected weights of at least 0, got -1"):
            rank(negative, weighted=True)
        with pytest.raises(InvalidValue, match="start: expected a sum above 0"):
            rank(A, start=np.zeros(n))
    for damping in (-0.1, 1.0, 2):
        with pytest.raises(InvalidValue, match="damping"):
            sb.pagerank(A, damping=damping)
    with pytest.raises(InvalidValue, match="personalization: expected values of at least 0"):
        sb.pagerank(A, personalization=-np.ones(n))
    with pytest.raises(InvalidValue, match="personalization: expected a sum above 0"):
        sb.pagerank(A, personalization=sb.Vector(float, n, device=device))
    with pytest.raises(DomainMismatch, match="dtype: expected FP32 or FP64"):
        sb.pagerank(A, dtype=int)
    with pytest.raises(InvalidValue, match="method"):
        sb.pagerank(A, method="fast")  # type: ignore[arg-type]
