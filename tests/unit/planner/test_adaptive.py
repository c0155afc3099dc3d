"""The model that chooses a level's strategy: what it knows, what it must never do."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.algorithms import suggest
from spbfs.exceptions import BackendUnavailable, DimensionMismatch, FileMissing
from spbfs.planner.adaptive import (
    LevelCounts,
    choose,
    concentration,
    expected_seconds,
    level_times,
    meets,
    switch_seconds,
)
from spbfs.planner.rates import BUILT_IN, LevelRates
from spbfs.planner.strategies import Run, Traversed
from spbfs.planner.strategy_choice import Adaptive

DEVICES = {"TC": "cpu", "BC": "cpu", "TG": "cuda", "BG": "cuda", "BGC": "cuda"}
LEVEL = LevelCounts(100_000, 1_600_000, 5_000, 80_000, open=90_000, open_entries=1_400_000)


def random_counts(rng: np.random.Generator) -> LevelCounts:
    """A level as it may be, empty ones too."""
    vertices = int(rng.integers(1, 10 ** rng.integers(1, 8)))
    entries = int(rng.integers(0, 40 * vertices + 1))
    frontier = int(rng.integers(1, vertices + 1))
    edges = int(rng.integers(0, entries + 1))
    return LevelCounts(
        vertices,
        entries,
        frontier,
        edges,
        open=float(rng.integers(0, vertices - frontier + 1)),
        open_entries=float(rng.integers(0, entries - edges + 1)),
        skewed=bool(rng.integers(2)),
        concentrated=float(rng.uniform(0.02, 1)),
    )


def test_any_level_has_finite_times_and_meets_no_more_than_there_is() -> None:
    rng = np.random.default_rng(11)
    for _ in range(500):
        counts = random_counts(rng)
        met = meets(counts)
        assert 0 <= met.found <= counts.open and 0 <= met.looked <= counts.open_entries
        times = level_times(BUILT_IN, counts)
        assert set(times) == set(DEVICES)
        assert all(0 < seconds < math.inf for seconds in times.values())
        assert choose(BUILT_IN, counts, DEVICES, DEVICES, "cuda") in DEVICES
        found = int(rng.integers(0, int(counts.open) + 1))
        assert 0.02 <= concentration(counts, found) <= 1


def test_what_is_expected_is_what_a_random_graph_has() -> None:
    """A uniform graph's edges lead anywhere: finds and looks are met within a few percent."""
    A = sb.generate.uniform(20_000, 12, seed=4)
    indptr, indices, _ = A.to_csr()
    degree = np.diff(indptr)
    levels = sb.bfs(A, 1).levels.to_dense(-1)
    for depth in (2, 3, 4):
        frontier, is_open = np.flatnonzero(levels == depth), (levels > depth) & (degree > 0)
        counts = LevelCounts(
            20_000,
            indices.size,
            frontier.size,
            int(degree[frontier].sum()),
            open=float(is_open.sum()),
            open_entries=float(degree[is_open].sum()),
        )
        met, found = meets(counts), int((levels == depth + 1).sum())
        assert met.found == pytest.approx(found, rel=0.12)
        looked = 0
        for v in np.flatnonzero(is_open):
            hits = np.flatnonzero(levels[indices[indptr[v] : indptr[v + 1]]] == depth)
            looked += int(hits[0]) + 1 if hits.size else int(degree[v])
        assert met.looked == pytest.approx(looked, rel=0.12)
        assert concentration(counts, found) > 0.85


def test_rows_that_look_in_vain_make_a_pull_dearer() -> None:
    """What the level before found in few rows, the next one is not expected to find in most."""
    before = replace(LEVEL, frontier=500, edges=8_000)
    anywhere, clustered = (
        replace(LEVEL, concentrated=concentration(before, found)) for found in (7_500, 400)
    )
    assert clustered.concentrated < 0.1 < anywhere.concentrated
    # Whoever looks in vain finds less, which costs as well: that is left out here.
    rates = replace(BUILT_IN, cpu=replace(BUILT_IN.cpu, pull_found=0.0, pull_at_hub=0.0))
    dear, cheap = level_times(rates, clustered)["BC"], level_times(rates, anywhere)["BC"]
    assert dear > cheap
    wide = replace(clustered, edges=400_000), replace(anywhere, edges=400_000)
    assert meets(wide[0]).looked > 2 * meets(wide[1]).looked


def test_a_device_is_left_only_where_the_way_is_worth_it() -> None:
    alike = replace(
        BUILT_IN,
        cuda=replace(
            BUILT_IN.cuda,
            push=LevelRates(0.0, BUILT_IN.cpu.push_edge * 0.99, 0.0, 0.0),
            small_push=LevelRates(0.0, BUILT_IN.cpu.push_edge * 0.99, 0.0, 0.0),
        ),
    )
    few = LevelCounts(1000, 8000, 10, 80, open=900, open_entries=7000)
    assert choose(alike, few, ["TC", "TG"], DEVICES, "cpu") == "TC"
    assert choose(alike, few, ["TC", "TG"], DEVICES, "cuda") == "TG"
    dear = replace(alike, switch=replace(alike.switch, switch=1e12))
    for here, stays in (("cpu", "cpu"), ("cuda", "cuda")):
        assert DEVICES[choose(dear, LEVEL, DEVICES, DEVICES, here)] == stays
    assert switch_seconds(dear, few) > 100


def test_a_search_costs_more_on_a_larger_graph() -> None:
    for deep, is_skewed in ((False, False), (False, True), (True, False)):
        sizes = [
            expected_seconds(BUILT_IN, n, 4 * n, skewed=is_skewed, deep=deep)
            for n in (0, 1, 100, 10_000, 1_000_000)
        ]
        for less, more in pairwise(sizes):
            assert less["cpu"] <= more["cpu"] and less["cuda"] <= more["cuda"] * 1.0001
        assert sizes[2]["cpu"] < sizes[2]["cuda"] and sizes[4]["cpu"] > sizes[4]["cuda"]


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggest, "get_engine", lambda device: device)


@pytest.mark.usefixtures("gpu")
def test_small_graphs_stay_and_large_ones_go() -> None:
    assert sb.suggest_device(sb.generate.path(34)) == "cpu"
    assert sb.suggest_device(sb.generate.kronecker(6).to("reference")) == "cpu"
    assert sb.suggest_device(sb.Matrix(bool, 0, 0)) == "cpu"
    assert sb.suggest_device(sb.Matrix(bool, 10**9, 10**9)) == "cpu"
    assert sb.suggest_device(sb.generate.uniform(200_000, 16)) == "cuda"


def test_without_a_gpu_everything_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(device: str) -> Any:
        raise BackendUnavailable(device)

    monkeypatch.setattr(suggest, "get_engine", absent)
    assert sb.suggest_device(sb.generate.uniform(200_000, 16)) == "cpu"


def test_what_is_no_graph_is_refused() -> None:
    with pytest.raises(DimensionMismatch):
        sb.suggest_device(sb.Matrix(bool, 3, 4))
    with pytest.raises(FileMissing):
        sb.suggest_device(sb.generate.path(3), rates="absent.json")


def test_a_search_stays_where_nothing_is_worth_the_way() -> None:
    """In one run to its end: on the GPU always, on the CPU of what it has done before the other one
    would have begun."""
    for n, entries, device in ((34, 156, "cpu"), (1 << 20, 1 << 25, "cuda")):
        start = Traversed(n, entries, level=0, frontier=1, edges=9, reached=1, explored=0)
        assert Adaptive(BUILT_IN, ("cpu", "cuda")).next_run(start) == Run(device)
    slow = replace(BUILT_IN.cuda, launch=1e12)
    rates = replace(BUILT_IN, cuda=slow)
    start = Traversed(1 << 20, 1 << 25, level=0, frontier=1, edges=9, reached=1, explored=0)
    chooser = Adaptive(rates, ("cpu", "cuda"))
    first = chooser.next_run(start)
    assert first.device == "cpu" and first.levels is not None
    dense = replace(start, level=2, frontier=1 << 17, edges=1 << 22, reached=1 << 18, explored=9)
    assert chooser.next_run(dense) == Run("cuda")
    late = replace(dense, reached=(1 << 20) - 9, explored=(1 << 25) - 40, frontier=8, edges=20)
    assert Adaptive(rates, ("cpu", "cuda")).next_run(late).device == "cpu"
