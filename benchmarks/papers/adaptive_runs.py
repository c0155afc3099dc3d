"""Zhang et al.: what is run for the tables and figures of "An adaptive breadth-first search
algorithm on integrated architectures"."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from statistics import harmonic_mean, median
from typing import Any, TypeVar

import numpy as np

import spbfs as sb
from benchmarks.common.sources import SourcesWithAnEdge
from benchmarks.papers.figure import OVER, Found, Plot, Setting
from spbfs.generate.remapping import remapped_vertices

__all__ = ["by_level", "energy", "rates", "remapping"]

T = TypeVar("T")

#: Of Graph500's generator, edge factor 16, as in the paper's table 4.
SCALES = (22, 23, 24, 25, 26)
#: The same on the CPU alone, and in a quick run.
CPU_SCALES, QUICK_SCALES = (16, 17, 18, 19, 20), (10, 11, 12)
#: Beamer's parameters, fixed as in Daga et al.: bottom-up once the frontier's edges are more than
#: this part of those unexplored, top-down again once its vertices are fewer than that part of all.
ALPHA, BETA = 14, 24
#: Searches of one level's time, sources of a rate, and turns in which ways are timed from each.
REPEATS, SOURCES, TURNS = 5, 8, 5


def _scales(setting: Setting) -> Sequence[int]:
    if setting.quick:
        return QUICK_SCALES
    return SCALES if setting.device == "cuda" else CPU_SCALES


def _graph(setting: Setting, scale: int) -> sb.Matrix:
    """Resident on both devices where there are two."""
    setting.say(f"Kronecker graph of scale {scale}")
    if setting.device != "cuda":
        return sb.generate.kronecker(scale, 16, seed=scale)
    from benchmarks.cuda.graphs import kronecker

    n, indptr, indices = kronecker(scale)
    made = sb.Matrix.from_csr(indptr, indices, True, nrows=n, ncols=n, device="cuda")
    del indptr, indices
    return made.to("cpu+cuda")


def _of_scales(setting: Setting, found: Callable[[int, sb.Matrix], T]) -> Iterator[T]:
    """What is found of every scale, whose graph is given up before the next one is made."""
    for scale in setting.in_time(_scales(setting), "scale {}".format):
        try:
            yield found(scale, _graph(setting, scale))
        except MemoryError as error:
            setting.say(f"scale {scale}: {error}")
            setting.leave_out(f"scale {scale}", "no memory for it")
        gc.collect()  # plans refer to themselves, and hold gigabytes


def _strategies(setting: Setting) -> tuple[str, ...]:
    return ("TC", "TG", "BC", "BG", "BGC") if setting.device == "cuda" else ("TC", "BC")


def _offsets(A: sb.Matrix) -> Any:
    return A.to("cpu").to_csr()[0]


def _source(A: sb.Matrix) -> int:
    """A vertex of the giant component, of small degree: the paper's has one vertex in level 2."""
    offsets = _offsets(A)
    degrees = np.diff(offsets)
    found = sb.bfs(A, int(degrees.argmax()), parents=False)
    reached, _ = found.levels.to("cpu").to_coo()
    few = reached[degrees[reached] == degrees[reached].min()]
    return int(few[len(few) // 2])


# -- table 5 ---------------------------------------------------------------------------------------
def by_level(setting: Setting) -> Found:
    """Seconds of every level by every strategy, each forced for a whole search."""
    scale = _scales(setting)[-1]
    A = _graph(setting, scale)
    source, names = _source(A), _strategies(setting)
    times: dict[str, list[float]] = {}
    frontiers: list[int] = []
    for name in names:
        setting.say(name)
        runs = [_steps(A, source, name) for _ in range(1 if setting.quick else REPEATS)]
        times[name] = [median(step.seconds for step in level) for level in zip(*runs, strict=True)]
        if len(runs[0]) > len(frontiers):
            frontiers = [step.frontier for step in runs[0]]
    # Who knows that every vertex is reached does not look behind the last level.
    columns = list(zip_longest(range(1, len(frontiers) + 1), frontiers, *times.values()))
    rows: list[tuple[Any, ...]] = [tuple(column) for column in columns]
    lines = {name: list(enumerate(column, 1)) for name, column in times.items()}
    best = {
        min(names, key=lambda name: times[name][k]) for k in range(min(map(len, times.values())))
    }
    return Found(
        ("level", "frontier", *(f"{name} (s)" for name in names)),
        rows,
        (Plot("Time of a level", "level", "seconds", lines, log_y=True),),
        about=f"Kronecker graph of scale {scale}, edge factor 16, {A.nvals} entries, from vertex "
        f"{source}; every strategy forced for whole searches, the median of "
        f"{1 if setting.quick else REPEATS}; a level's time is the trace's, on the GPU by its "
        "own clock; empty where the search was over before",
        gives=f"fastest at some level: {', '.join(sorted(best))}",
    )


def _steps(A: sb.Matrix, source: int, strategy: str | list[str]) -> list[Any]:
    steps = sb.bfs(A, source, strategy=strategy, trace=True).trace
    assert steps is not None
    return steps


# -- table 6 ---------------------------------------------------------------------------------------
def remapping(setting: Setting) -> Found:
    """Vertices that are left when those without entries are."""
    rows = []
    for scale in setting.in_time(QUICK_SCALES if setting.quick else SCALES):
        setting.say(f"Kronecker graph of scale {scale}")
        n, filled = remapped_vertices(scale, seed=scale)
        rows.append((scale, n, filled, 100 * (n - filled) / n))
    return Found(
        ("scale", "original", "with entries", "saved (%)"),
        rows,
        about="Kronecker graphs, edge factor 16, loops dropped, counted while their edges are "
        "drawn; layouts with hubs first leave the others out",
        gives=f"{rows[-1][3]:.0f} % of the vertices of scale {rows[-1][0]} are saved",
    )


# -- figures 4 and 5 -------------------------------------------------------------------------------
def _fixed(A: sb.Matrix, source: int, setting: Setting) -> list[str]:
    """The sequence that fixed parameters make: top-down on the CPU, bottom-up on the GPU."""
    down, up = "TC", "BG" if setting.device == "cuda" else "BC"
    strategy, explored, pulling, before = [], 0, False, 0
    for step in _steps(A, source, down):
        if not pulling:
            pulling = step.edges * ALPHA > A.nvals - explored and step.frontier > before
        else:
            pulling = not (step.frontier * BETA < A.nrows and step.frontier < before)
        strategy.append(up if pulling else down)
        explored, before = explored + step.edges, step.frontier
    return strategy


def _planned(A: sb.Matrix, sources: list[int], setting: Setting) -> dict[str, Any]:
    """A search from one of the sources, again and again, by every way."""
    C = A.to("cpu")
    fixed = {s: _fixed(A, s, setting) for s in sources}
    on_cpu, on_both = sb.BFSPlan(C), sb.BFSPlan(A)
    ways: dict[str, Any] = {
        "fixed parameters": lambda s: on_both.run(s, strategy=fixed[s]),
        "CPU alone": lambda s: on_cpu.run(s),
    }
    if setting.device == "cuda":
        ways["by the model"] = lambda s: on_both.run(s, strategy="auto")
        ways["GPU alone"] = lambda s: on_both.run(s)
    return ways


def _sources(A: sb.Matrix, setting: Setting) -> list[int]:
    drawn = SourcesWithAnEdge(_offsets(A)).draw(2 if setting.quick else SOURCES)
    return [int(s) for s in drawn]


def rates(setting: Setting) -> Found:
    """GTEPS of a fixed-parameter hybrid, of each device alone, and as the model chooses."""
    names: list[str] = []

    def row(scale: int, A: sb.Matrix) -> tuple[Any, ...]:
        sources = _sources(A, setting)
        ways = _planned(A, sources, setting)
        names[:] = ways
        found: dict[str, list[float]] = {name: [] for name in names}
        for source in setting.in_time(sources, f"scale {scale} from {{}}".format):
            taken: dict[str, list[float]] = {name: [] for name in names}
            for turn in range(1 + TURNS):
                for name, search in ways.items():
                    result = search(source)
                    if turn and result.depth > 1:
                        taken[name].append(result.seconds)
            for name, seconds in taken.items():
                if seconds:
                    found[name].append(result.edges / 2 / median(seconds) / 1e9)
        return scale, *(harmonic_mean(found[name]) for name in names)

    rows = list(_of_scales(setting, row))
    lines = {name: [(row[0], row[1 + k]) for row in rows] for k, name in enumerate(names)}
    first = rows[-1]
    gains = ", ".join(f"{name} {first[1 + k]:.3g}" for k, name in enumerate(names))
    return Found(
        ("scale", *(f"{name} (GTEPS)" for name in names)),
        rows,
        (Plot("Rate", "scale", "GTEPS", lines, log_y=True),),
        about=_about(setting),
        gives=f"GTEPS at scale {first[0]}: {gains}",
    )


def _about(setting: Setting) -> str:
    bottom_up, others = "BC", ""
    if setting.device == "cuda":
        bottom_up = "BG on the GPU"
        others = (
            '; by the model: strategy="auto" on both devices, level by level; the GPU alone: the '
            "fused search"
        )
    return (
        "Kronecker graphs, edge factor 16; an edge of the component counts once; harmonic mean of "
        f"{2 if setting.quick else SOURCES} sources with an edge, medians of {TURNS} turns; the "
        "clock encloses the whole search with levels and parents: that of the device which makes "
        "it, the host's of one that changes the device, with every switch. Fixed parameters: TC, "
        "then "
        f"{bottom_up} while Beamer's alpha = {ALPHA} and beta = {BETA} say so; the CPU alone: our "
        f"own search by direction{others}"
    )


def energy(setting: Setting) -> Found:
    """GTEPS a watt, by the machine's own counters."""
    rows: list[tuple[Any, ...]] = []
    lines: dict[str, list[tuple[float, float]]] = {}
    reasons: set[str] = set()

    def count(scale: int, A: sb.Matrix) -> None:
        source = _source(A)
        ways = _planned(A, [source], setting)
        forced = sb.BFSPlan(A).run
        ways |= {name: partial(forced, strategy=name) for name in _strategies(setting)}
        for name, search in ways.items():
            if rows and setting.over:
                setting.leave_out(f"scale {scale}: {name}", OVER)
                continue
            setting.say(f"scale {scale}: {name}")
            used, edges, counted = _measured(search, source, name, setting)
            reasons.update({used.reason} if used.reason else ())
            rate = used.per_joule(edges / 1e9)
            rows.append((scale, name, used.joules, rate, used.idle_watts, counted))
            if rate:
                lines.setdefault(name, []).append((scale, rate))

    for _ in _of_scales(setting, count):
        pass
    plots = (Plot("Energy efficiency", "scale", "GTEPS/W", lines, log_y=True),) if lines else ()
    return Found(
        ("scale", "search", "joules", "GTEPS/W", "idle (W)", "counted"),
        rows,
        plots,
        about=f"{_about(setting)}. Joules of one search from one source, repeated until the "
        f"counters have moved often enough, what an idle machine takes included. "
        f"{'; '.join(sorted(reasons))}".strip(),
        gives=_most_efficient(rows),
    )


def _measured(
    search: Any, source: int, name: str, setting: Setting
) -> tuple[sb.Energy, float, str | None]:
    """What a search takes of all devices whose counters can be read, its edges, and these."""
    edges = search(source).edges / 2
    steps, most = (2, 1.0) if setting.quick else (20, 30.0)
    used = sb.Energy()
    both = ("cpu+cuda", "cuda") if setting.device == "cuda" else ("cpu",)
    if name in ("TC", "BC", "CPU alone") and setting.device == "cuda":
        both = ("cpu+cuda", "cpu")
    for device in both:
        used = sb.measure_energy(
            lambda: search(source).reached, device, steps=steps, most_seconds=most
        )
        if used.joules is not None:
            return used, edges, device
    return used, edges, None


def _most_efficient(rows: list[tuple[Any, ...]]) -> str:
    known = [row for row in rows if row[3]]
    if not known:
        return "no counter of energy can be read here"
    best = max(known, key=lambda row: row[3])
    return f"most: {best[1]}, {best[3]:.2g} GTEPS/W at scale {best[0]}"
