"""Matrices whose columns are numbered anew, hubs first: results stay the same."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.planner import gathers
from spbfs.storage.derived import ledger_of

AFTER, TIMES = 3, 5


@pytest.fixture
def module(device: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Eight columns come first, of any matrix, after a few products."""
    names = {"cpu": "cpu.graph.hubs_first", "cuda": "cuda.graph.hubs_first"}
    if device not in names:
        pytest.skip("numbers no columns anew")
    module = import_module(f"spbfs.engines.{names[device]}")
    few = gathers.Gathers(head=8, columns=8, passes=AFTER)
    monkeypatch.setattr(module, device.upper(), few)
    monkeypatch.setattr(module, "HUBS", 4)
    monkeypatch.setattr(module, "hubs_first_pays", lambda *counts: True)
    if device == "cuda":
        monkeypatch.setattr(module, "_COUNTED", 300)  # a sample of the entries
    return module


def _skewed(rows: int, columns: int, dtype: Any) -> sp.csr_array:
    """A row and a column that are full, two rows and two columns that are empty."""
    rng = np.random.default_rng(7)
    dense = np.where(rng.random((rows, columns)) < 0.05, rng.integers(1, 9, (rows, columns)), 0)
    dense[:, 5], dense[7] = 2, 3
    dense[:, [0, 40]] = dense[[3, rows - 1]] = 0
    return sp.csr_array(dense.astype(dtype))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32, np.float64])
def test_products_stay_the_same(device: str, module: Any, dtype: Any) -> None:
    if device != "cuda":
        pytest.skip("products on the CPU gather in the caller's order")
    S = _skewed(90, 1300, dtype)
    A = sb.Matrix.from_scipy(S).to("cuda")
    x = np.random.default_rng(8).integers(-5, 5, 1300).astype(dtype)
    X = sb.Vector.from_dense(x).to("cuda")
    found = [sb.semiring.plus_times(A @ X).new().to("cpu").to_dense(0) for _ in range(TIMES)]
    order = A._data.derived.hubs_first
    assert all((f == found[0]).all() for f in found)
    np.testing.assert_allclose(found[0], S.astype(float) @ x if x.dtype.kind == "f" else S @ x)
    rank = order.rank.get()
    assert sorted(rank.tolist()) == list(range(1300)) and rank[5] < 8
    assert (order.indices.get() == rank[S.indices]).all()
    assert A._data.nbytes > order.nbytes > 0


def test_rounds_that_are_recorded(device: str, module: Any) -> None:
    """The order is made while rounds are rehearsed, and does not keep them from being recorded."""
    if device != "cuda":
        pytest.skip("rounds are recorded on a GPU")
    chain = sp.diags_array(np.ones(1299), offsets=-1)
    A = sb.Matrix.from_scipy(sp.csr_array(chain + 40 * _skewed(1300, 1300, float)))
    found = []
    for M in (A, A.to(device)):
        y = sb.Vector.from_dense(np.full(1300, 1e6), device=M.device)
        y[1] = 0.0

        def body(M: sb.Matrix = M, y: sb.Vector = y) -> None:
            y(sb.binary.min) << sb.semiring.min_plus(M @ y)

        rounds = sb.repeat(body, y)
        found.append(y.to("cpu"))
    assert found[0].isequal(found[1]) and rounds.rounds > 20
    assert rounds.launched > 0, rounds.refusal
    order = M._data.derived.hubs_first
    assert order is not None and order.rank is not None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_pagerank(device: str, module: Any, weighted: bool, dtype: str) -> None:
    A = sb.Matrix.from_scipy(_skewed(1300, 1300, np.float64)).to(device)
    options: Any = {"weighted": weighted, "dtype": dtype, "tolerance": None, "iterations": 7}
    found = sb.pagerank(A, **options).to("cpu").to_dense()
    assert (sb.pagerank(A, **options).to("cpu").to_dense() == found).all()
    close = 1e-5 if dtype == "FP32" else 1e-12
    np.testing.assert_allclose(found, sb.pagerank(A.to("cpu"), **options).to_dense(), rtol=close)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_sums_are_the_same_to_the_bit(
    device: str, module: Any, monkeypatch: pytest.MonkeyPatch, weighted: bool, threads: int
) -> None:
    if device != "cpu":
        pytest.skip("rows are summed in another order")
    options: Any = {"weighted": weighted, "iterations": 9, "tolerance": None, "threads": threads}
    A, B = (sb.Matrix.from_scipy(_skewed(3000, 3000, np.float64)) for _ in range(2))
    found = sb.pagerank(A, **options)
    into = A._data.derived.transpose
    order = into.derived.hubs_first
    rank = order.rank
    assert (
        sorted(rank.tolist()) == list(range(3000)) and (order.indices == rank[into.indices]).all()
    )
    entries = np.diff(A._data.indptr)
    hubs = entries > np.sort(entries)[-8]
    assert hubs.sum() > 0 and rank[hubs].max() == hubs.sum() - 1
    monkeypatch.setattr(module, "order_pays", lambda *counts: False)
    assert sb.pagerank(B, **options).isequal(found)
    assert B._data.derived.transpose.derived.hubs_first is None
    assert A._data.nbytes > B._data.nbytes


def test_what_pays_on_the_cpu(device: str) -> None:
    if device != "cpu":
        pytest.skip("of the CPU")
    module = import_module("spbfs.engines.cpu.graph.hubs_first")
    n = gathers.CPU.columns + 1
    for columns, pays in ((np.arange(n) // 64, True), (np.arange(n), False)):
        M = sb.Matrix.from_csr(np.arange(n + 1), columns, True, nrows=n, ncols=n)._data
        counts = np.bincount(columns, minlength=n)
        assert module.hubs_first(M, counts, gathers.CPU.passes, 1).rank is None
        assert (module.hubs_first(M, counts, 1, 1).rank is not None) == pays
    few = sb.Matrix.from_scipy(_skewed(300, 300, np.float64))._data
    assert module.hubs_first(few, np.ones(300, int), 100, 1).rank is None


def test_what_pays(device: str) -> None:
    if device != "cuda":
        pytest.skip("only CUDA numbers columns anew")
    n, sums = 140_000, gathers.CUDA.passes + 1
    A = sb.Matrix.from_scipy(_skewed(300, 300, np.float64)).to(device)
    module = import_module("spbfs.engines.cuda.graph.hubs_first")
    ledger_of(A._data).sums = sums
    assert module.hubs_first(A._data).rank is None  # all of the vector stays near anyway
    for columns, pays in ((np.zeros(n, np.int32), True), (np.arange(n, dtype=np.int32), False)):
        M = sb.Matrix.from_csr(np.arange(n + 1), columns, True, nrows=n, ncols=n, device=device)
        assert module.hubs_first(M._data).rank is None
        ledger_of(M._data).sums = sums
        assert (module.hubs_first(M._data).rank is not None) == pays
