"""Zhang et al., section 4: graphs laid out for a search, and edges in parts (Fig. 3)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any

import spbfs as sb
from benchmarks.common.sources import SourcesWithAnEdge
from benchmarks.papers.figure import Found, Plot, Setting
from spbfs.storage.partitions import EdgePartitions

__all__ = ["layouts", "parts"]

#: Name -> what a search is asked for.
LAYOUTS: dict[str, dict[str, Any]] = {
    "as given": {"relabel": None, "neighbours": None},
    "zero-degree remapping": {"relabel": "compact", "neighbours": None},
    "neighbours by degree": {"relabel": None, "neighbours": "degree"},
    "both": {"relabel": "compact", "neighbours": "degree"},
    "vertices and neighbours by degree": {"relabel": "degree", "neighbours": "degree"},
    "as chosen": {},
}
#: Kronecker graphs, edge factor 16, by the setting.
SCALES = {"cpu": (16, 18, 20), "cuda": (20, 22, 24), "quick": (10, 12)}
#: Into how many parts edges are cut.
PARTS = (1, 2, 8, 64)
#: Sources a graph, and turns in which ways are timed from each, in quick runs and others.
SOURCES, TURNS = {True: 2, False: 8}, {True: 1, False: 5}

Search = Callable[[int], sb.BFSResult]


def _scales(setting: Setting) -> Sequence[int]:
    return SCALES["quick" if setting.quick else setting.device]


def _arrays(setting: Setting, scale: int) -> tuple[Any, Any]:
    """Offsets and neighbours of a graph, where it is searched."""
    setting.say(f"Kronecker graph of scale {scale}")
    if setting.device == "cuda" and not setting.quick:
        from benchmarks.cuda.graphs import kronecker

        return kronecker(scale)[1:]
    indptr, indices, _ = sb.generate.kronecker(scale, 16, seed=scale).to(setting.device).to_csr()
    return indptr, indices


def _matrix(arrays: tuple[Any, Any], device: str) -> sb.Matrix:
    """A graph of which nothing has been derived yet."""
    n = arrays[0].shape[0] - 1
    return sb.Matrix.from_csr(*arrays, True, nrows=n, ncols=n, device=device)


def _sources(A: sb.Matrix, setting: Setting) -> list[int]:
    drawn = SourcesWithAnEdge(A.to("cpu").to_csr()[0]).draw(SOURCES[setting.quick])
    return [int(source) for source in drawn]


def _in_turns(searches: dict[str, Search], sources: list[int], setting: Setting) -> list[float]:
    """Medians over the sources of medians of turns, by the results' own clocks."""
    medians: dict[str, list[float]] = {name: [] for name in searches}
    for source in sources:
        taken: dict[str, list[float]] = {name: [] for name in searches}
        for turn in range(1 + TURNS[setting.quick]):
            for name, search in searches.items():
                seconds = search(source).seconds
                if turn:
                    taken[name].append(seconds)
        for name, seconds_of in taken.items():
            medians[name].append(median(seconds_of))
    return [median(found) for found in medians.values()]


# -- layouts ---------------------------------------------------------------------------------------
def layouts(setting: Setting) -> Found:
    """What each layout costs to make and to keep, and what searches gain by it."""
    rows: list[tuple[Any, ...]] = []
    lines: dict[str, list[tuple[float, float]]] = {}
    for scale in setting.in_time(_scales(setting), "scale {}".format):
        arrays = _arrays(setting, scale)
        searches, made = {}, []
        sources = _sources(_matrix(arrays, setting.device), setting)
        for name, options in LAYOUTS.items():
            _first(_matrix(arrays, setting.device), sources[0], options)  # it may load kernels
            A = _matrix(arrays, setting.device)
            before = A.nbytes
            plan, first = _first(A, sources[0], options)
            made.append((first, A.nbytes / before - 1))
            searches[name] = partial(plan.run, **options)
        later = _in_turns(searches, sources, setting)
        for name, (first, kept), seconds in zip(LAYOUTS, made, later, strict=True):
            rows.append((scale, name, 1e3 * first, 1e3 * seconds, later[0] / seconds, kept))
            lines.setdefault(name, []).append((scale, 1e3 * seconds))
    last = {row[1]: row[4] for row in rows[-len(LAYOUTS) :]}
    gains = ", ".join(f"{name} {last[name]:.2f}" for name in [*LAYOUTS][1:4])
    return Found(
        ("scale", "layout", "first search, ms", "a search, ms", "rate over as given",
         "kept, of the matrix's bytes"),
        rows,
        (Plot("A search by layout", "scale", "ms", lines, log_y=True),),
        "Kronecker graphs, edge factor 16. The first search of a matrix makes what it derives, by "
        "the host's clock: whether the matrix is symmetric, the layout, workspace and outputs; all "
        "of it stays with the matrix. Later ones are in turns over the layouts, medians of "
        f"{TURNS[setting.quick]} from each of {SOURCES[setting.quick]} sources with an edge, by "
        "the results' own clock: levels and parents in the caller's numbers.",
        f"rate at scale {rows[-1][0]} over that of the graph as given: {gains}",
    )  # fmt: skip


def _first(A: sb.Matrix, source: int, options: dict[str, Any]) -> tuple[sb.BFSPlan, float]:
    """A plan, and seconds of its first search, with all that is made for it."""
    started = time.perf_counter()
    plan = sb.BFSPlan(A)
    _ = plan.run(source, **options).depth
    return plan, time.perf_counter() - started


# -- figure 3 --------------------------------------------------------------------------------------
def parts(setting: Setting) -> Found:
    """Edges in parts: the table of the parts, and what a search over them takes."""
    rows: list[tuple[Any, ...]] = []
    scale = _scales(setting)[-1]
    arrays = _arrays(setting, scale)
    whole = _matrix(arrays, setting.device)
    sources = _sources(whole, setting)
    # On a GPU the matrix stays in host memory, and its parts are brought one after another.
    host = whole.to("cpu")
    (fused,) = _in_turns({"fused": sb.BFSPlan(whole).run}, sources, setting)
    for count in PARTS:
        most = -(-host.nvals // count)
        # One size after the other: a matrix keeps its parts of one.
        search = partial(sb.bfs, host, part_edges=most, device=setting.device)
        (seconds,) = _in_turns({"in parts": search}, sources, setting)
        table = EdgePartitions(*host.to_csr()[:2], most)
        trace = sb.bfs(host, sources[0], part_edges=most, device=setting.device, trace=True).trace
        looked = sum(step.read for step in trace or ())
        rows.append((len(table), int(table.counts.max()), int(table.offsets[-1]),
                     int(table.counts[-1]), 1e3 * seconds, seconds / fused,
                     looked / (4 * host.nvals)))  # fmt: skip
    return Found(
        ("parts", "entries of a part", "offset of the last", "its count", "a search, ms",
         "over the fused search", "columns looked at, of all"),
        rows,
        (Plot("Edges in parts", "parts", "ms", {"a search": [(row[0], row[4]) for row in rows]},
              log_x=True, log_y=True),),
        f"Kronecker graph of scale {scale}, edge factor 16, {host.nvals} entries, by "
        "`part_edges=`. Ids count the parts, and offsets and counts say where in the edges one "
        "begins and how many it has. Medians as of Layouts, by the results' own clock, one number "
        f"of parts after the other; the fused search, {1e3 * fused:.3g} ms, has the graph in one "
        + ("piece on the GPU, the parts come over the bus" if setting.device == "cuda" else "piece")
        + ". What is looked at is of one search, several levels that look at an edge counted each.",
        f"a search over {rows[-1][0]} parts takes {rows[-1][5]:.3g} times the fused one",
    )  # fmt: skip
