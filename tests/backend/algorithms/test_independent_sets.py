"""Independent sets and colourings: greedy in their order, on every engine and either way."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.algorithms.sets.orders import few_neighbours_first, random_order
from spbfs.exceptions import DomainMismatch, InvalidValue, VerificationError
from tests.backend.algorithm_cases import DIRECTED, on, pattern
from tests.real_graphs import ABSENT, DATA

#: What the reference takes seconds for is left to the real graphs.
GRAPHS = sorted(name for name, graph in DIRECTED.items() if len(graph.edges) < 1000)
METHODS = ["composed", "auto"]


def _neighbours(S: sp.csr_array) -> list[set[int]]:
    both = (S + S.T).tocsr()
    return [set(both.indices[both.indptr[v] : both.indptr[v + 1]]) - {v} for v in range(S.shape[0])]


def _greedy_colours(S: sp.csr_array, order: np.ndarray[Any, Any]) -> list[int]:
    """Everybody's least colour that no neighbour has so far."""
    neighbours, colours = _neighbours(S), [-1] * S.shape[0]
    for v in order:
        taken = {colours[u] for u in neighbours[v]}
        colours[v] = next(c for c in range(len(taken) + 1) if c not in taken)
    return colours


@pytest.mark.parametrize("name", GRAPHS)
def test_independent_set(name: str, device: str) -> None:
    S = pattern(DIRECTED[name])
    A = on(S, device)
    symmetric = on((S + S.T).tocsr(), device)
    order = few_neighbours_first(symmetric, 7).listed()
    assert sorted(order) == list(range(S.shape[0]))
    bits = [len(row).bit_length() for row in symmetric.to("cpu").to_scipy().tolil().rows]
    assert [bits[v] for v in order] == sorted(bits)
    expected = np.flatnonzero(np.array(_greedy_colours(S, order)) == 0)
    for method in METHODS:
        found = sb.maximal_independent_set(A, seed=7, method=method)
        assert found.dtype == sb.dtypes.BOOL and found.device == device
        np.testing.assert_array_equal(found.to("cpu").to_coo()[0], expected)
        assert found.nvals == 0 or found.reduce("land").new().value
        sb.verify.independent_set(A, found)


@pytest.mark.parametrize("name", GRAPHS)
def test_colouring_by_largest_first_is_that_of_networkx(name: str, device: str) -> None:
    S = pattern(DIRECTED[name])
    graph = nx.from_scipy_sparse_array(S)
    expected = nx.greedy_color(graph, strategy="largest_first")
    for method in METHODS:
        found = sb.colouring(on(S, device), method=method)
        assert found.dtype == sb.dtypes.INT64 and found.device == device
        dense = found.to("cpu").to_dense()
        assert dense.tolist() == [expected[v] for v in range(S.shape[0])]
        sb.verify.colouring(on(S, device), found)


@pytest.mark.parametrize("name", GRAPHS)
def test_colouring_by_smallest_last(name: str, device: str) -> None:
    S = pattern(DIRECTED[name])
    graph = nx.from_scipy_sparse_array(S)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    deepest = max(nx.core_number(graph).values(), default=0)
    found = {m: sb.colouring(on(S, device), order="smallest_last", method=m) for m in METHODS}
    for colours in found.values():
        sb.verify.colouring(on(S, device), colours)
        assert colours.nvals == 0 or colours.reduce("max").new().value <= deepest
    assert found["composed"].isequal(found["auto"])


def test_a_random_order_is_of_all_and_by_its_seed_alone() -> None:
    for n in (0, 1, 2, 3, 64, 65, 1000):
        orders = [random_order(n, seed).tolist() for seed in (0, 1, 1, 2**70)]
        assert all(sorted(order) == list(range(n)) for order in orders)
        assert orders[1] == orders[2]
        assert n < 64 or len({tuple(order) for order in orders}) == 3
    # About a third of the neighbours of a long one are out of order in both directions.
    rises = np.diff(random_order(1 << 16, 3)) > 0
    assert 0.49 < rises.mean() < 0.51 and 0.3 < (rises[1:] & ~rises[:-1]).mean() < 0.37


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_any_number_of_threads_finds_the_same(threads: int) -> None:
    """On graphs of several pieces, of which the first waits for itself from end to end."""
    for A in (sb.generate.path(20_000), sb.generate.kronecker(12, 16, seed=3)):
        calls = (
            lambda A, t: sb.maximal_independent_set(A, threads=t),
            lambda A, t: sb.colouring(A, threads=t),
            lambda A, t: sb.colouring(A, order="smallest_last", threads=t),
        )
        for call in calls:
            assert call(A, threads).isequal(call(A, 1))


def test_real_graphs() -> None:
    paths = sorted(DATA.glob("*.npz"))
    if not paths:
        pytest.skip(ABSENT)
    for path in sorted(paths, key=lambda path: path.stat().st_size)[:3]:
        A = sb.read(path)
        sb.verify.independent_set(A, sb.maximal_independent_set(A))
        for order in ("largest_first", "smallest_last"):
            sb.verify.colouring(A, sb.colouring(A, order=order))


def test_a_fused_call_is_in_the_trace() -> None:
    with sb.trace() as trace:
        sb.maximal_independent_set(sb.generate.path(9))
        sb.colouring(sb.generate.path(9))
    assert {"maximal_independent_set", "colouring"} <= {r["operation"] for r in trace.records}


def test_what_is_wrong_is_named(device: str) -> None:
    A = on(pattern(DIRECTED["path"]), device)
    with pytest.raises(InvalidValue, match="order: expected 'largest_first' or 'smallest_last'"):
        sb.colouring(A, order="random")  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="seed: expected at least 0"):
        sb.maximal_independent_set(A, seed=-1)
    n = A.nrows
    chosen = np.zeros(n, bool)
    with pytest.raises(VerificationError, match="vertex 0 and all of its neighbours"):
        sb.verify.independent_set(A, chosen)
    chosen[3:5] = True
    with pytest.raises(VerificationError, match="3 and 4 are neighbours"):
        sb.verify.independent_set(A, chosen)
    with pytest.raises(DomainMismatch, match="chosen: expected bool"):
        sb.verify.independent_set(A, np.arange(n))
    with pytest.raises(VerificationError, match="vertex 1 has none"):
        sb.verify.colouring(A, np.where(np.arange(n) == 1, -1, 0))
    with pytest.raises(VerificationError, match="neighbours 0 and 1 have colour 4"):
        sb.verify.colouring(A, np.full(n, 4))
