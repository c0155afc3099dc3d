"""Lanes and steps that kernels count, against the same computed from degrees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gpu import cp
from graphs import SEARCHABLE, Graph

import spbfs as sb
from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS
from spbfs.planner.expansion import Expansion, Frontier
from spbfs.planner.expansion import width as width_of
from spbfs.planner.lanes import LaneUse, total_use

lane_use = pytest.importorskip(
    "benchmarks.common.simd_efficiency", reason="benchmarks are in the checkout only"
).lane_use

WARPS = ("thread", *(f"warp:{w}" for w in (2, 4, 8, 16, 32)))


def _queues(graph: Graph, source: int, how: Expansion, sms: int | None = None) -> Any:
    """The steps of a search, its levels, and the vertices in the order of its queues."""
    order = np.argsort(graph.rows, kind="stable")
    indptr = np.r_[0, np.cumsum(np.bincount(graph.rows, minlength=graph.nrows))].astype(np.int32)
    arrays = cp.asarray(indptr), cp.asarray(graph.cols[order].astype(np.int32))
    search = LevelSynchronousBFS(graph.nrows, *arrays, how)
    queues, frontiers = [], search.frontiers
    if sms is not None:
        frontiers._sms = sms
    expand = frontiers.expand

    def seen(name: str, depth: int, frontier: Frontier) -> None:
        queue = frontiers._arrays[f"vertices{depth & (how.organisation != 'two_phase')}"]
        queues.append(queue[: frontier.vertices].get())
        expand(name, depth, frontier)

    frontiers.expand = seen  # type: ignore[method-assign]
    levels = cp.empty(graph.nrows, dtype=cp.int32)
    steps = search.run(source, levels, None).steps
    return steps, indptr, levels.get(), queues


@pytest.mark.parametrize("name", SEARCHABLE)
def test_every_step_counts_what_its_windows_hold(name: str) -> None:
    graph = SEARCHABLE[name]
    for i, strategy in enumerate(WARPS):
        organisation = ("two_phase", "expand_contract")[i % 2]
        how = Expansion(strategy, "atomic", organisation, count_lanes=True)
        for source in {0, graph.nrows // 2}:
            steps, indptr, levels, queues = _queues(graph, source, how)
            assert len(steps) == len(queues)
            for step, queue in zip(steps, queues, strict=True):
                alone = np.where(levels == step.level, 0, -1)
                expected = lane_use(
                    np, indptr, alone, width_of(strategy, Frontier(0, 0)), order=queue
                )
                assert step.lanes == expected, (strategy, source, step)


def test_a_grid_without_room_for_a_group_a_row_gives_groups_several() -> None:
    """2,600 rows of 1 to 20 edges, and a grid of 40 CTAs."""
    rng = np.random.default_rng(3)
    degree = rng.integers(1, 21, 2600)
    first = [(0, v) for v in range(1, 2601)]
    rows = [(v, int(w)) for v, d in enumerate(degree, 1) for w in rng.integers(0, 2601, d)]
    graph = Graph("two levels", 2601, first + rows)
    for width in (8, 32):
        how = Expansion(f"warp:{width}", "atomic", "two_phase", count_lanes=True)
        steps, indptr, levels, queues = _queues(graph, 0, how, sms=1)
        assert [step.vertices for step in steps] == [1, 2600]
        alone = np.where(levels == 1, 0, -1)
        roomy, crowded = (
            lane_use(np, indptr, alone, width, order=queues[1], threads=threads)
            for threads in (1 << 60, 40 * 256)
        )
        assert steps[1].lanes == crowded
        assert (crowded.steps == roomy.steps) == (width == 32)


@pytest.mark.parametrize("organisation", ["auto", "expand_contract", "hybrid", "contract_expand"])
def test_every_organisation_and_strategy_counts_all_edges_once(organisation: str) -> None:
    A = sb.generate.kronecker(6, 8, seed=1)
    B = A.to("cuda")
    for strategy in ("auto", "warp:4", "twc", "merge_path:balanced_gather", "merge_path:separate"):
        if organisation == "contract_expand" and strategy.startswith("merge_path"):
            continue
        how = Expansion(strategy, organisation=organisation, count_lanes=True)
        found = sb.bfs(B, 5, expansion=how, trace=True)
        uses = [step.lanes for step in found.trace]
        assert all(isinstance(used, LaneUse) for used in uses)
        total = total_use(uses)
        assert total.active == found.edges
        assert 0 < total.active <= total.taken <= 32 * total.steps
        assert total.lines <= total.sectors <= total.active
        if strategy == "twc":  # whoever walks a row is a whole warp or more
            assert total.ur == 0
        plain = sb.bfs(B, 5, expansion=Expansion(strategy, organisation=organisation), trace=True)
        assert [step.lanes for step in plain.trace] == [None] * len(plain.trace)
        assert all(step.seconds >= 0 for step in plain.trace)
        assert found.levels.to("cpu").isequal(sb.bfs(A, 5).levels)


def test_a_row_of_23_edges_is_walked_as_its_paper_says() -> None:
    A = sb.Matrix.from_coo([0] * 23, range(1, 24), True, nrows=24, ncols=24).to("cuda")
    for strategy, idle in zip(WARPS, (0, 1, 1, 1, 9, 9), strict=True):
        how = Expansion(strategy, organisation="two_phase", count_lanes=True)
        first = sb.bfs(A, 0, expansion=how, trace=True).trace[0].lanes
        assert (first.active, first.taken) == (23, 23 + idle)


def test_a_search_that_counts_says_so_in_its_line_of_a_trace() -> None:
    A = sb.generate.star(40).to("cuda")
    how = Expansion("thread", organisation="two_phase", count_lanes=True)
    with sb.trace() as t:
        found = sb.bfs(A, 0, expansion=how)
        sb.bfs(A, 0, expansion="thread")
    total = total_use(step.lanes for step in found.trace)
    assert [t.records[0][name] for name in ("me", "ua", "ur")] == [total.me, total.ua, total.ur]
    assert "me" not in t.records[1]
    head, _, counted, plain = str(t).splitlines()
    assert f"{total.me:.6f}" in counted and {"me", "ua", "ur"} <= set(head.split())
    assert len(plain) < len(counted)
