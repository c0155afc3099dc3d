"""What was measured of the expansion strategies, as Markdown: theirs beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = ["MERRILL", "markdown"]

Row = dict[str, Any]

#: 10^9 edges a second on a Tesla C2050, hybrid organisation (Merrill et al., table 2): with
#: distances, with predecessors.
MERRILL = {
    "grid5pt.5000": (0.60, 0.57),
    "grid7pt.300": (1.1, 0.97),
    "kron_g500-logn20": (3.1, 2.5),
    "random.2Mv.128Me": (3.0, 2.4),
    "rmat.2Mv.128Me": (3.3, 2.6),
}


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def _by_graph(rows: list[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["graph"], []).append(row)
    return found


def _three(x: float) -> str:
    """Three digits, or all before the point."""
    return f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def _cell(rows: list[Row], key: str, show: Callable[[float], str] = _three, **wanted: Any) -> str:
    """Of the row that has what is wanted; levels and parents unless it says otherwise."""
    wanted = {"parents": True, **wanted}
    for row in rows:
        if all(row[name] == value for name, value in wanted.items()):
            return show(row[key])
    return ""


def _organisations(rows: list[Row]) -> list[str]:
    columns = ("hybrid", "two_phase", "contract_expand", "expand_contract")
    head = ["graph", "theirs, hybrid: levels", "parents", "hybrid: levels"]
    head += [*columns, "hybrid, atomic", "chosen level by level", "fused"]
    local = {"culling": "warp+history"}
    rates, again = [], []
    for name, found in _by_graph(rows).items():
        ours = [_cell(found, "gteps", organisation="hybrid", parents=False, **local)]
        ours += [_cell(found, "gteps", organisation=c, **local) for c in columns]
        ours += [_cell(found, "gteps", organisation="hybrid", culling="atomic")]
        ours += [_cell(found, "gteps", organisation=o) for o in ("auto", "fused")]
        rates.append([name, *(f"{x:g}" for x in MERRILL[name]), *ours])
        cullings, times = ("none", "warp", "history", "warp+history", "atomic"), "{:.2f}"
        again.append([name, *(
            _cell(found, "redundant_expansion", times.format, organisation="two_phase", culling=c)
            for c in cullings
        )])  # fmt: skip
    return [
        "## Merrill, Garland, Grimshaw: organisations and culling",
        "",
        "10^9 edges a second, scan + warp + CTA gathering; theirs on a Tesla C2050.",
        "",
        *_table(head, rates),
        "Edges expanded over edges there are, two_phase:",
        "",
        *_table(["graph", "none", "warp", "history", "warp+history", "atomic"], again),
    ]


def _best(rows: list[Row], strategy: str) -> str:
    return f"{min(r['milliseconds'] for r in rows if r['strategy'] == strategy):.3g}"


def _strategies(rows: list[Row]) -> list[str]:
    chosen, graphs = [], _by_graph(rows)
    for name, found in graphs.items():
        fused, auto, fixed = found[0], found[1], found[2:]
        best = min(fixed, key=lambda row: float(row["milliseconds"]))
        times = [row["milliseconds"] for row in (fused, auto, best)]
        chosen.append([
            name,
            *(f"{t:.3g}" for t in times),
            f"{best['strategy']}, {best['organisation']}",
            *(f"{t / times[2]:.2f}" for t in times[:2]),
        ])  # fmt: skip
    ladder = [
        [strategy, *(_best(found, strategy) for found in graphs.values())]
        for strategy in dict.fromkeys(row["strategy"] for row in found[2:])
    ]
    head = ["graph", "fused", "level by level", "best fixed one"]
    head += ["which", "fused over best", "level by level over best"]
    return [
        "## What is chosen, and what could be asked for",
        "",
        "Milliseconds: the fused search, which is the default; the strategy chosen level by level "
        "(`Expansion()`); and the best fixed one of all strategies and organisations.",
        "",
        *_table(head, chosen),
        "## Who walks a row",
        "",
        "Milliseconds in the organisation that suits a strategy best, duplicates told by `atomic`.",
        "",
        *_table(["strategy", *graphs], ladder),
    ]


def _couplings(rows: list[Row]) -> list[str]:
    names = ("separate", "balanced_gather", "balanced_redistribute", "hybrid")
    lines = [
        "## Load-balanced BFS: the couplings of the merge path",
        "",
        "Uniform and R-MAT graphs of 2 M vertices, 10^9 edges a second; theirs are curves, with "
        "f0 = 10.",
        "",
    ]
    for organisation in ("expand_contract", "two_phase"):
        table = [
            [name, *(
                _cell(found, "gteps", strategy=f"merge_path:{c}",
                      organisation=organisation)
                for c in names
            )]
            for name, found in _by_graph(rows).items()
        ]  # fmt: skip
        lines += [f"{organisation}:", "", *_table(["graph", *names], table)]
    return lines


TABLES: dict[str, Callable[[list[Row]], list[str]]] = {
    "organisations": _organisations,
    "strategies": _strategies,
    "couplings": _couplings,
}


def markdown(report: Row) -> str:
    """Every table that has rows."""
    device = ", ".join(
        f"{key} {report[key]}"
        for key in ("driver_version", "clocks.max.sm", "clocks.sm", "clocks.mem", "cuda", "cupy")
        if key in report
    )
    facts = ("vertices", "entries", "depth")
    graphs = [[name, *(str(g[f]) for f in facts)] for name, g in report["graphs"].items()]
    lines = [
        f"# Expansion strategies on {report['device']}, {report['date']}",
        "",
        f"{device}.",
        *(f"{key.capitalize()}: {report[key]}." for key in ("edges", "clock", "statistic")),
        f"{report['sources']} sources, {report['repeats']} searches of each; one where it takes "
        "over 20 ms.  Every row's first search is checked as a tree.",
        "",
        *_table(["graph", *facts], graphs),
    ]
    for table, rows in report["tables"].items():
        if rows:
            lines += TABLES[table](rows)
    return "\n".join(lines).rstrip() + "\n"
