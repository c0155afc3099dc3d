"""Every published expansion strategy, with every way to cull and to keep frontiers, against the
reference."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from gpu import cp
from graphs import SEARCHABLE

from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS
from spbfs.engines.cuda.expansion.kernels import specialisations
from spbfs.engines.cuda.runtime.modules import load
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.reference.bfs import search
from spbfs.exceptions import InvalidValue
from spbfs.planner import expansion
from spbfs.planner.expansion import CULLINGS, ORGANISATIONS, STRATEGIES, Expansion
from spbfs.storage.data import MatrixData

Csr = tuple[Any, Any]


def _csr(n: int, rows: Any, cols: Any) -> Csr:
    """As given: in any order, duplicates kept."""
    order = np.argsort(rows, kind="stable")
    indptr = np.zeros(n + 1, np.int64)
    indptr[1:] = np.cumsum(np.bincount(rows, minlength=n))
    return indptr, np.asarray(cols)[order].astype(np.int32)


@cache
def _named(name: str) -> Csr:
    graph = SEARCHABLE[name]
    return _csr(graph.nrows, graph.rows, graph.cols)


def _random(seed: int) -> Csr:
    """Sizes around those of warps and CTAs, degrees from even to a few hubs; some directed."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([3, 31, 64, 257, 1000, 3000]))
    m = int(n * rng.choice([0.7, 2, 8, 30]))
    u, v = ((rng.random((2, m)) ** rng.choice([1.0, 3.0])) * n).astype(np.int64)
    label = rng.permutation(n)
    u, v = label[u], label[v]
    if seed % 2:
        u, v = np.r_[u, v], np.r_[v, u]
    return _csr(n, u, v)


def _expected(graph: Csr, source: int, max_depth: int = 2**30) -> Any:
    n = len(graph[0]) - 1
    data = MatrixData(n, n, graph[0], graph[1], np.ones(graph[1].shape, bool))
    return search(data, [source], max_depth, -1)[0]


def _check_tree(graph: Csr, source: int, levels: Any, parents: Any) -> None:
    indptr, indices = graph
    n = len(indptr) - 1
    assert parents[source] == source
    assert np.array_equal(parents < 0, levels < 0)
    children = np.flatnonzero(levels > 0)
    assert np.array_equal(levels[parents[children]], levels[children] - 1)
    edges = np.repeat(np.arange(n), np.diff(indptr)) * n + indices
    assert np.isin(parents[children].astype(np.int64) * n + children, edges).all()


def _run(graph: Csr, source: int, how: Expansion, wide: bool = False, **options: Any) -> Any:
    indptr, indices = graph
    n = len(indptr) - 1
    engine = LevelSynchronousBFS(
        n, cp.asarray(indptr.astype(np.int64 if wide else np.int32)), cp.asarray(indices), how
    )
    levels, parents = cp.full(n, -7, dtype=cp.int32), cp.full(n, -7, dtype=cp.int32)
    passed = engine.run(source, levels, parents, **options)
    return passed, levels.get(), parents.get()


def _ways() -> list[Expansion]:
    found = []
    for strategy, culling, organisation in product(STRATEGIES, CULLINGS, ORGANISATIONS):
        if culling == "auto":
            continue
        try:
            found.append(Expansion(strategy, culling, organisation))
        except InvalidValue:
            assert organisation == "contract_expand" and strategy.startswith("merge_path")
    return found


WAYS = _ways()


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Every kernel by several compilers at once; one by one they would take most of the time.

    Of several processes of pytest-xdist each begins with a part of its own, and finds the others'
    in CuPy's cache.
    """

    def compile_one(wanted: Specialisation) -> None:
        with device:
            load(wanted).get_function(wanted.kernels[0])

    device = cp.cuda.Device()
    every = [
        replace(s, kernels=(name,), cooperative=name.startswith("run_"))
        for s in specialisations()
        for name in s.kernels
    ]
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    first = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) * len(every) // processes
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // processes)) as pool:
        list(pool.map(compile_one, every[first:] + every[:first]))


@pytest.mark.parametrize("name", SEARCHABLE)
def test_every_way_on_awkward_graphs(name: str) -> None:
    graph = _named(name)
    n = len(graph[0]) - 1
    for i, how in enumerate(WAYS):
        source = (0, n // 2, n - 1)[i % 3]
        expected = _expected(graph, source)
        passed, levels, parents = _run(graph, source, how, wide=bool(i % 2))
        assert np.array_equal(levels, expected), how
        _check_tree(graph, source, levels, parents)
        assert passed.depth == expected.max(), how


@pytest.mark.parametrize("block", range(20))
def test_random_graphs_with_every_strategy(block: int, monkeypatch: Any) -> None:
    for seed in range(10 * block, 10 * block + 10):
        graph = _random(seed)
        # Small levels leave the fused loop early, so that both halves of the hybrid work.
        for name in ("SMALL_EDGES", "FEW_EDGES"):
            monkeypatch.setattr(expansion, name, (0, 40, 500, 1 << 15)[seed % 4])
        source = seed % (len(graph[0]) - 1)
        expected = _expected(graph, source)
        for strategy in STRATEGIES:
            ways = [way for way in WAYS if way.strategy == strategy]
            how = ways[(seed + seed // 25) % len(ways)]
            passed, levels, parents = _run(graph, source, how, wide=seed % 3 == 0)
            assert np.array_equal(levels, expected), (seed, how)
            _check_tree(graph, source, levels, parents)
            assert passed.depth == expected.max(), (seed, how)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_star_of_a_million_leaves(strategy: str) -> None:
    leaves = 1_000_000
    hub = np.zeros(leaves, np.int64)
    graph = _csr(leaves + 1, np.r_[hub, 1 : leaves + 1], np.r_[1 : leaves + 1, hub])
    for source in (0, 77):
        for organisation in ("expand_contract", "two_phase", "hybrid"):
            how = Expansion(strategy, "warp+history", organisation)
            passed, levels, parents = _run(graph, source, how)
            assert passed.depth == (1 if source == 0 else 2)
            others = np.ones(leaves + 1, bool)
            others[[0, source]] = False
            assert (levels[others] == passed.depth).all() and (parents[others] == 0).all()


@pytest.mark.parametrize("organisation", ORGANISATIONS)
def test_queues_that_overflow_are_made_again(organisation: str) -> None:
    """Layers joined completely: without culling each vertex is found again and again."""
    layer = np.arange(300)
    rows = np.concatenate([np.repeat(layer + 300 * k, 300) for k in range(5)])
    cols = np.concatenate([np.tile(layer + 300 * (k + 1), 300) for k in range(5)])
    graph = _csr(1801, np.r_[np.full(300, 1800), rows], np.r_[layer, cols])
    expected = _expected(graph, 1800)
    for strategy in ("thread", "warp:8", "twc"):
        passed, levels, parents = _run(graph, 1800, Expansion(strategy, "none", organisation))
        assert np.array_equal(levels, expected)
        _check_tree(graph, 1800, levels, parents)
        if organisation != "hybrid":
            assert passed.edges >= len(graph[1])


@pytest.mark.parametrize("in_flight", [1, 2, 7])
def test_tiles_in_order_find_the_same_and_one_alone_finds_nothing_twice(in_flight: int) -> None:
    side = 60
    v = np.arange(side * side).reshape(side, side)
    pairs = np.c_[[v[:, :-1].ravel(), v[:, 1:].ravel()], [v[:-1].ravel(), v[1:].ravel()]]
    lattice = _csr(side * side, np.r_[pairs[0], pairs[1]], np.r_[pairs[1], pairs[0]])
    for graph in (lattice, *map(_random, range(4))):
        expected = _expected(graph, 1)
        for i, strategy in enumerate(("twc", "scan", "warp:8", "cta")):
            for culling in ("none", "warp+history", "atomic"):
                how = Expansion(strategy, culling, "two_phase", in_flight=in_flight)
                passed, levels, parents = _run(graph, 1, how, wide=bool(i % 2))
                assert np.array_equal(levels, expected), how
                _check_tree(graph, 1, levels, parents)
                assert passed.depth == expected.max()
                logical = np.diff(graph[0])[expected >= 0].sum()
                if culling == "atomic":
                    assert passed.edges == logical
                elif in_flight == 1 and culling == "warp+history" and graph is lattice:
                    assert passed.edges <= 1.05 * logical


def test_depth_levels_only_and_several_sources() -> None:
    graph = _random(9)
    n = len(graph[0]) - 1
    for organisation in ORGANISATIONS:
        how = Expansion(organisation=organisation)
        for depth in (0, 1, 2, 3):
            expected = _expected(graph, 5, depth)
            passed, levels, _ = _run(graph, 5, how, max_depth=depth)
            assert np.array_equal(levels, expected) and passed.depth == expected.max()
        engine = LevelSynchronousBFS(
            n, cp.asarray(graph[0].astype(np.int32)), cp.asarray(graph[1]), how
        )
        found = cp.empty(n, dtype=cp.int32)
        engine.run(cp.asarray([5, n - 1], dtype=cp.int32), found, None)
        one, other = _expected(graph, 5), _expected(graph, n - 1)
        either = np.where((one < 0) | ((other >= 0) & (other < one)), other, one)
        assert np.array_equal(found.get(), either)


def test_wrong_outputs_are_refused() -> None:
    graph = _named("path")
    engine = LevelSynchronousBFS(33, cp.asarray(graph[0]), cp.asarray(graph[1]))
    with pytest.raises(InvalidValue, match="levels"):
        engine.run(0, cp.empty(32, dtype=cp.int32), None)
