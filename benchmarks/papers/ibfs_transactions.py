"""Fig. 18, 19 and 21 of iBFS: what goes to global memory, counted, and measured where ncu is.

Counts are of runs of the joint traversal on the CPU, whose steps say what was queued and read, in
the paper's sizes: eight bytes a vertex, a byte a status, 128 searches a group, 32 bytes a
transaction.  On a GPU the same searches run under Nsight Compute, kernel by kernel.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import ncu
from benchmarks.papers.figure import Found, Setting
from benchmarks.papers.ibfs_graphs import Measured, chosen, graphs, mean_ratio, rows_by_graph
from benchmarks.papers.ibfs_techniques import GROUP, grouped_order
from benchmarks.papers.parts import Part, made_of
from spbfs.engines.bfs_many_stepwise import Step, search_stepwise
from spbfs.exceptions import InvalidValue

__all__ = ["PROFILED", "loads", "loads_a_request", "queue_stores"]

ROOT = Path(__file__).parents[2]
#: Bytes of a transaction and of a vertex's number.
TRANSACTION, VERTEX = 32, 8
#: Sources, as many as the paper's profiles have.
SOURCES = {True: 256, False: 1024}
#: Of the groups that the sources make, so many are profiled, evenly spread: there a launch takes a
#: tenth of a second, and that of a group of searches of their own half of one.
GROUPS = 1
#: Graphs that are profiled, those first that differ most, as the profiler runs every kernel of a
#: search several times over; real ones are of few levels, since each has kernels of its own.
PROFILED = ("FB", "KG0", "RD", "RM", "wiki-vote", "email-enron", "social-epinions1", "web-cnr-2000",
            *("HW", "PK", "OR", "LJ", "WK", "TW", "FR", "KG1", "KG2"))  # fmt: skip
#: Requests and sectors of loads and stores, as Nsight Compute calls them.
METRICS = {
    "loads": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "load requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "stores": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
}
#: The kernels that it looks at, and seconds that a run of them may take.
LOOKED_AT, LONGEST = "bfs_many_(bytes|plain)_(queue|expand).*", 900.0
#: Orders of sources, each a run of the profiler, and the techniques that are searched by there.
PROFILED_IN = {"random": ("private", "joint", "bits"), "GroupBy": ("joint", "bits")}
#: What is counted there: requests are of Fig. 19 alone, and the fewer counters the fewer passes.
COUNTERS = {"random": tuple(METRICS), "GroupBy": ("loads", "stores")}
#: What the kernels of a technique are called: those that list, those that read statuses, or both.
KERNELS = {
    "queue, private": "bytes_queue_private",
    "queue, joint": "bytes_queue_joint",
    "expand, private": "bytes_expand_private",
    "expand, joint": "bytes_expand_joint",
    "joint": "bytes_.*_joint",
    "bits": "plain_",
}
#: Rows of a graph whose requests are counted.
MOST_ENTRIES = 1 << 20

COUNTED = (
    "Counted from the joint traversal's steps on the CPU, {sources} sources in groups of 128, in "
    "the paper's sizes: 8 bytes a vertex, 1 byte a status, 32 bytes a transaction"
)
BY_ROWS = (
    ".  For every entry of a queue its row of statuses, of 128 bytes or 16, and its neighbours' "
    "rows, for every entry of rows that was read the number of a vertex; a search."
)
PROFILER = (
    "Sectors of 32 bytes by ncu ({metrics}), {groups} in the middle of the groups of 128 that "
    "{sources} sources make, of the kernels bfs_many_bytes and bfs_many_plain; vertices have 4 "
    "bytes there"
)


def some_groups(sources: Any) -> Any:
    """The sources of `GROUPS` groups among those that all make."""
    groups = len(sources) // GROUP
    chosen = [(2 * i + 1) * groups // (2 * GROUPS) for i in range(GROUPS)]
    return np.concatenate([sources[GROUP * i : GROUP * (i + 1)] for i in chosen])


def steps_of(graph: Measured, sources: Any) -> list[Step]:
    """All steps of joint traversals of groups of sources."""
    from spbfs.engines.cpu.bfs_many.bytes import JointBytes

    data = graph.matrix._ready()
    return [
        step
        for first in range(0, len(sources), GROUP)
        for step in search_stepwise(JointBytes(data, sources[first : first + GROUP]))
    ]


class Counts(NamedTuple):
    """Sums over all steps of a graph's searches; None where they are too deep for a status byte."""

    name: str
    queued: int
    entries: int
    #: By GroupBy, and what private queues would hold.
    grouped_queued: int
    grouped_entries: int
    private: int


#: What was counted in this process, by graph and size: two figures are made of it.
_counts: dict[tuple[str, bool], Counts] = {}


def _counted(setting: Setting) -> tuple[list[Counts], dict[str, Any]]:
    """What is counted of graphs, without those too deep for a status byte, and by whom."""

    def measure(graph: Measured) -> list[tuple[Any, ...]]:
        key = graph.name, setting.quick
        if key not in _counts:
            _counts[key] = _count_steps(setting, graph)
        return [_counts[key]]

    asked = {"sources": SOURCES[setting.quick], "searches": GROUP}
    rows, made = rows_by_graph(setting, "steps", asked, measure)
    found = [Counts(*row) for row in rows]
    for counts in found:
        if counts.queued is None:
            setting.leave_out(counts.name, "too deep for a status byte")
    return [counts for counts in found if counts.queued is not None], made


def _count_steps(setting: Setting, graph: Measured) -> Counts:
    drawn = graph.sources(SOURCES[setting.quick])
    sums: list[Any] = []
    try:
        for sources in (drawn, grouped_order(graph.matrix, drawn)):
            steps = steps_of(graph, sources)
            sums += [sum(step.queued for step in steps), sum(step.entries for step in steps)]
    except InvalidValue as error:
        setting.say(f"left out: {error}")
        return Counts(graph.name, *[None] * 5)
    return Counts(graph.name, *sums, sum(step.shared for step in steps))


def _row(name: str, cells: list[float]) -> tuple[Any, ...]:
    """Counts, and how many times less the later ones are than the first."""
    return (name, *cells, *(cells[0] / cell if cell else None for cell in cells[1:]))


def queue_stores(setting: Setting) -> Found:
    """Fig. 18."""
    columns = (
        "graph",
        "private queues",
        "joint queue, random",
        "joint queue, GroupBy",
        "random, times less",
        "GroupBy, times less",
    )
    if setting.device == "cuda":
        runs = (
            ("queue, private", "random"),
            ("queue, joint", "random"),
            ("queue, joint", "GroupBy"),
        )
        found = _profiled(setting, columns, runs, "stores")
    else:
        counted, made = _counted(setting)
        rows = [
            _row(
                c.name, [n * VERTEX / TRANSACTION for n in (c.private, c.queued, c.grouped_queued)]
            )
            for c in counted
        ]
        about = COUNTED.format(sources=SOURCES[setting.quick]) + "."
        found = Found(columns, rows, about=about, **made)
    return replace(
        found,
        gives=f"a joint queue has {mean_ratio(found.rows, 1, 2):.2g} times fewer stores, "
        f"{mean_ratio(found.rows, 1, 3):.2g} with GroupBy",
    )


def loads_a_request(setting: Setting) -> Found:
    """Fig. 19."""
    columns = ("graph", "private statuses", "joint statuses", "joint, times less")
    if setting.device == "cuda":
        runs = (("expand, private", "random"), ("expand, joint", "random"))
        found = _profiled(setting, columns, runs, "loads", by="load requests")
        fewer = f"{mean_ratio(found.rows, 1, 2):.2g} times fewer sectors a request of loads"
        return replace(found, gives=f"{fewer} where statuses are joint")
    rows = [_row(graph.name, [_scattered(graph), 1.0]) for graph in graphs(setting)]
    return Found(
        columns,
        rows,
        gives=f"{mean_ratio(rows, 1, 2):.3g} pieces of 32 bytes a request where statuses are "
        "private, 1 where they are joint",
        about="Counted: a warp of 32 asks for the statuses of 32 neighbours of a vertex in one "
        "search's own array of bytes, so many pieces of 32 bytes are touched, mean over requests; "
        "or for 32 searches' statuses of one neighbour, which lie in one.",
    )


def _scattered(graph: Measured) -> float:
    """Pieces that the statuses of up to 32 neighbours of a vertex lie in, in an array of bytes."""
    data = graph.matrix._ready()
    rows = int(np.searchsorted(data.indptr, MOST_ENTRIES, side="right")) - 1
    rows = max(1, rows)
    indptr = data.indptr[: rows + 1].astype(np.int64)
    owner = np.repeat(np.arange(rows), np.diff(indptr))
    request = (np.arange(indptr[-1]) - indptr[owner]) // 32
    piece = data.indices[: indptr[-1]].astype(np.int64) // TRANSACTION
    # Neighbours rise within a row, so that equal pieces of a request lie side by side.
    first = np.ones(owner.shape[0], bool)
    if first.shape[0]:
        again = (owner[1:] == owner[:-1]) & (request[1:] == request[:-1])
        starts = np.concatenate([[True], ~again])
        first[1:] = ~again | (piece[1:] != piece[:-1])
        return float(first.sum() / starts.sum())
    return 1.0


def loads(setting: Setting) -> Found:
    """Fig. 21."""
    columns = ("graph", "joint bytes", "bits", "bits, GroupBy", "bits, times less", "GroupBy, ...")
    if setting.device == "cuda":
        runs = (("joint", "random"), ("bits", "random"), ("bits", "GroupBy"))
        found = _profiled(setting, columns, runs, "loads", searches=GROUPS * GROUP)
    else:
        counted, made = _counted(setting)
        rows = []
        for c in counted:
            cells = [
                _loads_of(c.queued + c.entries, GROUP),
                _loads_of(c.queued + c.entries, GROUP // 8),
                _loads_of(c.grouped_queued + c.grouped_entries, GROUP // 8),
            ]
            rows.append(_row(c.name, [cell / SOURCES[setting.quick] for cell in cells]))
        about = COUNTED.format(sources=SOURCES[setting.quick]) + BY_ROWS
        found = Found(columns, rows, about=about, **made)
    return replace(
        found,
        gives=f"bits have {mean_ratio(found.rows, 1, 2):.2g} times fewer loads than bytes, "
        f"{mean_ratio(found.rows, 1, 3):.2g} with GroupBy",
    )


def _loads_of(looked_at: int, row_bytes: int) -> float:
    """Transactions that load so many vertices and their statuses, in rows of so many bytes."""
    statuses = -(-row_bytes // TRANSACTION)
    return looked_at * (statuses + VERTEX / TRANSACTION)


# -- measured on a GPU -----------------------------------------------------------------------------
Key = tuple[str, str, bool]
#: What ncu has counted, by graph, order and size: several figures are made of it.
_profiles: dict[Key, Part] = {}


def _profiled(
    setting: Setting,
    columns: tuple[str, ...],
    runs: tuple[tuple[str, str], ...],
    metric: str,
    *,
    by: str | None = None,
    searches: int | None = None,
) -> Found:
    """A row a graph: a metric of some kernels in an order of the sources, over another one or the
    searches where these are given."""
    about = PROFILER.format(
        metrics=", ".join(METRICS.values()), groups=GROUPS, sources=SOURCES[setting.quick]
    )
    about += "; a request." if by else "; a search." if searches else "."
    rows: list[tuple[Any, ...]] = []
    for name in _in_turn(setting):
        try:
            found = [_counters(setting, name, order, KERNELS[kernels]) for kernels, order in runs]
        except ProfilerError as error:
            if not rows:
                raise
            setting.leave_out(name, str(error))
            continue
        rows.append(_row(name, [c[metric] / (c[by] if by else searches or 1) for c in found]))
    if not rows:
        raise ProfilerError("nothing is counted")
    rows.sort(key=lambda row: PROFILED.index(row[0]))
    keys = [(row[0], order, setting.quick) for row in rows for order in PROFILED_IN]
    return Found(
        columns, rows, about=about, **made_of(_profiles[k] for k in keys if k in _profiles)
    )


def _in_turn(setting: Setting) -> Iterator[str]:
    """Graphs that figures of one command are made of: those that the first of them had, which are
    those that are kept, and others as there is time."""
    names = chosen(setting, PROFILED)
    before = [name for name in names if (name, "GroupBy", setting.quick) in _profiles]
    if before:
        for name in names:
            if name not in before:
                setting.leave_out(name, "it was left out of the figure before")
        yield from before
        return
    kept = [name for name in names if all(_kept(setting, name, o) for o in PROFILED_IN)]
    yield from kept
    others = [name for name in names if name not in kept]
    if setting.parts is None or not setting.parts.only:
        yield from setting.in_time(others)
        return
    for name in others:
        setting.leave_out(name, "it is not counted")


class ProfilerError(RuntimeError):
    """What ncu said where it counted nothing."""


def _kept(setting: Setting, name: str, order: str) -> Part | None:
    """What this process or another one has counted of a graph."""
    key = name, order, setting.quick
    if key not in _profiles and setting.parts is not None:
        part = setting.parts.load(*_asked(setting, name, order))
        if part is not None:
            _profiles[key] = part
    return _profiles.get(key)


def _asked(setting: Setting, name: str, order: str) -> tuple[str, dict[str, Any]]:
    """What the part of a graph is called, and what is counted for it."""
    small = "-quick" if setting.quick else ""
    asked = {
        "sources": SOURCES[setting.quick],
        "groups": GROUPS,
        "searches": GROUP,
        "techniques": list(PROFILED_IN[order]),
        "counters": [METRICS[counter] for counter in COUNTERS[order]],
    }
    return f"ibfs-ncu-{name}-{order}{small}", asked


def _count(setting: Setting, name: str, order: str) -> Part:
    """Have ncu count, and keep it."""
    part_name, asked = _asked(setting, name, order)
    techniques = PROFILED_IN[order]
    setting.say(f"{name}: {', '.join(techniques)}, {order}, under ncu")
    program = [sys.executable, "-m", "benchmarks.papers.ibfs_profiled", name, order]
    program += [*techniques, *(["--quick"] if setting.quick else [])]
    began, longest = time.perf_counter(), setting.at_most(LONGEST)
    found = ncu.counted(program, LOOKED_AT, tuple(asked["counters"]), ROOT, timeout=longest)
    if isinstance(found, str):
        raise ProfilerError(found)
    if setting.parts is None:
        return Part(found)
    return setting.parts.save(part_name, asked, found, time.perf_counter() - began)


def _counters(setting: Setting, name: str, order: str, kernels: str) -> dict[str, float]:
    """Sums of all metrics over the kernels of a run whose names have a part."""
    part = _kept(setting, name, order)
    if part is None:
        part = _profiles[name, order, setting.quick] = _count(setting, name, order)
    counted = [of for kernel, of in part.found.items() if re.search(kernels, kernel)]
    if not counted:
        raise ProfilerError(f"ncu has seen no kernel {kernels}")
    return {
        name: sum(counts.get(metric, 0.0) for counts in counted) for name, metric in METRICS.items()
    }
