"""Cheng et al., Fig. 5 and 6: the rate of the expansion, and what of a warp it uses."""

from __future__ import annotations

from typing import Any

from benchmarks.papers.cheng_profiled import Profile, profiles
from benchmarks.papers.cheng_survey import WIDTHS, survey
from benchmarks.papers.figure import Found, Plot, Setting

__all__ = ["efficiency", "rates"]


def rates(setting: Setting) -> Found:
    """Fig. 5: how fast edges are expanded, by the lanes that walk a row."""
    rows: list[tuple[Any, ...]] = []
    for one in survey(setting):
        speeds = {w: one.expanded / one.milliseconds[w] / 1e3 for w in WIDTHS}
        best = max(WIDTHS, key=lambda w: speeds[w])
        rows.append((one.name, *(speeds[w] for w in WIDTHS), best))
    lines = {
        row[0]: [(float(w), float(x)) for w, x in zip(WIDTHS, row[1:7], strict=True)]
        for row in rows
    }
    plot = Plot("Expansion rate", "lanes a row", "M edges/s", lines, log_x=True, log_y=True)
    return Found(
        ("graph", *(f"sm-{w}, M edges/s" for w in WIDTHS), "best"),
        rows,
        (plot,),
        "Expanded edges over the time of the expanding kernels of two-phase searches (CUDA events "
        "around each launch), from ten vertices of the giant component, medians of three. Of "
        "graphs of a thousand levels this is mostly the time of launches.",
        "fastest widths: " + ", ".join(f"{row[0]} {row[-1]}" for row in rows),
    )


def efficiency(setting: Setting) -> Found:
    """Fig. 6: shares of lane-steps, computed, counted and read from the hardware."""
    rows: list[tuple[Any, ...]] = []
    plots = []
    every = survey(setting)  # before the profiler, which would leave it no time
    said: dict[str, Profile] = {}
    if setting.device == "cuda" and not setting.quick:
        said = profiles(setting, [one.name for one in every])
    for one in every:
        profile = said.get(one.name, {})
        lines: dict[str, list[tuple[float, float]]] = {name: [] for name in ("ME", "UA", "UR")}
        for w in WIDTHS:
            from_degrees, counted = one.computed[w], one.counted.get(w)
            told = counted or from_degrees
            for name, points in lines.items():
                points.append((float(w), getattr(told, name.lower())))
            rows.append((one.name, w, from_degrees.me, from_degrees.ua, from_degrees.ur,
                         *((counted.me, counted.ua, counted.ur) if counted else (None,) * 3),
                         told.active / told.sectors, *profile.get(w, (None, None))))  # fmt: skip
        plots.append(Plot(f"{one.name}: lane-steps", "lanes a row", "share", lines, log_x=True))
    apart = [abs(row[2] - row[5]) for row in rows if row[5] is not None]
    alike = (
        f"counted in the kernels ME is within {max(apart):.3f} of that from degrees, "
        if apart
        else ""
    )
    best = _best_me(rows)
    return Found(
        ("graph", "lanes a row", "ME", "UA", "UR", "ME counted", "UA counted", "UR counted",
         "edges a sector", "ncu: threads an instruction", "ncu: sectors a load"),
        rows,
        tuple(plots),
        "One search of each from a vertex of its giant component. ME, UA, UR: shares of the "
        "lane-steps of warps with an edge, lost within a group and between groups. From degrees: "
        "windows of each level's vertices in rising order, as many warps as they need; counted: "
        "`Expansion(count_lanes=True)`, in the order of the queues, on the grid there is. A sector "
        "is 32 bytes of neighbours. ncu: instructions times threads over instructions of the "
        "kernels that do not count, all of their code included, " + _why(said),
        alike + "ME is largest with a width of " + ", ".join(f"{w} ({n})" for n, w in best.items()),
    )  # fmt: skip


def _best_me(rows: list[tuple[Any, ...]]) -> dict[str, int]:
    best: dict[str, tuple[float, int]] = {}
    for row in rows:
        best[row[0]] = max(best.get(row[0], (0.0, 0)), (row[2], row[1]))
    return {name: width for name, (_, width) in best.items()}


def _why(said: dict[str, Profile]) -> str:
    return "of " + ", ".join(said) + "." if said else "which has not been run."
