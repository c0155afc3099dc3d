"""Searches from a source, by the fused kernel, by expansions, in turns with the CPU, by parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import spbfs as sb
from sanitized.graphs import DEVICE, device_csr, directed, gpus, graphs, outputs, progress

__all__ = [
    "expansions",
    "expansions_in_order",
    "fused_records",
    "fused_searches",
    "fused_wide",
    "parts",
    "pinned",
    "pinned_in_order",
    "searches",
    "strategies",
    "together",
]


def fused_searches() -> None:
    plain: dict[str, Any] = {}
    deep, skewed = graphs()
    _fused((deep, [plain]), (skewed, [plain, {"hubs": 0}, {"hubs": 100}, {"hubs": 1 << 30}]))


def fused_records() -> None:
    """The cluster tier over records of rows."""
    _fused((graphs()[0], [{"records": 4}]))


def fused_wide() -> None:
    """The same over broader records, offsets of 64 bits."""
    _fused((graphs()[0], [{"records": 8}]), wide=1)


def _fused(*cases: tuple[sb.Matrix, list[dict[str, Any]]], wide: int = 0) -> None:
    from spbfs.engines.cuda.bfs.fused import FusedBFS, Tuning
    from spbfs.engines.cuda.graph.layout import build_layout

    early = Tuning(cluster_enter=200, cluster_leave=3, cta_enter=0, cached=0)
    for A, choices in cases:
        n, source = A.nrows, 5
        for k, layout in enumerate(choices, wide):
            built = build_layout(n, *device_csr(A, wide=k % 2 == 1), **layout)
            for tuning, directions in (
                (Tuning(), ("auto", "push", "pull")),
                (early, ("auto",)),
                *([(replace(early, cluster_shared=0), ("auto",))] if "records" in layout else []),
            ):
                plan = FusedBFS(built, tuning=tuning)
                for direction in directions:
                    levels, parents = outputs(n)
                    plan.run(source, levels, parents, direction=direction)
                    sb.verify.bfs_tree(A, source, parents.get(), levels.get())
            progress(f"{n} vertices, {layout}")


def pinned() -> None:
    """Entries in memory of the host: the matrix's own, and copied by degree."""
    for A in graphs():
        P = A.to("cuda", memory="pinned")
        for relabel in ("auto", "degree"):
            for direction in ("auto", "push", "pull"):
                found = sb.bfs(P, 5, relabel=relabel, direction=direction)
                levels, parents = (x.to("cpu").to_dense(-1) for x in found)
                sb.verify.bfs_tree(A, 5, parents, levels)
        progress(f"{A.nrows} vertices")


def pinned_in_order() -> None:
    """The same where frontiers are put in order, as long ones are that no CTA takes alone."""
    from spbfs.engines.cuda.bfs import fused
    from spbfs.engines.cuda.searches import device as run
    from spbfs.planner.search_cuda import Tuning

    class Plan(fused.FusedBFS):
        def __init__(self, *arguments: Any, **how: Any) -> None:
            super().__init__(*arguments, **how)
            # Not where warps have no room on a list for what they count.
            assert self._argument["ordered_from"] == 1

    # So many vertices that they have that on a GPU of any size.
    for A in (sb.generate.uniform(4000, 4, seed=3), directed(3000)):
        P = A.to("cuda", memory="pinned")
        with (
            patch.object(fused, "ordered_rows", lambda _: 1),
            patch.object(run, "fused_tuning", lambda: Tuning(cta_enter=0)),
            patch.object(run, "FusedBFS", Plan),
        ):
            for relabel in ("auto", "degree"):
                found = sb.bfs(P, 5, relabel=relabel, direction="push")
                levels, parents = (x.to("cpu").to_dense(-1) for x in found)
                sb.verify.bfs_tree(A, 5, parents, levels)
        progress(f"{A.nrows} vertices")


def expansions() -> None:
    from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS
    from spbfs.planner.expansion import ORGANISATIONS, STRATEGIES, Expansion

    for A in graphs():
        for k, strategy in enumerate(STRATEGIES):
            arrays = device_csr(A, wide=k % 2 == 1)
            for organisation in ORGANISATIONS:
                if strategy.startswith("merge_path") and organisation == "contract_expand":
                    continue
                culling = ("warp+history", "atomic")[k % 2]
                how = Expansion(strategy, culling, organisation, count_lanes=k % 4 == 1)
                levels, parents = outputs(A.nrows)
                plan = LevelSynchronousBFS(A.nrows, *arrays, how)
                plan.frontiers._sms = 1
                plan.run(5, levels, parents)
                sb.verify.bfs_tree(A, 5, parents.get(), levels.get())
                # As where a queue has overflowed, which it does by chance.
                plan.frontiers.again(1)
                again = plan.frontiers._counts()["level"][1]["vertices"]
                assert again == (levels.get() == 1).sum()


def expansions_in_order() -> None:
    from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS
    from spbfs.planner.expansion import Expansion

    for A in graphs():
        for k, strategy in enumerate(("twc", "scan", "warp:8")):
            how = Expansion(strategy, "warp+history", "two_phase", in_flight=3)
            levels, parents = outputs(A.nrows)
            search = LevelSynchronousBFS(A.nrows, *device_csr(A, wide=k % 2 == 1), how)
            search.run(5, levels, parents)
            sb.verify.bfs_tree(A, 5, parents.get(), levels.get())


def searches() -> None:
    """`spbfs.bfs` and what settles its owners and least parents."""
    for A, source in _searched():
        there = sb.bfs(A.to(DEVICE), source, parents="min")
        here = sb.bfs(A, source, parents="min")
        for name in ("levels", "parents", "owners"):
            expected, found = getattr(here, name), getattr(there, name)
            assert expected is found is None or found.to("cpu").isequal(expected), name


def strategies() -> None:
    """Searches whose levels are forced, on the GPU alone and in turns with the CPU."""
    ways = (["BG", "TG", "BGC"], ["TC", "BG", "BC", "TG"], ["TC", "BG", "BC", "TG"])
    for (A, source), strategy in zip(_searched(), ways, strict=True):
        expected = sb.bfs(A, source, parents="min")
        found = sb.bfs(A.to("cpu+cuda"), source, parents="min", strategy=strategy)
        for one, other in zip(found, expected, strict=True):
            assert one.to("cpu").isequal(other)


def _searched() -> tuple[tuple[sb.Matrix, Any], ...]:
    """Graphs with what a search of them begins at: every search has the tools look at a whole GPU,
    so that none is made twice."""
    deep, skewed = graphs()
    return (deep, 5), (skewed, [5, 9, 77, 9]), (directed(300), 5)


def parts() -> None:
    """Searches over parts of the edges, on the GPU and brought to it."""
    for A in (*graphs(), directed(300)):
        for source in (5, [5, 9, 77, 9]):
            expected = sb.bfs(A, source, parents="min")
            for direction in ("push", "pull"):
                how = {"part_edges": 100, "direction": direction}
                for found in (
                    sb.bfs(A.to(DEVICE), source, **how),
                    sb.bfs(A, source, device=DEVICE, **how),
                ):
                    for one, other in zip(found, expected, strict=True):
                        assert one.to("cpu").isequal(other)


def together() -> None:
    """By all GPUs that there are."""
    devices = list(range(gpus()))
    for A in (*graphs(), directed(300)):
        for relabel in ("compact", None):
            for direction in ("auto", "pull"):
                how: dict[str, Any] = {"relabel": relabel, "direction": direction}
                sb.verify.bfs_tree(A, 5, sb.bfs(A, 5, devices=devices, **how))
    if len(devices) > 1:
        G = sb.SharedGraph.kronecker(9, 6, seed=5, devices=devices)
        for direction in ("auto", "push", "pull"):
            found = G.bfs(5, direction=direction)
            G.verify(found)
            assert found.edges > 0
