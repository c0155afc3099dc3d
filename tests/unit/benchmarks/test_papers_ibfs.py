"""The figures of iBFS on small graphs: what is in them, and the measures behind them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import spbfs as sb

pytest.importorskip("benchmarks", reason="benchmarks are in the checkout only")

from benchmarks.papers import (
    ibfs_graphs,
    ibfs_reachability,
    ibfs_sharing,
    ibfs_techniques,
    ibfs_transactions,
)
from benchmarks.papers.figure import Found, Setting
from benchmarks.papers.ibfs import FIGURES

QUICK = Setting("cpu", True, lambda _: None)
#: Columns whose cells are shares.
SHARES = {
    "fig-2": ("top-down", "bottom-up"),
    "fig-6": ("sharing ratio",),
    "fig-9": (
        "top-down, random",
        "top-down, GroupBy",
        "bottom-up, random",
        "bottom-up, GroupBy",
    ),
}


@pytest.fixture(autouse=True)
def two_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ibfs_graphs, "QUICK", ("FB", "RD"))


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_figures(figure: Any) -> None:
    found: Found = figure.run(QUICK)
    assert found.rows and found.about
    for row in found.rows:
        assert len(row) == len(found.columns)
        for name, cell in zip(found.columns, row, strict=True):
            assert cell is None or isinstance(cell, str | int | float), (name, type(cell))
            if name in SHARES.get(figure.name, ()) and cell is not None:
                assert 0 < cell <= 1, name
            if isinstance(cell, float):
                assert cell >= 0
    for plot in found.plots:
        assert all(len(point) == 2 for line in plot.lines.values() for point in line)


def test_every_figure_of_the_paper_is_there() -> None:
    named = {2, 6, 8, 9, 11, 15, 16, 18, 19, 20, 21, 22}
    assert {figure.name for figure in FIGURES} == {*(f"fig-{k}" for k in named), "table-1"}


@pytest.mark.parametrize("graph", ["social", "uniform", "deep", "directed"])
def test_techniques_agree(graph: str) -> None:
    A = {
        "social": sb.generate.kronecker(9, 8, seed=1),
        "uniform": sb.generate.uniform(300, 5, seed=2),
        "deep": sb.generate.grid2d(12),
        "directed": sb.generate.rmat(8, 3, seed=4, directed=True),
    }[graph]
    sources = np.random.default_rng(1).integers(0, A.nrows, 150)
    alone = [np.asarray(sb.bfs(A, int(s)).levels.to_dense(-1)) for s in sources[:20]]
    found = {
        name: ibfs_techniques.searched(name, A, sources) for name in ibfs_techniques.TECHNIQUES
    }
    for name, levels in found.items():
        assert np.array_equal(levels[:20], alone), name
        assert np.array_equal(levels, found["sequential"]), name


def test_grouped_sources_are_the_same_sources() -> None:
    A = sb.generate.kronecker(9, 8, seed=1)
    sources = np.arange(0, 500, 3)
    ordered = ibfs_techniques.grouped_order(A, sources)
    assert sorted(ordered.tolist()) == sources.tolist()
    assert not np.array_equal(ordered, sources)


# -- measures --------------------------------------------------------------------------------------
def levels_of(A: sb.Matrix, sources: Any) -> Any:
    return ibfs_techniques.searched("sequential", A, np.asarray(sources))


def degrees_of(A: sb.Matrix) -> Any:
    return np.diff(A.to_csr()[0]).astype(np.int64)


@pytest.mark.parametrize("copies", [1, 5])
def test_identical_sources_share_all(copies: int) -> None:
    A = sb.generate.kronecker(8, 8, seed=1)
    degrees = degrees_of(A)
    levels = levels_of(A, [int(degrees.argmax())] * copies)
    shared = list(ibfs_sharing.by_level(levels, degrees))
    assert {s.searches for s in shared} == {copies}
    assert all(s.degree == copies for s in shared if s.joint)
    ways = {s.pulled for s in shared if s.level and s.joint}
    assert ways and all(ibfs_sharing.ratio(shared, way) == 1 for way in ways)
    assert set(ibfs_sharing.level_sets(levels)) == {copies}
    both = ibfs_sharing.pairwise(levels[0], levels[-1], degrees)
    assert all(np.isnan(share) or share == 1 for share in both.values())
    assert 1.0 in both.values()


def test_searches_that_never_meet_share_nothing() -> None:
    rows = np.arange(19)
    one = np.concatenate([rows, rows + 1]), np.concatenate([rows + 1, rows])
    A = sb.Matrix.from_coo(
        np.concatenate([one[0], one[0] + 20]), np.concatenate([one[1], one[1] + 20]), True, nrows=40
    )
    levels = levels_of(A, [0, 20])
    shared = list(ibfs_sharing.by_level(levels, degrees_of(A)))
    assert all(s.own == s.joint for s in shared if not s.pulled)
    assert set(ibfs_sharing.level_sets(levels)) == {1.0}


def test_directions_turn_where_the_rule_says() -> None:
    A = sb.generate.star(100)
    degrees = degrees_of(A)
    turned = ibfs_sharing.directions(levels_of(A, [0, 5]), degrees)
    # The hub has all edges: searches pull as soon as they are there.
    assert turned.tolist() == [[True, True, False], [False, True, True]]


def test_inspections_are_those_of_a_walk_over_all_neighbours() -> None:
    A = sb.generate.rmat(7, 4, seed=3, directed=True)
    degrees = degrees_of(A)
    indptr, indices, _ = A.T.new().to_csr()
    sources = np.flatnonzero(degrees)[:6]
    levels = levels_of(A, sources)
    turned = ibfs_sharing.directions(levels, degrees)
    expected = []
    for search in range(len(sources)):
        looked = vertices = 0
        for step in np.flatnonzero(turned[search]):
            for v in range(A.nrows):
                row = indices[indptr[v] : indptr[v + 1]]
                if 0 <= levels[search, v] <= step or not len(row):
                    continue
                vertices += 1
                for u in row:
                    looked += 1
                    if 0 <= levels[search, u] <= step:
                        break
        expected.append([looked, vertices])
    assert np.sum(expected) > 0
    assert ibfs_sharing.inspections(levels, indptr, indices, degrees).tolist() == expected


def test_loads_a_request_are_counted() -> None:
    # Vertex 0 has 40 neighbours in two pieces of 32 bytes: requests of 32 and of 8.
    A = sb.Matrix.from_coo([0] * 40, np.arange(10, 50), True, nrows=64, ncols=64)
    graph = ibfs_graphs.Measured("row", A)
    assert ibfs_transactions._scattered(graph) == (2 + 1) / 2


def test_what_ncu_counts_is_summed_over_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    name = ibfs_transactions.METRICS["loads"]
    found: Any = {"queue_a": {name: 1500.0}, "expand_b": {name: 2.0}, "queue_c": {name: 8.0}}
    asked: list[float] = []

    def counted(*_: Any, timeout: float) -> Any:
        asked.append(timeout)
        return found

    monkeypatch.setattr(ibfs_transactions.ncu, "counted", counted)
    monkeypatch.setattr(ibfs_transactions, "_profiles", {})

    def loads(kernels: str, order: str = "random") -> Any:
        return ibfs_transactions._counters(QUICK, "FB", order, kernels)

    assert loads("queue") == {"loads": 1508, "load requests": 0, "stores": 0}
    assert loads("expand")["loads"] == 2 and loads("")["loads"] == 1510
    assert asked == [ibfs_transactions.LONGEST]  # several figures are of one run
    with pytest.raises(RuntimeError, match="no kernel plain_"):  # rather than a row of zeros
        loads("plain_")
    found = "no permission"
    with pytest.raises(RuntimeError, match="no permission"):
        loads("queue", "GroupBy")


#: As Nsight Compute 2025.3 prints them with ``--csv --metrics``, a row a launch and metric.
NCU_COLUMNS = (
    *("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream"),
    *("Block Size", "Grid Size", "Device", "CC", "Section Name"),
    *("Metric Name", "Metric Unit", "Metric Value"),
)
#: Signature of a kernel, and what one launch of it loads, asks for and stores, as printed.
NCU_LAUNCHES = (
    ("bfs_many_bytes_queue_private(const unsigned char *, long)", "9,000", "300", "6,400"),
    ("void bfs_many_bytes_expand_private<int, 0>(const T1 *)", "110,000", "10,000", "20"),
    ("bfs_many_bytes_queue_joint(const unsigned char *, long)", "9,000", "300", "1,600"),
    ("void bfs_many_bytes_expand_joint<int, 1>(const T1 *)", "20,000", "10,000", "30"),
    ("void bfs_many_plain_queue<2, 1, 0>(const unsigned long *)", "700", "100", "4"),
    ("void bfs_many_plain_expand<int, 2, 1, 0>(const T1 *)", "4,300", "1,000", "n/a"),
)


def test_figures_are_read_from_what_ncu_prints(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def line(*cells: str) -> str:
        return ",".join(f'"{cell}"' for cell in cells)

    metrics = [ibfs_transactions.METRICS[name] for name in ("loads", "load requests", "stores")]
    printed = ["==PROF== Connected to process 4711", line(*NCU_COLUMNS)]
    for launch, (kernel, *values) in enumerate(NCU_LAUNCHES * 2):
        where = (str(launch), "4711", "python3", "127.0.0.1", kernel, "1", "7", "(256, 1, 1)")
        about = (*where, "(1056, 1, 1)", "0", "9.0", "Command line profiler metrics")
        printed += [line(*about, *of) for of in zip(metrics, ("sector",) * 3, values, strict=True)]
    tool, sample, asked = (tmp_path / name for name in ("ncu", "printed.csv", "asked"))
    sample.write_text("\n".join(printed))
    tool.write_text(f'#!/bin/sh\necho "$@" >> {asked}\n/bin/cat {sample}\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(ibfs_transactions, "_profiles", {})
    gpu = replace(QUICK, device="cuda", left_out={})
    assert ibfs_transactions.queue_stores(gpu).rows[0] == ("FB", 12800, 3200, 3200, 4, 4)
    assert ibfs_transactions.loads_a_request(gpu).rows[0] == ("FB", 11, 2, 5.5)
    bytes_, bits = 58000 / 128, 10000 / 128  # a search, of two launches each
    assert ibfs_transactions.loads(gpu).rows[0] == ("FB", bytes_, bits, bits, 5.8, 5.8)
    calls = asked.read_text().splitlines()
    assert len(calls) == 2 * 2  # two graphs, an order each, for all three figures
    assert all("--clock-control none --cache-control none" in call for call in calls)
    # Requests are of a figure that has no groups by GroupBy.
    assert [metrics[1] in call for call in calls] == [True, False] * 2
    assert calls[0].endswith("ibfs_profiled FB random private joint bits --quick")


def test_a_profiler_that_takes_too_long_loses_no_graph_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    metrics = ibfs_transactions.METRICS
    kernels = ("bfs_many_bytes_queue_joint", "bfs_many_bytes_queue_private")
    said: Any = {kernel: dict.fromkeys(metrics.values(), 8.0) for kernel in kernels}

    def counted(program: Any, *_: Any, timeout: float) -> Any:
        return said if "FB" in program else f"ncu took more than {timeout:.0f} s"

    monkeypatch.setattr(ibfs_transactions.ncu, "counted", counted)
    monkeypatch.setattr(ibfs_transactions, "_profiles", {})
    setting = Setting("cuda", True, lambda _: None, time.perf_counter() + 60)
    found = ibfs_transactions.queue_stores(setting)
    assert [row[0] for row in found.rows] == ["FB"] and found.gives
    assert [name for names in setting.left_out.values() for name in names] == ["RD"]
    later = Setting("cuda", True, lambda _: None)
    assert ibfs_transactions.queue_stores(later).rows == found.rows
    assert later.left_out == {"it was left out of the figure before": ["RD"]}
    said = "ncu is not installed"
    monkeypatch.setattr(ibfs_transactions, "_profiles", {})
    with pytest.raises(RuntimeError, match="not installed"):  # no result is better than none in it
        ibfs_transactions.loads(replace(setting, left_out={}))


def test_sizes_are_the_papers_but_for_a_power_of_two() -> None:
    for graph in ibfs_graphs.GRAPHS.values():
        scale, mean = graph.size(0)
        assert 0.7 < 2**scale / graph.vertices < 1.5
        assert mean * 2**scale == pytest.approx(graph.entries)
        smaller, as_dense = graph.size(3)
        assert smaller == scale - 3 and as_dense == mean


def test_real_graphs_are_taken_where_they_are(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ibfs_graphs, "DATA", tmp_path)
    sb.write(tmp_path / "web-small.mtx", sb.generate.path(5))
    (tmp_path / "expected.json").write_text("{}")
    setting = replace(QUICK, quick=False)
    assert ibfs_graphs.known(setting) == [*ibfs_graphs.GRAPHS, "web-small"]
    taken = list(ibfs_graphs.graphs(setting, ("web-large", "web-small")))
    assert [(graph.name, graph.matrix.nrows) for graph in taken] == [("web-small", 5)]


def test_an_index_that_answers_wrongly_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    A = sb.generate.path(400)
    seconds, said = ibfs_reachability._index(QUICK, A, np.arange(100))
    assert seconds > 0 and said == "1000 of 1000"
    monkeypatch.setattr(sb.KHopIndex, "query", lambda self, u, v: np.zeros(len(u), bool))
    assert ibfs_reachability._index(QUICK, A, np.arange(100))[1] != "1000 of 1000"


def test_bits_of_both_kinds_search_alike() -> None:
    from spbfs.engines.bfs_many import ManyRequest
    from spbfs.engines.cpu.bfs_many.searches import CpuManySearches

    data = sb.generate.kronecker(9, 8, seed=1)._ready()
    sources, reached = np.arange(100), []
    for without in ((), ("early termination",)):
        many = CpuManySearches(data, relabel=False, without=without)
        with many.batch(data, sources, sources, ManyRequest()) as found:
            reached.append(found.level_sizes())
    assert np.array_equal(*reached)
